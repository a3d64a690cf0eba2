"""From the document to Qt: each change of the project becomes a signal."""

from PySide6.QtCore import QObject, Signal

from faying.project.document import Document
from faying.project.specs import Project


class DocumentBridge(QObject):
    """Tells widgets that the document changed: `changed(before, after)`."""

    changed = Signal(object, object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        document.listeners.append(self._tell)

    def _tell(self, before: Project, after: Project) -> None:
        self.changed.emit(before, after)

    def close(self) -> None:
        """Stop listening."""
        if self._tell in self._document.listeners:
            self._document.listeners.remove(self._tell)
