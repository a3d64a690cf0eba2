"""Responses at many frequencies, in blocks that are computed in parallel where that pays, or on a cluster."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Protocol

import numpy as np

from faying.linalg.threads import one_thread, physical_cores
from faying.parallel import run_parallel
from faying.progress import Progress

_BLOCKS = 16  # largest number of blocks: each process gets several, so that none waits long for another
_WORTH = 2e11  # operations (some ten seconds) from which more processes pay, whose start costs time


class AnswersAtFrequencies(Protocol):
    """A model that returns its response at a frequency; it can be pickled."""

    @property
    def effort(self) -> float:
        """Number of floating-point operations per response."""

    def answer(self, frequency: float) -> Any:
        """Return the response at a frequency."""


def answers_at(model: AnswersAtFrequencies, frequencies: np.ndarray, progress: Progress) -> list[Any]:
    """Return the response of a model at each frequency, in order; results do not depend on the number of processes.

    Args:
        model: the model.
        frequencies: (m,).
        progress: reports and cancels.

    Raises:
        SolveError: as the model does.
    """
    tasks = np.array_split(np.asarray(frequencies, float), max(1, min(len(frequencies), _BLOCKS)))
    cores = physical_cores()
    worth = model.effort * len(frequencies) > _WORTH
    found: list[list[Any]] = [[]] * len(tasks)
    with closing(run_parallel(_answers, model, tasks, cores if worth else 1, progress, cores)) as run:
        for number, block in run:
            found[number] = block
    return [answer for block in found for answer in block]


def _answers(model: AnswersAtFrequencies, frequencies: np.ndarray, progress: Progress) -> Iterator[list[Any]]:
    """Yield once the responses at all frequencies of a block."""
    found = []
    with one_thread():
        for i, frequency in enumerate(frequencies):
            progress.report(i / len(frequencies), f"frequency {frequency:.6g}")
            found.append(model.answer(float(frequency)))
    yield found
