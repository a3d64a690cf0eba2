"""The common part of HHT, generalised-α and BDF: the state at the end of a step from its unknown acceleration.

Contact is treated separately in each. A scheme of second order carries forces of the last step over, so that a pair
that was deep in contact would still push when it is open; that feeds in energy at every bounce (restitution above one),
and on the friction bar with 40 joint modes and steps of 10 µs the printed form of HHT reaches 476 mm where
0.75 mm is right. Here pairs that open or close act with one constant force in a step: v₁ gains h of its
acceleration a_c and q₁ gains `by_q` times `share` of it, which is h²/2 or more. (The idea of separating smooth and
impulsive parts is that of Chen, Acary, Virlez and Brüls 2013.) With constraints the acceleration by contact respects
them, and their multipliers are split in the same way.

That force is the mean pressure with which contact takes from the motion the energy that its law stores, and returns it
(`faying.joints.step_mean`): an elastic touch has a restitution of one, however long the step is, and equilibrium stays
equilibrium. With BDF it is the force at the end of the step, which is of first order and damps: with that an elastic
touch of six steps has a restitution of 0.82.

Pairs that have been closed for some steps (`faying.solvers.integrators.LASTING`) and stay closed act like any smooth
force, from the start of the step: with second order, and with the scheme's own damping; see
`faying.solvers.integrators._equations.ContinuedContact`. BDF, which stores differences, does without.

A scheme is constant during a run. Its data from earlier steps are a value of its own type, which every accepted step
replaces.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from faying.records import record
from faying.solvers.integrators import Before, ContinuedPairs, State


class Remembered(NamedTuple):
    """A scheme's terms of the acceleration at the start: a₀ in q₁ and in v₁, and `rest` = of_a a₀ − of_f q̈₀."""

    to_q: float
    to_v: float
    of_a: float
    of_f: float


@record("step rule")
class Rule:
    """One step: q₁ = `free_q` + `by_q` a, v₁ = `free_v` + `by_v` a, and the equations hold with `weight` a + `rest`.

    The unknown a is a_s + `share` a_c of a smooth part and the acceleration by contact.

    Attributes:
        length: h.
        free_q, free_v: (n,) end of the step without the unknown.
        by_q, by_v: factors of the unknown.
        share: see above.
        weight, rest: the smooth part of q̈₁ is weight · a_s + rest (n,).
        of_start: the terms of the start; None for a scheme in which all contact acts at the end alone.
    """

    length: float
    free_q: np.ndarray
    free_v: np.ndarray
    by_q: float
    by_v: float
    share: float
    weight: float
    rest: np.ndarray
    of_start: Remembered | None = None

    def pushed(self, acceleration: np.ndarray) -> "Rule":
        """Return the rule with another acceleration (n,) at the start, by continued contact."""
        if self.of_start is None:
            raise TypeError("No contact goes on from step to step in this scheme.")
        to_q, to_v, of_a, of_f = self.of_start
        return replace(
            self,
            free_q=self.free_q + to_q * acceleration,
            free_v=self.free_v + to_v * acceleration,
            rest=self.rest + (of_a - of_f) * acceleration,
        )

    def driven(self, acceleration: np.ndarray) -> "Rule":
        """Return the rule with a constant acceleration (n,) by contact all along the step."""
        free_q = self.free_q + (self.by_q * self.share) * acceleration
        return replace(self, free_q=free_q, free_v=self.free_v + self.length * acceleration)

    def with_contact(self, before: Before) -> ContinuedPairs | None:
        """Return how lasting pairs act from the start of the step on; None where all act at the end alone."""
        if self.of_start is None:
            return None
        _, to_v, of_a, of_f = self.of_start
        now = 1.0 / self.weight
        return ContinuedPairs(before, (to_v, self.by_v), (now, of_f * now, -of_a * now))

    def from_rest(self, which: np.ndarray, q: np.ndarray) -> "Rule":
        """Return the rule with q₁ = q + by_q a and v₁ = by_v a for some coordinates (mask (n,)): they have no past."""
        return replace(
            self,
            free_q=np.where(which, q, self.free_q),
            free_v=np.where(which, 0.0, self.free_v),
            rest=np.where(which, 0.0, self.rest),
        )

    @property
    def contact_speed(self) -> float:
        """Factor of a_c in v₁ in addition to its part in the unknown; together h."""
        return self.length - self.share * self.by_v

    @property
    def contact_weight(self) -> float:
        """Factor of contact forces and their multipliers in the equations of motion."""
        return self.weight * self.share


# Largest share of the velocity by contact that may bypass the equations of motion, see `suits_damped_contact`. Measured
# on a ball on a rod, damped period 0.5 µs, fixed steps of 50 ns: with a share of 0.2 % (HHT, α = −0.05) the force is
# that of the run with separated modes, with 5 % (α = −0.3) four times as large at first. With BDF, which does not
# continue contact from step to step, the ball rattles.
_OUTSIDE = 0.01

M = TypeVar("M")  # a scheme's data from earlier steps


class Scheme(ABC, Generic[M]):
    """The formulas of a scheme; constant. `past` is its data from earlier steps."""

    @abstractmethod
    def beginning(self, start: State) -> M:
        """Return the `past` of the first step."""

    @abstractmethod
    def rule(self, past: M, state: State, length: float) -> Rule:
        """Return the rule of a step from a state."""

    @abstractmethod
    def error(self, past: M, before: State, after: State) -> np.ndarray:
        """Return an estimate (n,) of the local error of q within a step, without that by contact that is not smooth."""

    @abstractmethod
    def with_step(self, past: M, rule: Rule, before: State, after: State, going_on: np.ndarray) -> M:
        """Return the data of the next step after an accepted one.

        Args:
            past: the data of that step.
            rule: of that step, with continued contact.
            before, after: the states.
            going_on: (n,) acceleration at the end by continued contact.
        """

    def after_jump(self, past: M, state: State, change: np.ndarray) -> M:
        """Return the data of the next step from a state whose forces have just jumped.

        Args:
            past: the data without the jump.
            state: after it.
            change: (n,) of its smooth accelerations by the jump.
        """
        return self.beginning(state)

    @property
    def suits_damped_contact(self) -> bool:
        """Whether contact may act on modes that are heavily damped and too fast for a step.

        If not, contact gives them velocities from which their damping makes spurious forces.
        """
        return False

    def error_order(self, past: M) -> int:
        """Return the power of the step by which the local error falls."""
        return 3


class NewmarkScheme(Scheme[np.ndarray]):
    """Newmark's formulas with weighted accelerations: generalised-α, and HHT with αₘ = 0.

    In the form of Arnold and Brüls (2007): (1 − αₘ) a₁ + αₘ a₀ = (1 − α_f) q̈₁ + α_f q̈₀, where q̈ meets the
    equations of motion and a is the scheme's own, shifted by (αₘ − α_f) h. γ and β are those of second order and
    of the largest damping of fast components for the least of slow ones.

    Its past is q̈₀ (n,), the smooth acceleration that met the equations.

    Args:
        alpha_m, alpha_f: weights of the last step.
    """

    def __init__(self, alpha_m: float, alpha_f: float) -> None:
        self._alpha_m, self._alpha_f = alpha_m, alpha_f
        shift = alpha_m - alpha_f
        self._gamma, self._beta = 0.5 - shift, (1.0 - shift) ** 2 / 4.0
        # True error over estimate is 1.01 on a pendulum.
        self._error = 1.0 / 12.0 + shift**2 / 4.0

    @property
    def constants(self) -> tuple[float, float, float, float, float]:
        """γ, β, αₘ, α_f, and the factor of `error`."""
        return self._gamma, self._beta, self._alpha_m, self._alpha_f, self._error

    @property
    def suits_damped_contact(self) -> bool:
        """Whether the part of the velocity by contact that bypasses the equations, h (1 − γ/(2 β)) a_c, is small."""
        return 1.0 - 0.5 * self._gamma / self._beta <= _OUTSIDE

    def beginning(self, start: State) -> np.ndarray:
        """Return (n,) the acceleration of the start, which meets the equations."""
        return start.a

    def after_jump(self, past: np.ndarray, state: State, change: np.ndarray) -> np.ndarray:
        """Return q̈₀ (n,) with the jump, so that the shift between it and the scheme's own acceleration stays."""
        return np.asarray(past + change)

    def rule(self, past: np.ndarray, state: State, length: float) -> Rule:
        """Return Newmark's formulas."""
        h, gamma, beta = length, self._gamma, self._beta
        # q₁ = q₀ + h v₀ + h² ((1/2 − β) a₀ + β a₁) and v₁ = v₀ + h ((1 − γ) a₀ + γ a₁).
        free_q = state.q + h * (state.v + (h * (0.5 - beta)) * state.a)
        free_v = state.v + (h * (1.0 - gamma)) * state.a
        # q̈₁ = ((1 − αₘ) a₁ + αₘ a₀ − α_f q̈₀) / (1 − α_f).
        now = 1.0 - self._alpha_f
        of_a, of_f, weight = self._alpha_m / now, self._alpha_f / now, (1.0 - self._alpha_m) / now
        rest = of_a * state.a - of_f * past
        of_start = Remembered(h**2 * (0.5 - beta), h * (1.0 - gamma), of_a, of_f)
        return Rule(h, free_q, free_v, beta * h**2, gamma * h, 0.5 / beta, weight, rest, of_start)

    def error(self, past: np.ndarray, before: State, after: State) -> np.ndarray:
        """Return (n,) (1/12 + (αₘ − α_f)²/4) h² (a₁ − a₀) of the smooth accelerations."""
        return np.asarray(self._error * (after.time - before.time) ** 2 * (after.a - before.a))

    def with_step(
        self, past: np.ndarray, rule: Rule, before: State, after: State, going_on: np.ndarray
    ) -> np.ndarray:
        """Return q̈₁ (n,), the smooth acceleration that met the equations."""
        return np.asarray(rule.weight * (after.a + going_on) + rule.rest - going_on)
