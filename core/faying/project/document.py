"""The document: the one mutable object. Current project, history, undo, redo, and listeners."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from faying.project.journal import write_script
from faying.project.recorded import Edit, RecordedEdit
from faying.project.specs import Project

Listener = Callable[[Project, Project], None]


@dataclass(frozen=True)
class HistoryEntry:
    """One step: its label, the project after it, and the edit if it can be written as code."""

    label: str
    project: Project
    edit: RecordedEdit | None = None


class Document:
    """Holds the current project. Every change is an edit `Project -> Project` under a label.

    An edit without effect leaves no history entry. `path` is the project file, None until saved.
    """

    def __init__(self, project: Project | None = None, path: Path | None = None) -> None:
        self._entries = [HistoryEntry("", project or Project())]
        self._at = 0
        self._saved: Project | None = self.project
        self.path = path
        self.listeners: list[Listener] = []

    @property
    def project(self) -> Project:
        """The current project."""
        return self._entries[self._at].project

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        """All steps, the first being the opened or new project; includes those that redo would bring."""
        return tuple(self._entries)

    @property
    def position(self) -> int:
        """Index of the current step in `history`."""
        return self._at

    def apply(self, label: str, edit: Edit) -> bool:
        """Apply an edit; return whether it changed anything.

        Raises:
            ModelError: from the edit; the document stays as it was.
        """
        before = self.project
        after = edit(before)
        if after == before:
            return False
        del self._entries[self._at + 1 :]
        self._entries.append(HistoryEntry(label, after, edit if isinstance(edit, RecordedEdit) else None))
        self._at += 1
        self._tell(before)
        return True

    def undo(self) -> str | None:
        """Go one step back; return the label of the undone step, None at the beginning."""
        if self._at == 0:
            return None
        label = self._entries[self._at].label
        self._move(self._at - 1)
        return label

    def redo(self) -> str | None:
        """Go one step forward; return its label, None at the end."""
        if self._at + 1 == len(self._entries):
            return None
        self._move(self._at + 1)
        return self._entries[self._at].label

    def script(self) -> str:
        """Return a Python script that rebuilds the current project step by step (undone steps left out)."""
        return write_script(self._entries[: self._at + 1])

    def jump(self, position: int) -> None:
        """Go to a step of the history."""
        self._move(min(max(position, 0), len(self._entries) - 1))

    @property
    def undo_label(self) -> str | None:
        """Label of the step that undo would revert."""
        return self._entries[self._at].label if self._at else None

    @property
    def redo_label(self) -> str | None:
        """Label of the step that redo would restore."""
        return self._entries[self._at + 1].label if self._at + 1 < len(self._entries) else None

    @property
    def is_modified(self) -> bool:
        """Whether the project has unsaved changes."""
        return self.project != self._saved

    def mark_saved(self, path: Path) -> None:
        """Record that the current project is saved in `path`."""
        self.path, self._saved = path, self.project
        self._tell(self.project)

    def open(self, project: Project, path: Path | None, *, saved: bool = True) -> None:
        """Replace project and history; without `saved` the project counts as modified (a recovery)."""
        before = self.project
        self._entries, self._at = [HistoryEntry("", project)], 0
        self._saved, self.path = project if saved else None, path
        self._tell(before)

    def _move(self, at: int) -> None:
        before, self._at = self.project, at
        self._tell(before)

    def _tell(self, before: Project) -> None:
        for listener in list(self.listeners):
            listener(before, self.project)
