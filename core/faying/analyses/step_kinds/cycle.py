"""Loads go up and down, again and again, until every cycle is like the one before."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import model_validator

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.step_kinds import LoadingStep, step_kinds
from faying.params import parameter
from faying.reduction.acting_loads import ActingLoadSpec

_ROUND_OFF = 1e-8  # of force times displacement of the swing: the area does not change by less


@step_kinds.register("cycle")
class Cycle(LoadingStep):
    """Loads that come on top of those that act, or displacements, that swing between two multiples of themselves.

    Each cycle goes up, down, and back to where it began. The work of loads and reactions in a cycle is the area of the
    loop of load against displacement, which is what friction takes.
    """

    title: ClassVar[str] = "Cyclic load"

    loads: tuple[LoadSpec, ...] = parameter(
        (),
        title="Loads",
        meaning="Forces and moments that swing, at factor one. They come on top of the others.",
    )
    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Pressures, weight, temperatures and other loads of the body that swing, on top of the others.",
    )  # fmt: skip
    displacements: tuple[DisplacementSpec, ...] = parameter(
        (), title="Displacements",
        meaning="How far interface nodes swing at factor one, from where they are when the step begins. They are held "
        "there until a load step sets them free.",
    )  # fmt: skip
    highest: float = parameter(
        1.0, title="Highest factor", meaning="Multiple of loads and displacements at the upper turning point."
    )
    lowest: float = parameter(
        -1.0, title="Lowest factor", meaning="Multiple at the lower one; zero for a pulsating load."
    )
    cycles: int = parameter(5, title="Cycles", ge=1, le=1000, meaning="How many at most.")
    steady: float = parameter(
        0.01, title="Steady within", ge=0.0, le=1.0,
        meaning="The cycles end when area and turning points of the loop change by no more than this share from one "
        "to the next. Zero runs all of them.",
    )  # fmt: skip
    points: int = parameter(
        16, title="Load steps per segment", ge=1, le=10_000,
        meaning="In how many equal load steps each way up, down and back is walked where the analysis leaves load "
        "steps to the program.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _swings(self) -> "Cycle":
        if self.highest <= self.lowest:
            raise ValueError("the highest factor of a cycle is above its lowest")
        return self

    @property
    def repetitions(self) -> int:
        """The parameter `cycles`."""
        return self.cycles

    @property
    def segments(self) -> tuple[tuple[float, ...], ...]:
        """Up, down and back; a pulsating load is back at its lower turning point."""
        ends = [self.highest, self.lowest, 0.0]
        before = [0.0, *ends[:-1]]
        return tuple((1.0, end) for start, end in zip(before, ends, strict=True) if start != end)

    @property
    def least_steps(self) -> int:
        """The parameter `points`."""
        return self.points

    def is_steady(self, areas: Sequence[float], turning_points: Sequence[np.ndarray]) -> bool:
        """Return whether turning points and loop area of the last two cycles agree within `steady`."""
        if not self.steady or len(areas) < 2:
            return False
        last, before = turning_points[-1], turning_points[-2]
        swing = np.ptp(last, axis=0).max(initial=0.0)  # loads at factor one times how far they move
        moved = np.abs(last - before).max(initial=0.0)
        round_off = _ROUND_OFF * swing * (self.highest - self.lowest)
        grown = abs(areas[-1] - areas[-2])
        return bool(moved <= self.steady * swing and grown <= max(self.steady * abs(areas[-2]), round_off))

    def describe(self) -> str:
        """Return what it does."""
        return "cyclic load"
