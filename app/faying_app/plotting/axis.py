"""The widget and the axis of plots. The only module that imports pyqtgraph at once: with the first plot."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

_FEW_POWERS = 2.5  # of ten


class SparseAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis that writes few numbers when it is logarithmic: there is no room for all from 1 to 9."""

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float | None) -> list[str]:
        """Return numbers for the powers of ten, and for 2 and 5 between them when there are few."""
        texts: list[str] = super().logTickStrings(values, scale, spacing)
        wanted = (1,) if self.range[1] - self.range[0] > _FEW_POWERS else (1, 2, 5)
        leading = [round(10.0 ** (value % 1.0)) for value in values]
        return [text if number in wanted else "" for text, number in zip(texts, leading, strict=True)]


def plot_widget(parent: QWidget, **options: Any) -> Any:
    """Return pyqtgraph's plot widget without its menus.

    They are made all the same, without a parent: each plot would leave seven behind, and a style sheet for all of them.
    """
    widget = pg.PlotWidget(parent, enableMenu=False, **options)
    widget.hideButtons()
    menu = widget.getPlotItem().ctrlMenu
    menu.setParent(widget, menu.windowFlags())
    return widget
