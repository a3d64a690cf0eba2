"""What a source of curves is, and what it sees: a body or a system that is recorded, and a state of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from faying.analyses.statics.loads import NodeValues
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointResponse
from faying.multibody.contacts.contact import ContactResponse
from faying.multibody.history import History
from faying.multibody.measures import Measure
from faying.multibody.system import MultibodySystem
from faying.reduction.bolts import BoltEquations, BoltRows
from faying.reduction.carried import Acting, CarriedEquations, CarriedRows
from faying.results.curve_key import CurveKey, Quantity
from faying.solvers.integrators import State


@dataclass(frozen=True, eq=False)
class RecordedBody:
    """A body, reduced or not, as curves see it; what is empty offers no curves.

    Attributes:
        joints: rows of the joints with contact: `name` and `weights` (n_pairs,).
        laws: friction law of each; None where none acts.
        interfaces: (6, n) or (3, n) motion of the interface nodes by name, the one that is held left out.
        weak_ties: (3, n) force of the weak ties of joints, by name.
        bolts, ties, supports: theirs.
        overlaps: names of the bolts whose overlap is recorded.
        held: name of the interface node whose reaction is recorded; "" for none.
        displaced: interface nodes and components that are displaced, whose reactions are recorded.
        applied: interface nodes and components where loads change.
        loads: names of the loads of the body that act.
        run: names of the numbers of the run that its analysis gives (`RunNumbers`).
        part: of a system; "" for a body alone.
    """

    joints: Sequence[Any] = ()
    laws: Sequence[FrictionLaw | None] = ()
    interfaces: Mapping[str, Any] = field(default_factory=dict)
    weak_ties: Mapping[str, Any] = field(default_factory=dict)
    bolts: Sequence[BoltRows | BoltEquations] = ()
    ties: Sequence[CarriedRows | CarriedEquations] = ()
    supports: Sequence[CarriedRows | CarriedEquations] = ()
    overlaps: Sequence[str] = ()
    held: str = ""
    displaced: Sequence[tuple[str, int]] = ()
    applied: Sequence[tuple[str, int]] = ()
    loads: Sequence[str] = ()
    run: Collection[str] = ()
    part: str = ""


@dataclass(frozen=True, eq=False)
class BodyState:
    """A state of a recorded body.

    Attributes:
        x: (n,) coordinates or dofs.
        responses: of the joints.
        acting: what acts on ties and supports.
        strained: (n,) coordinates that give their elastic forces; `x` without damping.
        tensions: at the cut of each bolt; None for a beam that is not cut.
        overlaps: of the bolts whose overlap is recorded.
        reaction: (6,) at the node that is held; None without one.
        displaced: reactions of displaced components.
        applied: loads at interface nodes.
        run: numbers of the run by name.
    """

    x: np.ndarray
    responses: Sequence[JointResponse]
    acting: Acting = field(default_factory=Acting)
    strained: np.ndarray | None = None
    tensions: Sequence[float | None] = ()
    overlaps: Sequence[float] | np.ndarray = ()
    reaction: np.ndarray | None = None
    displaced: NodeValues = field(default_factory=dict)
    applied: NodeValues = field(default_factory=dict)
    run: Mapping[str, float] = field(default_factory=dict)

    @property
    def elastic(self) -> np.ndarray:
        """(n,) coordinates that give the elastic forces."""
        return self.x if self.strained is None else self.strained


@dataclass(frozen=True, eq=False)
class RecordedSystem:
    """A multibody system as curves see it.

    Attributes:
        system: the system.
        gears: pairs of gears in mesh by number of their contact.
        run: names of the numbers of the run that its analysis gives.
        measures: of the system.
    """

    system: MultibodySystem
    gears: Mapping[int, Any] = field(default_factory=dict)
    run: Collection[str] = ()
    measures: Sequence[Measure] = ()
    part: ClassVar[str] = ""


@dataclass(frozen=True, eq=False)
class SystemState:
    """A state of a recorded system.

    Attributes:
        state: the state.
        history: of the last accepted state before it.
        touched: responses of the contacts between parts.
        impulses: (n_contacts, 3) on the slave's parts so far; restitutions (n_contacts,) of the last touches.
        run: numbers of the run by name.
        remembered: what measures remember of the last accepted state, by name.
    """

    state: State
    history: History
    touched: Sequence[ContactResponse] = ()
    impulses: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    restitutions: Sequence[float] = ()
    run: Mapping[str, float] = field(default_factory=dict)
    remembered: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordedRun:
    """The curves of a whole run, for the report.

    Attributes:
        curve: returns the values (n_frames,) of a key.
        applied: sum of the magnitudes of external forces, those at displaced nodes left out.
    """

    curve: Callable[[CurveKey], np.ndarray]
    applied: float = 0.0


class CurveSource(ABC):
    """A source of curves.

    Attributes:
        title: what they are of, for people.
        owners_kind: kind of the owners (`faying.results.curve_key.OWNERS`); "" for curves of the body or system itself.
        quantities: curves of each owner.
    """

    title: ClassVar[str] = ""
    owners_kind: ClassVar[str] = ""
    quantities: ClassVar[tuple[Quantity, ...]] = ()
    subject: ClassVar[type] = object

    @abstractmethod
    def owners(self, subject: Any) -> Sequence[str]:
        """Return the names of what has curves of this source; ("",) for the body or system itself, () for none."""

    def keys(self, subject: Any) -> tuple[CurveKey, ...]:
        """Return the keys of all curves that are offered, owner by owner."""
        return tuple(
            key
            for owner in self.owners(subject)
            for quantity in self.quantities
            for key in quantity.keys(self.owners_kind, owner, part=subject.part)
        )

    @abstractmethod
    def values(self, subject: Any, state: Any) -> Iterable[float]:
        """Return the value of each of the `keys` in a state, in their order."""

    def report(self, subject: Any, run: RecordedRun) -> dict[str, Any]:
        """Return entries of the run report that follow from the curves; {} for none."""
        return {}


class BodyCurveSource(CurveSource):
    """A source of curves of bodies, and of flexible parts of systems."""

    subject = RecordedBody

    @abstractmethod
    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """See `CurveSource.owners`."""

    @abstractmethod
    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """See `CurveSource.values`."""


class SystemCurveSource(CurveSource):
    """A source of curves of systems."""

    subject = RecordedSystem

    @abstractmethod
    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """See `CurveSource.owners`."""

    @abstractmethod
    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """See `CurveSource.values`."""


class RunNumbers(CurveSource):
    """Curves of a body or system as a whole that its analysis gives by name, as far as it does."""

    subject = (RecordedBody, RecordedSystem)  # type: ignore[assignment]

    def owners(self, subject: RecordedBody | RecordedSystem) -> Sequence[str]:
        """Return the body or system itself."""
        return ("",)

    def keys(self, subject: RecordedBody | RecordedSystem) -> tuple[CurveKey, ...]:
        """Return the keys of what the analysis gives."""
        return tuple(key for key in super().keys(subject) if key.quantity in subject.run)

    def values(
        self, subject: RecordedBody | RecordedSystem, state: BodyState | SystemState
    ) -> Iterable[float]:
        """Return what the analysis gives."""
        return (state.run[key.quantity] for key in self.keys(subject))
