"""A curve through points."""

import itertools
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.errors import ReadError
from faying.multibody.curve_shapes import CurveShape, curve_shapes
from faying.multibody.placement import Vector
from faying.number_tables import read_rows
from faying.params import parameter

Points = tuple[Vector, ...]


@curve_shapes.register("points")
class PointsCurve(CurveShape):
    """A smooth curve through points, given here or in a file."""

    title: ClassVar[str] = "Through points"

    path: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file, x, y and z (or x and y) in each line, in the project's units; the first lines may be "
        "headings. A relative path counts from the study or project file. Empty for the points given here.",
    )  # fmt: skip
    points: Points = parameter(
        ((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (20.0, 5.0, 0.0)), title="Points", quantity="length", min_length=3,
        meaning="Points of the curve, one after the other, in the marker's axes; used without a file.",
    )  # fmt: skip
    closed: bool = parameter(
        False, title="Closed", meaning="Whether the curve returns smoothly from the last point to the first."
    )

    @field_validator("points")
    @classmethod
    def _apart(cls, points: Points) -> Points:
        _check(points)
        return points

    @property
    def is_closed(self) -> bool:
        """Whether it was decided to be."""
        return self.closed

    def places(self) -> np.ndarray:
        """Return the points (n, 3).

        Raises:
            ReadError: when the file cannot be read, or has no points of a curve.
        """
        return np.array(self.loaded().points, float)

    def loaded(self) -> "PointsCurve":
        """Return the curve with the points of the file in itself.

        Raises:
            ReadError: as `places`.
        """
        return self.with_(path="", points=self._of_file()) if self.path else self

    def _of_file(self) -> Points:
        path = Path(self.path)
        rows = read_rows(path, "a curve", "x, y, z", (2, 3))
        points = tuple((row[0], row[1], row[2] if len(row) > 2 else 0.0) for row in rows)
        if self.closed and len(points) > 1 and points[0] == points[-1]:
            points = points[:-1]  # many programs write the first point again
        try:
            _check(points)
        except ValueError as error:
            raise ReadError(path, None, f"{error}.", "Fix the table.") from None
        return points


def _check(points: Points) -> None:
    """Raise a ValueError that describes points without a curve."""
    if len(points) < 3:
        raise ValueError("a curve has at least three points")
    if not np.isfinite(points).all():
        raise ValueError("points have to be finite numbers")
    for k, (one, other) in enumerate(itertools.pairwise(points)):
        if one == other:
            raise ValueError(f"points {k + 1} and {k + 2} are at one place")
