"""The session: the document and the workspace that keeps it safe."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from faying.errors import FayingError
from faying.progress import Progress
from faying.project.document import Document
from faying.project.pipeline import Pipeline
from faying.project.recovery import Recoverable
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.project.workspace import Workspace


class WindowSession(QObject):
    """One document in one workspace; another project opened in the same window gets another workspace.

    `view` is the view state as text, and `plots` are the saved plots in it: what a user can lose of it.

    Every change is kept in the workspace half a second later, so that a crash loses next to nothing.
    `trouble(error)` tells when that is not possible.
    """

    trouble = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = Document()
        self.workspace = Workspace.new_session()
        self.view = ""
        self.plots: tuple[object, ...] = ()
        self._saved_plots: tuple[object, ...] = ()
        self._soon = QTimer(self, interval=500, singleShot=True)
        self._soon.timeout.connect(self.keep)
        self.document.listeners.append(lambda _before, _after: self._soon.start())

    @property
    def is_modified(self) -> bool:
        """Whether decisions, or plots that were made of the results, are in no file."""
        return self.document.is_modified or self.plots != self._saved_plots

    def take_plots(self, plots: tuple[object, ...], *, saved: bool) -> None:
        """Take over the saved plots of the view: other ones, or with `saved` those that the file has."""
        self.plots = plots
        if saved:
            self._saved_plots = plots
        else:
            self._soon.start()

    @property
    def store(self) -> ArtifactStore:
        """The store of the present workspace."""
        return self.workspace.store

    @property
    def base(self) -> Path | None:
        """Folder from which relative deck paths count."""
        return self.document.path.parent if self.document.path is not None else None

    def keep(self) -> None:
        """Write project and view state to the workspace now."""
        try:
            self.workspace.autosave(self.document.project, modified=self.is_modified, base=self.base)
            self.workspace.save_view(self.view)
        except (FayingError, OSError) as error:
            problem = error if isinstance(error, FayingError) else FayingError(str(error))
            self.trouble.emit(problem)

    def new(self, project: Project | None = None) -> None:
        """Begin another project, empty or given."""
        self._change_to(Workspace.new_session())
        self.view = ""
        self.document.open(project or Project(), None)

    def open(self, path: Path) -> None:
        """Open a project file.

        Raises:
            ReadError: when it is none; the present project stays.
        """
        fresh = Workspace.new_session()
        try:
            project, view = fresh.open(path)
        except FayingError:
            fresh.close()
            raise
        self._change_to(fresh)
        self.view = view
        self.document.open(project, path.absolute())

    def recover(self, lost: Recoverable) -> None:
        """Continue a session that ended unexpectedly.

        Raises:
            FayingError: when its folder cannot be used.
        """
        found = Workspace(lost.folder)
        project, view = found.recovered()
        self._change_to(found)
        self.view = view
        self.document.open(project, lost.path, saved=lost.path is not None and not lost.modified)

    def save(
        self, path: Path, pipeline: Pipeline, progress: Progress | None = None, *, overwrite: bool = False
    ) -> None:
        """Save the project with everything computed for it.

        Raises:
            ProjectChanged: when another program has changed the decisions in the file, unless `overwrite`.
            FayingError: when it cannot be written; what was there before stays.
        """
        self.workspace.save(
            self.document.project, self.view, path, pipeline,
            base=self.base, progress=progress, overwrite=overwrite,
        )  # fmt: skip
        self._saved_plots = self.plots
        self.document.mark_saved(path.absolute())

    def unsaved_results(self, pipeline: Pipeline) -> tuple[str, ...]:
        """Return the names of the analyses whose results, complete or partial, are in no project file."""
        return self.workspace.unsaved_results(self.document.project, pipeline, self.base)

    def close(self) -> None:
        """End cleanly: the workspace goes."""
        self._soon.stop()
        self.workspace.close()

    def leave(self, pipeline: Pipeline) -> bool:
        """End without a question: what is in no project file stays for the next start; return whether anything is."""
        self._soon.stop()
        unsaved = self.is_modified or bool(self.unsaved_results(pipeline))
        if unsaved:
            self.keep()
        self.workspace.close(keep=unsaved)
        return unsaved

    def _change_to(self, workspace: Workspace) -> None:
        self._soon.stop()
        former, self.workspace = self.workspace, workspace
        former.close()
