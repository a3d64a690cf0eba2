"""Reduced bodies for tests of large motion: a solid box with free nodes, jointed plates with couplings."""

from dataclasses import replace

import numpy as np

from faying.fem.assembly import assemble
from faying.fem.model import Coupling, Material
from faying.progress import Silent
from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.body import ReducedBody, build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.reduction.second_order import second_order
from support.boxes import box
from support.plates import jointed_plates

EVERY = (1, 2, 3, 4, 5, 6)


def solid_box(vibration_modes=8):
    """Return (model, matrices, interior, body) of bricks without couplings; interfaces are three corner nodes."""
    model = box("hex8_incompatible", (4, 2, 1), (40.0, 10.0, 4.0), distortion=0.2)
    matrices = assemble(model, Silent())
    rows = np.array([0, len(model.nodes) // 2, len(model.nodes) - 1])
    interior = InteriorProblem(matrices, model.nodes, rows)
    basis = CraigBampton(vibration_modes=vibration_modes).build(interior, Silent())
    interfaces = {f"node {k + 1}": int(row) for k, row in enumerate(rows)}
    return model, matrices, interior, build_reduced_body(model.nodes, matrices, basis, interfaces, [])


def plates_body(vibration_modes=6):
    """Return (plates, body) of stacked plates with kinematic couplings HOLD and TIP."""
    plates = jointed_plates()
    basis = CraigBampton(vibration_modes=vibration_modes).build(plates.interior, Silent())
    joints = [("joint", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    body = build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, joints)
    return plates, body


def with_joint_modes(plates, count) -> ReducedBody:
    """Return jointed plates with vibration, constraint and joint modes."""
    components = CraigBampton(vibration_modes=8).build(plates.interior, Silent())
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )
    modes, values = WeightedPod(count=count).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values)
    joints = [("joint", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    return build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, joints)


def held_bar(
    counts, size, origin, material: Material, vibration_modes, *, element="hex8_full", faces=("XMIN", "XMAX"),
    stiffening=False, distributed=False,
) -> ReducedBody:  # fmt: skip
    """Return a bar of bricks whose two end faces are rigid; interfaces "start" and "end" at their middles.

    Args:
        counts, size: of the bricks and of the bar along x, y, z.
        origin: (3,) of its corner.
        material: of the bricks.
        vibration_modes: with both ends held.
        element: kind.
        faces: node sets of the two faces.
        stiffening: geometric stiffening.
        distributed: whether the faces stay soft, and their interfaces are their means over the area.
    """
    plain = box(element, counts, size, material)
    middles = [tuple(plain.nodes[plain.node_sets[face]].mean(axis=0)) for face in faces]
    n = len(plain.nodes)
    kind, ends = "distributing" if distributed else "kinematic", [plain.node_sets[face] for face in faces]
    couplings = tuple(
        Coupling(face, kind, n + k, end, EVERY, _areas(plain.nodes[end], distributed))
        for k, (face, end) in enumerate(zip(faces, ends, strict=True))
    )
    model = box(element, counts, size, material, couplings=couplings, extra_nodes=tuple(middles))
    nodes = model.nodes + np.asarray(origin, float)
    model = replace(model, nodes=nodes)
    matrices = assemble(model, Silent())
    interior = InteriorProblem(matrices, nodes, np.array([n, n + 1]))
    basis = CraigBampton(vibration_modes=vibration_modes).build(interior, Silent())
    body = build_reduced_body(nodes, matrices, basis, {"start": n, "end": n + 1}, [])
    return stiffened(body, model, interior) if stiffening else body


def _areas(places, distributed):
    """Return weights (n,) of nodes of an even grid, by their share of its area; else ones."""
    ends = [(x == x.min()) | (x == x.max()) for x in places.T if np.ptp(x) > 0.0]
    return np.prod([np.where(end, 0.5, 1.0) for end in ends], axis=0) if distributed else np.ones(len(places))


def stiffened(body: ReducedBody, model, interior) -> ReducedBody:
    """Return a free body of an FE model with geometric stiffening."""
    of_second_order = second_order(model, interior, body.displacements, body.interface_nodes, Silent())
    return replace(body, second_order=of_second_order)


def without_flexibility(model, matrices, interfaces) -> ReducedBody:
    """Return a body with no trial vectors at all."""
    none = ReductionBasis(
        np.zeros((matrices.dofs.n_dofs, 0)), (ModeGroup("none", 0, 0),), np.zeros(0), (), np.zeros(0)
    )
    return build_reduced_body(model.nodes, matrices, none, interfaces, [])
