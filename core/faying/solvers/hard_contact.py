"""Hard contact in static equilibrium: the augmented Lagrangian method of Uzawa on top of any contact law.

A penalty law needs penetration to give pressure, so some penetration is left. Here every pair has a multiplier, a
pressure that acts without penetration. After each equilibrium the pressure found becomes the new multiplier, until
no pair penetrates by more than is allowed. The law then affects the number of rounds only, not the final pressure.

A multiplier is kept as the depth m ≥ 0 at which the law answers with it: the law sees the depth m − g instead of its
own, and Uzawa's update is m ← max(0, m − g). For the linear penalty law that is λ ← max(0, λ − ε g). So nothing
but the initial gaps of the joint's rows changes, friction has its limit from the true pressure, and a law that
begins above a gap of zero is as hard as any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from faying.errors import SolveError
from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.progress import PartialProgress, Progress
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.newton import NewtonReport
from faying.solvers.tangent import SparseTangent

_ROUNDS = 100
AnyJointForce = JointForce | SparseJointForce


@dataclass(frozen=True, eq=False)
class HardContactSolution:
    """An equilibrium in which no pair penetrates by more than was allowed.

    Attributes:
        coordinates: (n,).
        responses: of the joints, with their true gaps.
        depths: (n_pairs,) for each joint, the multipliers m; empty for contact by the penalty law alone.
        offsets: (n_pairs,) for each joint, true gap minus the gap that the law was given; empty likewise.
        report: of all rounds together.
        rounds: number of equilibria solved.
    """

    coordinates: np.ndarray
    responses: list[JointResponse]
    depths: list[np.ndarray]
    offsets: list[np.ndarray]
    report: NewtonReport
    rounds: int

    def after(self, iterations: int) -> "HardContactSolution":
        """Return the same solution, with the corrections that its guess took."""
        report = replace(self.report, iterations=self.report.iterations + iterations)
        return replace(self, report=report)


def solve_hard_contact(
    stiffness: Any,
    load: np.ndarray,
    joints: Sequence[AnyJointForce],
    histories: Sequence[np.ndarray],
    start: np.ndarray,
    progress: Progress,
    *,
    allowed_penetration: float,
    depths: Sequence[np.ndarray] | None = None,
    constraints: Any = None,
    tangent: SparseTangent | None = None,
    values: np.ndarray | None = None,
) -> HardContactSolution:
    """Return the equilibrium of hard contact. All but these arguments are those of `solve_equilibrium`.

    Args:
        allowed_penetration: largest |gap| of a pair that carries pressure, and largest penetration of any.
        depths: initial multipliers, from an earlier load step; none by default.

    Raises:
        SolveError: when an equilibrium does not converge, or penetration does not fall.
    """
    m = list(depths) if depths is not None else [np.zeros(len(j.rows.weights)) for j in joints]
    x, corrections, evaluations, worst = start, 0, 0, np.inf
    for done in range(_ROUNDS):
        # Each round brings the last one's penetration down by about the same factor.
        part = PartialProgress(progress, 1.0 - 0.6**done, 1.0 - 0.6 ** (done + 1), f"multipliers {done + 1}")
        # The law is given gap − m + closing gap, so that without a multiplier it begins to press at a gap of zero.
        offsets = [depth - joint.contact_law.closing_gap() for joint, depth in zip(joints, m, strict=True)]
        lifted: list[Any] = [joint.lifted(by) for joint, by in zip(joints, offsets, strict=True)]
        x, answers, report = solve_equilibrium(
            stiffness,
            load,
            lifted,
            histories,
            x,
            part,
            constraints=constraints,
            tangent=tangent,
            values=values,
        )
        corrections, evaluations = corrections + report.iterations, evaluations + report.evaluations
        responses = [replace(a, gap=a.gap + seen_less) for a, seen_less in zip(answers, offsets, strict=True)]
        worst = max((_violation(r) for r in responses), default=0.0)
        if worst <= allowed_penetration:
            total = NewtonReport(corrections, evaluations, report.energy)
            return HardContactSolution(x, responses, m, offsets, total, done + 1)
        m = [np.maximum(depth - r.gap, 0.0) for depth, r in zip(m, responses, strict=True)]
    raise SolveError(
        f"Hard contact: after {_ROUNDS} rounds pairs still penetrate by {worst / allowed_penetration:.3g} times what "
        "is allowed.",
        "Make the contact law stiffer, so that each round gets further, or allow more penetration.",
    )


def solve_with_laws(
    stiffness: Any,
    load: np.ndarray,
    joints: Sequence[AnyJointForce],
    start: np.ndarray,
    progress: Progress,
    *,
    histories: Sequence[np.ndarray],
    depths: Sequence[np.ndarray] | None = None,
    **more: Any,
) -> HardContactSolution:
    """Return the equilibrium with the contact laws alone, as one of hard contact without multipliers.

    The arguments are those of `solve_hard_contact`; multipliers do not count.
    """
    x, responses, report = solve_equilibrium(stiffness, load, joints, histories, start, progress, **more)
    return HardContactSolution(x, responses, [], [], report, 1)


def _violation(response: JointResponse) -> float:
    """Return the largest penetration, or gap under pressure."""
    return float(np.max(np.where(response.pressure > 0.0, np.abs(response.gap), -response.gap), initial=0.0))
