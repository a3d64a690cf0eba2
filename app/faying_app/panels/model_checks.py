"""Checks of the mesh: what is wrong with nodes and elements, where it is, and how well elements are shaped."""

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from faying.fem.model import FeModel
from faying.fem.model_checks import ModelFinding
from faying.fem.skin import Skin, elements_and_faces
from faying.project.model_questions import MeshQuestion
from faying.units import with_units
from faying_app.context import Context
from faying_app.look.icons import icon
from faying_app.look.tips import tip
from faying_app.panels import Panel, panels
from faying_app.plotting.histogram import HistogramView
from faying_app.selection import MarkedPlaces
from faying_app.tasks.waiting_line import WaitingLine

_COLOURS = {"error": "error", "warning": "warning", "note": "muted"}


@panels.register("model_checks")
class ModelChecksPanel(Panel):
    """Lists what the checks of the selected body's mesh found; a click shows the place in the 3D view."""

    title = "Mesh"
    icon = "model"
    area = "bottom"
    order = 10

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.run_button = QPushButton("Check", self)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Findings of the mesh")
        self.list.setWordWrap(True)
        self.histogram = HistogramView("Scaled Jacobian", "Elements", self)
        self._said = QLabel(self)
        self._said.setProperty("role", "muted")
        self.findings: list[ModelFinding] = []
        self._checked: tuple[str, FeModel, str] | None = None
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 0)
        head.addWidget(self.run_button)
        head.addWidget(self._said, 1)
        self.waiting = WaitingLine(context.questions, (MeshQuestion,), "Checking the mesh", self)
        self.waiting.shown_changed.connect(self._show_waiting)
        head.addWidget(self.waiting, 1)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.list)
        split.addWidget(self.histogram)
        split.setSizes([520, 320])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(split, 1)
        self.run_button.clicked.connect(lambda _checked=False: self.run())
        self.list.currentRowChanged.connect(self._mark)
        context.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Follow the selected body; findings of another model go away."""
        name, model = self._body()
        self.run_button.setEnabled(model is not None)
        if self._checked is not None and self._checked != (name, model, self.context.project.units):
            self._checked = None
            self._show([], None)
        if self._checked is None:
            self._said.setText("Not checked yet." if model is not None else "Import a deck first.")

    def run(self) -> None:
        """Check the mesh of the selected body in the background."""
        name, model = self._body()
        if model is None:
            return
        asked = name, model, self.context.project.units
        self.context.questions.ask(object(), MeshQuestion(name), partial(self._take, asked))

    def _take(self, checked: tuple[str, FeModel, str], answer: tuple[list[ModelFinding], np.ndarray]) -> None:
        """Show what the checks found, unless another model is there by now."""
        name, model = self._body()
        if (name, model, self.context.project.units) != checked:
            return
        self._checked = checked
        findings, quality = answer
        self._show(findings, quality[np.isfinite(quality)])
        n = len(findings)
        self._said.setText(
            f"{n} finding{'' if n == 1 else 's'}; a click shows the place."
            if n
            else "Nothing to complain about."
        )

    def _show_waiting(self) -> None:
        self._said.setHidden(not self.waiting.isHidden())

    def apply_theme(self) -> None:
        """Redraw the icons."""
        for row, finding in enumerate(self.findings):
            self.list.item(row).setIcon(icon(finding.severity, _COLOURS[finding.severity]))

    def _show(self, findings: list[ModelFinding], quality: np.ndarray | None) -> None:
        units = self.context.project.units
        self.findings = [replace(each, sentence=with_units(each.sentence, units)) for each in findings]
        self.list.clear()
        for finding in self.findings:
            item = QListWidgetItem(icon(finding.severity, _COLOURS[finding.severity]), finding.sentence)
            item.setToolTip(tip(finding.hint))
            self.list.addItem(item)
        self.histogram.show_values(np.zeros(0) if quality is None else quality, (0.0, 1.0))
        self.context.selection.mark(None)

    def _mark(self, row: int) -> None:
        """Point at what a finding concerns, in the 3D view."""
        name, model = self._body()
        skin = self.context.computed.skin(name) if model is not None else None
        if model is None or skin is None or not 0 <= row < len(self.findings):
            self.context.selection.mark(None)
            return
        self.context.selection.mark(places_of(name, model, skin, self.findings[row]))
        self.context.say(self.findings[row].hint or self.findings[row].sentence)

    def _body(self) -> tuple[str, FeModel | None]:
        body = self.context.selected_body()
        return ("", None) if body is None else (body.name, self.context.computed.model(body.name))


def places_of(name: str, model: FeModel, skin: Skin, finding: ModelFinding) -> MarkedPlaces:
    """Return where a finding is: facets of its elements that can be seen, points for nodes and hidden elements."""
    elements, _ = elements_and_faces(skin.surface)
    facets = np.flatnonzero(np.isin(elements, finding.elements))
    inner = np.setdiff1d(finding.elements, elements)
    points = [model.nodes[finding.nodes]]
    for start, block in zip(model.block_starts[:-1], model.blocks, strict=True):
        rows = inner[(inner >= start) & (inner < start + len(block.ids))] - start
        points.append(model.nodes[block.connectivity[rows]].mean(axis=1).reshape(-1, 3))
    return MarkedPlaces(name, facets, np.concatenate(points))
