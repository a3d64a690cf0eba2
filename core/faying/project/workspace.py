"""The workspace: where a session keeps everything that could be lost, from the first click on.

A folder with ``project.toml`` (autosaved after each change), ``view.json``, ``artifacts/``, ``session.json``
(which file it belongs to) and ``lock``. The window's sessions are in the user's data folder; a run on the
command line has ``<OUT>.work`` beside its output. A clean end removes the folder; after a crash it is still
there, and the next start offers it or goes on with it.
"""

import json
import logging
import secrets
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from faying.atomic import write_text
from faying.errors import FayingError
from faying.progress import Progress
from faying.project.file import decisions_in, open_project, save_project
from faying.project.home import home
from faying.project.lock import FolderLock
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.project.study import read_study, study_text

log = logging.getLogger(__name__)


def sessions_folder() -> Path:
    """Return the folder in which each window keeps its session."""
    return home() / "sessions"


class Workspace:
    """An opened workspace; this process holds its lock.

    Args:
        folder: made when missing, gone on with when it is there.

    Raises:
        FolderInUse: when another process works in it.
        FayingError: when the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.folder)
        except OSError as error:
            raise FayingError(
                f"The work folder {self.folder} cannot be used ({error.strerror or error}).",
                "Set FAYING_HOME to a folder that you may write to, or choose another output.",
            ) from error
        self.path: Path | None = None
        self._text, self._view, self._modified = "", "", False
        session = read_session(self.folder)
        if session.get("path"):
            self.path = Path(session["path"])
        self._in_file: str | None = session.get("in_file")  # fingerprint of the decisions in the file
        self._former: list[str] = list(session.get("former", ()))  # keys of what no present decision leads to
        self._stamp = _stamp(self.path)
        self.store = ArtifactStore(self.folder / "artifacts", self.path)

    @classmethod
    def new_session(cls, root: Path | None = None) -> "Workspace":
        """Return a fresh workspace for a window."""
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        return cls((root or sessions_folder()) / f"{stamp}-{secrets.token_hex(3)}")

    @property
    def artifacts_folder(self) -> Path:
        """The folder of the store, for another process."""
        return self.folder / "artifacts"

    def attach(self, path: Path | None) -> None:
        """Lay the store over another project file (opened or saved), or over none."""
        self.path = Path(path) if path is not None else None
        self._stamp = _stamp(self.path)
        self._in_file = decisions_in(self.path) if self.path is not None else None
        self.store = ArtifactStore(self.artifacts_folder, self.path)
        self._write_session()

    def autosave(self, project: Project, *, modified: bool, base: Path | None = None) -> None:
        """Write the project if it differs from what is written; quick enough for every change.

        Args:
            project: the current one.
            modified: whether it differs from the project file.
            base: folder from which its relative deck paths count.

        Raises:
            FayingError: when the disk does not take it.
        """
        text = study_text(project, None, base, complete=True)
        if text == self._text and modified == self._modified:
            return
        try:
            if text != self._text:
                write_text(self.folder / "project.toml", text, durable=False)
            self._text, self._modified = text, modified
            self._write_session()
        except OSError as error:
            raise FayingError(
                f"The session could not be kept safe in {self.folder} ({error.strerror or error}).",
                "Free some disk space and save the project.",
            ) from error

    def save_view(self, text: str) -> None:
        """Write the view state if it differs from what is written."""
        if text != self._view:
            write_text(self.folder / "view.json", text, durable=False)
            self._view = text

    def save(
        self,
        project: Project,
        view: str,
        path: Path,
        pipeline: Pipeline,
        *,
        base: Path | None = None,
        progress: Progress | None = None,
        overwrite: bool = False,
    ) -> None:
        """Save the project with all that was computed for it, and lay the store over the new file.

        Args:
            project: the decisions.
            view: view state, any text.
            path: the file.
            pipeline: knows what was computed for the project.
            base: folder from which relative deck paths count.
            progress: reports and cancels.
            overwrite: also when another program has changed the decisions in the file that this session belongs to.

        Raises:
            FayingError: as `faying.project.file.save_project`.
        """
        recipes = pipeline.reached(project, self.store, base or Path.cwd())
        own = path.absolute() == self.path and path.exists()
        replaces = self._in_file if own and not overwrite else None
        self._keep_former(recipes)
        save_project(
            path, project, view, self.store, recipes, base=base, progress=progress, replaces=replaces
        )  # fmt: skip
        self.attach(path.absolute())
        self.autosave(project, modified=False, base=base)

    def _keep_former(self, recipes: Iterable[Recipe]) -> None:
        """Keep what the file loses, as it belongs to former decisions: whoever undoes finds it again."""
        lost = set(self.store.keys_in_file()) - {recipe.key for recipe in recipes}
        try:
            self._former += self.store.keep_from_file(sorted(lost))
        except FayingError as error:  # not worth a save that fails
            log.warning("results of former decisions are not kept: %s", error)

    def unsaved_results(
        self, project: Project, pipeline: Pipeline, base: Path | None = None
    ) -> tuple[str, ...]:
        """Return the names of the project's runs whose results, or some of their frames, only this folder has."""
        names = []
        for recipe in pipeline.reached(project, self.store, base or Path.cwd()):
            if self.store.is_unsaved(recipe.key):
                names.append(recipe.item)
        return tuple(dict.fromkeys(names))

    def news(self) -> Literal["", "results", "decisions"]:
        """Return what another program has changed in the project file since it was opened, saved or asked here.

        "results": what is decided in it is as it was, but something may have been computed for it.
        """
        stamp = _stamp(self.path)
        if stamp in (None, self._stamp):
            return ""
        self._stamp = stamp
        assert self.path is not None  # it has a stamp
        return "results" if self._in_file in (None, decisions_in(self.path)) else "decisions"

    def open(self, path: Path) -> tuple[Project, str]:
        """Return project and view state of a project file, and lay the store over it.

        Raises:
            ReadError: as `faying.project.file.open_project`; the workspace stays as it was.
        """
        opened = open_project(path)
        self.attach(path.absolute())
        self.autosave(opened.project, modified=False)
        self.save_view(opened.view)
        return opened.project, opened.view

    def recovered(self) -> tuple[Project, str]:
        """Return the project and the view state that were last kept here.

        Raises:
            ReadError: when there is none, or it is damaged.
        """
        project, view = read_study(self.folder / "project.toml"), self.folder / "view.json"
        self._text = study_text(project, None, complete=True)
        self._modified = bool(read_session(self.folder).get("modified"))
        return project, view.read_text(encoding="utf-8") if view.exists() else ""

    def close(self, *, keep: bool = False) -> None:
        """End cleanly: the folder goes. With `keep` it stays as if the program had been killed."""
        if keep:
            self._lock.release()
            return
        # The mark first: if removing fails half-way, nobody offers the rest for recovery.
        write_text(self.folder / "ended", "", durable=False)
        self._lock.remove_folder()

    def _write_session(self) -> None:
        words = {
            "path": str(self.path) if self.path else "",
            "in_file": self._in_file,
            "modified": self._modified,
            "former": self._former,
        }
        write_text(self.folder / "session.json", json.dumps(words), durable=False)


def _stamp(path: Path | None) -> tuple[int, ...] | None:
    """Return what changes with every change of a file, None while there is no file."""
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def read_session(folder: Path) -> dict[str, Any]:
    """Return what ``session.json`` of a workspace says; empty when it is not there or unreadable."""
    try:
        words = json.loads((folder / "session.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return words if isinstance(words, dict) else {}
