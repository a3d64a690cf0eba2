"""The distance of two markers."""

from typing import ClassVar

import numpy as np

from faying.multibody.markers import MarkerMotion
from faying.multibody.measures import PairMeasure, measures


@measures.register("distance")
class DistanceMeasure(PairMeasure):
    """The distance of two markers."""

    quantity: ClassVar[str] = "length"

    def of_place(self) -> bool:
        """Return True."""
        return True

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return |r_j − r_i|."""
        return float(np.linalg.norm(j.position - i.position))
