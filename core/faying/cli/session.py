"""Sessions on the command line, and the work folder that holds their artifacts until the output is complete."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faying.errors import FayingError
from faying.project.file import EXTENSION
from faying.project.lock import FolderLock, is_locked_folder
from faying.project.store import ArtifactStore
from faying.session import Session, read, read_decisions


@contextmanager
def opened(path: Path, work: Path | None = None, out: Path | None = None) -> Iterator[Session]:
    """Open a study or project file.

    Args:
        path: the file.
        work: folder for new artifacts; removed when the block ends without an error, and otherwise kept for a later
            run to go on from. None takes a temporary one.
        out: project file that will be written; its results for the same decisions are reused.

    Raises:
        ReadError: when it is neither.
        FolderInUse: when another run works in that folder.
    """
    if work is None:
        with read(path) as session:
            yield session
        return
    project, view = read_decisions(path)
    below = path if path.suffix.lower() == EXTENSION else out
    with working_in(work) as folder:
        store, base = ArtifactStore(folder, below), path.absolute().parent
        yield Session(project, store, base=base, path=path, view=view)


@contextmanager
def working_in(work: Path) -> Iterator[Path]:
    """Create and lock a work folder for the block; remove it when the block ends without an error.

    Raises:
        FolderInUse: when another run works in it: two must not write the same output.
    """
    if work.is_dir() and any(work.iterdir()) and not is_locked_folder(work):
        raise FayingError(
            f"{work} is not a work folder of Faying, and would be removed in the end.",
            "Rename it, or choose another output.",
        )
    try:
        work.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(work)
    except OSError as error:
        raise FayingError(
            f"The work folder {work} cannot be used ({error.strerror or error}).", "Choose another output."
        ) from error
    try:
        yield work
    except BaseException:
        lock.release()
        raise
    lock.remove_folder()


def work_folder(out: Path) -> Path:
    """Return the folder next to an output file that holds artifacts until the file is complete."""
    return out.with_name(out.name + ".work")
