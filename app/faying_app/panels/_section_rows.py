"""The rows of the display panel that cut the model: a plane across each axis, at a share or a place in space."""

import math

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QSlider,
    QToolButton,
    QWidget,
)

from faying.exporters.cuts import Axis
from faying.units import unit_text
from faying_app.context import Context
from faying_app.forms.editors import QuietWheel
from faying_app.view_state import SectionValues

_STEPS = 200
_TIP = "Cuts the model across {axis} and fills the cut in its colours; the arrows in the view drag the plane"


class SectionRow:
    """A switch, a slider from end to end, the place in the unit of length, and a button for the other side.

    Args:
        context: has the view state, and what is shown.
        parent: of the widgets.
        form: gets the row.
        axis: that the plane is across.
    """

    def __init__(self, context: Context, parent: QWidget, form: QFormLayout, axis: Axis) -> None:
        self._context, self.axis = context, axis
        self._kept = SectionValues(axis=axis)  # switched off and on again it is where it was
        self.switch = QCheckBox(f"Across {axis}", parent)
        self.switch.setToolTip(_TIP.format(axis=axis))
        self.switch.toggled.connect(self._switch)
        self.slider = QSlider(Qt.Orientation.Horizontal, parent)
        self.slider.setRange(0, _STEPS)
        self.slider.setMinimumWidth(48)
        self.slider.setAccessibleName(f"Section across {axis}, from one end to the other")
        self.slider.valueChanged.connect(lambda at: self._change(at=at / _STEPS))
        self.place = QDoubleSpinBox(parent)
        self.place.setToolTip(f"Where the plane is along {axis}, in the coordinates of the deck")
        self.place.setAccessibleName(f"Place of the section along {axis}")
        self.place.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.place.setKeyboardTracking(False)
        self.place.installEventFilter(QuietWheel(self.place))
        self.place.valueChanged.connect(self._put)
        self.flip = QToolButton(parent)
        self.flip.setText("⇄")
        self.flip.setCheckable(True)
        self.flip.setToolTip("Show the other side")
        self.flip.setAccessibleName(f"Other side of the section across {axis}")
        self.flip.toggled.connect(lambda on: self._change(flipped=on))
        row = QHBoxLayout()
        row.addWidget(self.slider, 1)
        row.addWidget(self.place)
        row.addWidget(self.flip)
        form.addRow(self.switch, row)

    def begin_project(self) -> None:
        """Forget where the plane was."""
        self._kept = SectionValues(axis=self.axis)
        self.show_values()

    def show_values(self) -> None:
        """Show the view state as it is now."""
        _number, cut = self._own()
        if cut is not None:
            self._kept = cut
        extent = self._extent()
        blocked = [QSignalBlocker(each) for each in (self.switch, self.slider, self.place, self.flip)]
        self.switch.setChecked(cut is not None)
        self.slider.setValue(round(_STEPS * self._kept.at))
        self.flip.setChecked(self._kept.flipped)
        if extent is not None:
            low, high = extent
            # A thousandth of the extent at least, also of a thin plate in metres.
            self.place.setDecimals(max(4, 3 - math.floor(math.log10(high - low))) if high > low else 4)
            self.place.setRange(low, high)
            self.place.setSuffix(f" {unit_text('length', self._context.project.units)}")
            self.place.setValue(low + self._kept.at * (high - low))
        else:
            self.place.setDecimals(4)
            self.place.setRange(0.0, 0.0)
            self.place.setSuffix("")
        for each in (self.slider, self.flip):
            each.setEnabled(cut is not None)
        self.place.setEnabled(cut is not None and extent is not None)
        del blocked

    def _own(self) -> tuple[int, SectionValues | None]:
        sections = self._context.view.values.sections
        return next(((i, cut) for i, cut in enumerate(sections) if cut.axis == self.axis), (-1, None))

    def _extent(self) -> tuple[float, float] | None:
        extent = self._context.shown_extent
        if extent is None:
            return None
        low, high = np.asarray(extent)[:, "xyz".index(self.axis)]
        return float(low), float(high)

    def _switch(self, on: bool) -> None:
        others = tuple(cut for cut in self._context.view.values.sections if cut.axis != self.axis)
        self._context.view.set(sections=(*others, self._kept) if on else others)

    def _change(self, **changes: object) -> None:
        number, cut = self._own()
        if cut is None:
            return
        sections = list(self._context.view.values.sections)
        sections[number] = cut.model_copy(update=changes)
        self._context.view.set(sections=tuple(sections))

    def _put(self, place: float) -> None:
        extent = self._extent()
        if extent is not None and extent[1] > extent[0]:
            self._change(at=(place - extent[0]) / (extent[1] - extent[0]))
