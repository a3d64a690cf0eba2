"""Common to frequency responses of bodies and systems: frequency range and points, and the quantity of the curves."""

from collections.abc import Iterator
from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from faying.analyses import Analysis
from faying.errors import ModelError
from faying.params import parameter

ROUND_PEAKS = (-16.0, -8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # half widths
_NARROWEST = 1e-3  # half width of a peak without damping, relative to its frequency
_WIDEST = 0.05  # largest half width of a peak, likewise
_ROUND_OFF = 1e-9  # damping ratio below which a mode counts as undamped

Motion = Literal["displacement", "velocity", "acceleration", "dynamic_stiffness"]


class FrequencyRangeAnalysis(Analysis):
    """An analysis over a range of frequencies."""

    lowest_frequency: float = parameter(
        1.0, title="From frequency", quantity="frequency", ge=0.0, meaning="Where the range begins."
    )
    highest_frequency: float = parameter(
        1000.0, title="To frequency", quantity="frequency", gt=0.0, meaning="Where the range ends."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.highest_frequency <= self.lowest_frequency:
            raise ValueError("the range of frequencies does not end above its beginning")
        return self


class HarmonicAnalysis(FrequencyRangeAnalysis):
    """An analysis over frequency: evenly spread frequencies, and more round each resonance."""

    points: int = parameter(
        200, title="Points", ge=2, le=100000,
        meaning="Number of evenly spread frequencies. To these are added some at each resonance, within its width.",
    )  # fmt: skip
    motion: Motion = parameter(
        "displacement", title="Motion",
        meaning="What the curves are of. Dynamic stiffness is the force of a load over the displacement it causes.",
    )  # fmt: skip

    def frequencies_round(self, resonances: np.ndarray, ratios: np.ndarray) -> np.ndarray:
        """Return the frequencies of the range, ascending: evenly spread ones, and some within the width of each peak.

        Args:
            resonances: (k,) frequencies of vibration, in any order.
            ratios: (k,) their damping ratios; the frequency of an undamped resonance itself is left out.
        """
        found = [np.linspace(self.lowest_frequency, self.highest_frequency, self.points)]
        for resonance, ratio in zip(resonances, ratios, strict=True):
            if resonance <= 0.0:
                continue
            offsets = np.array([k for k in ROUND_PEAKS if k or ratio > _ROUND_OFF])
            width = min(ratio, _WIDEST) if ratio > _ROUND_OFF else _NARROWEST
            found.append(resonance * (1.0 + width * offsets))
        every = np.unique(np.concatenate(found))
        inside = (every >= self.lowest_frequency) & (every <= self.highest_frequency)
        return np.asarray(every[inside])

    def shown(self, displacements: np.ndarray, s: complex, sizes: np.ndarray) -> np.ndarray:
        """Return the quantity of the curves (`motion`), complex (outputs, loads).

        Args:
            displacements: (outputs, loads) complex displacements under each load.
            s: i ω.
            sizes: (loads,) force of each load, the numerator of the dynamic stiffness.
        """
        if self.motion == "dynamic_stiffness":
            unknown = np.full(displacements.shape, np.nan, complex)
            return np.asarray(np.divide(sizes, displacements, out=unknown, where=displacements != 0.0))
        return np.asarray(
            displacements * {"displacement": 1.0, "velocity": s, "acceleration": s * s}[self.motion]
        )

    def problems_of_stiffness(self, forces: list[tuple[str, bool]], apart: bool) -> Iterator[ModelError]:
        """Yield the errors for a dynamic stiffness under several loads at once, or a load without a force.

        Args:
            forces: name of each load, and whether it has a force.
            apart: whether each load acts by itself.
        """
        if self.motion != "dynamic_stiffness":
            return
        if len(forces) > 1 and not apart:
            names = ", ".join(name for name, _ in forces)
            yield ModelError(
                f"The dynamic stiffness {self.name!r} is the force of one load over a displacement, and there are "
                f"{len(forces)}: {names}.",
                "Let each load act by itself, or leave one.",
            )
        for name, has_force in forces:
            if not has_force:
                yield ModelError(
                    f"The dynamic stiffness {self.name!r} is a force over a displacement, and the load {name} is a "
                    "moment.",
                    "Give it a force, or ask for displacements.",
                )
