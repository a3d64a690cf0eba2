"""A small curve below a course over time: the factor as the parameters make it, drawn anew with each edit."""

import numpy as np
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying.courses import Course
from faying.errors import FayingError
from faying.plot import Axis, Plot, Series
from faying.project.paths import SpecPath
from faying.units import unit_text
from faying_app.forms.host import FormHost
from faying_app.plotting.view import PlotView

_POINTS = 401
_HEIGHT = 150


class CourseView(QWidget):
    """The curve over the time of the run; a sentence instead where the course has no value."""

    def __init__(self, path: SpecPath, host: FormHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._host = path, host
        self._drawn: tuple[object, ...] | None = None
        self.plot = PlotView(self)
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setAccessibleName("Course over time")
        self.problem = QLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "error")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 0, 4)
        column.addWidget(self.plot)
        column.addWidget(self.problem)
        self.refresh()

    def refresh(self) -> None:
        """Draw the course as it is now."""
        course, duration = self._host.value(self._path), self._host.duration(self._path)
        if not isinstance(course, Course) or (course, duration) == self._drawn:
            return
        self._drawn = (course, duration)
        try:
            plot = course_plot(course, duration, self._host.units)
        except FayingError as error:
            self.problem.setText(str(error))
            self.problem.show()
            self.plot.hide()
            return
        self.problem.hide()
        self.plot.show()
        self.plot.show_plot(plot)
        self.plot.fit()


def course_plot(course: Course, duration: float, units: str) -> Plot:
    """Return the factor of a course from zero to a duration.

    Raises:
        SolveError: when a formula has no value there.
    """
    times = np.linspace(0.0, duration, _POINTS)
    factors = np.array([course.factor(float(time)) for time in times])
    return Plot(
        "", Axis("Time", unit_text("time", units)), Axis("Factor"), (Series("over the run", times, factors),)
    )
