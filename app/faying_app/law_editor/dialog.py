"""The law editor: compared laws at the left with the form of the chosen one, their live curves at the right."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from faying.errors import Cancelled, FayingError, ModelError
from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
from faying.joints.law_curves import matched, scalable_parameters
from faying.joints.law_plots import PlotUnits
from faying.params import Member
from faying.plot import Plot
from faying.project import edits
from faying.project.file_names import with_absolute_files
from faying.project.paths import SpecPath
from faying.project.specs import Project
from faying_app.context import Context
from faying_app.entities import exists
from faying_app.forms.form import SpecForm, shape
from faying_app.law_editor.bench_view import BenchView
from faying_app.law_editor.benches import Bench, benches
from faying_app.law_editor.candidates import Candidate, CandidateHost, project_around
from faying_app.law_editor.law_list import LawList
from faying_app.law_editor.patience import Patience
from faying_app.look.theme import current_theme

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
        self._place = _named_place(context.project, joint)
        around, joint = project_around(context.project, joint)
        self._host = CandidateHost(context, around, (*joint, self._slot), self._edited)
        law = self._host.value(self._host.path)
        units = PlotUnits(around.units)
        self.bench = self._bench(law, units)
        self.laws = LawList(self.bench.family, law, self)
        self.view = BenchView(self.bench, units, self)
        self.form: SpecForm | None = None
        self._shape: Any = None
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show_edited)
        self.plot: Plot | None = None
        self._lay_out()
        for signal in (self.laws.refused, self.view.refused):
            signal.connect(lambda sentence: self._say(sentence))
        self.laws.changed.connect(self.draw)
        self.laws.chosen.connect(self._choose)
        self.view.changed.connect(self.draw)
        self.view.match_wanted.connect(self.match)
        self.view.value_wanted.connect(self.take_value)
        context.changed.connect(self._follow)
        self.setWindowTitle(f"{self.bench.title}{f' – {self._place[1]}' if self._place else ''}")
        self._choose()
        self.draw()

    # What is done ----------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the ticked laws; a law without an answer is left out, and the sentence says why."""
        self._say("")
        shown: list[tuple[str, Candidate]] = [
            (name, c)
            for name, c in zip(self.laws.names(), self.laws.candidates, strict=True)
            if c.shown and c.law is not None
        ]
        drawn = self._patiently("Drawing curves", lambda progress: self._curves(shown, progress))
        if drawn is not None:
            self.plot = drawn
            self.view.show_plot(drawn)
        if not shown:
            self._say("Choose a law for the joint in the form at the left, or add one to the list.", "muted")

    def match(self, every: bool) -> None:
        """Match the law under hand, or all that are ticked, at the aims; say which ones do not get there."""
        current = self.laws.current
        chosen = [c for c in self.laws.candidates if c.shown] if every else [current]
        chosen = [c for c in chosen if c.law is not None]
        target = self.bench.aims[-1].value
        by = str(self.view.parameter_box.currentData() or "")

        problems: list[str] = []
        self._say("")

        def work(progress: Patience) -> None:
            for candidate in chosen:
                name = by if candidate is current else ""
                try:
                    candidate.law = matched(
                        candidate.law, lambda law: self._measure(law, progress), target, name
                    )
                except ModelError as error:
                    problems.append(str(error))

        self._patiently("Matching laws", work)
        said = " ".join(problems) or self.message.text()
        self._show_edited()
        if said:
            self._say(said)

    def take_value(self) -> None:
        """Make the number of the law under hand the aim."""
        law = self.laws.current.law
        if law is None:
            return
        value = self._patiently("Measuring the law", lambda progress: self._measure(law, progress))
        if value is not None and value > 0.0:
            self.bench.aims[-1].value = value
            self.view.show_values()
            self.draw()
        elif value is not None:
            self._say(f"{law.title} gives nothing there that others could be matched with.")

    def use(self) -> None:
        """Put the law under hand into the joint, as one step, and close."""
        path = self._joint_path()
        law = self.laws.current.law
        what = self._slot.replace("_", " ")
        if path and self._context.apply(f"Set {what} of {self._place[1]!r}", edits.set_value(path, law)):
            self.accept()

    def export(self) -> None:
        """Ask for a file and write the curves that are shown."""
        kinds = ";;".join(f"{writer.title} (*.{kind})" for kind, writer in reversed(plot_writers.items()))
        proposed = self._context.folder() / f"{self.bench.title.lower().replace(' ', '_')}.svg"
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Export curves", str(proposed), kinds, "Drawing (SVG) (*.svg)"
        )
        if chosen:
            self.write(Path(chosen))

    def write(self, path: Path) -> None:
        """Write the curves that are shown into a file."""
        if self.plot is None:
            return
        size = self.view.plot.size()
        settings = PictureSettings((size.width(), size.height()), current_theme().dark)
        try:
            plot_writer_for(path).write(self.plot, path, settings)
        except FayingError as error:
            self._say(str(error))
        else:
            self._context.say(f"Wrote {path.name}.")

    # How it follows --------------------------------------------------------------------------------------

    def _curves(self, shown: list[tuple[str, Candidate]], progress: Patience) -> Plot:
        good, problems = [], []
        for name, candidate in shown:
            try:
                law = self._readable(candidate.law)
                self.bench.plot([(name, law)], self.view.units, progress)
            except Cancelled:
                raise
            except FayingError as error:
                problems.append(str(error))
            else:
                good.append((name, law, candidate.style))
        plot = self.bench.plot([(name, law) for name, law, _ in good], self.view.units, progress)
        self._say(" ".join(problems))
        styled = zip(plot.series, good, strict=True)
        return replace(plot, series=tuple(replace(s, style=style) for s, (_, _, style) in styled))

    def _bench(self, law: Any, units: PlotUnits) -> Bench:
        """Return the bench, with conditions that suit the law if it can be evaluated."""
        chosen = benches[self._slot]
        try:
            return chosen(self._readable(law), units)
        except FayingError:
            return chosen(None, units)  # what is wrong is said when it is drawn

    def _measure(self, law: Any, progress: Patience) -> float:
        return self.bench.measure(self._readable(law), progress)

    def _readable(self, law: Any) -> Any:
        """Return the law with the files that it names found from the project's folder."""
        return with_absolute_files(law, self._context.computed.base)

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
        """Show the form of the law under hand; keep the form while its shape stays the same."""
        law = self.laws.current.law
        self._host.put(law)
        joint = self._host.value(self._host.path[:-1])
        new = (self.laws.list.currentRow(), shape(law, self._host, self._host.path))
        if new != self._shape or self.form is None:
            self._shape = new
            others = frozenset(type(joint).model_fields) - {self._slot}
            self.form = SpecForm(joint, self._host.path[:-1], self._host, others)
            self.form.setObjectName("form")
            page = QWidget()
            page.setObjectName("formPage")
            column = QVBoxLayout(page)
            column.setContentsMargins(8, 6, 8, 6)
            column.addWidget(self.form)
            column.addStretch(1)
            self._area.setWidget(page)
        else:
            self.form.refresh()
        scalable = scalable_parameters(law) if isinstance(law, Member) else []
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
        """Follow the project: is the joint still there, and does it have another law by now?"""
        path = self._joint_path()
        if path:
            self.laws.in_use = self._context.value(path)
            self.laws.refresh()
        self._use_button.setEnabled(bool(path) and self.laws.current.law != self.laws.in_use)
        if not self._place:
            why = "The project has no joint."
        elif not path:
            why = f"The joint {self._place[1]!r} is not in the project any more."
        else:
            why = "Put the chosen law into the joint, as one step that can be undone."
        self._use_button.setToolTip(why)
        if self._context.project.units != self.view.units.system and self._place:
            self.reject()  # the numbers of its laws would mean something else

    def _joint_path(self) -> SpecPath:
        """Return the path of the joint's law now, () when the joint is gone."""
        for i, body in enumerate(self._context.project.bodies):
            for k, joint in enumerate(body.joints):
                if self._place == (body.name, joint.name):
                    return ("bodies", i, "joints", k, self._slot)
        return ()

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
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.laws)
        left.addWidget(self._area)
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
        name = f"Use in {self._place[1]!r}" if self._place else "Use in the joint"
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


def _named_place(project: Project, joint: SpecPath) -> tuple[str, ...]:
    """Return (body, joint) by name, () for no joint: numbers change when something before them goes."""
    if not joint:
        return ()
    body = project.bodies[int(joint[1])]
    return body.name, body.joints[int(joint[3])].name
