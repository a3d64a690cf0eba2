"""NumPy arrays in files; headers are checked before memory is allocated."""

import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from faying.hdf_files import DEFLATE

# Errors that numpy and zipfile raise for damaged files.
_DAMAGE = (
    ValueError, EOFError, OSError, SyntaxError, TypeError, KeyError, NotImplementedError, RuntimeError, zlib.error,
    zipfile.BadZipFile, tokenize.TokenError,
)  # fmt: skip


def load_array(path: Path) -> np.ndarray:
    """Return the array in a file, of any shape.

    Raises:
        ValueError: when there is none, or the file is shorter than its header says.
    """
    with _told(), path.open("rb") as stream:
        count, size = _header(stream)
        if count * size > path.stat().st_size:
            raise ValueError("the file is shorter than its header says")
        stream.seek(0)
        return np.asarray(np.load(stream, allow_pickle=False))


def load_arrays(path: Path, most: int) -> dict[str, np.ndarray]:
    """Return the arrays in an archive by name, of any shape.

    Args:
        path: of the archive (.npz).
        most: largest permitted number of elements of an array.

    Raises:
        ValueError: when the archive is damaged, or an array is larger.
    """
    found = {}
    with _told(), zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = member.filename.removesuffix(".npy")
            with archive.open(member) as stream:
                count, size = _header(stream)
            # The size of a member is only what the archive claims; check it against the compressed bytes that exist.
            there = min(member.file_size, DEFLATE * min(member.compress_size, path.stat().st_size))
            if count > most or count * size > there:
                raise ValueError(
                    f"the array {name!r} says that it has {count} numbers, at most {most} can be"
                )
            with archive.open(member) as stream:
                found[name] = np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
    return found


def _header(stream: IO[bytes]) -> tuple[int, int]:
    """Return the number of elements of an array and the bytes per element."""
    version = np.lib.format.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"the format {version} is not known here")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, kind = read(stream)
    if kind.hasobject or min(shape, default=0) < 0:
        raise ValueError("it holds no numbers")
    count = 1
    for length in shape:
        count *= int(length)
    return count, kind.itemsize


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise ValueError(" ".join(str(error).split())[:200] or "it is damaged") from error
