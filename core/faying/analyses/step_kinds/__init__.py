"""Steps of a row of steps: bolts are tightened, loads come and go. A member is one file, registered under its kind."""

from abc import abstractmethod

import numpy as np

from faying.analyses.displacements import DisplacementSpec
from faying.analyses.loads import LoadSpec
from faying.params import Member, parameter
from faying.reduction.acting_loads import ActingLoadSpec
from faying.registry import Registry

step_kinds: Registry[type["Step"]] = Registry("step", __name__)


class Step(Member):
    """One step. It consists of legs; on each leg loads, bolts and displacements change linearly."""

    name: str = parameter(
        "", title="Name", meaning="What the step is called in the report; empty for a name by what it does."
    )

    @property
    def repetitions(self) -> int:
        """Largest number of times that its legs are repeated."""
        return 1

    @property
    def legs(self) -> tuple[tuple[float, ...], ...]:
        """For each leg two factors at its end: of the loads that acted before the step, and of the step's own loads.

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
    def tightened(self) -> str:
        """Name of the bolt that is tightened; empty for none."""
        return ""

    @property
    def least_steps(self) -> int:
        """Number of equal load steps per leg, if the analysis does not set it; 0 for as many as needed."""
        return 0

    def is_steady(self, areas: list[float], turning_points: list[np.ndarray]) -> bool:
        """Return whether the repetitions have become steady, so that no more are needed.

        Args:
            areas: work of the loads in each repetition so far.
            turning_points: of each repetition (legs, loads) displacements along the loads at the ends of the legs; in
                further columns the reactions at displaced nodes times their imposed displacements.
        """
        return False

    @abstractmethod
    def describe(self) -> str:
        """Return in a few words what it does: "tighten M8 left"."""
