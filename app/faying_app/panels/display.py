"""How results are shown: shape, colours, sections, the opened joint, the frame of reference, and what is compared."""

from collections.abc import Callable
from typing import Any, get_args

from pydantic import ValidationError
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from faying.analyses import BodyAnalysis
from faying.exporters.cuts import Axis
from faying.exporters.earlier import EARLIER
from faying.results.formula import find_field
from faying.units import READABLE, unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at, system_at
from faying_app.forms.editors import QuietWheel
from faying_app.look.colour_maps import BACKGROUNDS, GROUPINGS, MAPS
from faying_app.panels import Panel, panels
from faying_app.panels._section_rows import SectionRow
from faying_app.view_state import PRESET

_OPENS = "Opens master and slave surface like a book, so that both faces are seen"
_STEPS = 200


@panels.register("display")
class DisplayPanel(Panel):
    """Rows bound to the view state, in groups; what has no meaning now is disabled."""

    title = "Display"
    icon = "ghost"
    area = "right"
    order = 15
    page = "reference-fields"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._filling = False
        self._show: list[Callable[[], None]] = []
        self.maps: dict[str, QComboBox] = {}
        self._field = self._quantity = ""
        page = QWidget()
        page.setObjectName("formPage")
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(8, 4, 10, 8)
        self._build()
        self._column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        context.view.changed.connect(lambda name: self.refresh() if name != "frame" else None)
        context.changed.connect(self.refresh)
        context.values_changed.connect(self._field_changed)
        context.extent_changed.connect(self._show_sections)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a width at which labels and values are read."""
        return QSize(330, 400)

    def _build(self) -> None:
        shape = self._group("Shape")
        self.joint_scale = self._number(shape, "Motion in the joint ×", "joint_scale", 1.0, 1e6)
        self.joint_scale.setToolTip("Enlarges gaps and slips once more, on top of the deformation scale")
        self._switch(shape, "Undeformed outline", "undeformed")
        self._switch(shape, "See through the body", "ghost")
        self.opened = self._slider(shape, "Open the joint", "opened", 0.0, 180.0, "{:.0f}°")
        self.opened.setToolTip(_OPENS)
        colours = self._group("Colours")
        self.colour_by = self._box(
            colours,
            "Body",
            "Each connected part, material or joint in a colour of its own, where no field is shown",
        )
        for value, title in GROUPINGS.items():
            self.colour_by.addItem(title if not value else f"by {title}", value)
        self._bind(self.colour_by, "colour_by")
        self.unit = self._box(colours, "Unit", "What the numbers of the shown field are written in")
        self.unit.activated.connect(lambda _index: self._choose_unit())
        for title, name, kind in (
            ("Map of amounts", "colour_map", "sequential"),
            ("Map of signed values", "signed_map", "diverging"),
        ):
            box = self._box(colours, title, "From small to large values; the first one is even to the eye")
            for i, map_name in enumerate(MAPS[kind]):
                box.addItem(map_name.removesuffix("_r"), map_name if i else "")
            self._bind(box, name)
            self.maps[kind] = box
        self._switch(colours, "Reversed", "colours_reversed")
        self.gaps = self._switch(colours, "Gaps: red where they are small", "gaps_reversed")
        self.logarithmic = self._switch(colours, "Logarithmic (amounts)", "logarithmic")
        self.bands = self._count(colours, "Bands of one colour", "bands", 24, "smooth")
        self.isolines = self._count(colours, "Lines of equal value", "isolines", 50, "none")
        self._switch(colours, "Legend", "legend")
        self._switch(colours, "Mark largest and smallest value", "extremes")
        self._switch(colours, "Values as points", "values_at_points")
        self.opacity = self._slider(colours, "Opacity of the body", "opacity", 0.1, 1.0, "{:.0%}")
        self.markers = self._slider(colours, "Size of markers", "marker_size", 0.5, 3.0, "{:.1f}×")
        self.background = self._box(
            colours, "Background", "White and black bring their own colour of writing"
        )
        for value, title in BACKGROUNDS.items():
            self.background.addItem(title, value)
        self._bind(self.background, "background")
        self.preset = self._box(
            colours, "Preset", "A look of the colours that was saved, or a name to save this one"
        )
        self.preset.setEditable(True)
        self.preset.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.preset.activated.connect(lambda _index: self._take_preset())
        row = QHBoxLayout()
        for button, tip, done in (
            ("Save", "Keep this look under the name above, for all projects", self.save_preset),
            ("Delete", "Forget the preset of the name above", self.delete_preset),
        ):
            push = QPushButton(button, self)
            push.setToolTip(tip)
            push.clicked.connect(done)
            row.addWidget(push)
        row.addStretch(1)
        colours.addRow("", row)
        self._offer_presets()
        cut = self._group("Section")
        self.sections = [SectionRow(self.context, self, cut, axis) for axis in get_args(Axis)]
        self._show += [row.show_values for row in self.sections]
        self._switch(cut, "What is cut away as a ghost", "section_ghost")
        motion = self._group("Motion")
        self.reference = self._box(motion, "Seen from", "The frame of reference that appears at rest")
        self._bind(self.reference, "reference")
        self.turns = self._switch(motion, "Turn with it", "reference_turns")
        self.time_factor = self._number(motion, "Real time ×", "time_factor", 0.0, 1e3)
        self.time_factor.setSpecialValueText("frames per second")
        self.time_factor.setToolTip(
            "Plays in so many times the real time, 0.01 a hundred times slower; 0 by frames"
        )
        compare = self._group("Compare")
        self.compare = self._box(
            compare, "With", "Another analysis of the same body, or earlier results of this one, side by side"
        )
        self._bind(self.compare, "compare")
        self.difference = self._switch(compare, "Show the difference", "difference")

    @property
    def _values(self) -> Any:
        return self.context.view.values

    def _set(self, **values: Any) -> None:
        if not self._filling:
            self.context.view.set(**values)

    def begin_project(self) -> None:
        """Forget where sections were, and a name that was being typed."""
        for row in self.sections:
            row.begin_project()
        self.preset.setEditText("")

    def refresh(self) -> None:
        """Show the view state as it is now, and offer what there is."""
        self._filling = True
        project, entity = self.context.project, self.context.entity
        system = system_at(project, entity)
        parts = [part.name for part in system.parts] if system is not None else []
        self._offer(self.reference, [("Inertial frame", ""), *((f"part {name}", name) for name in parts)])
        self.reference.setEnabled(bool(parts))
        self.turns.setEnabled(bool(parts) and bool(self._values.reference))
        analysis = analysis_at(project, entity)
        others = [
            other.name
            for other in project.analyses
            if isinstance(analysis, BodyAnalysis)
            and isinstance(other, BodyAnalysis)
            and other.body == analysis.body
            and other.name != analysis.name
            and self.context.computed.results(other.name) is not None
        ]
        if analysis is not None and self.context.computed.has_earlier(analysis):
            others.append(f"{analysis.name}{EARLIER}")
        self._offer(self.compare, [("nothing", ""), *((name, name) for name in others)])
        self.compare.setEnabled(bool(others))
        self.difference.setEnabled(bool(self._values.compare))
        why = self._why_closed(system is not None)
        self.opened.setEnabled(not why)
        self.opened.setToolTip(_OPENS if not why else f"{_OPENS}.\nNot now: {why}")
        self._offer_units()
        for show in self._show:
            show()
        self._filling = False

    def _show_sections(self) -> None:
        for row in self.sections:
            row.show_values()

    def _why_closed(self, is_system: bool) -> str:
        """Return why the joint cannot be opened in what is shown, "" when it can."""
        if is_system:
            return "the parts of a system move past each other. Select a static or transient analysis of the body."
        if not self._field or find_field(self._field).location != "joint":
            return "show a field of the joint first, such as the contact pressure of an analysis."
        return ""

    def _field_changed(self) -> None:
        shown = self.context.shown_field, self.context.shown_quantity
        if shown != (self._field, self._quantity):
            self._field, self._quantity = shown
            self.refresh()

    def _offer_units(self) -> None:
        quantity = self._quantity
        own = unit_text(quantity, self.context.project.units)
        readable = [unit for unit in READABLE.get(quantity, ()) if unit != own]
        self._offer(self.unit, [(own or "none", ""), *((unit, unit) for unit in readable)])
        self.unit.setEnabled(bool(readable))
        self.unit.setCurrentIndex(max(self.unit.findData(self._values.units.get(quantity, "")), 0))

    def _choose_unit(self) -> None:
        quantity = self._quantity
        kept = {name: unit for name, unit in self._values.units.items() if name != quantity}
        unit = self.unit.currentData()
        self._set(units=kept | ({quantity: unit} if unit else {}))

    def _take_preset(self) -> None:
        name = self.preset.currentText()
        values = self.context.settings.colour_presets.get(name, {})
        try:
            self._set(**{word: value for word, value in values.items() if word in PRESET})
        except ValidationError as error:  # the settings were written by hand, or by another version
            wrong = ", ".join(sorted({str(each["loc"][0]).replace("_", " ") for each in error.errors()}))
            self.context.say(
                f"The preset {name!r} has no usable value of {wrong}: save it again, or delete it."
            )

    def save_preset(self) -> None:
        """Keep the look of the colours under the name that was written."""
        name = self.preset.currentText().strip()
        if not name:
            self.context.say("Write a name for the preset first.")
            return
        known = self.context.settings.colour_presets
        self.context.settings.colour_presets = known | {name: {n: getattr(self._values, n) for n in PRESET}}
        self._offer_presets(name)

    def delete_preset(self) -> None:
        """Forget the preset of the name that is written."""
        known, name = self.context.settings.colour_presets, self.preset.currentText().strip()
        self.context.settings.colour_presets = {k: v for k, v in known.items() if k != name}
        self._offer_presets()

    def _offer_presets(self, name: str = "") -> None:
        self.preset.clear()
        self.preset.addItems(sorted(self.context.settings.colour_presets, key=str.casefold))
        self.preset.setCurrentText(name)

    def _offer(self, box: QComboBox, entries: list[tuple[str, str]]) -> None:
        known = [(box.itemText(i), box.itemData(i)) for i in range(box.count())]
        if known != entries:
            box.clear()
            for title, value in entries:
                box.addItem(title, value)

    def _group(self, title: str) -> QFormLayout:
        heading = QLabel(title, self)
        heading.setProperty("role", "title")
        self._column.addWidget(heading)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setContentsMargins(0, 0, 0, 6)
        self._column.addLayout(form)
        return form

    def _box(self, form: QFormLayout, title: str, tip: str) -> QComboBox:
        box = QComboBox(self)
        box.setToolTip(tip)
        box.setAccessibleName(title)
        box.installEventFilter(QuietWheel(box))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        form.addRow(title, box)
        return box

    def _bind(self, box: QComboBox, name: str) -> None:
        box.activated.connect(lambda _index: self._set(**{name: box.currentData()}))
        self._show.append(lambda: box.setCurrentIndex(max(box.findData(getattr(self._values, name)), 0)))

    def _switch(self, form: QFormLayout, title: str, name: str) -> QCheckBox:
        box = QCheckBox(title, self)
        box.toggled.connect(lambda on: self._set(**{name: on}))
        form.addRow(box)
        self._show.append(lambda: box.setChecked(getattr(self._values, name)))
        return box

    def _count(self, form: QFormLayout, title: str, name: str, most: int, none: str) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(0, most)
        box.setSpecialValueText(none)
        box.setAccessibleName(title)
        box.valueChanged.connect(lambda value: self._set(**{name: value}))
        box.installEventFilter(QuietWheel(box))
        form.addRow(title, box)
        self._show.append(lambda: box.setValue(getattr(self._values, name)))
        return box

    def _number(self, form: QFormLayout, title: str, name: str, low: float, high: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self)
        box.setRange(low, high)
        box.setDecimals(4)
        box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        box.setKeyboardTracking(False)
        box.setAccessibleName(title)
        box.installEventFilter(QuietWheel(box))
        box.valueChanged.connect(lambda value: self._set(**{name: value}))
        form.addRow(title, box)
        self._show.append(lambda: box.setValue(getattr(self._values, name)))
        return box

    def _slider(
        self, form: QFormLayout, title: str, name: str, low: float, high: float, text: str
    ) -> QSlider:
        slider, label = QSlider(Qt.Orientation.Horizontal, self), QLabel(self)
        slider.setRange(0, _STEPS)
        slider.setAccessibleName(title)
        label.setMinimumWidth(label.fontMetrics().horizontalAdvance("100 %"))
        slider.valueChanged.connect(lambda at: self._set(**{name: low + (high - low) * at / _STEPS}))
        row = QHBoxLayout()
        row.addWidget(slider, 1)
        row.addWidget(label)
        form.addRow(title, row)

        def show() -> None:
            value = getattr(self._values, name)
            slider.setValue(round(_STEPS * (value - low) / (high - low)))
            label.setText(text.format(value))

        self._show.append(show)
        return slider
