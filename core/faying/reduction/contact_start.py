"""A contact equilibrium in few well chosen shapes: where Newton's method for the unreduced body starts from."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.joints.kinematics import projected_gaps
from faying.linalg.background import patiently
from faying.linalg.factor import Factor
from faying.progress import PartialProgress, Progress

_PATCHES = 64  # of each round, about
_ROUNDS = 3
_AT_ONCE = 16  # responses
_DEPENDENT = 1e-10  # energy of what a shape adds to the others, relative to its own

Solve = Callable[..., tuple[np.ndarray, list[JointResponse], Any]]


def contact_start(
    factor: Factor,
    stiffness: sp.csr_matrix,
    start: np.ndarray,
    joints: Sequence[SparseJointForce],
    points: Sequence[np.ndarray],
    load: np.ndarray,
    solve: Solve,
    progress: Progress,
) -> np.ndarray:
    """Return (n,) the equilibrium in the span of a start and of the responses to pressed patches.

    The first patches cover the joints; those of the next round what the last equilibrium presses. A response
    costs a solution, of which a factorisation of Newton's method is worth dozens. Measured
    on the friction bar of 19 000 nodes under two bolts: three corrections from here, 26 from the linear solution.

    Args:
        factor: of the stiffness.
        stiffness: K, CSR (n, n), of the held body.
        start: (n,) a first shape: the solution without contact, or the reduced one.
        joints: frictionless, over the same dofs.
        points: (n_pairs, 3) of each joint.
        load: (n,).
        solve: solver of the equilibrium, see `EquilibriumSolver`.
        progress: reports and cancels.

    Raises:
        SolveError: when the equilibrium in these shapes is not found.
    """
    x, vectors = start, start[:, None]
    pressed = [np.ones(len(place), bool) for place in points]
    for turn in range(_ROUNDS):
        if not any(closed.any() for closed in pressed):
            return x
        part = PartialProgress(progress, turn / _ROUNDS, (turn + 1) / _ROUNDS, "start from patches")
        # All shapes stay: with the last equilibrium for those before, Newton's method took ten corrections.
        found = _responses(factor, joints, points, pressed, PartialProgress(part, 0.0, 0.7))
        together = partial(_orthonormal, np.hstack([vectors, *found]), stiffness)
        vectors = patiently(together, part, 0.7, "independent shapes")
        reduced = [JointForce(projected_gaps(joint.rows, vectors), joint.contact_law) for joint in joints]
        q, answers, _ = solve(
            np.eye(vectors.shape[1]), vectors.T @ load, reduced, [j.initial_history() for j in reduced],
            vectors.T @ (stiffness @ x), PartialProgress(part, 0.8, 1.0), constraints=None,
        )  # fmt: skip
        x, pressed = vectors @ q, [answer.is_closed for answer in answers]
    return x


def _responses(
    factor: Factor,
    joints: Sequence[SparseJointForce],
    points: Sequence[np.ndarray],
    pressed: Sequence[np.ndarray],
    progress: Progress,
) -> list[np.ndarray]:
    """Return (n, k) responses to even pressure on the patches of each joint, a few at a time."""
    found = []
    for joint, place, closed in zip(joints, points, pressed, strict=True):
        members = _patches(place, closed, _PATCHES // len(joints))
        loads = joint.rows.normal.T @ (joint.rows.weights[:, None] * members)
        for first in range(0, loads.shape[1], _AT_ONCE):
            block = np.ascontiguousarray(loads[:, first : first + _AT_ONCE])
            text = f"response {first} of {loads.shape[1]}"
            found.append(patiently(partial(factor.solve, block), progress, first / loads.shape[1], text))
    return found


def pair_points(normal: sp.csr_matrix, displacement_rows: sp.csr_matrix, nodes: np.ndarray) -> np.ndarray:
    """Return (n_pairs, 3) where pairs are, about: the means of the nodes that their gaps depend on.

    Args:
        normal: gaps over the dofs, (n_pairs, n_dofs).
        displacement_rows: displacements over the dofs, (3 n_nodes, n_dofs).
        nodes: (n_nodes, 3).
    """
    shares = abs(normal) @ abs(displacement_rows).T
    sums = np.asarray(shares @ np.repeat(nodes, 3, axis=0))
    return np.asarray(sums / np.maximum(shares.sum(axis=1), np.finfo(float).tiny))


def _patches(points: np.ndarray, wanted: np.ndarray, count: int) -> np.ndarray:
    """Return (n_pairs, k) members of patches of equally many wanted pairs, near each other; k is `count` at most."""
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


def _orthonormal(vectors: np.ndarray, stiffness: sp.csr_matrix) -> np.ndarray:
    """Return vectors (n, r) of the same span, orthonormal in the energy; dependent directions left out."""
    gram = vectors.T @ (stiffness @ vectors)
    energies = np.diag(gram)
    scale = 1.0 / np.sqrt(np.where(energies > 0.0, energies, np.inf))
    values, directions = la.eigh(scale[:, None] * gram * scale)
    kept = values > _DEPENDENT * values[-1]
    return np.asarray(vectors @ (scale[:, None] * directions[:, kept] / np.sqrt(values[kept])))
