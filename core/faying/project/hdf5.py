"""Writing HDF5 files on disks that may be full.

HDF5 does not survive a failing write: the file cannot be closed any more, and the process crashes when it
ends. So it writes through a stream that keeps the first error to itself and pretends that all is well; the
error is raised when the file has been closed in peace.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import h5py


@contextmanager
def new_file(path: Path) -> Iterator[h5py.File]:
    """Give a new HDF5 file to write to.

    Raises:
        OSError: when the disk did not take everything; the file at `path` is then useless.
    """
    with path.open("w+b", buffering=0) as raw:
        stream = _Patient(raw)
        try:
            with h5py.File(stream, "w") as file:
                yield file
        finally:
            # What else went wrong may be a consequence of the disk's error, so that one is told.
            if stream.error is not None:
                raise stream.error


class _Patient:
    """A stream for h5py whose writes never fail; `error` holds the first thing that went wrong."""

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
