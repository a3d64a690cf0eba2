"""Contact forces that are uniform or vary linearly over a joint; they span the resultants of contact."""

import numpy as np

from faying.reduction.contact_responses import contact_loads
from faying.reduction.contact_start import pair_points
from faying.reduction.problem import JointModeProblem

_NARROW = 1e-6  # ratio of a joint's two extents below which it counts as a line


def linear_pressures(problem: JointModeProblem) -> np.ndarray:
    """Return (n_pairs, c) normal forces of pressures that are uniform over a joint or vary linearly along it.

    The uniform pressures of all joints come first, then those that vary along their first and second principal axes, so
    that a few leading columns serve all joints equally.
    """
    points = pair_points(
        problem.gap_rows, problem.interior.matrices.dofs.displacement_rows, problem.interior.nodes
    )
    orders: list[list[np.ndarray]] = [[], [], []]
    for here in problem.pairs_of_joints:
        areas = problem.weights[here]
        arms = points[here] - np.average(points[here], axis=0, weights=areas)
        _, sizes, axes = np.linalg.svd(np.sqrt(areas)[:, None] * arms, full_matrices=False)
        shapes = [np.ones(len(areas))]
        shapes += [arms @ axes[k] for k in range(2) if len(sizes) > k and sizes[k] > _NARROW * sizes[0]]
        for order, shape in zip(orders, shapes, strict=False):
            forces = np.zeros(len(problem.weights))
            forces[here] = areas * shape
            order.append(forces)
    return np.column_stack([column for order in orders for column in order])


def uniform_shears(problem: JointModeProblem) -> np.ndarray:
    """Return (2 n_pairs, 2 n_joints) tangential forces of friction stresses that are uniform over a joint.

    They act along the first, then along the second tangent of each pair; rows as those of `slip_rows`.
    """
    columns = []
    for direction in range(2):
        for here in problem.pairs_of_joints:
            forces = np.zeros((len(problem.weights), 2))
            forces[here, direction] = problem.weights[here]
            columns.append(forces.ravel())
    return np.column_stack(columns)


def linear_contact_loads(problem: JointModeProblem) -> np.ndarray:
    """Return loads (n_dofs, c) of the linear pressures and uniform shears of all joints.

    With the static responses to them in a basis, resultant forces and moments of contact balance the external loads,
    however coarse the rest of the basis is.
    """
    interior = problem.interior
    loads = contact_loads(interior, problem.gap_rows, linear_pressures(problem), free=problem.free)
    if problem.slip_rows is None:
        return loads
    shears = contact_loads(interior, problem.slip_rows, uniform_shears(problem), free=problem.free)
    return np.hstack([loads, shears])
