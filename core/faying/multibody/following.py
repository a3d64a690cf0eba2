"""Forces and drives that follow measures: which ones these are, what they remember, and the force times a factor."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from faying.errors import ModelError, there_are
from faying.multibody.characteristics import Characteristic
from faying.multibody.forces import Force, ScalarOfMotion, differences
from faying.multibody.markers import MarkerMotion
from faying.multibody.measure_order import ordered
from faying.params import build, parameter

_UNKNOWN = (
    "force", "its value is not known before the force is",
    "Name a measure of positions, angles, speeds or the time, or a formula of these.",
)  # fmt: skip


def measure_parameter() -> Any:
    """Return the declaration of the measure that a force follows."""
    return parameter(
        "", title="Follows the measure", choices="measure",
        meaning="Measure of motion by whose characteristic the amount is multiplied; empty for none.",
    )  # fmt: skip


def characteristic_parameter() -> Any:
    """Return the declaration of its characteristic."""
    return parameter(
        None, title="Characteristic of the measure",
        meaning="Factor over the measure, in the project's units; none for the value of the measure itself.",
    )  # fmt: skip


def followed(
    member: Any,
    measures: Mapping[str, ScalarOfMotion],
    suits: Callable[[ScalarOfMotion], bool],
    refusal: tuple[str, str, str],
) -> tuple[tuple[ScalarOfMotion, ...], dict[str, str]]:
    """Return the measure that a force or drive follows after those that it needs, and the quantity of each.

    Args:
        member: the force or drive.
        measures: of the system, by name.
        suits: whether one can be followed.
        refusal: what the member is, why another one cannot be followed, and a hint.

    Raises:
        ModelError: when there is no such measure, or one of them does not suit.
    """
    found: dict[str, ScalarOfMotion] = {}

    def visit(name: str, through: str) -> None:
        if name not in measures:
            raise ModelError(
                f"There is no measure {name!r}, which {member.name!r} follows.", there_are(name, measures)
            )
        if not suits(measures[name]):
            what, why, hint = refusal
            raise ModelError(
                f"The {what} {member.name!r} cannot follow the measure {name!r}{through}: {why}.", hint
            )
        found[name] = measures[name]
        for other in measures[name].needs():
            if other not in found:
                visit(other, through or f" through {name!r}")

    visit(member.measure, "")
    quantities: dict[str, str] = {}
    scalars = tuple(ordered(found).values())
    for scalar in scalars:
        quantities[scalar.name] = scalar.dimension(quantities)
    return scalars, quantities


def bound_to_measure(force: Any, kind: type[Force], measures: Mapping[str, ScalarOfMotion]) -> Force:
    """Return a force as it acts among measures: itself where it follows none, else one of a kind that follows it.

    Raises:
        ModelError: when there is no such measure, or one of them does not follow from motion alone.
    """
    if not force.measure:
        return force  # type: ignore[no-any-return]
    scalars, quantities = followed(force, measures, lambda each: each.of_motion_alone, _UNKNOWN)
    own = {name: getattr(force, name) for name in type(force).model_fields}
    return build(kind, {**own, "scalars": scalars, "quantity": quantities[force.measure]})


class Seen(NamedTuple):
    """Markers by name at a time, with what measures remember, as measures of motion see them."""

    time: float
    remembered: Mapping[str, np.ndarray]
    motions: Mapping[str, MarkerMotion]

    def motion(self, marker: str) -> MarkerMotion:
        """Return how a marker moves."""
        return self.motions[marker]


class Followed(NamedTuple):
    """Measures of motion, each after those that it needs, as what follows one of them sees them.

    Their memory (k,) is what each remembers of the last accepted state, one after the other.
    """

    scalars: tuple[Any, ...]

    @property
    def marker_names(self) -> tuple[str, ...]:
        """Their markers, each once."""
        return tuple(dict.fromkeys(name for scalar in self.scalars for name in scalar.marker_names()))

    @property
    def memory_size(self) -> int:
        """How many numbers all remember."""
        return sum(scalar.memory_size for scalar in self.scalars)

    def memories(self, memory: np.ndarray) -> dict[str, np.ndarray]:
        """Return what each of those that remember something does (k,), by its name."""
        found, at = {}, 0
        for scalar in self.scalars:
            if size := scalar.memory_size:
                found[scalar.name] = memory[at : at + size]
                at += size
        return found

    def joined(self, memories: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return (k,) their memory from that of each, by name."""
        own = (memories[scalar.name] for scalar in self.scalars if scalar.memory_size)
        return np.concatenate([np.zeros(0), *own])

    def seen(self, markers: Sequence[MarkerMotion], time: float, memory: np.ndarray) -> Seen:
        """Return their markers as they see them."""
        return Seen(time, self.memories(memory), dict(zip(self.marker_names, markers, strict=True)))

    def values(self, markers: Sequence[MarkerMotion], time: float, memory: np.ndarray) -> dict[str, float]:
        """Return the value of each by its name."""
        at, found = self.seen(markers, time, memory), dict[str, float]()
        for scalar in self.scalars:
            found[scalar.name] = scalar.of_motion(at, found)
        return found

    def remembered(self, markers: Sequence[MarkerMotion], time: float, memory: np.ndarray) -> np.ndarray:
        """Return (k,) what they remember of an accepted state, from that of the last one."""
        at, values = self.seen(markers, time, memory), self.values(markers, time, memory)
        return np.concatenate([np.zeros(0), *(np.array(each.memory(at, values)) for each in self.scalars)])


class Measured(Force):
    """A force times the characteristic of a measure; the measure's markers come after its own and bear nothing.

    Kinds inherit from this class and from the force itself. Behind what the force remembers is what the measures
    remember of the last accepted state, such as angles, which count their turns from there, and states of controllers.
    """

    measure: str
    characteristic: Any
    scalars: tuple[Any, ...]
    quantity: str

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers on which it acts, and those of the measures."""
        return *super().marker_names(), *self.followed.marker_names  # type: ignore[safe-super]  # the force itself is next

    def first_angles(self) -> np.ndarray:
        """Return (k,) those of the force, and zeros."""
        return np.concatenate([super().first_angles(), np.zeros(self.followed.memory_size)])

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers of an accepted state."""
        own = super().remembered(self._own(markers), time, self._before(last))
        followed = self.followed.remembered(self._seen(markers), time, self._memory(last))
        return np.concatenate([own, followed])

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (6 m,) wrenches of the force times the factor, and zeros on the markers of the measures."""
        return self.times(self.factor(self.values(markers, time, angles)), markers, time, angles)

    def times(
        self, factor: float, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> np.ndarray:
        """Return (6 m,) wrenches for a factor."""
        own = super().wrenches(self._own(markers), time, self._before(angles))  # type: ignore[safe-super]
        found = np.zeros(6 * len(markers))
        found[: len(own)] = factor * own
        return found

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (6 m, 6 m) changes by differences of the force itself, and of its factor."""
        own, unit = self._own(markers), super().wrenches  # type: ignore[safe-super]
        size, count, before = 6 * len(own), 6 * len(markers), self._before(angles)
        factor, found = self.factor(self.values(markers, time, angles)), np.zeros((2, count, count))
        found[:, :size, :size] = differences(lambda side: factor * unit(side, time, before), own)

        def factor_at(seen: Sequence[MarkerMotion]) -> np.ndarray:
            return np.array([self.factor(self.values([*own, *seen], time, angles))])

        for change, by in zip(found, differences(factor_at, markers[len(own) :]), strict=True):
            change[:size, size:] = np.outer(unit(own, time, before), by[0])
        return found[0], found[1]

    def on_last(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) on the last marker of its own."""
        own = self._own(markers)
        wrench = self.wrenches(markers, time, angles)[6 * len(own) - 6 : 6 * len(own)]
        axes = own[0].axes if len(own) > 1 else np.eye(3)
        return axes.T @ wrench[:3], axes.T @ wrench[3:]

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the readings of the force, those that are forces or moments times the factor."""
        found = super().read(self._own(markers), time, self._before(angles))
        factor = self.factor(self.values(markers, time, angles))
        grows = [reading.dimension in ("force", "moment") for reading in self.readings]
        return tuple(factor * x if one else x for x, one in zip(found, grows, strict=True))

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return the characteristic with the value of the measure."""
        return ((self.characteristic, self.values(markers, time, angles)[self.measure], self.quantity),)

    # --- called by systems with controllers

    @property
    def followed(self) -> Followed:
        """The measures that it follows."""
        return Followed(self.scalars)

    def seen(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Seen:
        """Return the markers as its measures see them; arguments as of `wrenches`."""
        return self.followed.seen(self._seen(markers), time, self._memory(angles))

    def memories(self, angles: np.ndarray) -> dict[str, np.ndarray]:
        """Return what each measure remembers (k,), by name, in what the force remembers (k,)."""
        return self.followed.memories(self._memory(angles))

    def with_memories(self, angles: np.ndarray, memories: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return (k,) what the force remembers with that of its measures replaced."""
        return np.concatenate([self._before(angles), self.followed.joined(memories)])

    def values(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> dict[str, float]:
        """Return the value of each measure by its name; arguments as of `wrenches`."""
        return self.followed.values(self._seen(markers), time, self._memory(angles))

    def factor(self, values: Mapping[str, float]) -> float:
        """Return the factor of the force for the values of its measures."""
        x = values[self.measure]
        return x if self.characteristic is None else float(self.characteristic.value(x))

    def _own(self, markers: Sequence[MarkerMotion]) -> Sequence[MarkerMotion]:
        return markers[: len(markers) - len(self.followed.marker_names)]

    def _seen(self, markers: Sequence[MarkerMotion]) -> Sequence[MarkerMotion]:
        return markers[len(markers) - len(self.followed.marker_names) :]

    def _before(self, angles: np.ndarray) -> np.ndarray:
        return angles[: len(angles) - self.followed.memory_size]

    def _memory(self, angles: np.ndarray) -> np.ndarray:
        return angles[len(angles) - self.followed.memory_size :]
