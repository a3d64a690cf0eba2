"""Periodic motions of a body or system: harmonics and samples, and what is recorded of the joints over a period."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import field_validator

from faying.analyses import Analysis
from faying.analyses.harmonics.periodic_structure import PeriodicStructure
from faying.analyses.harmonics.point_cost import PointCost
from faying.errors import ModelError
from faying.joints.fourier import FourierBasis, samples_for
from faying.params import parameter
from faying.results.curve_key import CurveKey
from faying.solvers.dropped_harmonics import HarmonicGrowth

FRICTION = CurveKey("work of friction per cycle", "energy")
SLIPPING, OPENING = CurveKey("slipping pairs"), CurveKey("opening pairs")

_LEAST_HARMONICS = 3


class PeriodicAnalysis(Analysis):
    """An analysis of periodic motions, with contact and friction in joints."""

    harmonics: int = parameter(
        0, title="Harmonics", ge=0, le=101,
        meaning="The highest harmonic of the motion. 0 (or \"auto\") for as many as a motion needs: it gets two more "
        "wherever those that are missing would change work per cycle or displacements by 0.1 %.",
    )  # fmt: skip
    most_harmonics: int = parameter(
        15, title="Most harmonics", ge=1, le=101, advanced=True,
        meaning="The highest harmonic that a motion gets where their number is not given.",
    )  # fmt: skip
    samples: int = parameter(
        0, title="Samples", ge=0, le=100000,
        meaning="Samples of a period at which contact and friction are evaluated; 0 for 64, or 16 for each harmonic "
        "if that is more, which is also the least where the number of harmonics is not given.",
    )  # fmt: skip

    @field_validator("harmonics", mode="before")
    @classmethod
    def _auto(cls, harmonics: Any) -> Any:
        return 0 if harmonics == "auto" else harmonics

    @property
    def highest_harmonic(self) -> int:
        """The highest harmonic that a motion may have."""
        return self.harmonics or self.most_harmonics

    def first_basis(self, ratio: float) -> FourierBasis:
        """Return the harmonics and samples of the first motion.

        Args:
            ratio: of the next vibration mode's frequency over the frequency of the motion; harmonics below it meet no
                other mode.
        """
        if self.harmonics:
            return FourierBasis(self.harmonics, self.samples or samples_for(self.harmonics))
        first = min(max(_LEAST_HARMONICS, math.ceil(ratio)), self.most_harmonics)
        return FourierBasis(first, max(self.samples, samples_for(first)))

    @property
    def asked_points(self) -> int:
        """How many points are asked for; 0 where the curve decides."""
        return 0

    def point_cost(self, pairs: int) -> PointCost:
        """Return what the points cost, of a body or system with so many contact pairs."""
        basis = self.first_basis(1.0)
        return PointCost(pairs, basis.samples, basis.harmonics, self.asked_points)

    def growth(self, found: PeriodicStructure, points: np.ndarray, load: np.ndarray) -> HarmonicGrowth:
        """Return the check of the harmonics.

        Args:
            found: the body or system.
            points: (m, r) displacements whose accuracy counts, over its modes.
            load: (r,) complex amplitude, likewise; zero for free motions.
        """
        return HarmonicGrowth(found.stuck, points, load, self.highest_harmonic)

    def problems_of_samples(self) -> Iterator[ModelError]:
        """Yield an error if there are too few samples for the harmonics."""
        if 0 < self.samples <= 2 * self.harmonics:
            yield ModelError(
                f"{self.samples} samples of a period are too few for {self.harmonics} harmonics.",
                f"Take {samples_for(self.harmonics)}, or 0 for that number.",
            )
