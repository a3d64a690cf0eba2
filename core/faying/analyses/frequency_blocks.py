"""Answers at many frequencies, block by block: beside each other where that pays, and on a cluster."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Protocol

import numpy as np

from faying.linalg.threads import one_thread, physical_cores
from faying.parallel import run_parallel
from faying.progress import Progress

_BLOCKS = 16  # of frequencies, at most: each process gets several, so that none waits long for another
_WORTH = 2e11  # operations from where further processes bring more than their start costs: some ten seconds


class AnswersAtFrequencies(Protocol):
    """What answers at a frequency; it survives pickling."""

    @property
    def effort(self) -> float:
        """Operations that one answer takes."""

    def answer(self, frequency: float) -> Any:
        """Return the answer."""


def answers_at(model: AnswersAtFrequencies, frequencies: np.ndarray, progress: Progress) -> list[Any]:
    """Return what a model answers at each frequency, in order; no number depends on where it is computed.

    Args:
        model: that answers.
        frequencies: (m,).
        progress: reports and cancels.

    Raises:
        SolveError: as the model does.
    """
    pieces = np.array_split(np.asarray(frequencies, float), max(1, min(len(frequencies), _BLOCKS)))
    cores = physical_cores()
    worth = model.effort * len(frequencies) > _WORTH
    found: list[list[Any]] = [[]] * len(pieces)
    with closing(run_parallel(_answers, model, pieces, cores if worth else 1, progress, cores)) as run:
        for number, block in run:
            found[number] = block
    return [answer for block in found for answer in block]


def _answers(model: AnswersAtFrequencies, frequencies: np.ndarray, progress: Progress) -> Iterator[list[Any]]:
    """Yield once the answers at all frequencies of a block."""
    found = []
    with one_thread():
        for i, frequency in enumerate(frequencies):
            progress.report(i / len(frequencies), f"frequency {frequency:.6g}")
            found.append(model.answer(float(frequency)))
    yield found
