"""Interrupted runs: their frames and the restart data from which they are resumed as if they had never stopped."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faying.errors import FayingError
from faying.packed import unpack
from faying.results.memory import read_memory
from faying.results.results import Results, earlier_results

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class InterruptedRun:
    """Frames of an interrupted run, and its last restart data (`ResultsWriter.remember`)."""

    frames: Results
    memory: dict[str, Any]


@contextmanager
def earlier_frames(target: Path) -> Iterator[Results | None]:
    """Yield the frames of an interrupted run with results at `target`; None without one, or if its file is damaged."""
    path = earlier_results(target)
    try:
        frames = Results(path) if path.exists() else None
    except FayingError:
        frames = None  # it ended before its file was one
    if frames is None:
        yield None
        return
    with closing(frames):
        yield frames


@contextmanager
def interrupted_run(target: Path) -> Iterator[InterruptedRun | None]:
    """Yield the interrupted run from which one with results at `target` is resumed; None where it has to start again.

    It is None without an interrupted run, without restart data yet, or with a damaged file.
    """
    with earlier_frames(target) as frames:
        memory = None if frames is None else _memory_of(frames)
        yield None if frames is None or memory is None else InterruptedRun(frames, memory)


def _memory_of(frames: Results) -> dict[str, Any] | None:
    """Return the restart data of a run; None if there is none or its file is damaged."""
    try:
        found = read_memory(frames)
        memory = unpack(found) if found else None
        if memory is not None:
            frames.verify()
    except (FayingError, OSError, RuntimeError, KeyError, ValueError) as error:  # h5py raises all of these
        log.warning("interrupted results are damaged, so they are computed again: %s", error)
        return None
    return memory if isinstance(memory, dict) else None
