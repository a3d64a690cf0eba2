"""Contact equilibria in a few well-chosen shapes, as the start of Newton's method for the unreduced body."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.joints.kinematics import gaps_over
from faying.linalg.background import patiently
from faying.linalg.factor import Factor
from faying.progress import PartialProgress, Progress
from faying.reduction.energy_orthonormal import orthonormal_combinations

_PATCHES = 64  # about so many in each round
_ROUNDS = 3
_AT_ONCE = 16  # responses solved for at once
_DEPENDENT = 1e-10  # energy of a shape's part outside of the others, relative to its own

Solve = Callable[..., tuple[np.ndarray, list[JointResponse], Any]]


def contact_starts(
    factor: Factor,
    linear: np.ndarray,
    joints: Sequence[Sequence[SparseJointForce]],
    points: Sequence[np.ndarray],
    loads: np.ndarray,
    solve: Solve,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, k) equilibria in the span of the solution without contact and of responses to loaded patches.

    The first patches cover the joints, the same ones for all loads; those of the next round cover the pairs that the
    last equilibrium closes. A response costs one solution, and a factorisation in Newton's method as much as dozens of
    them. Measured on the friction bar of 19 000 nodes under two bolts: three corrections from here, 26 from the linear
    solution.

    Of each response only the gaps are kept: the work of one patch's forces on the gaps of another's response is the
    stiffness entry of both, and the displacements of the equilibria are one more solution each, for the sum of its
    forces.

    Args:
        factor: of the stiffness K of the held body.
        linear: (n, k) the solutions without contact.
        joints: frictionless, over the same dofs; under each of the k loads, which differ in the initial gaps alone.
        points: (n_pairs, 3) of each joint.
        loads: (n, k).
        solve: solver of the equilibrium, see `EquilibriumSolver`.
        progress: reports and cancels.

    Returns:
        The equilibria, and (k,) whether they were found; where not, the solution without contact.
    """
    found = np.ones(linear.shape[1], bool)
    if not sum(len(place) for place in points):
        return linear, found
    normal = sp.vstack([joint.rows.normal for joint in joints[0]], format="csr")
    every = [np.ones(len(place), bool) for place in points]
    patches = _patch_forces(joints[0], points, every)
    first = patches, _opened(factor, normal, patches, PartialProgress(progress, 0.0, 0.3))
    shares, pressing = np.ones(len(found)), np.zeros((normal.shape[0], len(found)))
    for i, (alone, load) in enumerate(zip(linear.T, loads.T, strict=True)):
        part = PartialProgress(progress, 0.3 + 0.7 * i / len(found), 0.3 + 0.7 * (i + 1) / len(found))
        try:
            shares[i], pressing[:, i] = _in_shapes(
                factor, normal, alone, load, joints[i], points, first, solve, part
            )
        except SolveError:
            found[i] = False
    return shares * linear + factor.solve(np.asarray(normal.T @ pressing)), found


def _in_shapes(
    factor: Factor, normal: sp.csr_matrix, linear: np.ndarray, load: np.ndarray, joints: Sequence[SparseJointForce],
    points: Sequence[np.ndarray], first: tuple[np.ndarray, np.ndarray], solve: Solve, progress: Progress,
) -> tuple[float, np.ndarray]:  # fmt: skip
    """Return an equilibrium: the share of the solution without contact (n,), and (all pairs,) normal forces.

    Args:
        first: (all pairs, m) forces of the first patches, and the gaps that they open.

    Raises:
        SolveError: when it is not found in these shapes.
    """
    ends = np.cumsum([len(place) for place in points])[:-1]
    # Column 0 is the solution without contact; its load is no force on pairs, so its column of forces is zero.
    forces, gaps = np.zeros((normal.shape[0], 1)), (normal @ linear)[:, None]
    work, (new, opened) = float(linear @ load), first
    amounts, pressed = np.ones(1), list[np.ndarray]()
    for turn in range(_ROUNDS):
        part = PartialProgress(progress, turn / _ROUNDS, (turn + 1) / _ROUNDS, "start from patches")
        if turn:
            if not any(closed.any() for closed in pressed):
                break
            new = _patch_forces(joints, points, pressed)
            opened = _opened(factor, normal, new, PartialProgress(part, 0.0, 0.8))
        # All shapes are kept: with the last equilibrium in their place, Newton's method took ten corrections.
        forces, gaps = np.hstack([forces, new]), np.hstack([gaps, opened])
        stiffness = forces.T @ gaps
        stiffness[0] = stiffness[:, 0]
        stiffness[0, 0] = work
        shapes = orthonormal_combinations(0.5 * (stiffness + stiffness.T), _DEPENDENT)
        reduced = [
            JointForce(gaps_over(rows @ shapes, joint.rows), joint.contact_law)
            for rows, joint in zip(np.split(gaps, ends), joints, strict=True)
        ]
        before = np.concatenate([amounts, np.zeros(len(stiffness) - len(amounts))])
        q, answers, _ = solve(
            np.eye(shapes.shape[1]), shapes.T @ stiffness[:, 0], reduced,
            [j.initial_history() for j in reduced], shapes.T @ (stiffness @ before),
            PartialProgress(part, 0.8, 1.0), constraints=None,
        )  # fmt: skip
        amounts, pressed = shapes @ q, [answer.is_closed for answer in answers]
    return float(amounts[0]), forces @ amounts


def _patch_forces(
    joints: Sequence[SparseJointForce], points: Sequence[np.ndarray], pressed: Sequence[np.ndarray]
) -> np.ndarray:
    """Return (all pairs, k) forces of a uniform pressure on each patch of the joints."""
    of_joints = [
        joint.rows.weights[:, None] * _patches(place, closed, _PATCHES // len(joints))
        for joint, place, closed in zip(joints, points, pressed, strict=True)
    ]
    return np.asarray(la.block_diag(*of_joints))


def _opened(factor: Factor, normal: sp.csr_matrix, forces: np.ndarray, progress: Progress) -> np.ndarray:
    """Return (all pairs, k) gaps opened by normal forces on the pairs (all pairs, k)."""
    found, count = np.empty_like(forces), forces.shape[1]
    for first in range(0, count, _AT_ONCE):
        loads = np.asarray(normal.T @ forces[:, first : first + _AT_ONCE])
        text = f"response {first} of {count}"
        found[:, first : first + _AT_ONCE] = normal @ patiently(
            partial(factor.solve, loads), progress, first / count, text
        )
    return found


def pair_points(normal: sp.csr_matrix, displacement_rows: sp.csr_matrix, nodes: np.ndarray) -> np.ndarray:
    """Return (n_pairs, 3) approximate places of pairs: weighted means of the nodes that their gaps depend on.

    Args:
        normal: gaps over the dofs, (n_pairs, n_dofs).
        displacement_rows: displacements over the dofs, (3 n_nodes, n_dofs).
        nodes: (n_nodes, 3).
    """
    shares = abs(normal) @ abs(displacement_rows).T
    sums = np.asarray(shares @ np.repeat(nodes, 3, axis=0))
    return np.asarray(sums / np.maximum(shares.sum(axis=1), np.finfo(float).tiny))


def _patches(points: np.ndarray, wanted: np.ndarray, count: int) -> np.ndarray:
    """Return (n_pairs, k) 1 for members of k ≤ `count` compact patches with equal numbers of `wanted` pairs, else 0."""
    groups = [np.flatnonzero(wanted)]
    while 2 * len(groups) <= count:
        halves: list[np.ndarray] = []
        for group in groups:
            along = int(np.ptp(points[group], axis=0).argmax()) if len(group) else 0
            order = group[np.argsort(points[group, along], kind="stable")]
            halves += np.array_split(order, 2)
        groups = halves
    groups = [group for group in groups if len(group)]
    members = np.zeros((len(points), len(groups)))
    for k, group in enumerate(groups):
        members[group, k] = 1.0
    return members
