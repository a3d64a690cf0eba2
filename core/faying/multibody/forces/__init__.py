"""Forces between markers. A member is one file."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from faying.multibody.characteristics import Characteristic
from faying.multibody.markers import MarkerMotion, MarkersAt, moved
from faying.params import Member, parameter
from faying.registry import Registry
from faying.spatial.rotations import cross

forces: Registry[type["Force"]] = Registry("force", __name__)

_STEP = 1e-6  # of virtual motions in derivatives, relative to the size of what moves


class Reading(NamedTuple):
    """A scalar of a force element, for curves and measures.

    Attributes:
        name: in the field's words: "length".
        dimension: key of `faying.units.QUANTITIES`; "" for a number.
        meaning: a sentence.
    """

    name: str
    dimension: str
    meaning: str


LENGTH = Reading("length", "length", "Distance of its two markers.")
AXIAL_FORCE = Reading("axial force", "force", "Force along the line of its markers, positive where it pulls.")
ANGLE = Reading(
    "angle", "angle", "Angle of the second marker about the z axis of the first one, over whole turns."
)


GAP = Reading("gap", "length", "Distance to the nearest limit of the stop, negative beyond it.")

COMMON_READINGS = ("force", "moment", "power")
"""What every force element is asked for; the names are those of their dimensions."""


def dimension_of_reading(name: str) -> str:
    """Return the dimension of a reading that some kind of force has; "" for an unknown one."""
    known = {reading.name: reading.dimension for _, kind in forces.items() for reading in kind.readings}
    return known.get(name, "")


class ScalarOfMotion(Protocol):
    """A measure, as a force sees it that follows one."""

    title: ClassVar[str]
    of_motion_alone: ClassVar[bool]
    has_states: ClassVar[bool]
    name: str

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers that it looks at."""

    def needs(self) -> tuple[str, ...]:
        """Return the measures whose values it takes."""

    @property
    def breaks_loops(self) -> bool:
        """Whether its value is known before those of the measures that it needs."""

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the quantity of its values, for those of the measures that it needs."""

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return its value for how markers move."""

    def of_place(self) -> bool:
        """Return whether it follows from positions alone, and the measures that it needs."""

    @property
    def memory_size(self) -> int:
        """Return how many numbers it remembers."""

    def memory(self, at: Any, values: Mapping[str, float]) -> tuple[float, ...]:
        """Return what it remembers of an accepted state."""


class Force(Member):
    """Forces and moments on markers; a pure function of where they are, how they move, of time and counted angles.

    Attributes:
        readings: scalars of its own that become curves, in addition to force, moment and power.
        rubs: whether it is friction, of a constraint whose reaction it is told.
    """

    readings: ClassVar[tuple[Reading, ...]] = ()
    rubs: ClassVar[bool] = False

    name: str = parameter(title="Name", meaning="Name of the force.", min_length=1)
    active: bool = parameter(
        True, title="Active", advanced=True,
        meaning="Whether it acts from the start on; one that does not waits for an event that switches it on.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a name, and two markers for a force that has them."""
        words = {"name": "it", "first": "ground.a", "second": "rod.b"}
        return {name: word for name, word in words.items() if name in cls.model_fields}

    @abstractmethod
    def marker_names(self) -> tuple[str, ...]:
        """Return the markers on which it acts, each as "part.marker"."""

    def first_angles(self) -> np.ndarray:
        """Return (k,) reference angles; those of the start are taken within half a turn of them. None by default."""
        return np.zeros(0)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) continuous angles that the force depends on, next to the last ones; none by default."""
        return last

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers of an accepted state: its continuous angles, by default.

        Args:
            markers: where its markers are and how they move.
            time: of the state.
            last: (k,) of the last accepted state.
        """
        return self.angles(markers, last)

    def under(self, force: np.ndarray, moment: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers, with the reaction of its constraint at a trial state; for one that rubs.

        Args:
            force, moment: (3,) of the constraint on its second marker, along the first one's axes.
            last: (k,) what it remembers.
        """
        return last

    def bound(self, constraints: Mapping[str, Any], measures: Mapping[str, ScalarOfMotion]) -> "Force":
        """Return the force as it acts among constraints and measures, by their names; itself where it names none.

        Raises:
            ModelError: when it names a constraint or measure that is not there, or that does not suit it.
        """
        return self

    @abstractmethod
    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (6 m,) force and moment on each of its m markers, in the inertial frame.

        Args:
            markers: where its markers are and how they move.
            time: now.
            angles: (k,) continuous angles of the last accepted state, to count full turns from.
        """

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return the energy that it stores; zero for one that stores none."""
        return 0.0

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the values of its `readings`; arguments as of `wrenches`."""
        return ()

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return its characteristics, each with its x and the quantity of x; None for one that it does not have."""
        return ()

    def on_last(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) on the last marker on which it acts.

        They are along the axes of the first one, or of space for one marker.
        """
        wrench = self.wrenches(markers, time, angles)[-6:]
        axes = markers[0].axes if len(markers) > 1 else np.eye(3)
        return axes.T @ wrench[:3], axes.T @ wrench[3:]

    def power(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> float:
        """Return the power that it gives to its markers; negative where it takes energy from the parts."""
        rates = [np.concatenate([marker.velocity, marker.spin]) for marker in markers]
        return float(self.wrenches(markers, time, angles) @ np.concatenate(rates)) if rates else 0.0

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return the force with what it takes from its markers at the assembled start; itself where nothing is."""
        return self

    def loaded(self) -> Self:
        """Return the force with the contents of the files of its characteristics in itself.

        Raises:
            ReadError: when a file cannot be read.
        """
        values = {name: getattr(self, name) for name in type(self).model_fields}
        changes = {n: v.loaded() for n, v in values.items() if isinstance(v, Characteristic)}
        return self.with_(**changes) if changes else self

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (6 m, 6 m) changes of the wrenches with virtual motions of the markers and with their velocities.

        By central differences: the functions are cheap, and Newton's matrix is rarely made.
        """
        return differences(lambda side: self.wrenches(side, time, angles), markers)


def differences(
    function: Callable[[Sequence[MarkerMotion]], np.ndarray], markers: Sequence[MarkerMotion]
) -> tuple[np.ndarray, np.ndarray]:
    """Return (r, 6 m) changes of a function (r,) of m markers with their virtual motions, and with their velocities.

    By central differences; r × 0 without markers.
    """
    size = 6 * len(markers)
    if not size:
        return np.zeros((1, 0)), np.zeros((1, 0))
    reach = max(float(np.abs(markers[-1].position - markers[0].position).max()), 1.0)
    pace = max(*(float(max(np.abs(m.velocity).max(), np.abs(m.spin).max())) for m in markers), 1.0)
    by_place, by_speed = list[np.ndarray](), list[np.ndarray]()
    for k in range(size):
        for change, step, speed in ((by_place, _STEP * (reach if k % 6 < 3 else 1.0), False),
                                    (by_speed, _STEP * pace, True)):  # fmt: skip
            ahead, behind = (function(moved(markers, k, s, speed)) for s in (step, -step))
            change.append((ahead - behind) / (2.0 * step))
    return np.stack(by_place, axis=1), np.stack(by_speed, axis=1)


class PairForce(Force):
    """A force between two markers: what it does to the second, the opposite happens at the first."""

    first: str = parameter(
        title="First marker", choices="marker", meaning="Where the reaction acts; its axes are the force's."
    )
    second: str = parameter(title="Second marker", choices="marker", meaning="Where the force acts.")

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (12,) wrenches on both markers; the first one also bears the moment of the lever between them."""
        i, j = markers
        force, moment = self.on_second(i, j, time, angles)
        lever = cross(j.position - i.position, force)
        return np.concatenate([-force, -moment - lever, force, moment])

    @abstractmethod
    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) on the second marker j."""
