"""A contact equilibrium in a few well-chosen shapes, as the start of Newton's method for the unreduced body."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

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


def contact_start(
    factor: Factor,
    linear: np.ndarray,
    joints: Sequence[SparseJointForce],
    points: Sequence[np.ndarray],
    load: np.ndarray,
    solve: Solve,
    progress: Progress,
) -> np.ndarray:
    """Return (n,) the equilibrium in the span of the solution without contact and of responses to loaded patches.

    The first patches cover the joints; those of the next round cover the pairs that the last equilibrium closes. A
    response costs one solution, and a factorisation in Newton's method as much as dozens of them. Measured on the
    friction bar of 19 000 nodes under two bolts: three corrections from here, 26 from the linear solution.

    Of each response only the gaps are kept: the work of one patch's forces on the gaps of another's response is the
    stiffness entry of both, and the displacements of the equilibrium are one more solution, for the sum of its forces.

    Args:
        factor: of the stiffness K of the held body.
        linear: (n,) the solution without contact.
        joints: frictionless, over the same dofs.
        points: (n_pairs, 3) of each joint.
        load: (n,).
        solve: solver of the equilibrium, see `EquilibriumSolver`.
        progress: reports and cancels.

    Raises:
        SolveError: when the equilibrium in these shapes is not found.
    """
    if not joints:
        return linear
    normal = sp.vstack([joint.rows.normal for joint in joints], format="csr")
    ends = np.cumsum([len(place) for place in points])[:-1]
    # Column 0 is the solution without contact; its load is no force on pairs, so its column of forces is zero.
    forces, gaps = np.zeros((normal.shape[0], 1)), (normal @ linear)[:, None]
    work = float(linear @ load)
    amounts, pressed = np.ones(1), [np.ones(len(place), bool) for place in points]
    for turn in range(_ROUNDS):
        if not any(closed.any() for closed in pressed):
            break
        part = PartialProgress(progress, turn / _ROUNDS, (turn + 1) / _ROUNDS, "start from patches")
        # All shapes are kept: with the last equilibrium in their place, Newton's method took ten corrections.
        new = _patch_forces(joints, points, pressed)
        opened = _opened(factor, normal, new, PartialProgress(part, 0.0, 0.8))
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
    return np.asarray(amounts[0] * linear + factor.solve(normal.T @ (forces @ amounts)))


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
