"""A small curve below a load history: the factor as the parameters make it, redrawn with each edit."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying.errors import FayingError
from faying.load_histories import LoadHistory
from faying.plot import Axis, Plot, Series
from faying.project.paths import SpecPath
from faying.units import unit_text, with_units
from faying_app.forms.host import FormHost
from faying_app.plotting.view import PlotView

_POINTS = 401
_HEIGHT = 150


class LoadHistoryView(QWidget):
    """The curve over the time of the run; a sentence instead where the load history has no value."""

    def __init__(self, path: SpecPath, host: FormHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._host = path, host
        self._drawn: tuple[object, ...] | None = None
        self.plot = PlotView(self)
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setAccessibleName("Load history")
        self.problem = QLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "error")
        self.problem.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.problem.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 0, 4)
        self.setFixedHeight(
            _HEIGHT + 4
        )  # of the curve, and of the sentence in its place: what is below never moves
        column.addWidget(self.plot)
        column.addWidget(self.problem)
        self.refresh()

    def move_to(self, path: SpecPath) -> None:
        """Show the load history at another path, from the next refresh on."""
        self._path = path

    def refresh(self) -> None:
        """Draw the load history as it is now."""
        history, duration = self._host.value(self._path), self._host.duration(self._path)
        if not isinstance(history, LoadHistory) or (history, duration) == self._drawn:
            return
        self._drawn = (history, duration)
        try:
            plot = load_history_plot(history, duration, self._host.units)
        except FayingError as error:
            self.problem.setText(with_units(str(error), self._host.units))
            self.problem.show()
            self.plot.hide()
            return
        self.problem.hide()
        self.plot.show()
        self.plot.show_plot(plot)
        self.plot.fit()


def load_history_plot(history: LoadHistory, duration: float, units: str) -> Plot:
    """Return the factor of a load history from zero to a duration.

    Raises:
        SolveError: when a formula has no value there.
    """
    times = np.linspace(0.0, duration, _POINTS)
    factors = np.array([history.factor(float(time)) for time in times])
    return Plot(
        "", Axis("Time", unit_text("time", units)), Axis("Factor"), (Series("over the run", times, factors),)
    )
