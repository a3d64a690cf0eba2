"""A project on the command line: what was opened, where artifacts go, and the pipeline over both."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from faying.errors import FayingError, ReadError
from faying.fem.readers import model_endings
from faying.project.file import EXTENSION, open_project
from faying.project.lock import FolderLock, is_locked_folder
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study


@dataclass
class CommandSession:
    """An opened project or study.

    Attributes:
        project: the decisions; decks have absolute paths.
        view: view state text of a project file, "" of a study.
        path: the file it was opened from.
        store: artifacts: a folder over the project file.
        base: folder from which relative deck paths count.
    """

    project: Project
    view: str
    path: Path
    store: ArtifactStore
    base: Path
    pipeline: Pipeline = field(default_factory=lambda: Pipeline(STAGES))
    memory: Memory = field(default_factory=Memory)


def open_decisions(path: Path) -> tuple[Project, str, Path | None]:
    """Return (project, view state, project file or None) of a study or project file.

    Raises:
        ReadError: when it is neither.
    """
    if path.suffix.lower() == ".toml":
        return read_study(path), "", None
    if path.suffix.lower() == EXTENSION:
        opened = open_project(path)
        return opened.project, opened.view, path
    if path.suffix.lower() in model_endings():
        raise ReadError(
            path, None, "this is a deck, not a project.", "Write a study file that names it as a model."
        )
    if not path.exists():
        raise ReadError(path, None, "there is no such file.", f"Looked in {path.absolute().parent}.")
    raise ReadError(
        path, None, "this is neither a study nor a project.", "Give a STUDY.toml or a PROJECT.faying."
    )


@contextmanager
def opened(path: Path, work: Path | None = None, out: Path | None = None) -> Iterator[CommandSession]:
    """Open a study or project file.

    Args:
        path: the file.
        work: folder for new artifacts; it goes when the block ends well, and otherwise stays to go on from. None
            takes a temporary one.
        out: project file that will be written: what it has for the same decisions is not computed again.

    Raises:
        ReadError: when it is neither.
        FolderInUse: when another run works in that folder.
    """
    import tempfile

    project, view, file = open_decisions(path)
    base = path.absolute().parent
    if work is not None:
        with working_in(work) as folder:
            yield CommandSession(project, view, path, ArtifactStore(folder, below=file or out), base)
        return
    with tempfile.TemporaryDirectory(prefix="faying-") as folder:
        yield CommandSession(project, view, path, ArtifactStore(Path(folder), below=file), base)


@contextmanager
def working_in(work: Path) -> Iterator[Path]:
    """Give a folder that is made when missing and held against other runs; it goes when the block ends well.

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
    """Return the folder beside an output file that holds artifacts until the file is complete."""
    return out.with_name(out.name + ".work")
