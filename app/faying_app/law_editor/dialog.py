"""The law editor: compared laws at the left with the form of the chosen one, their live curves at the right."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from faying.errors import Cancelled, FayingError
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.joints.law_curves import scalable_parameters
from faying.joints.law_plots import PlotUnits
from faying.plot import Plot
from faying.project import edits
from faying.project.paths import SpecPath
from faying_app.context import Context
from faying_app.entities import exists
from faying_app.law_editor.bench_view import BenchView
from faying_app.law_editor.candidate_form import CandidateForm
from faying_app.law_editor.candidates import Candidate, CandidateHost, JointPlace, project_around
from faying_app.law_editor.comparison import LawComparison
from faying_app.law_editor.law_list import LawList
from faying_app.law_editor.patience import Patience
from faying_app.look.theme import current_theme
from faying_app.output_file import writing
from faying_app.plotting.saving import ask_for_plot

_SIZE = (1180, 720)


class LawEditor(QDialog):
    """A window beside the main one; what it holds reaches the project only when a law is used in the joint.

    Args:
        context: of the main window.
        path: of the joint's law in the project; of a law that is not there when the project has no joint.
    """

    def __init__(self, context: Context, path: SpecPath, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context, self.path, self._slot = context, path, str(path[-1])
        joint = path[:-1] if exists(context.project, path) else ()
        self._place = JointPlace.of(context.project, joint)
        around, joint = project_around(context.project, joint)
        host = CandidateHost(context, around, (*joint, self._slot), self._edited)
        law, units = host.value(host.path), PlotUnits(around.units)
        self.comparison = LawComparison(self._slot, law, units, context.computed.base, host.acting)
        self.bench = self.comparison.bench
        self.laws = LawList(self.bench.family, law, self)
        self.parameters = CandidateForm(host, self)
        self.view = BenchView(self.bench, units, self)
        self.plot: Plot | None = None
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show_edited)
        self._lay_out()
        for signal in (self.laws.refused, self.view.refused):
            signal.connect(lambda sentence: self._say(sentence))
        self.laws.changed.connect(self.draw)
        self.laws.chosen.connect(self._choose)
        self.view.changed.connect(self.draw)
        self.view.match_wanted.connect(self.match)
        self.view.value_wanted.connect(self.take_value)
        context.changed.connect(self._follow)
        self.setWindowTitle(f"{self.bench.title}{f' – {self._place.joint}' if self._place.joint else ''}")
        self._choose()
        self.draw()

    @classmethod
    def open_at(cls, context: Context, path: SpecPath, parent: QWidget) -> None:
        """Show an editor of the law at a path; the one that is open already comes to the front."""
        for editor in parent.findChildren(cls):
            if editor.path == path:
                editor.raise_()
                editor.activateWindow()
                return
        cls(context, path, parent).show()

    # What is done ----------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the ticked laws; a law without an answer is left out, and the sentence says why."""
        self._say("")
        shown: list[tuple[str, Candidate]] = [
            (name, c)
            for name, c in zip(self.laws.names(), self.laws.candidates, strict=True)
            if c.shown and c.law is not None
        ]
        if shown and self.comparison.choose_for(shown[0][1].law, self.view.units):
            self.view.show_values()
        drawn = self._patiently(
            "Drawing curves", lambda progress: self.comparison.curves(shown, self.view.units, progress)
        )
        if drawn is not None:
            self.plot, problems = drawn
            self.view.show_plot(self.plot)
            self._say(problems)
        if not shown:
            self._say("Choose a law for the joint in the form at the left, or add one to the list.", "muted")

    def match(self, every: bool) -> None:
        """Match the selected law, or all that are ticked, to the aims; say which ones cannot reach them."""
        self._finish_typing()
        current, by = self.laws.current, str(self.view.parameter_box.currentData() or "")
        meant = [c for c in self.laws.candidates if c.shown] if every else [current]
        chosen = [(c, by if c is current else "") for c in meant if c.law is not None]
        self._say("")
        problems = self._patiently("Matching laws", lambda progress: self.comparison.match(chosen, progress))
        said = problems or self.message.text()
        self._show_edited()
        if said:
            self._say(said)

    def take_value(self) -> None:
        """Make the measured value of the selected law the aim."""
        law = self.laws.current.law
        if law is None:
            return
        value = self._patiently("Measuring the law", lambda progress: self.comparison.measure(law, progress))
        if value is not None and value > 0.0:
            self.bench.aims[-1].value = value
            self.view.show_values()
            self.draw()
        elif value is not None:
            self._say(f"{law.title} gives nothing there that others could be matched with.")

    def use(self) -> None:
        """Put the selected law into the joint, as one step, and close."""
        self._finish_typing()
        form = self.parameters.form
        if form is not None and any(row.is_wrong for row in form.all_rows()):
            self._say("A value in the form is not allowed; correct it first.")
            return
        path = self._place.path(self._context.project)
        label = f"Set {self._slot.replace('_', ' ')} of {self._place.joint!r}"
        if path and self._context.apply(label, edits.set_value((*path, self._slot), self.laws.current.law)):
            self.accept()

    def export(self) -> None:
        """Ask for a file and write the curves that are shown."""
        path = ask_for_plot(self._context, self.bench.title, self, lambda error: self._say(str(error)))
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the curves that are shown into a file."""
        if self.plot is None:
            return
        size = self.view.plot.size()
        settings = PictureSettings((size.width(), size.height()), current_theme().dark)
        with writing(self._context, path, lambda error: self._say(str(error))):
            plot_writer_for(path).write(self.plot, path, settings)

    # How it follows --------------------------------------------------------------------------------------

    def _patiently(self, label: str, work: Callable[[Patience], Any]) -> Any:
        """Return what the work answers; None when it fails, which is said, or is cancelled."""
        with Patience(label, self) as progress:
            try:
                return work(progress)
            except Cancelled:
                self._say(f"{label} was cancelled.")
            except FayingError as error:
                self._say(str(error))
        return None

    def _choose(self) -> None:
        """Show the selected law."""
        law = self.laws.current.law
        self.parameters.show_law(law, self.laws.list.currentRow())
        scalable = scalable_parameters(law) if law is not None else []
        self.view.offer_parameters([(n, str(type(law).model_fields[n].title)) for n in scalable])
        self._follow()

    def _edited(self, law: Any) -> None:
        self.laws.current.law = law
        self._soon.start()  # the form that edits may have to go: not while it is at work

    def _show_edited(self) -> None:
        self.laws.refresh()
        self._choose()
        self.draw()

    def _follow(self) -> None:
        """Follow the project: is the joint still there, and which law does it have by now?"""
        path = self._place.path(self._context.project)
        if path:
            self.laws.in_use = self._context.value((*path, self._slot))
            self.laws.refresh()
        self._use_button.setEnabled(bool(path))
        if not self._place.joint:
            why = "The project has no joint."
        elif not path:
            why = f"The joint {self._place.joint!r} is not in the project any more."
        else:
            why = "Put the chosen law into the joint, as one step that can be undone."
        self._use_button.setToolTip(why)
        if self._context.project.units != self.view.units.system and self._place.joint:
            self.reject()  # the numbers of its laws would mean something else

    def _finish_typing(self) -> None:
        """Take what is still being typed: buttons do not take the focus from a line on every system."""
        line = self.focusWidget()
        if isinstance(line, QLineEdit):
            line.editingFinished.emit()

    def _say(self, sentence: str, role: str = "error") -> None:
        if self.message.property("role") != role:
            self.message.setProperty("role", role)
            self.message.style().polish(self.message)
        self.message.setText(sentence)
        self.message.setVisible(bool(sentence))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the samples of the curves in the theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "laws"):
            self.laws.refresh()

    def _lay_out(self) -> None:
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.laws)
        left.addWidget(self.parameters)
        left.setSizes([220, 400])
        self.message = QLabel(self)
        self.message.setWordWrap(True)
        self.message.setProperty("role", "error")
        self.message.hide()
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(6, 0, 0, 0)
        column.addWidget(self.view, 1)
        column.addWidget(self.message)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([345, 835])
        fit = self._button(
            "Fit", "Show the curves whole again after zooming with the wheel.", self.view.plot.fit
        )
        export = self._button("Export…", "Write the curves as picture, drawing or table.", self.export)
        name = f"Use in {self._place.joint!r}" if self._place.joint else "Use in the joint"
        self._use_button = self._button(name, "", self.use)
        self._use_button.setProperty("primary", True)
        cancel = self._button("Cancel", "Close and leave the project as it is.", self.reject)
        buttons = QHBoxLayout()
        for widget in (fit, export):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        for widget in (self._use_button, cancel):
            buttons.addWidget(widget)
        whole = QVBoxLayout(self)
        whole.addWidget(split, 1)
        whole.addLayout(buttons)
        screen = self.screen().availableGeometry()
        self.resize(min(_SIZE[0], screen.width() - 40), min(_SIZE[1], screen.height() - 80))

    def _button(self, text: str, meaning: str, do: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)  # Enter ends the typing of a number, and nothing else
        button.setToolTip(meaning)
        button.clicked.connect(lambda _checked=False: do())
        return button
