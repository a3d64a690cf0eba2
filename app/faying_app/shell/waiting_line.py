"""A line that says what is being found in the results, how far that is, and lets it be stopped."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from faying_app.look.icons import icon
from faying_app.tasks.questions import Questions


class WaitingLine(QWidget):
    """Hidden while nothing is asked."""

    def __init__(self, questions: Questions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions = questions
        self._text, self._share, self.stop = QLabel(self), QProgressBar(self), QToolButton(self)
        self._share.setRange(0, 1000)
        self._share.setTextVisible(False)
        self._share.setMaximumHeight(8)
        self.stop.setToolTip("Stop")
        self.stop.setAccessibleName("Stop evaluating the run")
        self.stop.setAutoRaise(True)
        self.stop.clicked.connect(questions.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._text)
        row.addWidget(self._share, 1)
        row.addWidget(self.stop)
        questions.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.setVisible(self._questions.is_busy)
        self._text.setText(self._questions.text or "Looking through the run")
        self._share.setValue(round(1000 * self._questions.fraction))
        self.stop.setIcon(icon("cancel"))
