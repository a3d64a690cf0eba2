"""A few Newton corrections towards an equilibrium from a state that is near to it already."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.errors import SolveError
from faying.joints.interface import JointResponse, SparseJointForce
from faying.progress import PartialProgress, Progress
from faying.solvers.newton import search_line
from faying.solvers.tangent import SparseTangent


@dataclass(frozen=True, eq=False)
class Corrected:
    """A state after a few Newton corrections.

    Attributes:
        coordinates: (n,).
        responses: of the joints there.
        changes: of each correction √(Δx · r / x · K x), its share in the energy norm, at most one. The first one
            estimates the error of the state before.
    """

    coordinates: np.ndarray
    responses: list[JointResponse]
    changes: tuple[float, ...]


def correct(
    tangent: SparseTangent,
    load: np.ndarray,
    joints: Sequence[SparseJointForce],
    histories: Sequence[np.ndarray],
    start: np.ndarray,
    progress: Progress,
    *,
    most: int,
    accuracy: float,
    share: float = 0.0,
    values: np.ndarray | None = None,
) -> Corrected:
    """Return the state after a few corrections of load + Q_joints(x) = K x + Cᵀ λ, C x = d.

    Where the equations are linear, in a joint whose pairs stay as they are, the first correction gives their
    solution. Each is followed by a line search, because contact that closes on the way pushes back.
    Unlike `solve_equilibrium` this ends when the accuracy suffices, and returns the accuracy reached.

    Args:
        tangent: of the held body; keeps its factor for states that are near.
        load: (n,) forces.
        joints: joint forces over the same dofs.
        histories: their committed friction histories.
        start: (n,) the state before.
        progress: reports and cancels.
        most: largest number of corrections.
        accuracy: it ends after a correction whose share in the energy norm is at most this (see `Corrected.changes`).
        share: it also ends after a correction of at most this share of the first one.
        values: d (m,); zero without them.

    Raises:
        SolveError: when the tangent is singular, or a force is no number.
    """
    stiffness, constraints = tangent.stiffness, tangent.constraints

    def respond(x: np.ndarray, jacobian: bool) -> list[JointResponse]:
        return [j.evaluate(x, h, 0.0, jacobian=jacobian) for j, h in zip(joints, histories, strict=True)]

    def residual(x: np.ndarray) -> np.ndarray:
        return np.asarray(load - stiffness @ x + sum((a.force for a in respond(x, False)), 0.0 * load))

    x, r, changes = start, residual(start), []
    for i in range(most):
        # Progress: half of the rest, since the number of corrections is not known.
        part = PartialProgress(progress, 1.0 - 0.5**i, 1.0 - 0.5 ** (i + 1), f"correction {i + 1}")
        left = None if constraints is None else (0.0 if values is None else values) - constraints @ x
        step = tangent.correct([answer.jacobian for answer in respond(x, True)], r, left, part)
        rate, stored = float(step @ r), float(x @ (stiffness @ x))
        if not np.isfinite(rate):
            raise SolveError(
                f"Correction {i + 1} on the FE model has no finite number.",
                "Look for coordinates of the frame that are no numbers, or a contact law that gives none.",
            )
        changes.append(float(np.sqrt(abs(rate) / max(stored, abs(rate)))) if rate else 0.0)
        length, r, _ = search_line(residual, x, step, rate)
        x = x + length * step
        if changes[-1] <= max(accuracy, share * changes[0]):
            break
    return Corrected(x, respond(x, False), tuple(changes))
