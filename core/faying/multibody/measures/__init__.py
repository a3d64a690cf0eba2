"""Measures: scalars of a system that a user asks for; each is a curve of every analysis. A member is one file."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from faying.multibody.contacts.contact import ContactResponse
from faying.multibody.forces import Force
from faying.multibody.history import History
from faying.multibody.markers import MarkerMotion, MarkersAt
from faying.multibody.measure_order import ordered
from faying.multibody.system import MultibodySystem
from faying.params import Member, parameter
from faying.registry import Registry
from faying.solvers.integrators import State
from faying.units import QUANTITIES

measures: Registry[type["Measure"]] = Registry("measure", __name__)

Component = Literal["x", "y", "z", "amount"]
Dimension = Literal[
    "number", "length", "angle", "time", "velocity", "angular_velocity", "acceleration", "angular_acceleration",
    "force", "moment", "impulse", "energy", "power", "stiffness", "torsional_stiffness", "damping",
    "torsional_damping", "stress", "mass", "frequency",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Observation:
    """A state of a system as measures see it.

    Attributes:
        system: the system.
        state: its state.
        history: of the last accepted state before it.
        touched: responses of the contacts between parts.
        energies: by name, such as "kinetic energy".
        remembered: of measures that need it, what they remember of the last accepted state (`Measure.memory`).
    """

    system: MultibodySystem
    state: State
    history: History
    touched: Sequence[ContactResponse] = ()
    energies: Callable[[], Mapping[str, float]] = dict
    remembered: Mapping[str, np.ndarray] = field(default_factory=dict)

    def motion(self, marker: str) -> MarkerMotion:
        """Return where a marker "part.marker" is and how it moves."""
        return self.system.motion(marker, self.state.q, self.state.v)

    def accelerations(self, marker: str) -> tuple[np.ndarray, np.ndarray]:
        """Return acceleration (3,) and angular acceleration (3,) of a marker in the inertial frame."""
        return self.system.marker_accelerations(
            marker, self.state.q, self.state.v, self.state.all_accelerations
        )

    @property
    def time(self) -> float:
        """Time of the state."""
        return self.state.time

    @cached_property
    def reactions(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Force (3,) and moment (3,) of each constraint on its second marker, along the first one's axes."""
        now = self.state
        return self.system.reactions(now.time, now.q, now.all_multipliers, self.history)

    def force_element(self, name: str) -> tuple[Force, list[MarkerMotion], np.ndarray]:
        """Return a force between markers with the motions of its markers, and its continuous angles (k,)."""
        known = self.system.force_elements(self.state.q, self.state.v, self.history)
        return next(found for found in known if found[0].name == name)

    def contact(self, name: str) -> ContactResponse:
        """Return the response of a contact between parts."""
        names = [contact.name for contact in self.system.contacts.members]
        return self.touched[names.index(name)]


class Measure(Member):
    """A scalar of a system at a state; a pure function of the state and of the values of measures that it names.

    Attributes:
        of_motion_alone: whether it follows from the motions of its markers, the time and the measures that it names:
            then forces may follow it.
        has_states: whether it is a controller, see `faying.multibody.controllers`.
        accumulates: whether it is of the whole run so far, such as an integral, and not of a state.
    """

    of_motion_alone: ClassVar[bool] = False
    has_states: ClassVar[bool] = False
    accumulates: ClassVar[bool] = False

    name: str = parameter(title="Name", meaning="Name of the measure.", min_length=1)

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a name, and two markers for a measure that has them."""
        words = {"name": "it", "first": "ground.origin", "second": "rod.frame"}
        return {name: word for name, word in words.items() if name in cls.model_fields}

    def marker_names(self) -> tuple[str, ...]:
        """Return the markers that it looks at, each as "part.marker"."""
        return ()

    def needs(self) -> tuple[str, ...]:
        """Return the measures whose values it takes."""
        return ()

    @property
    def breaks_loops(self) -> bool:
        """Whether its value is known before those of the measures that it needs."""
        return False

    @abstractmethod
    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the quantity of its values, a key of `faying.units.QUANTITIES`; "" for a number.

        Args:
            known: those of the measures that it needs.
        """

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return its value for how markers move; of a measure of motion alone."""
        raise NotImplementedError

    def of_place(self) -> bool:
        """Return whether its value follows from the positions of its markers alone, and the measures that it needs."""
        return False

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return its value at a state, for the values of the measures that it needs."""
        return self.of_motion(at, values)

    def memory(self, at: Any, values: Mapping[str, float]) -> tuple[float, ...]:
        """Return what it remembers of an accepted state, as the full turns of an angle; () for nothing.

        Args:
            at: the state as an `Observation`, of a measure of motion alone as `MarkersAt`.
            values: of the measures that it needs.
        """
        return ()

    @property
    def memory_size(self) -> int:
        """Return how many numbers a measure of motion alone remembers."""
        return 0


class PairMeasure(Measure):
    """A measure of the second marker against the first one."""

    quantity: ClassVar[str] = ""
    of_motion_alone: ClassVar[bool] = True

    first: str = parameter(
        "ground.origin", title="First marker", choices="marker",
        meaning="What is measured against; components are along its axes.",
    )  # fmt: skip
    second: str = parameter(title="Second marker", choices="marker", meaning="What is measured.")

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the quantity of the kind."""
        return self.quantity

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return its value for the motions of the two markers."""
        return self.between(at.motion(self.first), at.motion(self.second))

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return its value for the motions of the first and the second marker."""
        raise NotImplementedError


def component_of(vector: np.ndarray, component: str) -> float:
    """Return a component "x", "y" or "z" of a vector (3,), or its "amount"."""
    if component == "amount":
        return float(np.linalg.norm(vector))
    return float(vector["xyz".index(component)])


def in_order(members: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return measures so that each follows those that it needs, but for those that break a loop.

    Raises:
        ModelError: when one needs a measure that is not there, or itself through others; says through which.
    """
    return tuple(ordered({member.name: member for member in members}).values())


def dimensions(members: Sequence[Measure]) -> dict[str, str]:
    """Return the quantity of each measure by its name; "" for a number.

    Raises:
        ModelError: as `in_order`.
    """
    found: dict[str, str] = {}
    for member in in_order(members):
        found[member.name] = member.dimension(found)
    return found


def measured(members: Sequence[Measure], at: Observation) -> dict[str, float]:
    """Return the value of each measure by its name; the members are `in_order`."""
    values: dict[str, float] = {}
    for member in members:
        values[member.name] = member.value(at, values)
    return values


def over_time_of(quantity: str) -> str:
    """Return the quantity of the integral of another one over time; "" where none is known."""
    preferred = {"power": "energy", "angular_acceleration": "angular_velocity", "angular_velocity": "angle"}
    if quantity in preferred:
        return preferred[quantity]
    if not quantity:
        return "time"
    mass, length, time = QUANTITIES[quantity]
    return next((name for name, powers in QUANTITIES.items() if powers == (mass, length, time + 1)), "")
