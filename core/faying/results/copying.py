"""Copies of results in other files, also of a run in progress or after a killed one."""

from contextlib import closing
from pathlib import Path
from typing import Any

import h5py

from faying.results.memory import read_memory, write_memory
from faying.results.results import Results

_KEPT_APART = ("written", "restart")


def copy_results(path: Path, group: str, into: h5py.Group) -> None:
    """Copy results into an empty group; of an interrupted run also the data from which it is resumed.

    Args:
        path, group: where they are, as of `Results`.
        into: an empty group, or file.

    Raises:
        ReadError: when they are no results.
        OSError, RuntimeError: when they cannot be read or written.
    """
    with closing(Results(path, group)) as results:
        # The restart data is read first, so that it refers to no frame that the copy lacks.
        memory = b"" if results.complete else read_memory(results)
        most = None if results.in_any_order else results.n_frames
        for name, value in results.root.attrs.items():
            into.attrs[name] = value
        for name in results.root:
            if name not in _KEPT_APART:
                results.root.copy(name, into)
        frames = _equalise(into, most)
        if not results.complete:
            write_memory(into, frames, memory)


def _equalise(results: h5py.Group, most: int | None) -> int:
    """Cut datasets to the frames that all of them have and return their number; the last one may be half written."""
    found: list[h5py.Dataset] = []

    def visit(name: str, node: Any) -> None:
        if isinstance(node, h5py.Dataset) and node.maxshape and node.maxshape[0] is None:
            found.append(node)

    results.visititems(visit)
    frames = min((node.shape[0] for node in found), default=0)
    frames = frames if most is None else min(frames, most)
    for node in found:
        node.resize(frames, axis=0)
    return int(frames)
