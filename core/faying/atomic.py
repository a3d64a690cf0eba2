"""Files that are written whole or not at all: under a temporary name in the same folder, then renamed."""

import glob
import os
import platform
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MARK = ".saving"
_WRITER = re.compile(rf"\.((?P<host>\w+)-)?(?P<process>\d+)-[0-9a-f]+{re.escape(_MARK)}$")
_LONG = 86400.0  # s: nobody writes a file for longer without a change of it


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Yield a temporary path in the same folder; when the block ends without an error it replaces `path`.

    When the block raises, the temporary file is removed and `path` stays as it was.

    Args:
        path: the file to be replaced or made; a link is followed.
        durable: flush it to the disk, so that it also survives a power failure.

    Raises:
        OSError: when the swap fails; `path` is as it was.
    """
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".{path.name}.{host()}-{os.getpid()}-{secrets.token_hex(4)}{_MARK}")
    try:
        yield beside
        if durable:
            _flush_to_disk(beside)
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o7777)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    if durable:
        with suppress(OSError):  # not every file system lets a folder be flushed; the swap has been made
            _flush_to_disk(path.parent)


def write_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Replace a text file in one step (UTF-8, line feeds as they are)."""
    with replacing(path, durable=durable) as beside:
        beside.write_bytes(text.encode())


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove the temporary files of writers that were killed; those of living processes stay.

    Whether a process of another machine lives cannot be seen from here: what it has not touched for a day goes.

    Args:
        folder: where they are.
        name: of the file that they would have become; of any without.
    """
    for beside in folder.glob(f".{glob.escape(name) if name else '*'}.*{_MARK}"):
        writer = _WRITER.search(beside.name)
        if writer is None:
            continue
        with suppress(OSError):
            own = writer["host"] == host()  # earlier versions wrote none
            left = not is_running(int(writer["process"])) if own else _age(beside) > _LONG
            if left:
                beside.unlink()


def _age(path: Path) -> float:
    """Return for how long a file has not been changed (s)."""
    return time.time() - path.stat().st_mtime


def host() -> str:
    """Return the name of this machine without dots and dashes."""
    return "".join(letter for letter in platform.node() if letter.isalnum()) or "here"


def is_running(process: int) -> bool:
    """Return whether a process of that number exists (it may be another one by now)."""
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


def _flush_to_disk(path: Path) -> None:
    # Windows wants a handle that may write; a folder can only be opened for reading elsewhere.
    flags = os.O_RDWR if path.is_file() else os.O_RDONLY
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
