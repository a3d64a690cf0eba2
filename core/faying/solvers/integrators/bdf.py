"""Backward differentiation for index-3 equations of motion."""

from typing import Any, ClassVar

import numpy as np

from faying.params import parameter
from faying.solvers.integrators import State, integrators
from faying.solvers.integrators._scheme import Rule, Scheme
from faying.solvers.integrators._stepping import SteppedIntegrator


@integrators.register("bdf")
class Bdf(SteppedIntegrator):
    """Backward differentiation formulas of order 1 (implicit Euler) or 2, of variable step.

    Applied to q̇ = v and M v̇ = f, with the constraints on the positions (Hairer and Wanner 1996, III.5 and VII.3):
    dissipative, so that fast components and the noise of index 3 die out within a few steps.

    Contact is kept apart, see `faying.solvers.integrators._scheme`: the differences that order 2 carries on are
    those of the smooth motion, as if the jump by contact had always been there.
    """

    kind: ClassVar[str] = "bdf"
    title: ClassVar[str] = "BDF"

    order: int = parameter(
        2, title="Order", ge=1, le=2,
        meaning="1 damps strongly and is for coming to rest; 2 is for motion.",
    )  # fmt: skip

    def scheme(self, start: State) -> "BdfScheme":
        """Return the scheme; its first step is of order 1."""
        return BdfScheme(self.order)


class BdfScheme(Scheme):
    """v₁ = v₀ + c Δv₀ + b h v̇₁ and q₁ = q₀ + c Δq₀ + b h v₁ with the smooth changes Δ of the last step.

    With ω the step over the last one, b = (1 + ω)/(1 + 2ω) and c = ω²/(1 + 2ω); b = 1 and c = 0 for order 1.

    Contact brings h a_c to v₁, and h² a_c/2 to q₁ (all of it with order 1): together with the smooth changes of a
    body at rest on it, Δv = h v̇ and Δq = −h² v̇/2, that keeps the rest for any ω.
    """

    def __init__(self, order: int) -> None:
        self._order = order
        self._last_length = 0.0
        self._change_q = self._change_v = np.zeros(0)

    def rule(self, state: State, length: float) -> Rule:
        """Return the formulas, solved for a = v̇₁."""
        h, b, free_q, free_v, share = length, 1.0, state.q, state.v, 1.0
        if self.error_order == 3:
            ratio = length / self._last_length
            b, c = (1.0 + ratio) / (1.0 + 2.0 * ratio), ratio**2 / (1.0 + 2.0 * ratio)
            free_q, free_v = free_q + c * self._change_q, free_v + c * self._change_v
            share = 0.5 / b**2
        free_q = free_q + b * h * free_v
        rest = np.zeros_like(state.a)
        return Rule(h, free_q, free_v, (b * h) ** 2, b * h, share, 1.0, rest, averages_contact=False)

    def error(self, before: State, after: State) -> np.ndarray:
        """Return the leading term of the local error: h² q̈/2, or a multiple of h³ times the third derivative."""
        h = after.time - before.time
        if self.error_order == 2:
            return np.asarray(0.5 * h**2 * after.all_accelerations)
        change = after.all_accelerations - before.all_accelerations
        b = (h + self._last_length) / (2.0 * h + self._last_length)
        return np.asarray(b * h * (h + self._last_length) / 6.0 * change)

    def accept(self, rule: Rule, before: State, after: State) -> None:
        """Remember the changes of the smooth motion."""
        self._change_q, self._change_v = after.q - before.q, after.v - before.v
        if after.contact_a is not None:
            # Had v jumped at the start of the step, q would have gained h² a_c instead of half of it.
            jump = rule.length * after.contact_a
            self._change_v = self._change_v - jump
            self._change_q = self._change_q + 0.5 * rule.length * jump
        self._last_length = rule.length

    def memory(self) -> dict[str, Any]:
        """Return the smooth changes of the last step, and its length."""
        return {"length": self._last_length, "change_q": self._change_q, "change_v": self._change_v}

    def recall(self, memory: dict[str, Any]) -> None:
        """Take them up."""
        self._last_length = memory["length"]
        self._change_q, self._change_v = memory["change_q"], memory["change_v"]

    @property
    def error_order(self) -> int:
        """Three with order 2, whose first step is of order 1."""
        return 3 if self._order == 2 and self._last_length else 2
