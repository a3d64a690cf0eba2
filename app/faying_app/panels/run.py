"""Run: how a computation goes while it goes, and how it went: step size, energy, joints, penetration."""

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from faying.analyses.recording.run_plots import run_plots
from faying.plot import Plot
from faying.results.results import Results
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.panels import Panel, panels
from faying_app.plotting.view import PlotView

_WIDTH = 270  # pixels, at which a plot is read
_NOTHING = "Run an analysis to see its step size, energy and contact while it runs."
_INTERVAL = 500  # ms between looks at a running analysis
_LATER = 15  # ms in which the window looks at mouse and keyboard


@panels.register("run")
class RunPanel(Panel):
    """Plots side by side, drawn on while the run computes; the cursor is at the shown frame."""

    title = "Run"
    icon = "run"
    area = "bottom"
    order = 40
    page = "reference-analysis"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.views: list[PlotView] = []
        self._titles: tuple[str, ...] = ()
        self._drawn: tuple[object, ...] | None = None
        self._page = QWidget(self)
        self._page.setObjectName("formPage")
        self._row = QHBoxLayout(self._page)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._page)
        self._empty = QLabel(_NOTHING, self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(area)
        self._pages.addWidget(self._empty)
        self._pages.setCurrentIndex(1)
        self._to_draw: list[tuple[PlotView, Plot]] = []
        self._next = QTimer(self, interval=_LATER, singleShot=True)
        self._next.timeout.connect(self._draw_next)
        self._clock = QTimer(self, interval=_INTERVAL)
        self._clock.timeout.connect(self.refresh)
        self._last = QTimer(self, interval=_LATER, singleShot=True)
        self._last.timeout.connect(self.refresh)
        context.tasks.began.connect(lambda _task: self._clock.start())
        context.tasks.ended.connect(self._ended)
        context.changed.connect(self.refresh)
        context.computed.releasing.connect(self._forget)
        context.view.changed.connect(lambda name: self._place_cursor() if name == "frame" else None)
        if context.tasks.is_busy:
            self._clock.start()

    def sizeHint(self) -> QSize:
        """Return a height at which a curve is read."""
        return QSize(600, 190)

    def refresh(self) -> None:
        """Show the running analysis, else the selected one; its former run stays while it has no frames."""
        name = self._running() or self._selected()
        if not name or not self.isVisible():
            return
        results = self.context.computed.results(name)
        if results is None:
            self._wait(name)
            return
        shown = (name, id(results), results.n_frames, self.context.project.units)
        if shown == self._drawn:
            return
        self._drawn = shown
        self._draw(name, results)

    def showEvent(self, event: object) -> None:
        """Draw what was missed while hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    def begin_project(self) -> None:
        """Draw nothing of the former project's runs."""
        self._drawn, self._titles = None, ()
        self._lay_out(())
        self._empty.setText(_NOTHING)
        self._pages.setCurrentIndex(1)

    def _wait(self, name: str) -> None:
        """Say what is computed before the first frame; a former run of the same analysis stays, and no other one."""
        task = self.context.tasks.current
        if self._titles[:1] != (name,):
            self._drawn, self._titles = None, ()
            self._lay_out(())
            self._pages.setCurrentIndex(1)
        if not self.views:
            words = (
                f"Waiting for the first frame: {task.text or task.label}" if task is not None else _NOTHING
            )
            self._empty.setText(words)

    def _draw(self, name: str, results: Results) -> None:
        plots = run_plots(results, self.context.project.units)
        titles = (name, *(plot.title for plot in plots))
        if titles != self._titles:
            self._titles = titles
            self._lay_out(plots)
        self._to_draw = list(zip(self.views, plots, strict=True))
        if self._to_draw:
            self._next.start()
        self._empty.setText(
            f"“{name}” has no step sizes, energies or contact to draw. Look at its curves and tables."
        )
        self._pages.setCurrentIndex(0 if plots else 1)

    def _draw_next(self) -> None:
        """Draw one plot; the next one after the window has looked at mouse and keyboard."""
        view, plot = self._to_draw.pop(0)
        view.show_plot(plot)
        if self._to_draw:
            self._next.start()
        else:
            self._place_cursor()

    def _lay_out(self, plots: tuple[Plot, ...]) -> None:
        self._next.stop()
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.views = []
        for plot in plots:
            cell = QWidget(self._page)
            column = QVBoxLayout(cell)
            column.setContentsMargins(0, 0, 0, 0)
            view = PlotView(cell)
            view.setMinimumWidth(_WIDTH)
            view.setAccessibleName(plot.title)
            column.addWidget(view)
            self._row.addWidget(cell, 1)
            self.views.append(view)

    def _place_cursor(self) -> None:
        results = self.context.computed.results(self._titles[0]) if self._titles else None
        frame = self.context.view.values.frame
        if results is not None and self._titles[0] == self._selected() and 0 <= frame < results.n_frames:
            for view in self.views:
                view.place_cursor(float(results.values[frame]))

    def _running(self) -> str:
        """Return the analysis that is being computed; "" for none."""
        task = self.context.tasks.current
        target = task.targets[min(task.at, len(task.targets) - 1)] if task is not None else None
        return target.item if target is not None and target.stage in ("analysis", "motion", "sweep") else ""

    def _selected(self) -> str:
        analysis = analysis_at(self.context.project, self.context.entity)
        return analysis.name if analysis is not None else ""

    def _ended(self, _task: object) -> None:
        if not self.context.tasks.is_busy:
            self._clock.stop()
        self._last.start()  # the window has other things to do when a run ends

    def _forget(self) -> None:
        self._drawn = None
