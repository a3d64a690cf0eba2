"""Restart data of a run in its results file, from which it is resumed after an interruption (`faying.packed`)."""

import zlib

import h5py
import numpy as np

from faying.results.results import Results

_CHUNK = 65536  # bytes
_MAX_ATTEMPTS = 3  # attempts to read data that a running analysis may be writing


def read_memory(results: Results) -> bytes:
    """Return the packed restart data of a run; b"" if there is none or it is damaged."""
    for _ in range(_MAX_ATTEMPTS):
        if "written" not in results.root:
            return b""
        _, slot, size, check = (int(number) for number in results.root["written"])
        found = np.asarray(results.root[f"restart/{slot}"][:size]).tobytes() if size else b""
        if not size or (len(found) == size and zlib.crc32(found) == check):
            return found
        results.refresh()
    return b""


def write_memory(results: h5py.Group, frames: int, memory: bytes) -> None:
    """Write the number of frames and the packed restart data into a copy of results."""
    results["restart/0"] = np.frombuffer(memory, np.uint8)
    results["written"] = np.array([frames, 0, len(memory), zlib.crc32(memory)], np.int64)


class MemorySlots:
    """Two slots in a file for restart data, written in turn: the old data stays until the new data is complete.

    Attributes:
        place: number of the current slot, and number of bytes and CRC-32 of its data.

    Args:
        file: that is being made.
    """

    def __init__(self, file: h5py.File) -> None:
        self.place = (0, 0, 0)
        self._slots = [
            file.create_dataset(f"restart/{k}", (0,), np.uint8, maxshape=(None,), chunks=(_CHUNK,))
            for k in range(2)
        ]

    def write(self, memory: bytes) -> None:
        """Write to the other slot; it counts once `place` has been written to disk, too."""
        number = 1 - self.place[0]
        slot = self._slots[number]
        if len(slot) < len(memory):
            slot.resize(len(memory), axis=0)
        slot[: len(memory)] = np.frombuffer(memory, np.uint8)
        self.place = number, len(memory), zlib.crc32(memory)
