"""The rule for writing output files, common to all commands and dialogs.

Outputs never replace a file from which the project reads. Files written by Faying may be replaced unless changed since;
other files only with the user's consent. Faying's folder contains a list of digests of its outputs, since tables and
films cannot be marked.
"""

import errno
import logging
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from faying.atomic import replacing
from faying.errors import FayingError, ModelError
from faying.fingerprint import file_digest
from faying.project.home import home

log = logging.getLogger(__name__)

_LIST = "written"
_MOST = 4_000_000  # bytes of the list, about 120 000 files; beyond this the older half is dropped


# They are devices in every folder and with every ending (Microsoft, "Naming Files, Paths, and Namespaces").
_DEVICE = re.compile(r"CON|PRN|AUX|NUL|(COM|LPT)[0-9¹²³]", re.IGNORECASE)


def file_name(name: str) -> str:
    """Return a valid file name: without folders, characters that some systems forbid, and Windows' names of devices."""
    kept = re.sub(r'[<>:"/\\|?*]|[^\w\- .,()+]', "", name).strip(" .") or "untitled"
    first, dot, rest = kept.partition(".")
    return f"{first}_{dot}{rest}" if _DEVICE.fullmatch(first.rstrip()) else kept


class OutputExists(FayingError):  # noqa: N818 - a state, not a mistake
    """The file at an output's path was not written by Faying, or was changed since."""


def make_folder(folder: Path, advice: str = "Choose another folder.") -> None:
    """Create a folder for outputs, with missing parent folders.

    Raises:
        FayingError: when it cannot be created; `advice` is the next step.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FayingError(
            f"The folder {folder} cannot be made ({error.strerror or error}).", advice
        ) from error


def check_output(
    path: Path, endings: Sequence[str] = (), reads: Iterable[Path] = (), *, replace: bool = False
) -> None:
    """Check that a file may and can be written, before its content is computed.

    Args:
        path: the file.
        endings: permitted suffixes, in lower case with the dot; any if empty.
        reads: files from which the project reads, which are never replaced.
        replace: whether the user wants an existing file to be replaced.

    Raises:
        OutputExists: when there is a file not written by Faying, or changed since, and `replace` is not given.
        FayingError: when it can never be written.
    """
    if endings and path.suffix.lower() not in endings:
        raise ModelError(
            f"{path.name}: nothing here writes files of this kind.", f"Known are: {', '.join(endings)}."
        )
    if any(is_same_file(path, source) for source in reads):
        raise FayingError(f"The project reads from {path}, so it is not replaced.", "Choose another name.")
    if not path.absolute().parent.is_dir():
        raise FayingError(f"The folder {path.parent} does not exist.", "Make it first.")
    if path.is_dir():
        raise FayingError(f"{path} is a folder.", "Give the name of a file.")
    if path.exists() and not path.is_file():
        raise FayingError(f"{path} is a device, not a file.", "Choose another name.")
    _try_to_write(path)
    if not replace and path.exists() and not is_own_output(path):
        raise OutputExists(
            f"{path} is there already: Faying did not write it, or somebody has changed it since.",
            "Choose another name, or replace it with --force.",
        )


@contextmanager
def writing(
    *paths: Path, endings: Sequence[str] = (), reads: Iterable[Path] = (), replace: bool = False
) -> Iterator[None]:
    """Check that files may be written by the block, and record them as outputs if it succeeds.

    Raises:
        FayingError: as `check_output`, before the block begins.
    """
    sources = tuple(reads)
    for path in paths:
        check_output(path, endings, sources, replace=replace)
    before = stamps(paths)
    yield
    remember_outputs(written_since(before, paths))


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file, including links and other spellings."""
    if os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other)):
        return True
    with suppress(OSError):
        return one.samefile(other)
    return False


def is_own_output(path: Path) -> bool:
    """Return whether a file is as Faying wrote it on this machine, for this user."""
    try:
        return file_digest(path) in _known()
    except OSError:
        return False


def stamps(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return inode and time stamp of each file that is there; they change when it is written again."""
    found = {path: path.stat() for path in paths if path.is_file()}
    return {path: (status.st_ino, status.st_mtime_ns) for path, status in found.items()}


def written_since(before: dict[Path, tuple[int, int]], paths: Iterable[Path]) -> list[Path]:
    """Return those files that are new, or were written again, since their `stamps` were taken."""
    return [path for path, stamp in stamps(paths).items() if stamp != before.get(path)]


def remember_outputs(paths: Iterable[Path]) -> None:
    """Record files as written by Faying; if this fails, they are later replaced only with the user's consent."""
    known = _known()
    try:
        new = [digest for path in paths if path.is_file() and (digest := file_digest(path)) not in known]
        if not new:
            return
        listed = home() / _LIST
        listed.parent.mkdir(parents=True, exist_ok=True)
        with listed.open("a", encoding="ascii") as stream:
            stream.write("".join(f"{digest}\n" for digest in new))
        if listed.stat().st_size > _MOST:
            lines = listed.read_text(encoding="ascii").splitlines(keepends=True)
            with replacing(listed, durable=False) as beside:
                beside.write_text("".join(lines[len(lines) // 2 :]), encoding="ascii")
    except OSError as error:
        log.info("what was written is not remembered: %s", error)


def _known() -> frozenset[str]:
    with suppress(OSError, UnicodeDecodeError):
        return frozenset((home() / _LIST).read_text(encoding="ascii").split())
    return frozenset()


def _try_to_write(path: Path) -> None:
    """Raise a FayingError if no file can be created in the folder of `path`, or `path` is protected."""
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is write-protected")
        with replacing(path, durable=False) as beside:
            beside.touch()
            raise _Enough
    except _Enough:
        return
    except OSError as error:
        raise FayingError(
            f"{path} cannot be written ({error.strerror or error}).", "Choose another place."
        ) from error


class _Enough(Exception):  # noqa: N818 - ends a trial
    """The trial succeeded; the file is not replaced."""
