"""Curves on parts, which points follow and other curves touch. A member is one file."""

from abc import abstractmethod
from typing import Any

import numpy as np
from pydantic import PrivateAttr

from faying.multibody.spline_curve import SplineCurve
from faying.params import Member
from faying.registry import Registry

curve_shapes: Registry[type["CurveShape"]] = Registry("curve", __name__)


class CurveShape(Member):
    """A curve in the axes of a marker: a cubic spline over the length of the chords between its points.

    An open curve goes on straight beyond its ends.
    """

    _spline: SplineCurve | None = PrivateAttr(None)

    def __eq__(self, other: Any) -> bool:
        """Return whether all parameters are equal; values computed from them are ignored."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the parameters."""
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def places(self) -> np.ndarray:
        """Return points (n, 3) of the curve, n ≥ 3, no two in a row at one place; of a closed one each once.

        Raises:
            ReadError: when a file cannot be read.
            ModelError: when there is no such curve.
        """

    @property
    @abstractmethod
    def is_closed(self) -> bool:
        """Whether it returns smoothly from the last point to the first."""

    def spline(self) -> SplineCurve:
        """Return the curve itself; errors as of `places`."""
        if self._spline is None:
            self._spline = SplineCurve(self.places(), self.is_closed)
        return self._spline

    def loaded(self) -> "CurveShape":
        """Return the curve with the contents of its file in itself; a run calls this once, at its start.

        Raises:
            ReadError: when the file cannot be read.
        """
        return self
