"""Tasks: what is being computed, with progress and cancel, and what was."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from faying.durations import duration
from faying_app.context import Context
from faying_app.look.icons import pixmap
from faying_app.panels import Panel, panels

_STATES = {
    "waiting": ("state_missing", "muted", "waiting"),
    "running": ("state_running", "running", "running"),
    "paused": ("pause", "warning", "paused"),
    "stopping": ("state_running", "warning", "stopping"),
    "done": ("state_ready", "ok", "done"),
    "cancelled": ("cancel", "muted", "cancelled"),
    "failed": ("state_failed", "error", "failed"),
}


@panels.register("tasks")
class TasksPanel(Panel):
    """The running task on top; below it the log, the youngest first, with durations."""

    title = "Tasks"
    icon = "tasks"
    area = "bottom"
    order = 45

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._rows: dict[Any, _TaskRow] = {}
        self._list = QWidget()
        self._list.setObjectName("formPage")
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(8, 6, 8, 6)
        self._column.setSpacing(5)
        self._empty = QLabel("Nothing has been computed yet.", self._list)
        self._empty.setProperty("role", "muted")
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(self._list)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        self._clock = QTimer(self, interval=250)
        self._clock.timeout.connect(self._tick)
        runner = context.tasks
        runner.began.connect(self._show)
        runner.progressed.connect(self._show)
        runner.ended.connect(self._show)
        runner.paused.connect(self._show)
        for task in runner.log:
            self._show(task)

    def sizeHint(self) -> QSize:
        """Return a height that shows a task and some of the log."""
        return QSize(600, 190)

    def apply_theme(self) -> None:
        """Redraw the marks."""
        for row in self._rows.values():
            row.refresh()

    def _show(self, task: Any) -> None:
        self._empty.hide()
        if task not in self._rows:
            self._rows[task] = row = _TaskRow(task, self.context, self._list)
            self._column.insertWidget(0, row)
            self._forget(self.context.tasks.log)
        self._rows[task].refresh()
        self._clock.start() if self.context.tasks.is_busy else self._clock.stop()

    def _forget(self, kept: Iterable[Any]) -> None:
        known = set(kept)
        for task in [t for t in self._rows if t not in known]:
            self._rows.pop(task).deleteLater()

    def _tick(self) -> None:
        task = self.context.tasks.current
        if task is not None and task in self._rows:
            self._rows[task].refresh()
        elif task is None:
            self._clock.stop()


class _TaskRow(QFrame):
    def __init__(self, task: Any, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("taskRow")
        self._task = task
        self._mark, self._title, self._text = QLabel(self), QLabel(task.label, self), QLabel(self)
        self._title.setProperty("role", "title")
        self._text.setProperty("role", "muted")
        self._text.setWordWrap(True)
        self._time = QLabel(self)
        self._time.setProperty("role", "muted")
        self._bar = QProgressBar(self)
        self._bar.setRange(0, 1000)
        self._tasks = context.tasks
        self._pause = QPushButton("Continue", self)
        self._pause.setFixedWidth(self._pause.sizeHint().width())  # the text changes, the place does not
        self._pause.setToolTip("Let the computation wait at its next step, or continue (Ctrl+Shift+Space)")
        self._pause.clicked.connect(self._pause_or_go_on)
        self._cancel = QPushButton("Cancel", self)
        self._cancel.setToolTip("Stop the computation; what is finished stays (Ctrl+.)")
        self._cancel.clicked.connect(lambda _checked=False: context.window.cancel_task())
        top = QHBoxLayout()
        top.addWidget(self._mark)
        top.addWidget(self._title)
        top.addWidget(self._bar, 1)
        top.addStretch(0)
        top.addWidget(self._time)
        top.addWidget(self._pause)
        top.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(9, 5, 9, 5)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._text)
        self.refresh()

    def refresh(self) -> None:
        task = self._task
        icon, colour, word = _STATES[task.state]
        self._mark.setPixmap(pixmap(icon, 16, colour, self.devicePixelRatioF()))
        self._mark.setToolTip(word)
        active = task.state in ("running", "paused", "stopping")
        self._bar.setVisible(active)
        self._pause.setVisible(active)
        self._pause.setText("Continue" if task.state == "paused" else "Pause")
        self._pause.setEnabled(task.state != "stopping")
        self._cancel.setVisible(active or task.state == "waiting")
        self._cancel.setEnabled(task.state != "stopping")
        self._bar.setValue(round(1000 * task.fraction))
        self._bar.setFormat(f"{100 * task.fraction:.0f} %")
        left = task.remaining
        times = duration(task.seconds) if task.seconds else ""
        self._time.setText(f"{word}, {times}" + (f", about {duration(left)} left" if left else ""))
        self._text.setText(self._sentence())
        self._text.setVisible(bool(self._text.text()))

    def _pause_or_go_on(self) -> None:
        (self._tasks.go_on if self._task.state == "paused" else self._tasks.pause)()

    def _sentence(self) -> str:
        task = self._task
        if task.state == "failed" and task.error is not None:
            return str(task.error)
        if task.is_over:
            return ", ".join(f"{name} {duration(seconds)}" for name, seconds in task.steps if seconds >= 0.05)
        values = "   ".join(
            f"{name.replace('_', ' ')} {_number(value)}"
            for name, value in task.values.items()
            if name != "seconds_left"  # shown next to the bar
        )
        return f"{task.text}   {values}".strip()


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
