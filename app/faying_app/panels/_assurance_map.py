"""Modal assurance as a map: each pair of modes a square, the better they agree the darker or brighter."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying_app.look.late import late
from faying_app.look.theme import current_theme

pg = late("pyqtgraph")


class AssuranceMap(QWidget):
    """Modes of the reduced body across, of the full model upwards; the value under the pointer is shown above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = QLabel(self)
        self.told.setProperty("role", "muted")
        self.told.setContentsMargins(8, 3, 8, 0)
        from faying_app.plotting.axis import plot_widget  # late: with the first plot

        self.plot = plot_widget(self)
        self.plot.setMouseEnabled(False, False)
        self.plot.setLabel("bottom", "Reduced mode")
        self.plot.setLabel("left", "Full mode")
        self._image = pg.ImageItem(axisOrder="row-major")
        self.plot.addItem(self._image)
        self._bar = pg.ColorBarItem(values=(0.0, 1.0), interactive=False, width=14)
        self._bar.setImageItem(self._image, insert_in=self.plot.plotItem)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.told)
        column.addWidget(self.plot, 1)
        self.assurance = np.zeros((0, 0))
        self.plot.scene().sigMouseMoved.connect(self._pointed)
        self.apply_theme()
        self._tell(None)

    def apply_theme(self) -> None:
        """Draw everything in the theme's colours; no agreement is the background."""
        theme = current_theme()
        self.plot.setBackground(theme["base"])
        for axis in (self.plot.getAxis("left"), self.plot.getAxis("bottom"), self._bar.axis):
            axis.setPen(theme["border"])
            axis.setTextPen(theme["text"])
        self._bar.setColorMap(pg.ColorMap((0.0, 1.0), (theme.colour("alternate"), theme.colour("accent"))))

    def show_assurance(self, assurance: np.ndarray) -> None:
        """Show values (full modes, reduced modes)."""
        self.assurance = assurance
        full, reduced = assurance.shape
        self._image.setImage(assurance, levels=(0.0, 1.0))
        self._image.setRect(0.5, 0.5, reduced, full)
        self.plot.setRange(xRange=(0.5, reduced + 0.5), yRange=(0.5, full + 0.5), padding=0.0)
        self._tell(None)

    def at(self, place: QPointF) -> tuple[int, int] | None:
        """Return (full, reduced) mode from 0 at a place of the axes, None outside."""
        column, row = round(place.x()) - 1, round(place.y()) - 1
        inside = 0 <= row < self.assurance.shape[0] and 0 <= column < self.assurance.shape[1]
        return (row, column) if inside else None

    def _pointed(self, position: Any) -> None:
        self._tell(self.at(self.plot.plotItem.vb.mapSceneToView(position)))

    def _tell(self, cell: tuple[int, int] | None) -> None:
        if cell is None:
            self.told.setText(
                "Mass-weighted modal assurance; 1 for the same shape. Point at a square for its value."
            )
            return
        value = self.assurance[cell]
        self.told.setText(f"Full mode {cell[0] + 1}, reduced mode {cell[1] + 1}: {value:.4f}")
