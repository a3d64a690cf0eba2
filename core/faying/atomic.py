"""Files that are written whole or not at all: under a temporary name in the same folder, then renamed."""

import glob
import os
import platform
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MARK = ".saving"
_WRITER = re.compile(rf"\.((?P<host>\w+)-)?(?P<process>\d+)-[0-9a-f]+{re.escape(_MARK)}$")
_TRIES, _PAUSE = (10 if os.name == "nt" else 1), 0.1  # s between tries to replace a file
_ABANDONED_AFTER = 86400.0  # s after which an unchanged temporary file counts as abandoned


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Yield a temporary path in the same folder; when the block ends without an error it replaces `path`.

    When the block raises, the temporary file is removed and `path` is unchanged.

    Args:
        path: the file to replace or create; a link is followed.
        durable: flush it to the disk, so that it also survives a power failure.

    Raises:
        OSError: when the replacement fails; `path` is unchanged.
    """
    path = Path(os.path.realpath(path))
    temporary = path.with_name(f".{path.name}.{host()}-{os.getpid()}-{secrets.token_hex(4)}{_MARK}")
    try:
        yield temporary
        if durable:
            _flush_to_disk(temporary)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        _replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if durable:
        with suppress(
            OSError
        ):  # not every file system can flush a folder; the file has already been replaced
            _flush_to_disk(path.parent)


def write_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Replace a text file in one step (UTF-8, line feeds unchanged)."""
    with replacing(path, durable=durable) as temporary:
        temporary.write_bytes(text.encode())


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove the temporary files of writers that were killed; keep those of running processes.

    Processes of other machines cannot be seen from here: their files are removed when unchanged for a day.

    Args:
        folder: folder of the temporary files.
        name: name of the final file; "" for any.
    """
    for temporary in folder.glob(f".{glob.escape(name) if name else '*'}.*{_MARK}"):
        writer = _WRITER.search(temporary.name)
        if writer is None:
            continue
        with suppress(OSError):
            own = writer["host"] == host()  # earlier versions wrote no host
            left = not is_running(int(writer["process"])) if own else _age(temporary) > _ABANDONED_AFTER
            if left:
                temporary.unlink()


def _age(path: Path) -> float:
    """Return the time since a file was last changed (s)."""
    return time.time() - path.stat().st_mtime


def host() -> str:
    """Return the name of this machine without dots and dashes."""
    return "".join(letter for letter in platform.node() if letter.isalnum()) or "here"


def is_running(process: int) -> bool:
    """Return whether a process with this number exists (possibly another one by now)."""
    if os.name == "nt":
        return _is_running_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_running_on_windows(process: int) -> bool:
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(0x1000, False, process)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == 259  # STILL_ACTIVE


def _replace(temporary: Path, path: Path, *, tries: int = _TRIES) -> None:
    """Replace a file, again after a moment where a virus scanner or an indexer holds it open, as on Windows."""
    for left in reversed(range(tries)):
        try:
            temporary.replace(path)
            return
        except PermissionError:
            if not left:
                raise
            time.sleep(_PAUSE)


def _flush_to_disk(path: Path) -> None:
    # Windows requires a writable handle; on other systems a folder can only be opened for reading.
    flags = os.O_RDWR if path.is_file() else os.O_RDONLY
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        if sys.platform == "darwin":  # there fsync leaves data in the memory of the drive (man page fsync(2))
            import fcntl

            with suppress(OSError):  # not every file system can
                fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
                return
        os.fsync(handle)
    finally:
        os.close(handle)
