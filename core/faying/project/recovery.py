"""Recovery: sessions whose process ended abnormally, and their recoverable contents."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from faying.errors import ReadError
from faying.project.lock import FolderInUse, FolderLock, is_held
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.project.workspace import read_session, sessions_folder

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PartialResults:
    """Frames of an interrupted analysis."""

    analysis: str
    body: str
    frames: int
    path: Path


@dataclass(frozen=True)
class Recoverable:
    """A session that did not end cleanly.

    Attributes:
        folder: folder of its workspace; ``Workspace(folder).recovered()`` continues it.
        project: as last autosaved.
        path: its project file, None if it was never saved.
        changed: time of the last change.
        modified: whether the project differs from its file.
        partial_results: results of interrupted runs.
        unsaved_results: number of complete results that are not in the project file.
    """

    folder: Path
    project: Project
    path: Path | None
    changed: datetime
    modified: bool
    partial_results: tuple[PartialResults, ...]
    unsaved_results: int = 0


def find_recoverable(root: Path | None = None) -> list[Recoverable]:
    """Return the recoverable sessions, the newest first.

    Sessions of running processes, and those without unsaved contents, are left out.
    """
    root = root or sessions_folder()
    found = []
    for folder in root.iterdir() if root.is_dir() else ():
        if not folder.is_dir() or is_held(folder) or (folder / "ended").exists():
            continue
        session = _recoverable(folder)
        if session is not None:
            found.append(session)
    return sorted(found, key=lambda session: session.changed, reverse=True)


def discard(session: Recoverable) -> None:
    """Discard a session, unless another process continues it."""
    _remove(session.folder)


def tidy(root: Path | None = None) -> None:
    """Remove files of cleanly ended sessions, and empty sessions."""
    root = root or sessions_folder()
    for folder in root.iterdir() if root.is_dir() else ():
        if not folder.is_dir() or is_held(folder):
            continue
        nothing = not (folder / "project.toml").exists() and not any((folder / "artifacts").glob("*.h5"))
        if (folder / "ended").exists() or nothing:
            _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder that no process holds, holding it meanwhile so that no process uses it when partly removed."""
    with suppress(FolderInUse, OSError):
        FolderLock(folder).remove_folder()


def partial_results(store: ArtifactStore) -> tuple[PartialResults, ...]:
    """Return partial results in a store's folder that its project file does not have."""
    found, recipes = [], store.recipes()
    for file in store.folder.glob("*.partial.h5"):
        key = file.name.removesuffix(".partial.h5")
        place, recipe = store.results(key), recipes.get(key)
        if place is None or place.complete or recipe is None or not store.is_unsaved(key):
            continue
        results = place.open()
        try:
            frames = results.n_frames
        finally:
            results.close()
        if frames:
            found.append(_partial(recipe, frames, place.path))
    return tuple(sorted(found, key=lambda partial: partial.analysis))


def _partial(recipe: Recipe, frames: int, path: Path) -> PartialResults:
    return PartialResults(recipe.item, recipe.body, frames, path)


def _unsaved_results(store: ArtifactStore, former: list[str]) -> int:
    keys = {file.name.removesuffix(".results.h5") for file in store.folder.glob("*.results.h5")}
    return sum(store.is_unsaved(key) for key in keys.difference(former))


def _recoverable(folder: Path) -> Recoverable | None:
    text = folder / "project.toml"
    if not text.exists():
        return None
    try:
        project = read_study(text)
        if text.stat().st_size == 0:  # truncated by a power failure, for example
            raise ReadError(text, None, "it is empty.")
    except ReadError as error:
        log.warning("the session in %s cannot be read: %s", folder, error)
        return None
    session = read_session(folder)
    path = Path(session["path"]) if session.get("path") else None
    store = ArtifactStore(folder / "artifacts", path)
    partial, unsaved = partial_results(store), _unsaved_results(store, session.get("former", []))
    modified = bool(session.get("modified", True))
    if not (modified or partial or unsaved):
        return None
    changed = datetime.fromtimestamp(max(f.stat().st_mtime for f in (text, folder / "artifacts")))
    return Recoverable(folder, project, path, changed, modified, partial, unsaved)
