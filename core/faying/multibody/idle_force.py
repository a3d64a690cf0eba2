"""A force between markers that does not act, until an event switches it on."""

from collections.abc import Collection, Sequence
from typing import Any, Self

import numpy as np
from pydantic import PrivateAttr

from faying.multibody.forces import Force, Reading
from faying.multibody.markers import MarkerMotion


class IdleForce(Force):
    """A force that is switched off: it is zero, and goes on to count its angles."""

    _force: Any = PrivateAttr(None)

    @classmethod
    def of(cls, force: Force) -> "IdleForce":
        """Return a force as one that does not act."""
        found = cls(name=force.name, active=False)
        found._force = force
        return found

    @property
    def force(self) -> Force:
        """The force that would act."""
        found: Force = self._force
        return found

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The force's own."""
        return self.force.kind

    @property
    def readings(self) -> tuple[Reading, ...]:  # type: ignore[override]
        """The force's own."""
        return self.force.readings

    def __eq__(self, other: Any) -> bool:
        """Return whether both would be the same force."""
        return isinstance(other, IdleForce) and other.force == self.force

    def __hash__(self) -> int:
        """Return a number that equal forces share."""
        return hash((IdleForce, self.force))

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers on which it would act."""
        return self.force.marker_names()

    def first_angles(self) -> np.ndarray:
        """Return (k,) the force's reference angles."""
        return self.force.first_angles()

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) the force's continuous angles."""
        return self.force.angles(markers, last)

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) its counted angles; friction that does not act begins anew."""
        return self.first_angles() if self.force.rubs else self.force.remembered(markers, time, last)

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (6 m,) zeros."""
        return np.zeros(6 * len(markers))

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return twice (6 m, 6 m) zeros."""
        size = 6 * len(markers)
        return np.zeros((size, size)), np.zeros((size, size))

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the force's readings: zero, but for lengths and angles."""
        geometric = ("length", "angle")
        values = zip(self.readings, self.force.read(markers, time, angles), strict=True)
        return tuple(value if reading.dimension in geometric else 0.0 for reading, value in values)

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return it with what the force takes from its markers at the assembled start."""
        placed = self.force.as_placed(markers)
        return self if placed is self.force else type(self).of(placed)  # type: ignore[return-value]


def acting(force: Force, idle_constraints: Collection[str]) -> Force:
    """Return a force as it acts in a system: idle if it is not active, or rubs in one of the idle constraints."""
    rubs_in_nothing = force.rubs and getattr(force, "constraint", "") in idle_constraints
    return (
        IdleForce.of(force)
        if (not force.active and not isinstance(force, IdleForce)) or rubs_in_nothing
        else force
    )


def chosen(force: Force, active: bool | None) -> Force:
    """Return a force as it was declared, active or not as an event wants it; None for as it is."""
    own = force.force if isinstance(force, IdleForce) else force
    return own if active in (None, own.active) else own.with_(active=active)
