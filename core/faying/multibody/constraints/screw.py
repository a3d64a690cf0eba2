"""A screw in its nut."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from faying.multibody.constraints import constraints
from faying.multibody.constraints._combined import CombinedConstraint, Summand, from_placed_start
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations
from faying.multibody.term_kernels import rows as rows_of_terms
from faying.multibody.terms import PARALLEL_Z, along, term_array
from faying.params import parameter

_GUIDED = (along(0), along(1), *PARALLEL_Z)


@constraints.register("screw")
class Screw(CombinedConstraint):
    """The second marker turns about the z axis of the first one and moves by a pitch per turn: five equations."""

    axis_words: ClassVar[str] = "turns about and moves along"

    first: str = parameter(title="First marker", choices="marker", meaning="The nut; z is the axis.")
    second: str = parameter(title="Second marker", choices="marker", meaning="The screw.")
    pitch: float = parameter(
        1.0,
        title="Pitch",
        quantity="length",
        meaning="Displacement per turn; negative for a left-hand thread.",
    )
    offset_as_placed: bool = from_placed_start()
    offset: float = parameter(0.0, title="Offset", quantity="length", meaning="Displacement at angle zero.")

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def summands(self) -> tuple[Summand, ...]:
        """Return d and −p φ/2π, of the same pair."""
        return Summand(1.0, "displacement"), Summand(-self.pitch / (2.0 * np.pi), "angle")

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the continuous angle."""
        return self.counted([*markers, *markers], last)

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return those of a cylindrical joint, and d − p φ/2π − c."""
        position, axes = np.array([m.position for m in markers]), np.array([m.axes for m in markers])
        pairs = np.tile([0, 1], (len(_GUIDED), 1))
        values, rows = rows_of_terms(term_array(_GUIDED), pairs, position, axes)
        thread = super().equations([*markers, *markers], time, angles)
        row = thread.rows[:, :12] + thread.rows[:, 12:]
        words = (*(term.words for term in _GUIDED), "displacement along the thread")
        return Equations(np.append(values, thread.values), np.vstack([rows, row]), words)

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return it with the offset of the placed start, if it counts from there."""
        return super().as_placed([*markers, *markers])
