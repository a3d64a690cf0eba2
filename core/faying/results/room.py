"""Disk space, reserved before HDF5 writes: a write that fails for lack of it ruins the file and ends the process."""

import os
from pathlib import Path
from typing import IO

from faying.errors import FayingError

_BLOCK = 1_000_000  # bytes


def disk_full(path: Path, reason: str | None = "") -> FayingError:
    """Return the error of a disk that takes no more, and why."""
    because = f" ({reason})" if reason else ""
    return FayingError(
        f"The disk of {path.parent} is full{because}: the results could not be written on.",
        "Free some space there and run again: it continues from the last frame; the frames so far can be shown.",
    )


def begin_file(path: Path, size: int) -> None:
    """Make an empty file, if the disk has room for some bytes.

    Raises:
        FayingError: when it has not.
    """
    try:
        with path.open("w+b") as stream:
            _reserve(stream, 0, size)
    except OSError as error:
        raise disk_full(path, error.strerror) from error


def require_room(path: Path, end: int, size: int) -> None:
    """Extend a file by bytes that are allocated on the disk; the writer of the file uses or releases them.

    Args:
        path: the file.
        end: its length as the writer knows it.
        size: bytes after that.

    Raises:
        FayingError: when the disk has less space.
    """
    try:
        with path.open("r+b") as stream:
            _reserve(stream, end, size)
    except OSError as error:
        raise disk_full(path, error.strerror) from error


def _reserve(stream: IO[bytes], start: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(stream.fileno(), start, size)
        return
    stream.seek(start)
    while size > 0:
        size -= stream.write(bytes(min(size, _BLOCK)))
    stream.flush()
