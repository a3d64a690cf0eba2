"""Steps of a sequence: bolts are tightened, loads come and go. A member is one file, registered under its kind."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.loads import LoadSpec
from faying.params import Member, parameter
from faying.reduction.acting_loads import ActingLoadSpec
from faying.registry import Registry

step_kinds: Registry[type["Step"]] = Registry("step", __name__)


class Tightening(NamedTuple):
    """What a step does to a bolt, whose length is locked afterwards.

    Attributes:
        bolt: its name.
        force: tension at the end of the step, where no overlap is given; zero loosens the bolt.
        overlap: added at the cut of the bolt, by turning its nut; None to pull it to the force.
    """

    bolt: str
    force: float = 0.0
    overlap: float | None = None

    @property
    def locks(self) -> bool:
        """Whether the bolt is locked at its length afterwards, and not slack."""
        return self.overlap is not None or self.force > 0.0


class Step(Member):
    """One step. It consists of segments; on each of them loads, bolts and displacements change linearly."""

    name: str = parameter(
        "", title="Name", meaning="What the step is called in the report; empty for a name by what it does."
    )

    @property
    def repetitions(self) -> int:
        """Largest number of times that its segments are repeated."""
        return 1

    @property
    def segments(self) -> tuple[tuple[float, ...], ...]:
        """For each segment two factors at its end: of the loads that acted before the step, and of its own loads.

        They apply to displaced nodes too; where the first factor is zero, nodes that the step does not displace are
        set free.
        """
        return ((1.0, 0.0),)

    @property
    def own_loads(self) -> tuple[LoadSpec, ...]:
        """The step's own loads at interface nodes."""
        return ()

    @property
    def own_body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """The loads of the body that the step applies."""
        return ()

    @property
    def own_displacements(self) -> tuple[DisplacementSpec, ...]:
        """The displacements that the step imposes."""
        return ()

    @property
    def tightening(self) -> Tightening | None:
        """The bolt that is tightened, and how; None for none."""
        return None

    @property
    def least_steps(self) -> int:
        """Number of equal load steps per segment, if the analysis does not set it; 0 for as many as needed."""
        return 0

    def is_steady(self, areas: Sequence[float], turning_points: Sequence[np.ndarray]) -> bool:
        """Return whether the repetitions have become steady, so that no more are needed.

        Args:
            areas: work of the loads in each repetition so far.
            turning_points: of each repetition (segments, loads) displacements along the loads at the ends of the
                segments; in further columns the reactions at displaced nodes times their imposed displacements.
        """
        return False

    @property
    def label(self) -> str:
        """Its name, or what it does."""
        return self.name or self.describe()

    @abstractmethod
    def describe(self) -> str:
        """Return in a few words what it does: "tighten M8 left"."""


class LoadingStep(Step):
    """A step with loads and displacements; a member defines how they change over its segments."""

    loads: tuple[LoadSpec, ...] = parameter((), title="Loads", meaning="Forces and moments at factor one.")
    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Pressures, weight, temperatures and other loads that the body declares, at factor one.",
    )  # fmt: skip
    displacements: tuple[DisplacementSpec, ...] = parameter(
        (), title="Displacements", meaning="How far interface nodes are moved at factor one, seen from the support."
    )  # fmt: skip

    @property
    def own_loads(self) -> tuple[LoadSpec, ...]:
        """The parameter `loads`."""
        return self.loads

    @property
    def own_body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """The parameter `body_loads`."""
        return self.body_loads

    @property
    def own_displacements(self) -> tuple[DisplacementSpec, ...]:
        """The parameter `displacements`."""
        return self.displacements
