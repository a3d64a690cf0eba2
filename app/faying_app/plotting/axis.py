"""The widget and the axis of plots. The only module that imports pyqtgraph at once: with the first plot."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

_FEW_POWERS = 2.5  # of ten


class SparseAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis that writes few numbers when it is logarithmic: there is no room for all from 1 to 9."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.named: tuple[tuple[float, str], ...] = ()

    def name_ticks(self, ticks: tuple[tuple[float, str], ...]) -> None:
        """Write texts at places instead of numbers; () goes back to numbers."""
        if ticks != self.named:
            self.named = ticks
            self.setTicks([list(ticks)] if ticks else None)

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float | None) -> list[str]:
        """Return numbers for the powers of ten, and for 2 and 5 between them when there are few."""
        texts: list[str] = super().logTickStrings(values, scale, spacing)
        wanted = (1,) if self.range[1] - self.range[0] > _FEW_POWERS else (1, 2, 5)
        leading = [round(10.0 ** (value % 1.0)) for value in values]
        return [text if number in wanted else "" for text, number in zip(texts, leading, strict=True)]


BAR_WIDTH = 0.7
"""Of a bar, where the next one is one further."""


class Bars(pg.BarGraphItem):  # type: ignore[misc]
    """Upright bars between two values each; the axes of a plot of bars are not logarithmic."""

    def __init__(self, brush: Any) -> None:
        super().__init__(x=[0.0], height=[0.0], width=BAR_WIDTH, pen=None, brush=brush)

    def stand(self, x: np.ndarray, base: np.ndarray, top: np.ndarray) -> None:
        """Draw a bar at each place from its base to its top."""
        self.setOpts(x=x, y0=base, height=top - base)

    def setLogMode(self, _x: bool, _y: bool) -> None:
        """Nothing: bars count evenly."""


def plot_widget(parent: QWidget, **options: Any) -> Any:
    """Return pyqtgraph's plot widget without its menus.

    They are made all the same, without a parent: each plot would leave seven behind, and a style sheet for all of them.
    """
    widget = pg.PlotWidget(parent, enableMenu=False, **options)
    widget.hideButtons()
    menu = widget.getPlotItem().ctrlMenu
    menu.setParent(widget, menu.windowFlags())
    return widget
