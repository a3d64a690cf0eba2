"""Run ▸ Where studies are computed."""

import threading
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from faying.errors import FayingError
from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("choose_cluster")
class ChooseCluster(Action):
    """Choose whether points of studies and sweeps are computed on this machine or on a cluster."""

    title = "Where studies are computed…"
    menu = "Run"
    order = 400
    meaning = "Compute the points of studies and sweeps in processes of this machine, or on a cluster."

    def trigger(self, context: Context) -> None:
        """Ask, and remember the answer on this machine."""
        dialog = ClusterDialog(context.settings.cluster, context.window.widget)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        context.settings.cluster = dialog.cluster
        where = f"on the cluster {dialog.cluster}" if dialog.cluster else "on this machine"
        context.say(f"Studies are computed {where} from the next run on.")


class ClusterDialog(QDialog):
    """This machine or a cluster, and whether that answers.

    Args:
        cluster: address or scheduler file at present; "" for this machine.
        parent: of the dialog.
    """

    def __init__(self, cluster: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Where studies are computed")
        self.here = QRadioButton("In processes of this machine", self)
        self.there = QRadioButton("On a cluster", self)
        self.place = QLineEdit(cluster, self)
        self.place.setPlaceholderText("tcp://node7:8786, or a scheduler file")
        self.place.setAccessibleName("Address of the scheduler, or its file")
        self.place.setToolTip("What “dask scheduler” prints, or the file that it wrote with --scheduler-file")
        browse = QPushButton("File…", self)
        browse.setToolTip("Choose a scheduler file")
        browse.clicked.connect(self._browse)
        self.test = QPushButton("Test", self)
        self.test.setToolTip(
            "Look whether the scheduler answers, which workers it has, and whether they have this Faying"
        )
        self.test.clicked.connect(self._try)
        self.told = QLabel(self)
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(3 * self.told.fontMetrics().lineSpacing())
        note = QLabel(
            "Convergence and reduction studies and parameter sweeps distribute their points. Each study decides how "
            "many processes of this machine it uses.", self,
        )  # fmt: skip
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel, self)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        row, column = QHBoxLayout(), QVBoxLayout(self)
        row.addWidget(self.place, 1)
        row.addWidget(browse)
        row.addWidget(self.test)
        column.addWidget(self.here)
        column.addWidget(self.there)
        column.addLayout(row)
        column.addWidget(self.told)
        column.addWidget(note)
        column.addWidget(self._buttons)
        self.resize(560, self.sizeHint().height())
        self._trial: _Trial | None = None
        (self.there if cluster else self.here).setChecked(True)
        self.there.toggled.connect(self._enable)
        self.place.textChanged.connect(self._enable)
        self._enable()

    @property
    def cluster(self) -> str:
        """What was chosen: address or scheduler file, "" for this machine."""
        return self.place.text().strip() if self.there.isChecked() else ""

    def _enable(self) -> None:
        there = self.there.isChecked()
        self.place.setEnabled(there)
        self.test.setEnabled(there and bool(self.cluster))
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not there or bool(self.cluster))

    def _browse(self) -> None:
        self.there.setChecked(True)
        chosen, _ = QFileDialog.getOpenFileName(
            self, "Scheduler file", str(Path.home()), "Scheduler files (*.json)"
        )
        if chosen:
            self.place.setText(chosen)

    def _try(self) -> None:
        self.test.setEnabled(False)
        self.told.setText("Asking the scheduler …")
        self._trial = _Trial(self.cluster)
        self._trial.ended.connect(self._show_outcome)
        self._trial.start()

    def _show_outcome(self, sentence: str, works: bool) -> None:
        self.told.setProperty("role", "" if works else "error")
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)
        self.told.setText(sentence)
        self._enable()


class _Trial(QObject):
    """Asks a cluster in a thread of its own; the window goes on meanwhile, and may be closed."""

    ended = Signal(str, bool)

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._ask, daemon=True).start()

    def _ask(self) -> None:
        from faying.parallel.cluster import described  # heavy, and of use here alone

        try:
            sentence, works = described(self._place), True
        except FayingError as error:
            sentence, works = str(error), False
        except Exception:  # told as what it is: a mistake of the program; the dialog can be used again
            self.ended.emit("The scheduler could not be asked. Choose another place, or this machine.", False)
            raise
        self.ended.emit(sentence, works)
