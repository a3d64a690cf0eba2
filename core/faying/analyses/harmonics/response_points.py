"""Points of a body where harmonic loads act and motion is output: interface nodes, mesh nodes, contact pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyModel
from faying.analyses.statics.loads import LoadSpec
from faying.errors import ModelError
from faying.joints.kinematics import sparse_rows
from faying.params import Spec, parameter
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body import ReducedBody, rigid_rows
from faying.results.curve_key import AXES, CurveKey, Quantity

ROTATION = Quantity("rotation", "angle", "Rotation of the place.", AXES)
OUTPUTS = {
    "displacement": Quantity("displacement", "length", "Displacement of the place.", AXES),
    "velocity": Quantity("velocity", "velocity", "Velocity of the place.", AXES),
    "acceleration": Quantity("acceleration", "acceleration", "Acceleration of the place.", AXES),
    "dynamic_stiffness": Quantity(
        "dynamic stiffness", "stiffness", "Force of a load over the displacement.", AXES
    ),
}
"""What curves of responses are of, by the kind of motion; displacements of nodes have rotations with them."""

_OF_PAIRS = ("n", "1", "2")
_DIRECTIONS = ("fx", "fy", "fz", "mx", "my", "mz")
_OF_PAIR = ("fn", "f1", "f2")


class ResponsePointSpec(Spec):
    """A node of the mesh, or a contact pair of a joint, where loads may act and motion is told."""

    name: str = parameter(title="Name", min_length=1, meaning="What loads and curves call it.")
    joint: str = parameter(
        "", title="Joint", choices="joint",
        meaning="For the relative motion of a contact pair of this joint: along the normal and both tangents. Empty "
        "for a node of the mesh.",
    )  # fmt: skip
    number: int = parameter(
        0, title="Number", ge=0,
        meaning="Number of the node; with a joint that of the pair's slave node, or of the pair, counted from 1, where "
        "pairs are at integration points.",
    )  # fmt: skip


class HarmonicLoadSpec(LoadSpec):
    """Amplitudes of a force and a moment at an interface node or point; at a contact pair of forces that open and slide
    it, along its normal and its two tangents.
    """

    phase: float = parameter(
        0.0, title="Phase", quantity="angle", meaning="By how much it is ahead of a load of phase zero."
    )

    def along(self, is_pair: bool = False) -> tuple[int, float]:
        """Return direction, 1 to 6, and size of a load of one component and no phase, else (0, 0.0)."""
        return load_along((*self.force, *self.moment), self.phase) if not is_pair else (0, 0.0)

    def label(self, is_pair: bool = False) -> str:
        """Return where it acts and along what: "tip fz"; "tip f" where it has several components."""
        return load_label(self.interface, (*self.force, *self.moment), _OF_PAIR if is_pair else _DIRECTIONS)


def load_label(place: str, components: Sequence[float], names: Sequence[str] = _DIRECTIONS) -> str:
    """Return where a load acts and along what: "tip fz"; "tip f" where it has several components."""
    acting = [name for name, value in zip(names, components, strict=False) if value]
    return f"{place} {acting[0] if len(acting) == 1 else 'f'}"


class HarmonicBodyLoadSpec(ActingLoadSpec):
    """A load of the body that swings: a pressure, an acceleration, a temperature."""

    phase: float = parameter(
        0.0, title="Phase", quantity="angle", meaning="By how much it is ahead of a load of phase zero."
    )

    @property
    def amplitude(self) -> complex:
        """How much of it acts."""
        return complex(self.factor * np.exp(1j * self.phase))


def load_along(components: Sequence[float], phase: float) -> tuple[int, float]:
    """Return direction, 1 to 6, and size of a load of one component and no phase, else (0, 0.0)."""
    acting = [(k + 1, value) for k, value in enumerate(components) if value]
    return acting[0] if len(acting) == 1 and not phase else (0, 0.0)


@dataclass(frozen=True, eq=False)
class PointRows:
    """Motion of one place over some coordinates: rows (3, n) or (6, n), dense or sparse.

    It is a contact pair, a "point" of the analysis, or an "interface" node.
    """

    name: str
    rows: Any
    is_pair: bool = False
    kind: str = "interface"

    def keys(self, motion: str) -> tuple[CurveKey, ...]:
        """Return the keys of its output components."""
        return output_keys(motion, self.kind, self.name, is_pair=self.is_pair)[: self.rows.shape[0]]


def output_keys(motion: str, kind: str, name: str, *, is_pair: bool = False) -> tuple[CurveKey, ...]:
    """Return the keys of the responses of a place, as many as there are at most.

    Args:
        motion: a key of `OUTPUTS`.
        kind, name: of the place.
        is_pair: whether it is a contact pair, with components along its normal and tangents.
    """
    if is_pair:
        return replace(OUTPUTS[motion], components=_OF_PAIRS).keys(kind, name)
    quantities = (OUTPUTS[motion], ROTATION) if motion == "displacement" else (OUTPUTS[motion],)
    return tuple(key for quantity in quantities for key in quantity.keys(kind, name))


def reduced_points(
    points: Sequence[ResponsePointSpec], body: BodyModel, reduced: ReducedBody
) -> tuple[PointRows, ...]:
    """Return the rows of all interface nodes and points over the coordinates of a reduced body, free or held."""
    found = [PointRows(name, rows) for name, rows in reduced.interfaces.items()]
    for point in points:
        node, pair = _place(point, body)
        if point.joint:
            of_joint = next(rows for rows in reduced.joints if rows.name == point.joint)
            rows = np.vstack([of_joint.normal[pair], of_joint.tangential[pair]])
        else:
            rows = reduced.displacements[3 * node : 3 * node + 3]
        found.append(PointRows(point.name, rows, bool(point.joint), "point"))
    return tuple(found)


def rigid_points(
    points: Sequence[ResponsePointSpec], body: BodyModel, reduced: ReducedBody
) -> tuple[PointRows, ...]:
    """Return the rows of all interface nodes and points over the six rigid body motions about the origin."""
    found = [
        PointRows(name, rigid_rows(reduced.nodes[reduced.interface_nodes[name]], len(rows)))
        for name, rows in reduced.interfaces.items()
    ]
    for point in points:
        node, pair = _place(point, body)
        if point.joint:
            of_joint = next(rows for rows in reduced.joints if rows.name == point.joint)
            rows = np.vstack([of_joint.normal_rigid[pair], of_joint.tangential_rigid[pair]])
        else:
            rows = rigid_rows(reduced.nodes[node], 3)
        found.append(PointRows(point.name, rows, bool(point.joint), "point"))
    return tuple(found)


def full_points(points: Sequence[ResponsePointSpec], body: BodyModel) -> tuple[PointRows, ...]:
    """Return the rows of all interface nodes and points, CSR, over the dofs of the FE model."""
    assert body.matrices is not None
    dofs = body.matrices.dofs
    of_nodes = dofs.transformation
    found = [PointRows(name, of_nodes[dofs.node_rows(node)]) for name, node in body.interface_nodes.items()]
    for point in points:
        node, pair = _place(point, body)
        if point.joint:
            pairs = next(joint.pairs for joint in body.joints if joint.name == point.joint)
            of_joint = sparse_rows(pairs, dofs)
            rows = sp.vstack([of_joint.normal[pair], of_joint.tangential[2 * pair : 2 * pair + 2]]).tocsr()
        else:
            rows = of_nodes[3 * node : 3 * node + 3]
        found.append(PointRows(point.name, rows, bool(point.joint), "point"))
    return tuple(found)


def load_columns(loads: Sequence[HarmonicLoadSpec], places: Sequence[PointRows]) -> np.ndarray:
    """Return (n, n_loads) complex generalised forces of each load.

    Raises:
        ModelError: when a moment acts where there are no rotations.
    """
    known = {place.name: place for place in places}
    columns = []
    for load in loads:
        place = known[load.interface]
        if place.rows.shape[0] < 6 and any(load.moment):
            raise no_rotations(load)
        force = np.array([*load.force, *load.moment])[: place.rows.shape[0]]
        columns.append(np.exp(1j * load.phase) * np.asarray(place.rows.T @ force))
    n = places[0].rows.shape[1] if places else 0
    return np.array(columns).T if columns else np.zeros((n, 0), complex)


def no_rotations(load: LoadSpec) -> ModelError:
    """Return the error that a moment acts at a point without rotations."""
    return ModelError(
        f"A moment acts on {load.interface!r}, which has no rotations.",
        "Apply it to the reference node of a coupling.",
    )


def _place(point: ResponsePointSpec, body: BodyModel) -> tuple[int, int]:
    """Return row of the point's node and number (from 0) of its pair; one of them is −1.

    Raises:
        ModelError: when there is no such node, joint or pair.
    """
    assert body.model is not None
    if not point.joint:
        try:
            return body.model.node_row(point.number), -1
        except ModelError as error:
            raise ModelError(f"Point {point.name!r}: {error.message}", error.hint) from None
    joints: Mapping[str, Any] = {joint.name: joint.pairs for joint in body.joints}
    if point.joint not in joints:
        raise ModelError(
            f"Point {point.name!r}: there is no joint called {point.joint!r}.",
            f"There are: {', '.join(joints) or 'none'}.",
        )
    pairs = joints[point.joint]
    at = pairs.slave_nodes
    labels = np.arange(1, 1 + len(pairs)) if at is None else body.model.node_ids[at]
    found = np.flatnonzero(labels == point.number)
    if not len(found):
        what = "contact pair" if at is None else "contact pair at node"
        raise ModelError(
            f"Point {point.name!r}: joint {point.joint!r} has no {what} {point.number}.",
            f"Its numbers go from {labels.min()} to {labels.max()}." if len(labels) else "It has no pairs.",
        )
    return -1, int(found[0])
