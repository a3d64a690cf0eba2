"""The round face of a cylinder, on which it rolls."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Roller:
    """The round face of a cylinder.

    Attributes:
        start, end: (3,) middles of its ends, in the part's frame.
        radius: of the cylinder.
    """

    start: np.ndarray
    end: np.ndarray
    radius: float

    @property
    def length(self) -> float:
        """From end to end."""
        return float(np.linalg.norm(self.end - self.start))

    @property
    def axis(self) -> np.ndarray:
        """(3,) unit vector from start to end."""
        return np.asarray((self.end - self.start) / self.length)
