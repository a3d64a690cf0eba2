"""A lock on a folder that the operating system gives back when its process ends, however it ends."""

import errno
import os
from pathlib import Path
from typing import IO

from faying.errors import FayingError
from faying.project.atomic import is_running

_REFUSED = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


class FolderLock:
    """Holds ``<folder>/lock``, which contains the process number of its holder.

    Raises:
        FolderInUse: when another process (or another lock of this one) holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._stream = _taken(folder)
        self._stream.truncate(0)
        self._stream.write(str(os.getpid()).encode())
        self._stream.flush()

    def release(self) -> None:
        """Give the folder free."""
        self._stream.close()


class FolderInUse(FayingError):  # noqa: N818 - a state, not a mistake
    """The folder belongs to a running process."""


def holder_of(folder: Path) -> int | None:
    """Return the process number that last held the folder's lock, None when nobody did."""
    try:
        text = (folder / "lock").read_bytes()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def is_held(folder: Path) -> bool:
    """Return whether a running process holds the folder."""
    if not (folder / "lock").exists():
        return False
    try:
        _taken(folder).close()
    except FolderInUse:
        return True
    return False


def _taken(folder: Path) -> IO[bytes]:
    stream = (folder / "lock").open("a+b")
    try:
        _take(stream)
    except OSError as error:
        # Some network drives know no locks: there the process number has to serve.
        other = holder_of(folder)
        if error.errno in _REFUSED or (other not in (None, os.getpid()) and is_running(other or 0)):
            stream.close()
            raise FolderInUse(
                f"Another Faying (process {other or 'unknown'}) works in {folder}.",
                "Wait until it has finished, or end it.",
            ) from error
    return stream


if os.name == "nt":
    import msvcrt

    def _take(stream: IO[bytes]) -> None:
        # One byte far behind the contents, so that others can still read the process number.
        stream.seek(1 << 20)
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        stream.seek(0)

else:
    import fcntl

    def _take(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
