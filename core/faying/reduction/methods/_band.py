"""Common to methods for a frequency range: the range, and the damping of their responses."""

from typing import Self

import numpy as np
from pydantic import model_validator

from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod
from faying.reduction.responses import Modes, modes_up_to, usual_stiffness_damping
from faying.units import amount

_ABOVE = 1.01  # ratio of the end of a range with all modes of a body to the last one


class BandMethod(ReductionMethod):
    """Takes its trial vectors from responses in a range of frequencies."""

    lowest_frequency: float = parameter(
        0.0, title="From frequency", quantity="frequency", ge=0.0,
        meaning="Where the range of frequencies begins that the reduced body is to serve.",
    )  # fmt: skip
    highest_frequency: float | None = parameter(
        None, title="To frequency", quantity="frequency", gt=0.0,
        meaning="Where the range ends. Without a number it holds as many vibration modes as the size of the basis "
        "serves.",
    )  # fmt: skip
    stiffness_damping: float | None = parameter(
        None, title="Stiffness damping", quantity="time", ge=0.0, advanced=True,
        meaning="β of the damping matrix α M + β K of the responses that the trial vectors are taken from; the reduced "
        "body has no damping from it. Without a number it makes a damping ratio of 0.3 % at the end of the range.",
    )  # fmt: skip
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, advanced=True,
        meaning="α of that damping matrix.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _in_order(self) -> "BandMethod":
        if self.highest_frequency is not None and self.highest_frequency <= self.lowest_frequency:
            raise ValueError("the range of frequencies does not end above its beginning")
        return self

    def for_range(self, lowest: float, highest: float) -> Self:
        """Return the method with the ends of a frequency range set that have not been chosen."""
        if self.highest_frequency is not None:
            return self
        return self.with_(lowest_frequency=self.lowest_frequency or lowest, highest_frequency=highest)

    def range_end(self, interior: InteriorProblem, modes: int, find: Modes, progress: Progress) -> float:
        """Return the end of the range: as chosen, or such that the range has the given number of vibration modes.

        If the body has fewer, the range contains all.

        Args:
            interior: the body.
            modes: requested number of vibration modes in the range.
            find: function that returns the lowest modes.
            progress: reports and cancels.
        """
        if self.highest_frequency is not None:
            return self.highest_frequency
        _, below = modes_up_to(interior, self.lowest_frequency, find, PartialProgress(progress, 0.0, 0.5))
        found = find(len(below) + modes + 1, PartialProgress(progress, 0.5, 1.0))
        squares = np.einsum("ij,ij->j", found, interior.matrices.stiffness @ found)
        if len(squares) <= len(below):
            raise self.without_a_mode("the end of all frequencies", squares)
        whole = len(squares) <= len(below) + modes
        end = _ABOVE * np.sqrt(squares[-1]) if whole else np.sqrt(squares[-2:].mean())
        return float(end / (2.0 * np.pi))

    def resonances(self, squares: np.ndarray, end: float) -> np.ndarray:
        """Return the frequencies of vibration modes in the range.

        Args:
            squares: (k,) ω² of the modes.
            end: of the range.

        Raises:
            ModelError: when there is none.
        """
        frequencies = np.sqrt(squares) / (2.0 * np.pi)
        found = frequencies[(frequencies >= self.lowest_frequency) & (frequencies <= end)]
        if not len(found):
            raise self.without_a_mode(amount(end, "frequency", 6), squares)
        return np.asarray(found)

    def damping(self, end: float) -> dict[str, float]:
        """Return the responses' α and β, as `faying.reduction.responses` names them."""
        chosen = self.stiffness_damping
        return {
            "mass_damping": self.mass_damping,
            "stiffness_damping": usual_stiffness_damping(end) if chosen is None else chosen,
        }

    def without_a_mode(self, end: str, squares: np.ndarray) -> ModelError:
        """Return the error that no vibration mode lies in the range."""
        above = np.sqrt(squares) / (2.0 * np.pi)
        above = above[above > self.lowest_frequency]
        next_one = f" The next one is at {amount(above[0], 'frequency', 6)}." if len(above) else ""
        return ModelError(
            f"{self.title}: no vibration mode lies between the frequencies "
            f"{amount(self.lowest_frequency, 'frequency', 6)} and {end}.{next_one}",
            "Widen the range; for a body that does not vibrate in it, Guyan's method is enough.",
        )
