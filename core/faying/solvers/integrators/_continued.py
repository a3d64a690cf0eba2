"""Contact that goes on from the start of a step to its end: half of its force acts with each."""

import numpy as np

from faying.solvers.integrators import ContactForces, DynamicSystem, Pairs, State
from faying.solvers.integrators._contact_inertia import ContactInertia


class ContinuedContact:
    """The pairs that are closed at the start of a step and expected to be so at its end.

    A pair that opens all the same is taken back by `without`, and then acts at the end alone, like one that
    closes: a force of the past never pushes a pair that is open.

    Attributes:
        pairs: of each joint (n_pairs,) which ones.
        factors: of their forces at the end: one half, and one for all others.
        force: (n,) the half at the start; `acceleration` what it does.
    """

    def __init__(self, system: DynamicSystem, state: State, inertia: ContactInertia, pairs: Pairs) -> None:
        self._system, self._state, self._inertia = system, state, inertia
        self.pairs = pairs
        self.factors = tuple(np.where(mask, 0.5, 1.0) for mask in pairs)
        halves = tuple(0.5 * mask for mask in pairs)
        contact = system.contact(state.q, state.history, 0.0, jacobian=False, factors=halves)
        assert contact is not None and contact.weighted is not None
        self.force = contact.weighted
        at_start = inertia.at(state.time, state.q, state.history)
        self.acceleration = at_start.accelerations(self.force)[0]

    @classmethod
    def expected(
        cls, system: DynamicSystem, state: State, inertia: ContactInertia, length: float
    ) -> "ContinuedContact | None":
        """Return the pairs that are closed and would be so if the system went on as it moves; None for none."""
        if state.closed is None or not any(mask.any() for mask in state.closed):
            return None
        ahead = system.contact(state.q + length * state.v, state.history, length, jacobian=False)
        assert ahead is not None and ahead.closed is not None
        pairs = _both(state.closed, ahead.closed)
        return cls(system, state, inertia, pairs) if any(mask.any() for mask in pairs) else None

    def holds(self, end: ContactForces) -> bool:
        """Return whether all of the pairs are closed at the end."""
        assert end.closed is not None
        return not any((mask & ~closed).any() for mask, closed in zip(self.pairs, end.closed, strict=True))

    def without(self, end: ContactForces) -> "ContinuedContact":
        """Return what is left when the pairs that are open at the end are taken back."""
        assert end.closed is not None
        return ContinuedContact(self._system, self._state, self._inertia, _both(self.pairs, end.closed))


def _both(first: Pairs, second: Pairs) -> Pairs:
    return tuple(a & b for a, b in zip(first, second, strict=True))
