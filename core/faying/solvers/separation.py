"""Separation of modes: fast coordinates are quasi-static, the others are integrated in time.

After Sherif (thesis section 5.2, eqs. 5.13 and 5.14): the inertia of fast coordinates, and what couples it with the
others, is left out (M₂₂ = 0, M_θ2 = 0), so that K₂₂ ζ₂ = Q₂(ζ₁, ζ₂) − C₂ᵀ λ in every step. Both sets are solved
together: contact depends on both, and a Newton's method for ζ₂ alone inside each evaluation takes many times longer.

Their equations hold without inertia at the end of every step (`DynamicSystem.without_inertia`): schemes carry nothing
over for them and estimate no error of theirs; each step finds them again from the forces at its end alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from faying.solvers.integrators import Before, ContactForces, Delegated, DynamicSystem, Forces, State, given

_SUMS = ("_inertia", "_elastic", "_largest", "_new", "_since", "_last")  # attributes of a check to be stored


def fast_coordinates(system: DynamicSystem, q: np.ndarray, above: float) -> np.ndarray:
    """Return (n,) which coordinates are fast: separable ones whose own frequency √(k/m)/2π is above a frequency."""
    stiffness = system.separable_stiffness
    squares = (2.0 * np.pi * above) ** 2 * np.diag(system.mass(q))
    return np.asarray((stiffness > 0.0) & (stiffness > squares))


class SeparatedSystem(Delegated):
    """A system whose fast coordinates have no inertia, neither their own nor coupling with that of others.

    Args:
        system: with all of its inertia.
        fast: (n,) which coordinates are fast.
    """

    def __init__(self, system: DynamicSystem, fast: np.ndarray) -> None:
        super().__init__(system)
        self._fast = self.without_inertia = fast
        self._kept = ~(fast[:, None] | fast) | np.diag(fast)
        self._of: np.ndarray | None = None
        self._mass = np.zeros((0, 0))

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n) without coupling to fast coordinates; their diagonal stays, so that it can be factored."""
        whole = self._system.mass(q)
        if whole is not self._of:  # a constant mass stays the same object
            self._of, self._mass = whole, np.where(self._kept, whole, 0.0)
        return self._mass

    def forces(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool, **more: Any
    ) -> Forces:
        """Return the smooth forces; the velocities of fast coordinates have no part in them."""
        found = super().forces(time, q, self._slow(v), history, jacobian=jacobian, **more)
        if found.d_velocity is None:
            return found
        by_velocity = found.d_velocity.copy()
        by_velocity[:, self._fast] = 0.0
        return Forces(found.force, found.d_position, by_velocity)

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Sequence[Any] | None = None,
    ) -> ContactForces | None:
        """Return the forces of contact and friction; on fast coordinates they act in full, as at the end."""
        weighted, whole = last or (None, None)
        found = super().contact(
            q, history, time_step, jacobian=jacobian, before=before, last=weighted if before else whole
        )
        if found is None:
            return None
        if not before or found.sudden is None:
            return replace(found, last=(None, found.last) if jacobian else None)
        going_on = None if found.going_on is None else np.where(self._fast, 0.0, found.going_on)
        found = replace(found, sudden=np.where(self._fast, found.force, found.sudden), going_on=going_on)
        if found.d_position is None:
            return found
        full = self._system.contact(q, history, time_step, jacobian=True, **given(None, whole))
        if full is None or full.d_position is None:
            raise TypeError(
                "A system told the change of weighted forces of contact, but not of those in full."
            )
        found.d_position[self._fast] = full.d_position[self._fast]
        return replace(found, last=(found.last, full.last))

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray | None:
        """Return (n, n) ∂(M a + C_qᵀ λ)/∂q without the accelerations of fast coordinates."""
        return self._system.inertia_and_constraint_jacobian(time, q, self._slow(a), multipliers, history)

    def longest_approach(self, state: State) -> float:
        """Return how long a step may be; velocities of fast coordinates are noise, and count for nothing."""
        return self._system.longest_approach(replace(state, v=self._slow(state.v)))

    def _slow(self, vector: np.ndarray) -> np.ndarray:
        kept = vector.copy()
        kept[self._fast] = 0.0
        return kept


class SeparationCheck:
    """Whether the inertia that a separation left out was small: its force over the elastic one, step by step.

    The force is M_f a of the whole body on the fast coordinates, with accelerations by differences of velocities.

    Args:
        system: with all of its inertia.
        fast: (n,) which coordinates were fast; without any the check finds nothing.
    """

    def __init__(self, system: DynamicSystem, fast: np.ndarray) -> None:
        self._system, self._fast = system, fast
        self._stiffness = system.separable_stiffness[fast]
        self._inertia = self._elastic = self._largest = 0.0
        self._new = self._since = self._last = 0.0

    @property
    def count(self) -> int:
        """Number of fast coordinates."""
        return int(self._fast.sum())

    def see(self, before: State, after: State) -> None:
        """Add an accepted step to the sums."""
        if not self.count:
            return
        h = after.time - before.time
        acceleration = (after.v - before.v) / h
        inertia = (self._system.mass(after.q) @ acceleration)[self._fast]
        elastic = self._stiffness * after.q[self._fast]
        # Forces are compared over the root of the stiffness: their squares are energies then.
        left_out, stored = (float((f**2 / self._stiffness).sum()) for f in (inertia, elastic))
        self._inertia, self._elastic = self._inertia + h * left_out, self._elastic + h * stored
        self._new, self._since = self._new + h * left_out, self._since + h
        self._largest = max(self._largest, stored)

    def checkpoint(self) -> dict[str, float]:
        """Return the sums so far."""
        return {name: getattr(self, name) for name in _SUMS}

    def restore(self, checkpoint: dict[str, float]) -> None:
        """Restore the sums of an interrupted run."""
        for name in _SUMS:
            setattr(self, name, checkpoint[name])

    def curves(self) -> dict[str, float]:
        """Return the separation ratio since the last call; nothing without fast coordinates.

        The root mean square of the neglected inertia force over the largest elastic one so far.
        """
        if not self.count:
            return {}
        if self._since:  # several frames may lie in one step
            self._last = _root_of_ratio(self._new / self._since, self._largest)
            self._new = self._since = 0.0
        return {"separation ratio": self._last}

    def summary(self) -> dict[str, float]:
        """Return how many coordinates were fast, and the ratio of the forces' root mean squares over the run."""
        if not self.count:
            return {}
        return {
            "separated_modes": self.count,
            "separation_ratio": _root_of_ratio(self._inertia, self._elastic),
        }


def _root_of_ratio(one: float, other: float) -> float:
    return float(np.sqrt(one / other)) if other > 0.0 else 0.0
