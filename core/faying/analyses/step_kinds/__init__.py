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
    """One step. It is made of legs, on each of which all that acts changes linearly."""

    name: str = parameter(
        "", title="Name", meaning="What the step is called in the report; empty for a name by what it does."
    )

    @property
    def repetitions(self) -> int:
        """How often its legs are walked at most."""
        return 1

    @property
    def legs(self) -> tuple[tuple[float, ...], ...]:
        """For each leg, the factors at its end of the loads that acted before the step and of the step's own.

        Displaced nodes likewise: with a factor of zero before, those that the step does not displace are set free.
        """
        return ((1.0, 0.0),)

    @property
    def own_loads(self) -> tuple[LoadSpec, ...]:
        """The loads at interface nodes that the step brings."""
        return ()

    @property
    def own_body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """The loads of the body that the step brings."""
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
        """In how many equal load steps a leg is walked, where the analysis leaves them to the program; 0 as needed."""
        return 0

    def is_steady(self, areas: list[float], turning_points: list[np.ndarray]) -> bool:
        """Return whether further repetitions would bring nothing new.

        Args:
            areas: work that the loads did in each repetition so far.
            turning_points: (legs, loads) displacements along the loads at the ends of the legs in each, and behind
                them the reactions at displaced nodes times how far the step moves these.
        """
        return False

    @abstractmethod
    def describe(self) -> str:
        """Return in a few words what it does: "tighten M8 left"."""
