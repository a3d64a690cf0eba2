"""Periodic motions of a body: their harmonics and samples, and what is recorded of the joints over a period."""

from collections.abc import Iterator

from faying.analyses.harmonics.damped_body import DampedBodyAnalysis
from faying.errors import ModelError
from faying.joints.fourier import FourierBasis, samples_for
from faying.params import parameter
from faying.results.curve_key import CurveKey

FRICTION = CurveKey("work of friction per cycle", "energy")
SLIPPING, OPENING = CurveKey("slipping pairs"), CurveKey("opening pairs")
WORK = "cycle_work"
"""Name of the work of friction per area and cycle, in the data of a joint."""


class PeriodicAnalysis(DampedBodyAnalysis):
    """An analysis of periodic motions of a body, with contact and friction in its joints."""

    harmonics: int = parameter(
        5, title="Harmonics", ge=1, le=101, meaning="The highest harmonic of the motion."
    )
    samples: int = parameter(
        0, title="Samples", ge=0, le=100000,
        meaning="Samples of a period at which contact and friction are evaluated; 0 for 64, or 16 for each harmonic "
        "if that is more.",
    )  # fmt: skip

    @property
    def basis(self) -> FourierBasis:
        """The harmonics and samples."""
        return FourierBasis(self.harmonics, self.samples or samples_for(self.harmonics))

    def problems_of_samples(self) -> Iterator[ModelError]:
        """Yield an error if there are too few samples for the harmonics."""
        if 0 < self.samples <= 2 * self.harmonics:
            yield ModelError(
                f"{self.samples} samples of a period are too few for {self.harmonics} harmonics.",
                f"Take {samples_for(self.harmonics)}, or 0 for that number.",
            )
