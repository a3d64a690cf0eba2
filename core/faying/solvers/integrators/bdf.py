"""Backward differentiation for index-3 equations of motion."""

from typing import ClassVar

import numpy as np

from faying.params import parameter
from faying.records import record
from faying.solvers.integrators import State, integrators
from faying.solvers.integrators._scheme import Rule, Scheme
from faying.solvers.integrators._stepping import SteppedIntegrator


@integrators.register("bdf")
class Bdf(SteppedIntegrator):
    """Backward differentiation formulas of order 1 (implicit Euler) or 2, of variable step.

    Applied to q̇ = v and M v̇ = f, with the constraints on the positions (Hairer and Wanner 1996, III.5 and VII.3):
    dissipative, so that fast components and the noise of index 3 die out within a few steps.

    Contact is treated separately, see `faying.solvers.integrators._scheme`: the differences that order 2 uses are
    those of the smooth motion, as if the jump by contact had always been there.
    """

    title: ClassVar[str] = "BDF"

    order: int = parameter(
        2, title="Order", ge=1, le=2,
        meaning="1 damps strongly and is for coming to rest; 2 is for motion.",
    )  # fmt: skip

    def scheme(self) -> "BdfScheme":
        """Return the scheme; its first step is of order 1."""
        return BdfScheme(self.order)


@record("last step of BDF")
class LastStep:
    """The last step: its length h₀ and the smooth changes (n,) of q and v within it; zeros before the first one."""

    length: float
    change_q: np.ndarray
    change_v: np.ndarray


class BdfScheme(Scheme[LastStep]):
    """v₁ = v₀ + c Δv₀ + b h v̇₁ and q₁ = q₀ + c Δq₀ + b h v₁ with the smooth changes Δ of the last step.

    With ω the step over the last one, b = (1 + ω)/(1 + 2ω) and c = ω²/(1 + 2ω); b = 1 and c = 0 for order 1.

    Contact brings h a_c to v₁, and h² a_c/2 to q₁ (all of it with order 1): together with the smooth changes of a
    body at rest on it, Δv = h v̇ and Δq = −h² v̇/2, that keeps the rest for any ω.
    """

    def __init__(self, order: int) -> None:
        self._order = order

    def beginning(self, start: State) -> LastStep:
        """Return a last step of length zero: there was none."""
        return LastStep(0.0, np.zeros_like(start.q), np.zeros_like(start.q))

    def rule(self, past: LastStep, state: State, length: float) -> Rule:
        """Return the formulas, solved for a = v̇₁."""
        h, b, free_q, free_v, share = length, 1.0, state.q, state.v, 1.0
        if self.error_order(past) == 3:
            ratio = length / past.length
            b, c = (1.0 + ratio) / (1.0 + 2.0 * ratio), ratio**2 / (1.0 + 2.0 * ratio)
            free_q, free_v = free_q + c * past.change_q, free_v + c * past.change_v
            share = 0.5 / b**2
        # q₁ contains v₁ without the unknown: b h (v₀ + c Δv₀ + b h a).
        free_q = free_q + b * h * free_v
        rest = np.zeros_like(state.a)
        return Rule(h, free_q, free_v, (b * h) ** 2, b * h, share, 1.0, rest)

    def error(self, past: LastStep, before: State, after: State) -> np.ndarray:
        """Return (n,) the leading term of the local error: h² q̈/2, or a multiple of h³ times the third derivative."""
        h = after.time - before.time
        if self.error_order(past) == 2:
            return np.asarray(0.5 * h**2 * after.all_accelerations)
        change = after.all_accelerations - before.all_accelerations
        b = (h + past.length) / (2.0 * h + past.length)
        return np.asarray(b * h * (h + past.length) / 6.0 * change)

    def with_step(
        self, past: LastStep, rule: Rule, before: State, after: State, going_on: np.ndarray
    ) -> LastStep:
        """Return the changes of the smooth motion."""
        change_q, change_v = after.q - before.q, after.v - before.v
        if after.contact_a is not None:
            # Had v jumped at the start of the step, q would have gained h² a_c instead of half of it.
            jump = rule.length * after.contact_a
            change_v = change_v - jump
            change_q = change_q + 0.5 * rule.length * jump
        return LastStep(rule.length, change_q, change_v)

    def error_order(self, past: LastStep) -> int:
        """Return three with order 2, except in its first step, which is of order 1."""
        return 3 if self._order == 2 and past.length else 2
