"""A small curve below a load history or a characteristic, redrawn with each edit; points of tables can be dragged."""

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying.errors import FayingError
from faying.load_histories import LoadHistory
from faying.params import Member
from faying.plot import Axis, Plot, Series
from faying.project import edits
from faying.project.paths import SpecPath
from faying.units import unit_text, with_units
from faying_app.forms.declaration import Declaration
from faying_app.forms.host import FormHost
from faying_app.plotting.view import PlotView

if TYPE_CHECKING:
    from faying.multibody.characteristics import Characteristic

_POINTS = 401
_HEIGHT = 150
_BESIDE = 0.15  # of the points' range, that is drawn beyond them
_DIGITS = 500  # steps of the seen range, to which a dragged value is rounded


class MemberCurve(QWidget):
    """The curve of what the parameters make; a sentence instead where it has no value.

    Args:
        declaration: of the parameter, with what it is over and what it gives.
        path: of the member.
        host: the project's side.
    """

    def __init__(
        self, declaration: Declaration, path: SpecPath, host: FormHost, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._declaration, self._path, self._host = declaration, path, host
        self._drawn: tuple[object, ...] | None = None
        self.plot = PlotView(self)
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setAccessibleName(declaration.title)
        self.plot.point_dropped.connect(self._dropped)
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
        """Show the member at another path, from the next refresh on."""
        self._path = path

    def refresh(self) -> None:
        """Draw the member as it is now."""
        member, duration = self._host.value(self._path), self._host.duration(self._path)
        if not is_drawn(member) or (member, duration) == self._drawn:
            return
        self._drawn = (member, duration)
        try:
            plot = member_plot(member, self._declaration, duration, self._host.units)
        except FayingError as error:
            self._tell(str(error))
            return
        self.problem.hide()
        self.plot.show()
        self.plot.setToolTip("Drag a point" if any(s.movable for s in plot.series) else "")
        self.plot.show_plot(plot)
        self.plot.fit()

    def _tell(self, sentence: str) -> None:
        self.problem.setText(with_units(sentence, self._host.units))
        self.problem.show()
        self.plot.hide()

    def _dropped(self, number: int, at: int, x: float, y: float) -> None:
        """Put a dragged point where it was dropped, between its neighbours."""
        member, plot = self._host.value(self._path), self.plot.plot
        self._drawn = None  # drawn again, also where nothing changes
        if plot is None or not is_drawn(member):
            return
        name, given = list(member.given_points().items())[number - sum(not s.movable for s in plot.series)]
        places = [
            rounded(value, low, high) for value, (low, high) in zip((x, y), self.plot.seen, strict=True)
        ]
        points = list(given)
        before = points[at - 1][0] if at else -math.inf
        after = points[at + 1][0] if at + 1 < len(points) else math.inf
        points[at] = (places[0] if before < places[0] < after else points[at][0], places[1])
        try:
            self._host.apply(f"Drag a point of {self._declaration.title.lower()}",
                             edits.set_value((*self._path, name), tuple(points)))  # fmt: skip
        except FayingError as error:
            self._tell(str(error))
            return
        self.refresh()


def is_drawn(member: object) -> bool:
    """Return whether a member of a family has a curve to show: not one without parameters."""
    return isinstance(member, Member) and hasattr(member, "given_points") and bool(type(member).model_fields)


def rounded(value: float, low: float, high: float) -> float:
    """Return a value with as many decimals as the seen range from low to high can tell apart."""
    step = (high - low) / _DIGITS
    return round(value, -math.floor(math.log10(step))) if step > 0.0 else value


def member_plot(
    member: "LoadHistory | Characteristic", declaration: Declaration, duration: float, units: str
) -> Plot:
    """Return a load history from zero to a duration, or a characteristic beyond its points.

    Raises:
        FayingError: when it has no value there, or its file cannot be read.
    """
    given = member.given_points()
    if isinstance(member, LoadHistory):
        low, high = 0.0, duration
        axes = Axis("Time", unit_text("time", units)), Axis("Factor")
    else:
        low, high = member.span()
        low, high = low - _BESIDE * (high - low), high + _BESIDE * (high - low)
        axes = (_axis(declaration.over, "x", units), _axis(declaration.gives, "f", units))
    x = np.linspace(low, high, _POINTS)
    series = [Series(name, x, values, k) for k, (name, values) in enumerate(member.lines(x).items())]
    for k, points in enumerate(given.values()):
        own = np.array(points, float)
        series.append(Series("", own[:, 0], own[:, 1], k, scatter=True, movable=True))
    return Plot("", *axes, tuple(series))


def _axis(quantity: str, name: str, units: str) -> Axis:
    title = quantity.replace("_", " ").capitalize() or name
    return Axis(title, unit_text(quantity, units) if quantity else "")
