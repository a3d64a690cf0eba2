"""Accelerations by contact, with constraints."""

from typing import Any

from faying.solvers.integrators import ConstrainedInertia, DynamicSystem, State


class ContactInertia:
    """Accelerations by contact at the start of a step; factors again only when something is another one."""

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self._key: Any = None
        self._factor: ConstrainedInertia | None = None

    def at(self, state: State) -> ConstrainedInertia:
        """Return the factor for the accepted state."""
        mass = self._system.mass(state.q)
        key = state if self._system.n_constraints else mass
        if key is not self._key or self._factor is None:
            rows = self._system.constraints(state.time, state.q, state.history)[1]
            self._key, self._factor = key, ConstrainedInertia(mass, rows)
        return self._factor
