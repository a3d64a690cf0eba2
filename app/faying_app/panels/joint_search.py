"""The search for joints: limits, parts, candidates; what is ticked becomes joints in one step."""

from functools import partial

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSlider,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from faying.fem.model import FeModel
from faying.joints.candidates import (
    LARGEST_ANGLE,
    CandidateMeasure,
    FacingParts,
    JointCandidate,
    JointSearch,
    farthest_distance,
)
from faying.joints.search import FOR_NEW_JOINTS
from faying.project import edits
from faying.project.model_questions import CandidateQuestion, FacingQuestion
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.item_models.candidates_table import CandidatesTable
from faying_app.panels import Panel, panels
from faying_app.panels._candidates_view import CandidatesView
from faying_app.panels._table_actions import TableActions
from faying_app.selection import ProposedSurfaces
from faying_app.tasks.waiting_line import WaitingLine

# The slider's steps go evenly through the powers of ten.
_STEPS, _DECADES = 400, 4.0


@panels.register("joint_search")
class JointSearchPanel(Panel):
    """Proposes joints where parts of the selected body face each other; hidden parts do not count."""

    title = "Joint search"
    icon = "joint"
    area = "bottom"
    order = 15
    page = "glossary"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.search_button = QPushButton("Search", self)
        self.distance, self.angle = (QSlider(Qt.Orientation.Horizontal, self) for _ in range(2))
        self.distance.setRange(0, _STEPS)
        self.distance.setValue(_STEPS // 2)
        self.distance.setAccessibleName("Largest distance")
        self.angle.setRange(1, int(LARGEST_ANGLE))
        self.angle.setValue(30)
        self.angle.setAccessibleName("Largest angle")
        self._distance_text, self._angle_text, self.count = QLabel(self), QLabel(self), QLabel(self)
        self._distance_text.setMinimumWidth(96)
        self._angle_text.setMinimumWidth(32)
        kinds = (FacingQuestion, CandidateQuestion)
        self.waiting = WaitingLine(context.questions, kinds, "Searching", self)
        self.parts = QListWidget(self)
        self.parts.setAccessibleName("Parts")
        self.parts.setToolTip("Parts that are searched and shown; hidden ones are ignored.")
        self.table = CandidatesTable()
        self.table.setParent(self)  # what Python alone owns outlives its window: its connections hold it
        self.view = CandidatesView(self.table, self)
        self.copies = TableActions(self.view, context)
        self.create_button = QPushButton("Create joints", self)
        self.create_button.setProperty("role", "primary")
        self._lay_out()
        self._in_front = False
        self.search: JointSearch | None = None
        self._searched: tuple[str, FeModel, frozenset[int]] | None = None
        self._listed: tuple[str, FeModel, str] | None = None
        self._rest = QTimer(self, interval=250, singleShot=True)
        self._rest.timeout.connect(self._measure_next)
        self.search_button.clicked.connect(lambda _checked=False: self.run())
        self.distance.valueChanged.connect(lambda _value: self._limits_changed())
        self.angle.valueChanged.connect(lambda _value: self._limits_changed())
        self.parts.itemChanged.connect(self._part_ticked)
        self.view.chosen_changed.connect(self._propose)
        self.table.dataChanged.connect(lambda *_: self._rows_changed())
        self.table.modelReset.connect(self._rows_changed)
        self.create_button.clicked.connect(lambda _checked=False: self.create_joints())
        context.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 0)
        for widget, stretch in (
            (self.search_button, 0), (QLabel("Distance", self), 0), (self.distance, 3), (self._distance_text, 0),
            (QLabel("Angle", self), 0), (self.angle, 1), (self._angle_text, 0), (self.count, 2),
        ):  # fmt: skip
            head.addWidget(widget, stretch)
        self.waiting.shown_changed.connect(lambda: self.count.setHidden(not self.waiting.isHidden()))
        head.addWidget(self.waiting, 2)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 8, 4)
        for button in self.view.buttons:
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self.create_button)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.parts)
        split.addWidget(self.view)
        split.setStretchFactor(1, 1)
        split.setSizes([170, 750])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(split, 1)
        column.addLayout(foot)

    # Search and what it follows -------------------------------------------------------------------------

    def refresh(self) -> None:
        """Follow the selected body and the hidden parts."""
        name, model = self._body()
        self.search_button.setEnabled(model is not None)
        listed = None if model is None else (name, model, self.context.project.units)
        if listed != self._listed:
            self._listed = listed
            self._list_parts(name, model)
            self._forget()
        elif self._searched is not None and self._searched[2] != self._hidden():
            self.run()
        hidden = self._hidden()
        self.parts.blockSignals(True)
        for row in range(self.parts.count()):
            item = self.parts.item(row)
            shown = item.data(Qt.ItemDataRole.UserRole) not in hidden
            item.setCheckState(Qt.CheckState.Checked if shown else Qt.CheckState.Unchecked)
        self.parts.blockSignals(False)
        self._show_limits()

    def run(self) -> None:
        """Search for facets that face each other in the background, then show the candidates."""
        name, model = self._body()
        if model is None:
            return
        self._searched = searched = (name, model, self._hidden())
        question = FacingQuestion(name, self._farthest(), searched[2])
        self.context.questions.ask(object(), question, partial(self._take, searched))

    def _take(self, searched: tuple[str, FeModel, frozenset[int]], facing: FacingParts) -> None:
        """Show the candidates, unless something else is searched by now."""
        name, model = self._body()
        skin = self.context.computed.skin(name) if model is not None else None
        if searched != self._searched or model is None or skin is None or model is not searched[1]:
            return
        self.search = JointSearch(model, skin, facing)
        self._limits_changed()

    def create_joints(self) -> None:
        """Make joints of the ticked candidates, in one step that can be undone."""
        name, _ = self._body()
        path = (*body_path(self.context.project, name), "joints")
        joints, taken = [], {joint.name for joint in self.context.value(path)}
        for row in self.table.ticked():
            candidate = self.table.rows[row].candidate
            wish, number = self.table.rows[row].name, 2
            while wish in taken:
                wish, number = f"{self.table.rows[row].name} {number}", number + 1
            taken.add(wish)
            distance, angle = candidate.limits
            search = FOR_NEW_JOINTS.with_(distance=distance, angle=max(angle, 45.0))
            joints.append(
                {"name": wish, "master": candidate.master, "slave": candidate.slave, "search": search}
            )
        first = len(self.context.value(path))
        count = f"{len(joints)} joint{'s' if len(joints) > 1 else ''}"
        if joints and self.context.apply(f"Create {count} from the search", edits.add_joints(name, joints)):
            self._forget()
            self.context.selection.select((*path, first))
            self.context.say(f"Created {count}.")

    def set_in_front(self, in_front: bool) -> None:
        """Show the candidates in the 3D view as long as the panel can be seen."""
        self._in_front = in_front
        self._propose()

    # Limits ---------------------------------------------------------------------------------------------

    @property
    def largest_distance(self) -> float:
        """The distance set by the slider."""
        share = 1.0 - self.distance.value() / _STEPS
        return float(f"{self._farthest() * 10.0 ** (-_DECADES * share):.3g}")

    def _farthest(self) -> float:
        name, _ = self._body()
        skin = self.context.computed.skin(name)
        return farthest_distance(skin) if skin is not None else 1.0

    def _limits_changed(self) -> None:
        self._show_limits()
        if self.search is None:
            return
        found = self.search.candidates(self.largest_distance, float(self.angle.value()))
        names = {part: name for part, (name, _) in self.context.computed.part_names(self._body()[0]).items()}
        self.table.show_candidates(found, self.context.project.units, names)
        self.view.fit()
        self._propose()

    def _show_limits(self) -> None:
        unit = unit_text("length", self.context.project.units)
        self._distance_text.setText(f"{self.largest_distance:.3g} {unit}" if self._listed is not None else "")
        self._angle_text.setText(f"{self.angle.value()}°")
        if self.search is None:
            self.count.setText(
                "Press Search to find candidates." if self._listed is not None else "Import a deck first."
            )
        else:
            n = len(self.table.rows)
            self.count.setText(f"{n} candidate{'' if n == 1 else 's'}")

    def _measure_next(self) -> None:
        """Find the contact pairs of one more candidate in the background."""
        row = self.table.next_unmeasured()
        if row is not None and self.search is not None:
            candidate = self.table.rows[row].candidate
            question = CandidateQuestion(self._body()[0], candidate)
            # Repeated requests are one question; one that the user stopped is not repeated.
            self.context.questions.ask(("candidate", candidate), question, partial(self._measured, candidate))

    def _measured(self, candidate: JointCandidate, measure: CandidateMeasure | None) -> None:
        for row, shown in enumerate(self.table.rows):
            if shown.candidate is candidate:  # else the limits have changed
                self.table.set_measure(row, measure)
        self._measure_next()

    # 3D view --------------------------------------------------------------------------------------------

    def _propose(self) -> None:
        name, _ = self._body()
        rows = self.view.chosen_rows() or self.table.ticked()
        if not self._in_front or not rows or self.search is None:
            self.context.selection.propose(None)
            return
        candidates: list[JointCandidate] = [self.table.rows[row].candidate for row in rows]
        sides = (np.unique(np.concatenate([c.surfaces[side] for c in candidates])) for side in (0, 1))
        self.context.selection.propose(ProposedSurfaces(name, *sides))

    # ----------------------------------------------------------------------------------------------------

    def _body(self) -> tuple[str, FeModel | None]:
        body = self.context.selected_body()
        return ("", None) if body is None else (body.name, self.context.computed.model(body.name))

    def _hidden(self) -> frozenset[int]:
        name, _ = self._body()
        return frozenset(part for body, part in self.context.view.values.hidden_parts if body == name)

    def _list_parts(self, name: str, model: FeModel | None) -> None:
        self.parts.blockSignals(True)
        self.parts.clear()
        for part, (title, size) in (
            self.context.computed.part_names(name) if model is not None else {}
        ).items():
            item = QListWidgetItem(title[:1].upper() + title[1:])
            item.setData(Qt.ItemDataRole.UserRole, part)
            item.setToolTip(f"{title}: {size}")
            item.setCheckState(Qt.CheckState.Checked)
            self.parts.addItem(item)
        self.parts.blockSignals(False)

    def _part_ticked(self, item: QListWidgetItem) -> None:
        name, part = self._body()[0], int(item.data(Qt.ItemDataRole.UserRole))
        self.context.view.show_part(name, part, shown=item.checkState() == Qt.CheckState.Checked)

    def _rows_changed(self) -> None:
        """Follow ticks; what was swapped or merged is measured again when the user rests."""
        self._ticks_changed()
        self._show_limits()
        if self.table.next_unmeasured() is not None:
            self._rest.start()

    def _ticks_changed(self) -> None:
        n = len(self.table.ticked())
        self.create_button.setText(f"Create {n} joint{'' if n == 1 else 's'}" if n else "Create joints")
        self.create_button.setEnabled(n > 0)

    def _forget(self) -> None:
        self.search, self._searched = None, None
        self._rest.stop()
        self.table.show_candidates((), self.context.project.units)
        self.context.selection.propose(None)
        self._ticks_changed()
        self._show_limits()
