"""The bar below the 3D view: playing, stepping, and what is shown of the frames."""

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from faying.exporters.questions import Question
from faying.results.fields import MODEL, PAIRS, STRENGTH, Field, fields
from faying.results.formula import OVER_RUN, find_field
from faying.results.frame_axes.step import step_ends
from faying.results.results import Results
from faying.units import factor_to_si, shown_unit
from faying_app.actions.true_fields import TrueFields
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.look.icons import icon
from faying_app.scene.systems import frame_text
from faying_app.shell.formula_dialog import FormulaDialog
from faying_app.shell.jump_slider import JumpSlider
from faying_app.shell.player import SWING, Player
from faying_app.shell.presenter import Presenter
from faying_app.shell.searched_chooser import SearchedChooser
from faying_app.tasks.questions import Questions
from faying_app.tasks.waiting_line import WaitingLine

_MOVES = (
    ("first", "First frame"), ("previous", "Previous frame"), ("toggle", "Play or pause (Space)"),
    ("next", "Next frame"), ("last", "Last frame"),
)  # fmt: skip
_MODES = (("loop", "Loop"), ("swing", "Swing"), ("once", "Once"))
_LABEL_SHARE = 0.35  # of the bar's width is for the frame's name
_LIMITS = (
    ("frame", "Limits: frame"), ("run", "Limits: run"), ("most", "Limits: without highest 1 %"),
    ("user", "Limits: own"),
)  # fmt: skip
_MOST_FORMULAS = 12
_GROUPS = (
    ("joint", "Joint"), ("motion", "Motion"), ("stress", "Stress"), ("strain", "Strain"), ("durability", "Durability"),
)  # fmt: skip
_TO_BE_ADDED = (MODEL, PAIRS, STRENGTH)  # what the user can add without computing the frames again
_FORMULA = "formula …"  # no field is called so


class TimeBar(QFrame):
    """Two rows: the way through the frames, and how a frame is shown. Hidden while there are no frames."""

    def __init__(
        self,
        context: Context,
        presenter: Presenter,
        player: Player,
        questions: Questions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeBar")
        self.context, self.presenter, self._player = context, presenter, player
        self._filling = False
        self._shapes = 1  # of each frame
        self._switch = TrueFields()
        self.wheel = _NoWheel(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 5)
        column.setSpacing(4)
        self.waiting = WaitingLine(questions, (Question,), "Looking through the run", self, short=True)
        column.addLayout(self._way())
        column.addLayout(self._look())
        presenter.frames_changed.connect(self.refresh)
        presenter.frame_shown.connect(self._show_frame)
        context.view.changed.connect(lambda _name: self._show_values())
        context.view.playing_changed.connect(lambda _playing: self.apply_theme())
        context.changed.connect(self._show_values)
        context.changed.connect(self._tell_times)
        self.apply_theme()
        self.refresh()

    def _way(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        self.buttons: dict[str, QToolButton] = {}
        for what, tip in _MOVES:
            button = QToolButton(self)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setAutoRaise(True)
            button.clicked.connect(lambda _checked=False, what=what: self._player.play(what))
            self.buttons[what] = button
            row.addWidget(button)
        self.slider = JumpSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("Frame")
        self.slider.valueChanged.connect(self._slid)
        self.label = QLabel(self)
        self._narrowest = self.fontMetrics().horizontalAdvance("t = 0.0123456 s   (frame 1000 of 1000)")
        self._widest = 0
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addSpacing(6)
        row.addWidget(self.slider, 1)
        row.addSpacing(6)
        row.addWidget(self.label)
        self.mode = _box(self, "What happens at the last frame", lambda value: self._set(play_mode=value))
        for value, title in _MODES:
            self.mode.addItem(title, value)
        self.speed = QDoubleSpinBox(self)
        self.speed.setKeyboardTracking(False)
        self.speed.setFixedWidth(82)
        self.speed.valueChanged.connect(
            lambda value: self._set(
                **{"swing_seconds" if self.presenter.swings else "frames_per_second": value}
            )
        )
        self.phase = QSpinBox(self)
        self.phase.setRange(0, 345)
        self.phase.setSingleStep(15)
        self.phase.setWrapping(True)
        self.phase.setSuffix("°")
        self.phase.setToolTip("Angle of the period at which the shape is shown; 0° is where it is largest")
        self.phase.setAccessibleName("Angle of the period")
        self.phase.valueChanged.connect(self._turned)
        row.addSpacing(6)
        row.addWidget(self.mode)
        row.addWidget(self.phase)
        row.addSpacing(4)
        row.addWidget(self.speed)
        return row

    def _look(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        self.field = SearchedChooser(self)
        self.field.setToolTip("What the colours show; write a part of a name to search")
        self.field.setAccessibleName("What the colours show")
        self.field.installEventFilter(self.wheel)
        self.field.activated.connect(lambda _index: self._choose_field(self.field.currentData()))
        self.true_fields = QCheckBox("True fields", self)
        self.true_fields.clicked.connect(lambda: self._switch.trigger(self.context))
        self.modes = _box(self, "The mode shape that is shown", self._choose_mode)
        self.modes.setMaxVisibleItems(24)
        self.over_run = _box(self, "This frame, or an extreme over all frames", self._choose_over_run)
        self.over_run.addItem("at the frame", "")
        for value, title in OVER_RUN.items():
            self.over_run.addItem(title.lower(), value)
        self.steps = _box(self, "The step of the analysis; another one is shown at its end", self._go_to_step)
        self.joint = _box(self, "The joint whose values are shown", lambda value: self._set(joint=value))
        self.limits = _box(self, "Which values the colours span", lambda value: self._set(limits=value))
        for value, title in _LIMITS:
            self.limits.addItem(title, value)
        self.lowest, self.highest = (
            _limit(self, "Lowest value of the colours"),
            _limit(self, "Highest value of the colours"),
        )
        self.scale = QLineEdit(self)
        self.scale.setToolTip(
            "How much displacements are enlarged; empty or “auto” makes the largest one visible"
        )
        self.scale.setAccessibleName("Deformation scale")
        self.scale.setFixedWidth(58)
        self.scale.editingFinished.connect(self._scaled)
        self._enlarged = QLabel("×", self)
        self._enlarged.setToolTip("Deformation scale")
        for widget in (
            self.modes, self.steps, self.field, self.true_fields, self.over_run, self.joint, self.limits,
            self.lowest, self.highest,
        ):  # fmt: skip
            row.addWidget(widget)
        row.addWidget(self.waiting, 1)  # in the row, so that nothing moves when it comes and goes
        row.addStretch(1)
        row.addWidget(self._enlarged)
        row.addWidget(self.scale)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the frame's name the room that there is."""
        super().resizeEvent(event)
        self._widest = 0
        self._show_frame()

    def apply_theme(self) -> None:
        """Draw the buttons in the theme's colours."""
        pictures = {"toggle": "pause" if self.context.view.playing else "play"}
        for what, button in self.buttons.items():
            button.setIcon(icon(pictures.get(what, what)))

    def refresh(self) -> None:
        """Take over other frames."""
        count, mode = self.context.n_frames, self.presenter.is_mode
        self.setVisible(count > 0)
        self._player.swings = self.presenter.swings
        frames = self.presenter.frames
        self._tell_times()
        self._filling = True
        self.slider.setRange(0, max(count - 1, 0))
        self.slider.setPageStep(max(count // 10, 1))
        self._measure_speed()
        self.mode.setVisible(not self.presenter.swings)
        self.phase.setVisible(self.presenter.swings)
        self.limits.setVisible(not mode)
        self.modes.setVisible(mode)
        steps = step_ends(frames) if isinstance(frames, Results) else ()
        self.slider.show_sections(steps)
        self._widest = 0
        self.steps.setVisible(len(steps) > 1)
        self.steps.clear()
        for name, last in steps:
            self.steps.addItem(name, last)
        self.modes.clear()
        self._shapes = frames.n_shapes if isinstance(frames, Results) else 1
        if self._shapes > 1:
            for i in range(self._shapes):
                self.modes.addItem("", i)
        else:
            for i in range(count if mode else 0):
                self.modes.addItem(_frame_text(self, i), i)
        self.field.clear()
        if count:  # the fields take a while to load, and nobody sees the bar before
            self._fill_fields(mode)
        self._filling = False
        self._show_values()
        self._show_frame()

    def _fill_fields(self, mode: bool) -> None:
        """List the fields of the frames."""
        for group, heading in _GROUPS:
            members = sorted((c.order, c.title, kind) for kind, c in fields.items() if c.group == group)
            if mode:  # mode shapes know no joint forces
                members = [found for found in members if fields[found[2]].location == "body"]
            members = [found for found in members if self._can_exist(fields[found[2]]())]
            if members:
                self.field.add_heading(heading)
            for _, title, kind in members:
                self.field.addItem(title, kind)
                self._offer(self.field.count() - 1, fields[kind]())
        self.field.add_heading("Other")
        if not mode:
            for formula in self.context.view.values.formulas:
                self.field.addItem(formula, formula)
            self.field.addItem("Formula …", _FORMULA)
        self.field.addItem("No colours", "")

    def _tell_times(self) -> None:
        """Tell the player the moments of the frames in seconds."""
        frames, second = self.presenter.frames, factor_to_si("time", self.context.project.units)
        in_time = frames is not None and frames.axis.in_time
        self._player.times = (
            np.asarray(frames.values) * second if in_time and frames is not None else np.zeros(0)
        )

    def _measure_speed(self) -> None:
        """Ask for frames per second, or of a shape for the time in which it swings."""
        swings = self.presenter.swings
        self.speed.setRange(*(SWING if swings else (1.0, 100.0)))
        self.speed.setDecimals(1 if swings else 0)
        self.speed.setSingleStep(0.2 if swings else 1.0)
        self.speed.setSuffix(" s" if swings else " fps")
        told = "Seconds in which the shape swings once" if swings else "Frames per second"
        self.speed.setToolTip(told)
        self.speed.setAccessibleName(told)

    def _can_exist(self, field: Field) -> bool:
        """Return whether a field may have values in these frames, at once or after a step that its refusal names."""
        if field.location == "joint" and not self.presenter.scene.content.joint_pairs:
            return False
        found = self.presenter.field_context
        field.needs = tuple(need for need in field.needs if need not in _TO_BE_ADDED)
        return found is None or found.refusal(field) is None

    def _offer(self, row: int, field: Field) -> None:
        """Enable a field, or explain in its tooltip which data the frames lack for it."""
        found = self.presenter.field_context
        why: object = found.refusal(field) if found is not None else None
        model = self.field.model()
        assert isinstance(model, QStandardItemModel)
        item = model.item(row)
        item.setEnabled(why is None)
        item.setToolTip("" if why is None else str(why))

    def _show_values(self) -> None:
        values = self.context.view.values
        self._filling = True
        joints = list(self.presenter.scene.content.joint_pairs)
        if [self.joint.itemData(i) for i in range(1, self.joint.count())] != joints:
            self.joint.clear()
            self.joint.addItem("All joints", "")
            for name in joints:
                self.joint.addItem(name, name)
        shown = {
            self.field: self.presenter.chosen_field,
            self.over_run: values.over_run,
            self.joint: values.joint,
            self.limits: values.limits,
            self.mode: values.play_mode,
        }
        for box, value in shown.items():
            box.setCurrentIndex(max(box.findData(value), 0))
        text, count = self.presenter.chosen_field, self.context.n_frames
        on_joint = bool(text) and find_field(text).location == "joint"
        self.joint.setVisible(on_joint and len(joints) > 1)
        self._show_true_fields()
        found = self.presenter.field_context
        is_body = found is not None and found.of_body is not None
        self.over_run.setVisible(bool(text) and is_body and not self.presenter.is_mode and count > 1)
        for line, number in ((self.lowest, values.lowest), (self.highest, values.highest)):
            line.setVisible(values.limits == "user" and not self.presenter.is_mode)
            if not line.hasFocus():
                line.setText(_limit_text(number, self._shown_factor))
        self.speed.setValue(values.swing_seconds if self.presenter.swings else values.frames_per_second)
        if not self.scale.hasFocus():
            self.scale.setText("auto" if values.scale is None else f"{values.scale:g}")
        self._filling = False

    def _show_true_fields(self) -> None:
        """Show whether fields are those of the FE model, or how many frames of them there are so far."""
        context, switch = self.context, self._switch
        self.true_fields.setVisible(not switch.why_disabled(context))
        self.true_fields.setChecked(switch.is_checked(context))
        progress = context.computed.true_fields_so_far(analysis_at(context.project, context.entity))
        self.true_fields.setText(f"True fields: {progress}" if progress else "True fields")
        self.true_fields.setToolTip(f"{switch.text(context)} (Ctrl+T)\n{switch.meaning}")

    def _show_frame(self) -> None:
        frames, count = self.presenter.frames, self.context.n_frames
        if frames is None or not count:
            self.label.setText("")
            return
        frame = min(max(self.context.view.values.frame, 0), count - 1)
        self._filling = True
        self.slider.setValue(frame)
        self.phase.setValue(round(np.degrees(self.presenter.phase)) % 360)
        if self._shapes > 1 and isinstance(frames, Results):
            for i in range(self._shapes):
                text = frames.axis.shape_text(frames, frame, i, self.context.project.units)
                self.modes.setItemText(i, text)
            self.modes.setCurrentIndex(min(self.context.view.values.shape, self._shapes - 1))
        else:
            self.modes.setCurrentIndex(frame)
        self.steps.setCurrentIndex(
            next((i for i in range(self.steps.count()) if frame <= self.steps.itemData(i)), -1)
        )
        self._filling = False
        text, number = _frame_text(self, frame), f"   ({frames.axis.number_text(frame, count)})"
        room = _LABEL_SHARE * self.width() - self.label.fontMetrics().horizontalAdvance(number)
        short = self.label.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(room))
        self.label.setText(short + number)
        # It only grows: else the slider before it would change its length while frames go by.
        self._widest = max(self._widest, self.label.sizeHint().width())
        self.label.setMinimumWidth(max(self._narrowest, self._widest))
        self.label.setToolTip(text if short != text else "")
        if self.context.view.values.scale is None and not self.scale.hasFocus():
            self.scale.setToolTip(f"Factor of the displacements; now {self.presenter.scale:.4g}")

    def _choose_mode(self, number: int) -> None:
        """Show another mode: a frame, or of a frame with several a shape."""
        self._set(**{"shape" if self._shapes > 1 else "frame": number})

    def _turned(self, degrees: int) -> None:
        """Show the shape at an angle of its period."""
        if not self._filling:
            self.context.view.set_playing(False)
            self.presenter.swing(float(np.radians(degrees)))

    def _choose_field(self, kind: str) -> None:
        if kind == _FORMULA:
            self._show_values()  # the list goes back to what is shown
            chosen = self.presenter.chosen_field
            self.formula = FormulaDialog("" if chosen in fields else chosen, self.window())
            self.formula.written.connect(self._take_formula)
            self.formula.open()
            return
        self._set(**{"mode_field" if self.presenter.is_mode else "field": kind})

    def _take_formula(self, text: str) -> None:
        """Show a formula that was written, and offer it from now on."""
        known = self.context.view.values.formulas
        if text not in fields and text not in known:
            self._set(formulas=(*known, text)[-_MOST_FORMULAS:])
            self.refresh()
        self._set(field=text)

    def _go_to_step(self, last: int) -> None:
        self.context.view.set_playing(False)
        self._set(frame=last)

    def _choose_over_run(self, name: str) -> None:
        self._set(over_run=name)

    def _set(self, **values: Any) -> None:
        if not self._filling:
            self.context.view.set(**values)

    def _slid(self, frame: int) -> None:
        if not self._filling:
            if not self.presenter.is_mode:
                self.context.view.set_playing(False)
            self.context.view.set(frame=frame)

    def _scaled(self) -> None:
        text = self.scale.text().strip().lower()
        try:
            self._set(scale=None if text in ("", "auto") else _read_number(text))
        except ValueError:
            self.context.say(f"{text!r} is no deformation scale: write a number, or “auto”.")

    @property
    def _shown_factor(self) -> float:
        """Factor from values of the shown field to the unit that its legend has."""
        text, context = self.presenter.field, self.context
        quantity = find_field(text).quantity if text else ""
        return shown_unit(quantity, context.project.units, context.view.values.units)[1]

    def take_limits(self) -> None:
        """Take the limits of the colours that were typed, in the unit of the legend."""
        values, factor = self.context.view.values, self._shown_factor
        try:
            low, high = (
                number if line.text() == _limit_text(number, factor) else _read_number(line.text()) / factor
                for line, number in ((self.lowest, values.lowest), (self.highest, values.highest))
            )
        except ValueError:
            self.context.say("The limits of the colours have to be numbers: write them like 0.5 or 2e3.")
            return
        if low >= high:
            self.context.say("The lowest value of the colours has to be below the highest.")
            return
        self._set(lowest=low, highest=high)


def _box(bar: "TimeBar", tip: str, chosen: Any) -> QComboBox:
    box = QComboBox(bar)
    box.setToolTip(tip)
    box.setAccessibleName(tip)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setMinimumContentsLength(5)  # narrower where there is no room: the bar must not widen the view
    box.installEventFilter(bar.wheel)
    box.activated.connect(lambda _index: chosen(box.currentData()))
    return box


def _limit(bar: "TimeBar", tip: str) -> QLineEdit:
    line = QLineEdit(bar)
    line.setToolTip(tip)
    line.setAccessibleName(tip)
    line.setFixedWidth(78)
    line.editingFinished.connect(bar.take_limits)
    return line


def _limit_text(value: float, factor: float) -> str:
    return f"{factor * value:.12g}"


def _read_number(text: str) -> float:
    """Return the number that was typed, with a decimal point or comma.

    Raises:
        ValueError: when it is none, or not finite.
    """
    value = float(text.replace(",", "."))
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _frame_text(bar: "TimeBar", frame: int) -> str:
    """Return a frame's name with unit or frequency."""
    found = bar.presenter.field_context
    assert found is not None
    return frame_text(found, frame, bar.context.project.units)


class _NoWheel(QObject):
    """The wheel over a closed list does not change it by accident."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return isinstance(event, QWheelEvent)
