"""Constraints between markers: kinematic joints and prescribed motions. A member is one file."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from faying.multibody.characteristics import Characteristic
from faying.multibody.curve_shapes import CurveShape
from faying.multibody.markers import MarkerMotion, moved
from faying.multibody.rows import Equations, angle_about_z, unwrapped
from faying.multibody.term_changes import changes as changes_of_terms
from faying.multibody.term_kernels import rows as rows_of_terms
from faying.multibody.terms import Term, term_array
from faying.params import Member, parameter
from faying.registry import Registry

constraints: Registry[type["Constraint"]] = Registry("constraint", __name__)

# Small motions for the derivative of rows; the equations are smooth products of unit vectors.
_STEP = 1e-6


class Constraint(Member):
    """Equations between markers; pure functions of where the markers are and of time.

    Attributes:
        axis_words: what the second marker does with the z axis of the first one ("turns about"); "" without one.
        drives: "force" along or "moment" about the z axis of the first marker, by which it drives a motion over
            time, and so gives or takes power; "" for a constraint that drives none.
        holonomic: whether its values follow from positions and time; else its rows hold for velocities alone, and its
            values are what it has slipped since the last accepted state.
        held_by: the parameter to which the value of its only equation is added so that it holds the parts where they
            are, such as "start"; "" for a constraint that has none.
    """

    axis_words: ClassVar[str] = ""
    drives: ClassVar[str] = ""
    holonomic: ClassVar[bool] = True
    held_by: ClassVar[str] = ""

    name: str = parameter(title="Name", meaning="Name of the constraint.", min_length=1)
    active: bool = parameter(
        True, title="Active", advanced=True,
        meaning="Whether it holds from the start on; one that does not waits for an event that activates it.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a name, and two markers for a constraint that has them."""
        words = {"name": "it", "first": "ground.a", "second": "rod.b"}
        return {name: word for name, word in words.items() if name in cls.model_fields}

    @abstractmethod
    def marker_names(self) -> tuple[str, ...]:
        """Return the markers that it ties, each as "part.marker"; reactions are told at the second."""

    @abstractmethod
    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the equations.

        Args:
            markers: where its markers are.
            time: now.
            angles: (k,) continuous angles of the last accepted state, to count full turns from.
        """

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) continuous angles that the constraint follows, next to the last ones."""
        return last

    def first_angles(self) -> np.ndarray:
        """Return (k,) reference angles; those of the start are taken within half a turn of them."""
        return np.zeros(0)

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return the constraint with what it takes from its markers as they are placed; itself where nothing is."""
        return self

    def bound(self, measures: Mapping[str, Any]) -> "Constraint":
        """Return the constraint as it acts among measures, by their names; itself where it follows none.

        Raises:
            ModelError: when it follows a measure that is not there, or that does not suit it.
        """
        return self

    def loaded(self) -> Self:
        """Return the constraint with the contents of the files of its curves and characteristics in itself.

        Raises:
            ReadError: when a file cannot be read.
        """
        values = {name: getattr(self, name) for name in type(self).model_fields}
        changes = {n: v.loaded() for n, v in values.items() if isinstance(v, CurveShape | Characteristic)}
        return self.with_(**changes) if any(changes[n] is not values[n] for n in changes) else self

    def outlines(self) -> tuple[tuple[int, np.ndarray], ...]:
        """Return lines to be drawn: number of a marker, and points (n, 3) in its axes; none by default.

        Raises:
            FayingError: when a curve cannot be made.
        """
        return ()

    def rates(self, time: float) -> tuple[float, float]:
        """Return ∂C/∂t and ∂²C/∂t² of the equation that depends on time, the last one; zero by default."""
        return 0.0, 0.0

    def row_changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray:
        """Return (6 m, 6 m) the change of rowsᵀ λ with virtual motions of the markers, by central differences.

        Positions move and axes turn about the inertial axes; exact to about 1e-9, which Newton's matrix and
        eigenvalues are content with.
        """
        size = 6 * len(markers)
        change = np.empty((size, size))
        for k in range(size):
            sides = [
                self.equations(moved(markers, k, step), time, angles).rows.T @ multipliers
                for step in (_STEP, -_STEP)
            ]
            change[:, k] = (sides[0] - sides[1]) / (2.0 * _STEP)
        return change


class PairConstraint(Constraint):
    """A constraint between two markers, by terms; those of all constraints of a system are evaluated together.

    Attributes:
        turns: whether the wanted value is an angle, to which full turns make no difference.
    """

    turns: ClassVar[bool] = False

    first: str = parameter(
        title="First marker", choices="marker", meaning="Where one side acts; its axes are the constraint's."
    )
    second: str = parameter(title="Second marker", choices="marker", meaning="Where the other side acts.")

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def first_angles(self) -> np.ndarray:
        """Return (1,): the angle of the second marker about the first one's z axis, for the curve of it."""
        return np.zeros(1)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the continuous angle."""
        i, j = markers
        return np.array([unwrapped(angle_about_z(i, j), float(last[0]))])

    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """Return its scalar equations between the first marker i and the second j."""

    def wanted(self, time: float) -> float:
        """Return the value that its terms are to have at a time; zero by default, and then it is not asked."""
        return 0.0

    def less_wanted(self, values: np.ndarray, time: float) -> np.ndarray:
        """Return the terms' values (k,) less the wanted one."""
        if type(self).wanted is PairConstraint.wanted:
            return values
        wanted = self.wanted(time)
        if self.turns:
            values = np.array([unwrapped(float(value), wanted) for value in values])
        return values - wanted

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the equations between the two."""
        values, rows = rows_of_terms(*self._laid_out(markers))
        return Equations(self.less_wanted(values, time), rows, tuple(term.words for term in self.terms()))

    def row_changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray, multipliers: np.ndarray
    ) -> np.ndarray:
        """Return (12, 12) the change of rowsᵀ λ with virtual motions of the markers."""
        changes = changes_of_terms(*self._laid_out(markers), multipliers)
        return np.asarray(changes.sum(axis=0))

    def _laid_out(
        self, markers: Sequence[MarkerMotion]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        terms = self.terms()
        position, axes = np.array([m.position for m in markers]), np.array([m.axes for m in markers])
        return term_array(terms), np.tile([0, 1], (len(terms), 1)), position, axes
