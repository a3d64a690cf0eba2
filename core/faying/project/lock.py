"""File locks that the operating system releases when their process ends, however it ends.

A lock is a file that names its holder by process number, machine and time: for a folder the file ``lock`` in it,
otherwise a separate file.

Some network drives do not support locks. There the file's content decides: the lock is valid while the named process
runs on this machine and started earlier; for a process of another machine, while any file in the folder changed within
the last day.
"""

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from faying.atomic import host, is_running
from faying.errors import FayingError

_REFUSED = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
_LOCK = "lock"
_PATIENCE = 0.1  # s between two checks of a lock held by another process
_TRIES = 10  # attempts to lock a file that holders remove meanwhile; all are needed only where inode numbers change
_QUIET = 86400.0  # s: a process that works in a folder changes files more often
_LATER = 2.0  # s: a process that started later than this after the lock was taken is another one; clocks are coarse


@dataclass(frozen=True)
class Holder:
    """Present or last holder of a lock.

    Attributes:
        process: number of the process; 0 if unknown.
        host: name of its machine; "" for locks of earlier versions.
        since: time at which it took the lock (s since 1970); 0 if unknown.
    """

    process: int = 0
    host: str = ""
    since: float = 0.0

    def __str__(self) -> str:
        """Return the holder as text: "process 12 on node7, since 26 Nov 14:03"."""
        name = f"process {self.process or 'unknown'}"
        where = f" on {self.host}" if self.host not in ("", host()) else ""
        began = f", since {datetime.fromtimestamp(self.since):%d %b %H:%M}" if self.since else ""
        return f"{name}{where}{began}"


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
                f"Another Faying ({holder_of(folder)}) works in {folder}.",
                f"Wait until it has finished, or end it. If there is none any more, remove {folder / _LOCK}.",
            )
        self._stream = stream

    def release(self) -> None:
        """Release the lock, so that another process may compute in the folder."""
        self._stream.close()

    def remove_folder(self) -> None:
        """Remove the folder and release the lock, so that the next holder does not find it partly removed.

        The lock is removed last, so that a killed process leaves a folder that can still be recognised.
        """
        for entry in (*self._folder.iterdir(),):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != _LOCK:
                with suppress(OSError):
                    entry.unlink()
        if os.name == "nt":  # open files cannot be removed there
            self.release()
        shutil.rmtree(self._folder, ignore_errors=True)
        self.release()


@contextmanager
def claim(path: Path, waiting: Callable[[Holder], None]) -> Iterator[None]:
    """Hold a lock file during the block; it is created for the block and removed at its end.

    Args:
        path: the file; its folder must exist.
        waiting: called ten times per second with the other holder; it ends the wait by raising.
    """
    while (stream := _taken(path)) is None:
        waiting(_holder(path))
        time.sleep(_PATIENCE)
    try:
        yield
    finally:
        with suppress(PermissionError):  # Windows cannot remove an open file
            path.unlink(missing_ok=True)
        stream.close()
        if os.name == "nt":
            with suppress(OSError):  # the next one may hold it already
                path.unlink(missing_ok=True)


def holder_of(folder: Path) -> Holder:
    """Return the present or last holder of the folder's lock."""
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


def _holder(path: Path) -> Holder:
    try:
        process, *more = path.read_text(encoding="utf-8").split()
        return Holder(int(process), more[0] if more else "", float(more[1]) if len(more) > 1 else 0.0)
    except (OSError, ValueError):  # there is none, or it is being written
        return Holder()


def _holds(holder: Holder, path: Path) -> bool:
    """Return whether a holder still holds a lock file, judged by its content."""
    if holder == Holder() or (holder.process == os.getpid() and holder.host in ("", host())):
        return False
    if holder.host not in ("", host()):
        changes = [holder.since]
        for file in path.parent.iterdir():
            with suppress(OSError):
                changes.append(file.stat().st_mtime)
        return time.time() - max(changes) < _QUIET
    return is_running(holder.process) and not (0.0 < holder.since < _began(holder.process) - _LATER)


def _began(process: int) -> float:
    """Return when a process started (s since 1970); 0 if unknown."""
    import psutil

    try:
        return float(psutil.Process(process).create_time())
    except psutil.Error:
        return 0.0


def _taken(path: Path, *, sign: bool = True) -> IO[bytes] | None:
    """Return the open lock file, None if another process holds it."""
    for tries_left in reversed(range(_TRIES)):
        stream = path.open("a+b")
        try:
            _take(stream)
        except OSError as error:
            if error.errno in _REFUSED or _holds(_holder(path), path):
                stream.close()
                return None
        if _is_still(path, stream) or not tries_left:
            break
        stream.close()  # its holder has removed it meanwhile: a lock on a removed file has no effect
    if sign:
        stream.truncate(0)
        stream.write(f"{os.getpid()} {host()} {time.time():.0f}".encode())
        stream.flush()
    return stream


def _is_still(path: Path, stream: IO[bytes]) -> bool:
    """Return whether an open file is still the one at its path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except OSError:
        return False


if os.name == "nt":
    import msvcrt

    def _take(stream: IO[bytes]) -> None:
        # Lock one byte far beyond the contents, so that others can still read the process number.
        stream.seek(1 << 20)
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        stream.seek(0)

else:
    import fcntl

    def _take(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
