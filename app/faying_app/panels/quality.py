"""Basis quality: how many joint modes, and how good the reduced body is against the full model."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from faying.project import edits
from faying.project.specs import BodySpec
from faying.project.spectrum import find_singular_values
from faying.project.stage import Target
from faying.project.static_errors import find_static_errors
from faying.reduction.basis_quality import BasisQuality
from faying.reduction.joint_quality import JointQuality
from faying.results.fields import FieldContext
from faying.units import plain_number, unit_text
from faying_app.computed import STATE_WORDS, Mark
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.item_models.project_tree import STATE_COLOURS
from faying_app.look.icons import pixmap
from faying_app.panels import Panel, panels
from faying_app.panels._assurance_map import AssuranceMap
from faying_app.panels._count_plot import CountPlot
from faying_app.panels._number_table import NumberTableView
from faying_app.panels._quality_tables import (
    frequency_columns,
    joint_columns,
    mass_columns,
    static_columns,
    trained_columns,
)

_NO_STATICS = (
    "Nothing to compare yet. Run a static analysis and an unreduced one of the same load, or a convergence study "
    "whose methods and numbers of modes include the chosen ones."
)


@panels.register("quality")
class QualityPanel(Panel):
    """Pages about the basis of the selected body; nothing is computed while the panel is hidden."""

    title = "Basis quality"
    icon = "joint_modes"
    area = "bottom"
    order = 30
    page = "theory"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.count_plot = CountPlot(self)
        self.frequencies = NumberTableView(context, "Vibration modes", self)
        self.assurance = AssuranceMap(self)
        self.masses = NumberTableView(context, "Effective masses", self)
        self.statics = NumberTableView(context, "Static errors", self)
        self.joints = NumberTableView(context, "Stiffness of the joints", self)
        self.trained = NumberTableView(context, "Errors under loads", self)
        self._empty = QLabel(self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        # Each page: its name, its widget, and what fills it and returns why it cannot, "" when it can.
        self._pages: tuple[tuple[str, QWidget, Callable[[BodySpec], str]], ...] = (
            ("Joint modes", self.count_plot, self._show_count),
            ("Errors under loads", self.trained, self._show_trained),
            ("Joints stuck, sliding", self.joints, self._show_joints),
            ("Frequencies", self.frequencies, self._show_frequencies),
            ("Modal assurance", self.assurance, self._show_assurance),
            ("Effective masses", self.masses, self._show_masses),
            ("Static errors", self.statics, self._show_statics),
        )
        self.names, self._stack = QListWidget(self), QStackedWidget(self)
        self.names.setAccessibleName("Measures of quality")
        for name, widget, _ in self._pages:
            self.names.addItem(name)
            self._stack.addWidget(widget)
        self._stack.addWidget(self._empty)
        self._lay_out()
        self._errors: tuple[Any, list[Any]] = (None, [])
        self._values: tuple[Any, np.ndarray | None] = (None, None)
        self.names.setCurrentRow(0)
        self.names.currentRowChanged.connect(lambda _row: self.refresh())
        self.count_plot.chosen.connect(self._choose)
        self.compute.clicked.connect(self._compute)
        context.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self._mark, self._summary = QLabel(self), QLabel(self)
        self._summary.setProperty("role", "muted")
        self._summary.setWordWrap(True)
        self.compute = QPushButton("Compute", self)
        side, foot = QWidget(self), QHBoxLayout()
        foot.setContentsMargins(6, 0, 6, 4)
        foot.addWidget(self._mark)
        foot.addWidget(self.compute, 1)
        left = QVBoxLayout(side)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(2)
        left.addWidget(self.names, 1)
        left.addLayout(foot)
        main = QWidget(self)
        right = QVBoxLayout(main)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        self._summary.setContentsMargins(8, 3, 8, 1)
        right.addWidget(self._summary)
        right.addWidget(self._stack, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(side)
        split.addWidget(main)
        split.setStretchFactor(1, 1)
        split.setSizes([150, 500])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)

    def sizeHint(self) -> QSize:
        """Return a height at which the plots are read."""
        return QSize(600, 190)

    def apply_theme(self) -> None:
        """Draw map and state in the theme's colours; plots follow by themselves."""
        self.assurance.apply_theme()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has changed meanwhile."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the chosen page for the selected body."""
        if not self.isVisible():
            return
        body = self.context.selected_body()
        self.compute.setEnabled(body is not None)
        if body is None:
            self._say("Import a deck first.")
            self._mark.clear()
            self._summary.clear()
            return
        self._show_state(self.context.computed.state(Target("quality", body.name)))
        self._summary.setText(self._sentence(body))
        _, widget, fill = self._pages[self.names.currentRow()]
        why_not = fill(body)
        if why_not:
            self._say(why_not)
        else:
            self._stack.setCurrentWidget(widget)

    def _say(self, sentence: str) -> None:
        self._empty.setText(sentence)
        self._stack.setCurrentWidget(self._empty)

    def _show_state(self, mark: Mark) -> None:
        self._mark.setPixmap(
            pixmap(f"state_{mark.kind}", 18, STATE_COLOURS[mark.kind], self.devicePixelRatioF())
        )
        self._mark.setToolTip("\n".join([STATE_WORDS[mark.kind], *(f"· {why}" for why in mark.reasons[:4])]))
        running = mark.kind == "running"
        self.compute.setText("Cancel" if running else "Compute")
        self.compute.setEnabled(running or (mark.kind != "ready" and not self._is_busy()))

    def _is_busy(self) -> bool:
        return hasattr(self.context, "tasks") and self.context.tasks.is_busy

    def _sentence(self, body: BodySpec) -> str:
        quality, basis = self._quality(body), self.context.computed.basis(body.name)
        mark = self.context.computed.state(Target("quality", body.name))
        if quality is None or basis is None:
            reasons = f" ({'; '.join(mark.reasons[:2])})" if mark.reasons else ""
            return f"{body.name}: {STATE_WORDS[mark.kind]}{reasons}."
        units = self.context.project.units
        highest = (
            f"; highest frequency {plain_number(quality.highest_frequency)} {unit_text('frequency', units)}, "
            f"followed by time steps of {quality.admissible_step:.2g} {unit_text('time', units)}"
            if quality.highest_frequency
            else ""
        )
        return (
            f"{body.name}: {basis.modes.shape[1]} trial vectors; condition of the stiffness "
            f"{quality.stiffness_condition:.3g}, of the mass {quality.mass_condition:.3g}{highest}"
        )

    def _quality(self, body: BodySpec) -> BasisQuality | None:
        found = self.context.computed.value(Target("quality", body.name))
        return found if isinstance(found, BasisQuality) else None

    # The pages ------------------------------------------------------------------------------------------

    def _show_count(self, body: BodySpec) -> str:
        joints = body.contact_joints
        if joints and all(joint.joint_modes is not None for joint in joints):
            return "Each joint has its own joint modes: choose their number in the joint's properties."
        if "count" not in type(body.joint_modes).model_fields:
            return f"{body.joint_modes.title} has no number of modes to choose."
        basis = self.context.computed.basis(body.name)
        values = self._singular_values(body)
        values = np.zeros(0) if values is None else values
        method: Any = body.joint_modes
        count = method.kept(values) if len(values) else method.count
        self.count_plot.show_spectrum(values, count, stale=basis is None)
        return ""

    def _singular_values(self, body: BodySpec) -> np.ndarray | None:
        """Return the values, read again only when the state of the basis has changed."""
        computed = self.context.computed
        mark = computed.state(Target("basis", body.name))
        key = (body.name, mark)
        if self._values[0] != key:
            found = find_singular_values(
                computed.project, body.name, computed.pipeline, computed.store, computed.base
            )
            self._values = (key, found)
        return self._values[1]

    def _show_trained(self, body: BodySpec) -> str:
        basis = self.context.computed.basis(body.name)
        if basis is None:
            return "Not computed for the present basis."
        if not basis.trained:
            return f"{body.joint_modes.title}: made without looking at loads with friction."
        self.trained.show_columns(trained_columns(basis.trained))
        return ""

    def _show_joints(self, body: BodySpec) -> str:
        if not body.contact_joints:
            return "The body has no joints in contact."
        found = self.context.computed.value(Target("joint_quality", body.name))
        if not isinstance(found, JointQuality):
            return "Not computed for the present basis."
        if not found.states:
            return "No pair of the joints touches."
        self.joints.show_columns(joint_columns(found, self.context.project.units))
        return ""

    def _show_frequencies(self, body: BodySpec) -> str:
        return self._show_table(self.frequencies, frequency_columns, body)

    def _show_masses(self, body: BodySpec) -> str:
        return self._show_table(self.masses, mass_columns, body)

    def _show_table(self, view: NumberTableView, columns: Callable[..., Any], body: BodySpec) -> str:
        quality = self._quality(body)
        if quality is None:
            return "Not computed for the present basis."
        view.show_columns(columns(quality, self.context.project.units))
        return ""

    def _show_assurance(self, body: BodySpec) -> str:
        quality = self._quality(body)
        if quality is None:
            return "Not computed for the present basis."
        self.assurance.show_assurance(quality.assurance)
        return ""

    def _show_statics(self, body: BodySpec) -> str:
        marks = tuple(
            (a, self.context.computed.state(Target("analysis", body.name, a.name)))
            for a in self.context.project.analyses
            if a.owner == body.name
        )
        if self._errors[0] != marks:
            found = find_static_errors(self.context.project, body.name, self._frames_of)
            self._errors = (marks, list(found))
        self.statics.show_columns(static_columns(self._errors[1]))
        return "" if self._errors[1] else _NO_STATICS

    def _frames_of(self, analysis: str) -> FieldContext | None:
        body = self.context.project.analysis(analysis).body
        if self.context.computed.state(Target("analysis", body, analysis)).kind != "ready":
            return None
        return self.context.computed.results_context(analysis)

    # What can be done -----------------------------------------------------------------------------------

    def _choose(self, count: int) -> None:
        body = self.context.selected_body()
        if body is None:
            return
        path = (*body_path(self.context.project, body.name), "joint_modes")
        words = type(body.joint_modes).parameters_for(count)
        self.context.apply(f"Use {count} joint modes", edits.set_values(path, words))
        self.refresh()

    def _compute(self) -> None:
        body = self.context.selected_body()
        if body is None:
            return
        if self.context.computed.state(Target("quality", body.name)).kind == "running":
            self.context.tasks.cancel()
            return
        if self.context.window.has_refused_field():
            return
        label = f"Measure the basis of {body.name}"
        stages = ["quality", *(["joint_quality"] if body.contact_joints else [])]
        self.context.tasks.run(label, [Target(stage, body.name) for stage in stages], self.context.project)
