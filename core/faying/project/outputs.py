"""What may be written where: the one rule for all commands and dialogs.

No output takes the place of a file that the project reads from. What Faying wrote itself may be replaced as long as
nobody has changed it since; anything else only when the user has said so. Which files these are tells a list of digests
in Faying's own folder, for tables and films can hold no mark.
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
_MOST = 4_000_000  # bytes of the list: some 120 000 files; then the older half is forgotten


def file_name(name: str) -> str:
    """Return a name as a file may have it: without folders, and without what some system forbids."""
    return re.sub(r'[<>:"/\\|?*]|[^\w\- .,()+]', "", name).strip(" .") or "untitled"


class OutputExists(FayingError):  # noqa: N818 - a state, not a mistake
    """What is at the place of an output is not Faying's, or somebody has changed it."""


def make_folder(folder: Path, advice: str = "Choose another folder.") -> None:
    """Make a folder for outputs, and those above it, where they are not there yet.

    Raises:
        FayingError: when it cannot be made; `advice` is the next step.
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
    """Say why a file must not or cannot be written, before anything is computed for it.

    Args:
        path: the file.
        endings: what its name may end in, in lower case with the dot; any without.
        reads: files that must stay, whatever the user says: those that the project reads from.
        replace: the user wants what is there to be replaced.

    Raises:
        OutputExists: when there is something that is not Faying's, or was changed since, and `replace` is not given.
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
    """Let the block write files if they may be written, and remember those that it wrote when it ends well.

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
    """Return whether two paths lead to one file, also by links and other spellings."""
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
    """Remember files as written by Faying; where that fails, they are replaced only if the user says so."""
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
    """Raise a FayingError when no file can be made beside `path`, or that one is protected."""
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
    """The trial succeeded; nothing is replaced."""
