"""The offer, at the start, to go on with sessions that ended without saying so."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from faying.project.recovery import Recoverable, discard
from faying_app.look.counts import counted


class RecoveryDialog(QDialog):
    """Lists the sessions with name and time. `chosen(session)` asks to recover one; closing means later."""

    chosen = Signal(object)

    def __init__(self, sessions: list[Recoverable], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recover work")
        self.setModal(False)
        self.resize(580, 320)
        self._sessions = list(sessions)
        words = QLabel(
            "Faying ended unexpectedly the last time. These sessions hold work that was not saved. "
            "What you leave is offered again at the next start.",
            self,
        )
        words.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Sessions that can be recovered")
        self.recover, self.discard = QPushButton("Recover", self), QPushButton("Discard", self)
        self.later = QPushButton("Later", self)
        self.recover.setDefault(True)
        self.recover.clicked.connect(self._recover)
        self.discard.clicked.connect(self._discard)
        self.later.clicked.connect(self.reject)
        self.list.itemDoubleClicked.connect(lambda _item: self._recover())
        row = QHBoxLayout()
        row.addWidget(self.discard)
        row.addStretch(1)
        row.addWidget(self.later)
        row.addWidget(self.recover)
        column = QVBoxLayout(self)
        column.addWidget(words)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        for session in self._sessions:
            item = QListWidgetItem(describe(session))
            item.setToolTip(str(session.path or session.folder))
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _recover(self) -> None:
        if 0 <= self.list.currentRow() < len(self._sessions):
            session = self._sessions[self.list.currentRow()]
            self.accept()
            self.chosen.emit(session)

    def _discard(self) -> None:
        if 0 <= self.list.currentRow() < len(self._sessions):
            discard(self._sessions.pop(self.list.currentRow()))
            self._fill()
        if not self._sessions:
            self.accept()


def describe(session: Recoverable) -> str:
    """Return a session in words: name, file, time, what interrupted runs left."""
    where = session.path.name if session.path is not None else "never saved"
    when = session.changed.strftime("%d %B %Y, %H:%M")
    text = f"{session.project.name}  ({where})\nlast change {when}"
    for partial in session.partial_results:
        text += f"\ninterrupted run “{partial.analysis}”: {counted(partial.frames, 'frame')}"
    return text
