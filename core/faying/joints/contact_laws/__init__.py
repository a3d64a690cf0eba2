"""Contact laws: pressure over gap. A member is one file with a class registered under its kind."""

from abc import abstractmethod

import numpy as np

from faying.params import Member
from faying.registry import Registry

contact_laws: Registry[type["ContactLaw"]] = Registry("contact law", __name__)


class ContactLaw(Member):
    """Pressure as a function of the gap; a pure function, vectorised over contact pairs."""

    @abstractmethod
    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/dgap), each shaped as `gap`; p ≥ 0 and dp/dgap ≤ 0.

        Args:
            gap: normal gap, positive when open, in the project's length unit.
        """

    @abstractmethod
    def closing_gap(self) -> float:
        """Return the gap below which pressure begins (0 for most laws)."""

    def corners(self) -> tuple[float, ...]:
        """Return the gaps between smooth parts of the law; none if it is smooth wherever there is pressure."""
        return ()

    def loaded(self) -> "ContactLaw":
        """Return the law with the contents of its files stored in itself; a run calls this once, at its start."""
        return self
