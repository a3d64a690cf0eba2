"""The status bar: sentences that pass, the running task, sizes, the unit system."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QProgressBar, QToolButton, QWidget

from faying.multibody.assembly import Assembled
from faying.multibody.redundancy import Freedom
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import system_at
from faying_app.look.counts import counted
from faying_app.look.icons import icon
from faying_app.tasks.runner import Task, TaskRunner


def freedom_text(freedom: Freedom) -> str:
    """Return how a system can move, in a few words."""
    words = f"{freedom.degrees} degree{'' if freedom.degrees == 1 else 's'} of freedom"
    return f"{words}, {len(freedom.redundant)} equations too many" if freedom.redundant else words


class StatusBar:
    """Fills the window's status bar."""

    def __init__(self, window: QMainWindow, context: Context, runner: TaskRunner) -> None:
        self._context, self._bar = context, window.statusBar()
        self._bar.setSizeGripEnabled(False)
        self._progress = QWidget()
        row = QHBoxLayout(self._progress)
        row.setContentsMargins(0, 0, 0, 0)
        self._text, self._share = QLabel(), QProgressBar()
        self._share.setRange(0, 1000)
        self._share.setFixedWidth(150)
        self._stop = QToolButton()
        self._stop.setToolTip("Cancel (Ctrl+.)")
        self._stop.clicked.connect(lambda _checked=False: context.window.cancel_task())
        row.addWidget(self._text)
        row.addWidget(self._share)
        row.addWidget(self._stop)
        self._progress.hide()
        self.counts, self.units, self.modified, self.place = QLabel(), QLabel(), QLabel(), QLabel()
        self.place.setToolTip("Where the pointer is; of a body in its undeformed model.")
        self.counts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for widget in (self._progress, self.place, self.counts, self.modified, self.units):
            self._bar.addPermanentWidget(widget)
        runner.began.connect(self._show)
        runner.progressed.connect(self._show)
        runner.paused.connect(self._show)
        runner.ended.connect(lambda _task: self._progress.setVisible(runner.is_busy))
        context.said.connect(lambda sentence: self._bar.showMessage(sentence, 8000))
        context.pointed.connect(self._point)
        context.changed.connect(self.refresh)
        self.apply_theme()
        self.refresh()

    def apply_theme(self) -> None:
        """Draw the button in the theme's colours."""
        self._stop.setIcon(icon("cancel"))

    def refresh(self) -> None:
        """Show sizes and units as they are now."""
        context, words = self._context, []
        moving = system_at(context.project, context.entity)
        at = context.computed.assembled(moving) if moving is not None else None
        if isinstance(at, Assembled):
            words.append(freedom_text(at.freedom))
        body = context.selected_body() if moving is None else None
        model = context.computed.model(body.name) if body is not None else None
        if body is not None and model is not None:
            words += [counted(len(model.nodes), "node"), counted(len(model.element_ids), "element")]
            found = [context.computed.pairs(body.name, joint.name) for joint in body.contact_joints]
            if any(pairs is not None for pairs in found):
                words.append(counted(sum(len(pairs) for pairs in found if pairs is not None), "pair"))
            basis = context.computed.basis(body.name)
            if basis is not None:
                words.append(counted(basis.modes.shape[1], "mode"))
        self.counts.setText("   ".join(words))
        system = context.project.units
        self.units.setText(" ".join(unit_text(q, system) for q in ("length", "mass", "time", "force")))
        self.units.setToolTip(
            f"Unit system of the project: {system} (stress in {unit_text('stress', system)})"
        )
        self.modified.setText("modified" if context.session.is_modified else "")

    def _point(self, place: str) -> None:
        self.place.setText(place)
        self.place.setVisible(bool(place))

    def _show(self, task: Task) -> None:
        self._progress.show()
        words = "Paused" if task.state == "paused" else task.text or task.label
        self._text.setText(words if len(words) < 44 else words[:42] + "…")
        self._text.setToolTip(words)
        self._share.setValue(round(1000 * task.fraction))
        self._share.setFormat(f"{100 * task.fraction:.0f} %")
        self._stop.setEnabled(task.state in ("running", "paused"))
