"""A progress line for questions about results or models, with a button that stops them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from faying_app.context import QuestionPort
from faying_app.look.icons import icon
from faying_app.look.tips import tip


class WaitingLine(QWidget):
    """Visible only while a question of its kinds is being answered; `shown_changed` tells when that changes.

    Args:
        questions: of the window.
        kinds: classes of the questions that it tells of.
        title: said until the question itself says more.
        parent: widget.
        short: whether only the bar is shown, which says the rest as its tooltip.
    """

    shown_changed = Signal()

    def __init__(
        self,
        questions: QuestionPort,
        kinds: tuple[type, ...],
        title: str,
        parent: QWidget | None = None,
        short: bool = False,
    ) -> None:
        super().__init__(parent)
        self._questions, self._kinds, self._title = questions, kinds, title
        self._text, self._share, self.stop = QLabel(self), QProgressBar(self), QToolButton(self)
        self._share.setRange(0, 1000)
        self._share.setTextVisible(False)
        self._share.setMaximumHeight(8)
        self._share.setMinimumWidth(40)
        self.stop.setToolTip("Stop")
        self.stop.setAccessibleName(f"Stop: {title}")
        self.stop.setAutoRaise(True)
        self.stop.clicked.connect(questions.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._text)
        self._text.setVisible(not short)
        row.addWidget(self._share, 1)
        row.addWidget(self.stop)
        questions.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        busy = isinstance(self._questions.current, self._kinds)
        changes = busy == self.isHidden()
        self.setVisible(busy)
        if busy:
            text = self._questions.text or self._title
            self._text.setText(text)
            self.setToolTip(tip(text))
            self._share.setValue(round(1000 * self._questions.fraction))
            self.stop.setIcon(icon("cancel"))
        if changes:
            self.shown_changed.emit()
