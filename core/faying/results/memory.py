"""What a run remembers, among its results: where it goes on after an interruption (`faying.packed`)."""

import zlib

import h5py
import numpy as np

from faying.results.results import Results

_CHUNK = 65536  # bytes
_LOOKS = 3  # at what a running analysis may be writing


def read_memory(results: Results) -> bytes:
    """Return what the run remembers, packed; b"" for nothing, also where that is damaged."""
    for _ in range(_LOOKS):
        if "written" not in results.root:
            return b""
        _, slot, size, check = (int(number) for number in results.root["written"])
        found = np.asarray(results.root[f"restart/{slot}"][:size]).tobytes() if size else b""
        if not size or (len(found) == size and zlib.crc32(found) == check):
            return found
        results.refresh()
    return b""


def write_memory(results: h5py.Group, frames: int, memory: bytes) -> None:
    """Write into a copy of results how many frames it has, and what the run remembers."""
    results["restart/0"] = np.frombuffer(memory, np.uint8)
    results["written"] = np.array([frames, 0, len(memory), zlib.crc32(memory)], np.int64)


class MemorySlots:
    """Two places in a file for what a run remembers, written in turn: the last one stays until the next one is whole.

    Attributes:
        place: which of them, bytes and CRC-32 of what is in it.

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
        """Write to the other place; it counts once `place` has followed to disk."""
        number = 1 - self.place[0]
        slot = self._slots[number]
        if len(slot) < len(memory):
            slot.resize(len(memory), axis=0)
        slot[: len(memory)] = np.frombuffer(memory, np.uint8)
        self.place = number, len(memory), zlib.crc32(memory)
