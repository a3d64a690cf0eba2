"""Accelerations by contact, with constraints."""

from typing import Any

import numpy as np

from faying.solvers.integrators import ConstrainedInertia, DynamicSystem


class ContactInertia:
    """Accelerations by contact at one place; factors again only when something is another one."""

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self._key: Any = None
        self._factor: ConstrainedInertia | None = None

    def at(self, time: float, q: np.ndarray, history: Any) -> ConstrainedInertia:
        """Return the factor for coordinates, which are told by being the same object."""
        mass = self._system.mass(q)
        key = q if self._system.n_constraints else mass
        if key is not self._key or self._factor is None:
            rows = self._system.constraints(time, q, history)[1]
            self._key, self._factor = key, ConstrainedInertia(mass, rows)
        return self._factor
