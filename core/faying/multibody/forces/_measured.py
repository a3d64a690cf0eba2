"""What forces share that follow a measure: their amount times a characteristic of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.errors import ModelError, there_are
from faying.multibody.characteristics import Characteristic
from faying.multibody.forces import Force, ScalarOfMotion
from faying.multibody.markers import MarkerMotion
from faying.params import build, parameter


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


def _followed(
    force: Any, measures: Mapping[str, ScalarOfMotion]
) -> tuple[tuple[ScalarOfMotion, ...], dict[str, str]]:
    """Return the measure that a force follows after those that it needs, and the quantity of each.

    Raises:
        ModelError: when there is no such measure, or one of them does not follow from motion alone.
    """
    found: dict[str, ScalarOfMotion] = {}
    quantities: dict[str, str] = {}

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name not in measures:
            raise ModelError(
                f"There is no measure {name!r}, which {force.name!r} follows.", there_are(name, measures)
            )
        member = measures[name]
        if not member.of_motion_alone or name in way:
            through = f" through {way[0]!r}" if way else ""
            raise ModelError(
                f"The force {force.name!r} cannot follow the measure {name!r}{through}: its value is not known before "
                "the force is.",
                "Name a measure of positions, angles, speeds or the time, or a formula of these.",
            )
        for other in member.needs():
            if other not in found:
                visit(other, (*way, name))
        found[name], quantities[name] = member, member.dimension(quantities)

    visit(force.measure, ())
    return tuple(found.values()), quantities


def bound_to_measure(force: Any, kind: type[Force], measures: Mapping[str, ScalarOfMotion]) -> Force:
    """Return a force as it acts among measures: itself where it follows none, else one of a kind that follows it.

    Raises:
        ModelError: when there is no such measure, or one of them does not follow from motion alone.
    """
    if not force.measure:
        return force  # type: ignore[no-any-return]
    scalars, quantities = _followed(force, measures)
    own = {name: getattr(force, name) for name in type(force).model_fields}
    return build(kind, {**own, "scalars": scalars, "quantity": quantities[force.measure]})


@dataclass(frozen=True, eq=False)
class _Seen:
    """Markers by name, as measures of motion see them."""

    time: float
    remembered: Mapping[str, np.ndarray]
    motions: Mapping[str, MarkerMotion]

    def motion(self, marker: str) -> MarkerMotion:
        return self.motions[marker]


class Measured(Force):
    """A force times the characteristic of a measure; the measure's markers come after its own and bear nothing.

    Kinds inherit from this class and from the force itself. Behind what the force remembers are the values of the
    measures at the last accepted state, from which angles count their turns.
    """

    measure: str
    characteristic: Any
    scalars: tuple[Any, ...]
    quantity: str

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers on which it acts, and those of the measures."""
        return *super().marker_names(), *self._seen_names()  # type: ignore[safe-super]  # the force itself is next

    def first_angles(self) -> np.ndarray:
        """Return (k,) those of the force, and zeros."""
        return np.concatenate([super().first_angles(), np.zeros(len(self.scalars))])

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers of an accepted state."""
        own = super().remembered(self._own(markers), time, self._before(last))
        return np.concatenate([own, list(self._values(markers, time, last).values())])

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (6 m,) wrenches of the force times the factor, and zeros on the markers of the measures."""
        own = super().wrenches(self._own(markers), time, self._before(angles))  # type: ignore[safe-super]
        found = np.zeros(6 * len(markers))
        found[: len(own)] = self._factor(markers, time, angles) * own
        return found

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (6 m, 6 m) changes by differences: the force's own leave out those of the measures."""
        return Force.changes(self, markers, time, angles)

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
        factor = self._factor(markers, time, angles)
        grows = [reading.dimension in ("force", "moment") for reading in self.readings]
        return tuple(factor * x if one else x for x, one in zip(found, grows, strict=True))

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return the characteristic with the value of the measure."""
        return ((self.characteristic, self._values(markers, time, angles)[self.measure], self.quantity),)

    def _factor(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> float:
        x = self._values(markers, time, angles)[self.measure]
        return x if self.characteristic is None else float(self.characteristic.value(x))

    def _values(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> dict[str, float]:
        """Return the value of each measure by its name."""
        names, last = self._seen_names(), angles[len(angles) - len(self.scalars) :]
        before = {scalar.name: last[k : k + 1] for k, scalar in enumerate(self.scalars)}
        seen = markers[len(markers) - len(names) :]
        at, found = _Seen(time, before, dict(zip(names, seen, strict=True))), dict[str, float]()
        for scalar in self.scalars:
            found[scalar.name] = scalar.of_motion(at, found)
        return found

    def _seen_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for scalar in self.scalars for name in scalar.marker_names()))

    def _own(self, markers: Sequence[MarkerMotion]) -> Sequence[MarkerMotion]:
        return markers[: len(markers) - len(self._seen_names())]

    def _before(self, angles: np.ndarray) -> np.ndarray:
        return angles[: len(angles) - len(self.scalars)]
