"""Reduced bodies for Exudyn: a script with an ObjectFFRFreducedOrder, and the arrays that it reads.

The terms are those of Zwölfer and Gerstmayr (2020): M with the translations Φt and with x̃ and Ψ̃. The columns of x̃
and Ψ̃ are the fields x × e_c and ψ_j × e_c. Nodes of a mesh have no rotations in Exudyn, so each interface node is
replaced by six points around it, which move with it as a rigid body and have its position as their mean.
"""

from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import replacing, write_text
from faying.exporters.bodies import BodyWriter, body_writers
from faying.exporters.bodies._integrals import integrals_of, turned_products
from faying.fem.facets import facet_kind
from faying.reduction.body_file import BodyFile
from faying.reduction.inertia import ShapeIntegrals
from faying.spatial.rotations import skew
from faying.units import factor_to_si

_SCRIPT = '''"""{title}, exported by Faying, in Exudyn (1.13 or newer). Units: {units}.

add_body adds it to a system and returns its object, and a rigid marker for each interface node. The frame that moves
with the body has its origin and axes where the FE model has them, and follows the body's mean motion: the modes have no
rigid content. Run as it stands, this script lets the body fall, held at its first interface node, for one period of its
lowest elastic mode.
{left_out}"""

from pathlib import Path

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    GenericJoint, LoadMassProportional, MarkerBodyMass, MarkerBodyRigid, MarkerSuperElementRigid, NodeGenericODE2,
    ObjectFFRFreducedOrder, ObjectGround, VObjectFFRFreducedOrder,
)
from exudyn.rigidBodyUtilities import GetRigidBodyNode

INTERFACES = {interfaces}


def add_body(mbs, position=(0, 0, 0), rotation=np.eye(3), velocity=(0, 0, 0), angular_velocity=(0, 0, 0),
             gravity=(0, 0, 0), file=Path(__file__).with_name({file!r})):
    """Add the body; return a dict of its object, its two nodes and its rigid markers by names of interface nodes."""
    with np.load(file) as data:
        body = {{name: data[name] for name in data}}
    frame = GetRigidBodyNode(exu.NodeType.RotationEulerParameters, list(position), velocity=list(velocity),
                             rotationMatrix=np.asarray(rotation), angularVelocity=list(angular_velocity))
    modes = body["mass"].shape[0]
    nodes = [mbs.AddNode(frame), mbs.AddNode(NodeGenericODE2(
        numberOfODE2Coordinates=modes, referenceCoordinates=[0.0] * modes, initialCoordinates=[0.0] * modes,
        initialCoordinates_t=[0.0] * modes))]
    matrices = {{}}
    for name in ("mass", "stiffness", "damping"):
        if name in body:
            matrices[name + "MatrixReduced"] = exu.MatrixContainer()
            matrices[name + "MatrixReduced"].SetWithDenseMatrix(body[name], useDenseMatrix=True)
    made = mbs.AddObject(ObjectFFRFreducedOrder(
        name={name!r}, nodeNumbers=nodes, modeBasis=body["modeBasis"], referencePositions=body["xRef"],
        mass=float(body["totalMass"]), inertia=body["inertia"], centerOfMass=body["centerOfMass"],
        mPsiTildePsi=body["mPsiTildePsi"], mPsiTildePsiTilde=body["mPsiTildePsiTilde"],
        mPhitTPsi=body["mPhitTPsi"], mPhitTPsiTilde=body["mPhitTPsiTilde"],
        mXRefTildePsi=body["mXRefTildePsi"], mXRefTildePsiTilde=body["mXRefTildePsiTilde"],
        computeFFRFterms=True, visualization=VObjectFFRFreducedOrder(triangleMesh=body["triangles"], showNodes=False),
        **matrices))
    if np.any(gravity):
        marker = mbs.AddMarker(MarkerBodyMass(bodyNumber=made))
        mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=list(gravity)))
    markers = {{
        name: mbs.AddMarker(MarkerSuperElementRigid(
            bodyNumber=made, meshNodeNumbers=list(range(first, first + 6)), weightingFactors=[1 / 6] * 6))
        for name, first in INTERFACES.items()
    }}
    return {{"object": made, "nodes": nodes, "markers": markers}}


if __name__ == "__main__":
    system = exu.SystemContainer().AddSystem()
    body = add_body(system, gravity=({gravity}, 0, 0))
    for name, marker in list(body["markers"].items())[:1]:  # {held!r}
        first = INTERFACES[name]
        with np.load(Path(__file__).with_name({file!r})) as data:
            at = data["xRef"].reshape(-1, 3)[first : first + 6].mean(axis=0)
        ground = system.AddObject(ObjectGround(referencePosition=list(at)))
        held = system.AddMarker(MarkerBodyRigid(bodyNumber=ground))
        system.AddObject(GenericJoint(markerNumbers=[held, marker], constrainedAxes=[1] * 6))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = {time}, 200
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    # Exudyn itself would write it to the folder that one happens to be in.
    settings.solution.file.name = str(Path(__file__).with_name({solution!r}))
    system.SolveDynamic(settings)
    modes = system.GetNodeOutput(body["nodes"][1], exu.OutputVariableType.Coordinates)
    print("modal coordinates at the end:", np.array2string(np.asarray(modes), precision=6))
'''

_ROUND_OFF = (
    1e-5  # of the highest frequency: the roots of eigenvalues that are zero but for round-off are below
)


@body_writers.register("exudyn")
class ExudynWriter(BodyWriter):
    """A self-contained script, with its arrays next to it as NAME_exudyn.npz."""

    title: ClassVar[str] = "Exudyn script"
    extensions: ClassVar[tuple[str, ...]] = (".py",)

    @classmethod
    def files(cls, path: Path) -> tuple[Path, ...]:
        """Return the script and its arrays."""
        return path, path.with_name(f"{path.stem}_exudyn.npz")

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write both; joints with contact are left out."""
        integrals = integrals_of(body, "Exudyn")
        arrays = exudyn_arrays(body, integrals)
        first, interfaces = len(body.reduced.nodes), {}
        for name in body.reduced.interfaces:
            interfaces[name] = first
            first += 6
        script, data = cls.files(path)
        with replacing(data, durable=False) as beside, beside.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)
        said = _left_out(body)
        period = 1.0 / elastic.min() if len(elastic := _elastic(body.reduced.frequencies)) else 1e-3
        text = _SCRIPT.format(
            title=f"Body {_plain(body.name)}", units=body.units, name=body.name,
            file=data.name, interfaces=interfaces, held=next(iter(interfaces), "nowhere"),
            gravity=float(f"{9.81 / factor_to_si('acceleration', body.units):.9g}"),
            solution=f"{path.stem}_solution.txt", time=float(period),
            left_out="".join(f"\n{_plain(sentence)}\n" for sentence in said),
        )  # fmt: skip
        write_text(script, text, durable=False)
        return said


def _plain(text: str) -> str:
    """Return a text that may be in a docstring."""
    return text.replace('"', "'").replace("\\", "/")


def _elastic(frequencies: np.ndarray) -> np.ndarray:
    """Return the frequencies of modes that strain the body: where a part turns freely they are round-off of zero."""
    return np.asarray(frequencies[frequencies > _ROUND_OFF * frequencies.max(initial=0.0)])


def _left_out(body: BodyFile) -> tuple[str, ...]:
    """Return sentences on the joints whose contact is left out, and on parts that little holds then."""
    joints = [f"joint {joint.name!r}" for joint in body.reduced.joints]
    if not joints:
        return ()
    said = [
        f"Contact in {', '.join(joints)} is not in the script: the parts slide and separate freely there."
    ]
    tied = [f"joint {joint.name!r}" for joint in body.reduced.joints if joint.tie_force is not None]
    if tied:
        said.append(
            f"Parts that contact alone holds hang on weak ties in {', '.join(tied)}: the lowest modes are motions of "
            "these parts. Hold them by springs or joints in Exudyn, or tie the joints before the export (joints_tied)."
        )
    return tuple(said)


def exudyn_arrays(body: BodyFile, integrals: ShapeIntegrals) -> dict[str, np.ndarray]:
    """Return the data for ObjectFFRFreducedOrder, by its own names, in the shapes of its manual."""
    reduced = body.reduced
    r = reduced.n_coordinates
    products, shapes = turned_products(integrals), integrals.first[:, 7:]
    nodes, displacements = [reduced.nodes], [reduced.displacements]
    size = 0.01 * float(np.ptp(reduced.nodes, axis=0).max(initial=0.0)) or 1.0
    for name, rows in reduced.interfaces.items():
        turns = rows[3:] if len(rows) == 6 else np.zeros((3, r))
        for arm in size * np.vstack([np.eye(3), -np.eye(3)]):
            nodes.append((reduced.nodes[reduced.interface_nodes[name]] + arm)[None])
            displacements.append(rows[:3] - skew(arm) @ turns)  # u + θ × a
    triangles = [
        block.connectivity[:, facet_kind(block.facet).triangles].reshape(-1, 3) for block in body.skin.blocks
    ]
    return {
        "mass": reduced.mass,
        "stiffness": reduced.stiffness,
        **({} if body.damping is None else {"damping": body.damping}),
        "modeBasis": np.vstack(displacements),
        "xRef": np.vstack(nodes).ravel(),
        "triangles": np.concatenate(triangles or [np.zeros((0, 3), np.int64)]),
        "totalMass": np.array(integrals.total_mass),
        "inertia": products[:, :, 0, 0],
        "centerOfMass": integrals.centre_of_mass,
        "mPhitTPsi": shapes,
        "mPhitTPsiTilde": np.hstack([skew(shape) for shape in shapes.T]),
        "mXRefTildePsi": -integrals.coupling[:, 0, 6:],
        "mXRefTildePsiTilde": products[:, :, 0, 1:].transpose(0, 2, 1).reshape(3, 3 * r),
        "mPsiTildePsi": -integrals.coupling[:, 7:, 6:].transpose(1, 0, 2).reshape(3 * r, r),
        "mPsiTildePsiTilde": products[:, :, 1:, 1:].transpose(2, 0, 3, 1).reshape(3 * r, 3 * r),
    }
