"""HDF5 files: reads only data stored in the file itself (hard links), and writes files safely.

A file can hold links to other places and files, and datasets with values in other files. HDF5 follows all of them
silently, so a file from someone else could expose the content of any file on this machine.

HDF5 does not survive a failing write, for example on a full disk: the file cannot be closed any more, and the process
crashes when it ends. So a new file is written through a stream that records the first error and reports success; the
error is raised after the file has been closed.
"""

import io
import mmap
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

import h5py
import numpy as np
from h5py import h5d, h5g, h5l, h5o, h5s

from faying.errors import ReadError

_DAMAGE = (OSError, KeyError, RuntimeError, ValueError)
DEFLATE = 1032  # greatest compression ratio of deflate
_MIN_CHECKED_BYTES = 1 << 20  # smaller datasets may be read even if they were never written


class _WayOut(NamedTuple):
    """A link or dataset that refers to another place: its name, that place, and whether it is in the same file.

    A dataset that claims to be far larger than the file counts, too, and is `boundless`.
    """

    name: str
    target: str
    inside: bool = False
    boundless: bool = False


def open_hdf(path: str | Path, **options: Any) -> h5py.File:
    """Return an HDF5 file opened for reading.

    Args:
        path: the file.
        options: of `h5py.File`, except the mode.

    Raises:
        ReadError: when part of it lies elsewhere (a soft or external link, values in another file), or when it claims
            to hold far more than it does, so that reading it would exhaust the memory.
        OSError: when it cannot be opened, or is not an HDF5 file.
    """
    path, stamp = Path(path), _stamp(Path(path))
    if stamp in _WRITTEN_HERE:
        return h5py.File(path, "r", **options)
    for found in _ways_out(path, stamp, tuple(options.items())):
        if found.boundless:
            if options.get("swmr"):
                continue  # this program is still writing it: its last rows are not there yet
            raise ReadError(path, None, f"{found.target}.", "The file is damaged: go back to a copy of it.")
        raise ReadError(
            path, None, f"{found.name} leads to {found.target}, and Faying reads only what is in the file itself.",
            "Ask for a file without links to elsewhere.",
        )  # fmt: skip
    return h5py.File(path, "r", **options)


def open_foreign_hdf(path: str | Path) -> h5py.File:
    """Return a file that another program may have written, opened for reading; soft links in it count as absent.

    Other programs use soft links as second names.

    Raises:
        ReadError: when a link leads to another file, or values are stored in one.
        OSError: when it cannot be opened, or is not an HDF5 file.
    """
    path = Path(path)
    if has_endless_heap(path):
        raise ReadError(path, None, "the file is damaged.", "Copy it again, or ask for another copy.")
    # Foreign files may hold large data that are never used: callers that read a dataset call `require_stored`.
    found = [way for way in _ways_out(path, _stamp(path), ()) if not way.boundless]
    if not found:
        return h5py.File(path, "r")
    if not all(way.inside for way in found):
        return open_hdf(path)  # refuses it
    # A copy in memory, since the file itself may be read-only.
    file = h5py.File(io.BytesIO(path.read_bytes()), "r+")
    for way in found:
        del file[way.name]
    return file


def has_endless_heap(path: Path, most: int = 1 << 28) -> bool:
    """Return whether HDF5 would never return from reading a text in this file.

    Texts are stored in global heaps (HDF5 file format specification, III.E): a sequence of objects, each preceded by
    its size, up to the free space, which is object 0. A page of zeros, left by a bad disk or a broken copy, makes the
    size of that space zero, and HDF5 (2.0) loops on it without end.

    Args:
        path: the file.
        most: number of its bytes to search.
    """
    with path.open("rb") as file:
        if not file.seek(0, 2):
            return False
        with mmap.mmap(file.fileno(), min(file.tell(), most), access=mmap.ACCESS_READ) as content:
            start = content.find(_HEAP)
            while start >= 0:
                if _is_endless(content, start):
                    return True
                start = content.find(_HEAP, start + 1)
    return False


_HEAP = b"GCOL\x01\0\0\0"
_OBJECT = struct.Struct("<HHIQ")  # number, references, reserved, bytes


def _is_endless(content: mmap.mmap, start: int) -> bool:
    (size,) = struct.unpack_from("<Q", content, start + 8) if start + 16 <= len(content) else (0,)
    place, end = start + 16, min(start + size, len(content))
    while place + _OBJECT.size <= end:
        number, _, _, length = _OBJECT.unpack_from(content, place)
        if number == 0 and length == 0:
            return True
        place += length if number == 0 else _OBJECT.size + (length + 7) // 8 * 8
    return False


def require_stored(node: h5py.Dataset) -> None:
    """Refuse a dataset that claims to be far larger than its stored data, before memory is allocated.

    HDF5 reads unwritten values as zeros, so that a few bytes can represent any number of values.

    Raises:
        ValueError: when it does.
    """
    if told := _beyond(node):
        raise ValueError(told)


def _beyond(node: h5py.Dataset) -> str:
    """Return a sentence if a dataset claims to be far larger than its stored data, "" otherwise."""
    stored = node.id.get_storage_size()
    most = stored * DEFLATE if node.id.get_create_plist().get_nfilters() else stored
    if node.size is None or node.size * node.dtype.itemsize <= max(most, _MIN_CHECKED_BYTES):
        return ""
    return f"{node.name} says that it has {node.size} values, and the file does not hold as many"


def _is_little(node: h5d.DatasetID) -> bool:
    """Return whether a dataset claims at most `_MIN_CHECKED_BYTES`; a faster test than `_beyond`."""
    return bool(
        node.get_space().get_simple_extent_npoints() * node.get_type().get_size() <= _MIN_CHECKED_BYTES
    )


def append_rows(node: h5py.Dataset, first: int, rows: np.ndarray) -> None:
    """Overwrite a dataset's rows from row `first` on with rows (m, …), which become its last ones.

    h5py's own way also accepts arrays of other types, and takes four times as long.
    """
    node.id.set_extent((first + len(rows), *rows.shape[1:]))
    if rows.size:
        space = node.id.get_space()
        space.select_hyperslab((first,) + (0,) * (rows.ndim - 1), rows.shape)
        node.id.write(h5s.create_simple(rows.shape), space, np.ascontiguousarray(rows))


# Stamps of the files that `new_file` made in this process: they hold no links to elsewhere, and large project files
# take longer to be searched for them than to be written.
_WRITTEN_HERE: set[tuple[int, ...]] = set()


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


@lru_cache(maxsize=256)
def _ways_out(
    path: Path, stamp: tuple[int, ...], options: tuple[tuple[str, Any], ...]
) -> tuple[_WayOut, ...]:
    """Return all references to other places, those to other files first; each state of a file is searched once."""
    with h5py.File(path, "r", **dict(options)) as file:
        return tuple(sorted(_found(file.id), key=lambda way: way.inside))


def _found(root: Any) -> Iterator[_WayOut]:
    """Yield links that are not hard, and datasets with values in other files.

    Objects too damaged to be listed are skipped; reading them fails later.
    """
    seen: set[int] = set()
    waiting = [("", root)]
    while waiting:
        above, group = waiting.pop()
        for link in _names(group):
            name = f"{above}/{link.decode('utf-8', 'replace')}"
            try:
                kind = group.links.get_info(link).type
                if kind != h5l.TYPE_HARD:
                    yield _link(name, group, link, kind)
                    continue
                node = h5o.open(group, link)
                if isinstance(node, h5d.DatasetID):
                    made = node.get_create_plist()
                    if made.get_external_count() or made.get_layout() == h5d.VIRTUAL:
                        yield _WayOut(name, "values in another file")
                    elif not _is_little(node) and (told := _beyond(h5py.Dataset(node))):
                        yield _WayOut(name, told, boundless=True)
                elif isinstance(node, h5g.GroupID) and (place := h5o.get_info(node).addr) not in seen:
                    seen.add(place)
                    waiting.append((name, node))
            except _DAMAGE:
                continue


def _names(group: Any) -> list[bytes]:
    found: list[bytes] = []
    with suppress(*_DAMAGE):
        group.links.iterate(found.append)
    return found


def _link(name: str, group: Any, link: bytes, kind: int) -> _WayOut:
    if kind == h5l.TYPE_SOFT:
        return _WayOut(name, group.links.get_val(link).decode("utf-8", "replace"), inside=True)
    file, place = group.links.get_val(link)
    return _WayOut(name, f"{place.decode('utf-8', 'replace')} of the file {file.decode('utf-8', 'replace')}")


@contextmanager
def new_file(path: Path) -> Iterator[h5py.File]:
    """Yield a new HDF5 file to write to.

    Raises:
        OSError: when the disk did not take everything; the file at `path` is then useless.
    """
    with path.open("w+b", buffering=0) as raw:
        stream = _Patient(raw)
        try:
            with h5py.File(stream, "w") as file:
                yield file
        finally:
            # Any other error may be a consequence of the disk's error, so that one is reported.
            if stream.error is not None:
                raise stream.error
    _WRITTEN_HERE.add(_stamp(path))  # moving it elsewhere changes none of these


class _Patient:
    """A stream for h5py that never fails a write; `error` holds the first error."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.error: OSError | None = None

    def write(self, piece: Any) -> int:
        view = memoryview(piece).cast("B")
        done = 0
        while self.error is None and done < len(view):
            try:
                done += self._raw.write(view[done:]) or 0
            except OSError as error:
                self.error = error
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        try:
            return self._raw.truncate(size) if self.error is None else 0
        except OSError as error:
            self.error = error
            return 0

    def read(self, size: int = -1) -> bytes:
        return self._raw.read(size)

    def readinto(self, buffer: Any) -> int:
        return self._raw.readinto(buffer)  # type: ignore[attr-defined,no-any-return]

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def flush(self) -> None:
        self._raw.flush()
