"""File locks that the operating system releases when their process ends, however it ends.

A lock is a file that contains the process number of its holder: of a folder the file ``lock`` in it, of anything
else a file of its own.
"""

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from faying.atomic import is_running
from faying.errors import FayingError

_REFUSED = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
_LOCK = "lock"
_PATIENCE = 0.1  # s between two looks at a lock that another process holds
_TRIES = 10  # to lock a file that its holders remove meanwhile; all only where inode numbers change


class FolderInUse(FayingError):  # noqa: N818 - a state, not a mistake
    """The folder belongs to a running process."""


class FolderLock:
    """Holds a folder for this process.

    Raises:
        FolderInUse: when another process (or another lock of this one) holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        stream = _taken(folder / _LOCK)
        if stream is None:
            raise FolderInUse(
                f"Another Faying (process {holder_of(folder) or 'unknown'}) works in {folder}.",
                "Wait until it has finished, or end it.",
            )
        self._stream = stream

    def release(self) -> None:
        """Release the lock, so that another process may compute in the folder."""
        self._stream.close()

    def remove_folder(self) -> None:
        """Remove the folder and release the lock, so that whoever takes it next does not find it half removed.

        The lock goes last: a process that is killed on the way leaves a folder that is still known by it.
        """
        for entry in (*self._folder.iterdir(),):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != _LOCK:
                with suppress(OSError):
                    entry.unlink()
        if os.name == "nt":  # what is open cannot be removed there
            self.release()
        shutil.rmtree(self._folder, ignore_errors=True)
        self.release()


@contextmanager
def claim(path: Path, waiting: Callable[[int | None], None]) -> Iterator[None]:
    """Hold a lock file during the block; it is made for the block and removed at its end.

    Args:
        path: the file; its folder must be there.
        waiting: called ten times a second with the process number of the holder, while there is another; ends the
            wait by raising.
    """
    while (stream := _taken(path)) is None:
        waiting(_holder(path))
        time.sleep(_PATIENCE)
    try:
        yield
    finally:
        with suppress(PermissionError):  # Windows removes no open file
            path.unlink(missing_ok=True)
        stream.close()
        if os.name == "nt":
            with suppress(OSError):  # the next one may hold it already
                path.unlink(missing_ok=True)


def holder_of(folder: Path) -> int | None:
    """Return the process number that last held the folder's lock, None when nobody did."""
    return _holder(folder / _LOCK)


def is_locked_folder(folder: Path) -> bool:
    """Return whether a folder is, or was, held by a lock."""
    return (folder / _LOCK).exists()


def is_held(folder: Path) -> bool:
    """Return whether a running process holds the folder."""
    if not (folder / _LOCK).exists():
        return False
    stream = _taken(folder / _LOCK, sign=False)
    if stream is not None:
        stream.close()
    return stream is None


def _holder(path: Path) -> int | None:
    try:
        text = path.read_bytes()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _taken(path: Path, *, sign: bool = True) -> IO[bytes] | None:
    """Return the open lock file, None when somebody else holds it."""
    for tries_left in reversed(range(_TRIES)):
        stream = path.open("a+b")
        try:
            _take(stream)
        except OSError as error:
            # Some network drives know no locks: there the process number has to serve.
            other = _holder(path)
            if error.errno in _REFUSED or (other not in (None, os.getpid()) and is_running(other or 0)):
                stream.close()
                return None
        if _is_still(path, stream) or not tries_left:
            break
        stream.close()  # its holder has removed it meanwhile: a lock on what is gone holds nobody off
    if sign:
        stream.truncate(0)
        stream.write(str(os.getpid()).encode())
        stream.flush()
    return stream


def _is_still(path: Path, stream: IO[bytes]) -> bool:
    """Return whether an open file is the one that its path leads to."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except OSError:
        return False


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
