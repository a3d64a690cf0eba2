"""The contact pairs of a joint as a table; rows and the 3D view show each other's selection."""

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from faying.fem.model_checks.joint_sizes import COARSE_SLAVE, coarseness
from faying.project.specs import JointSpec
from faying.results.formula import find_field
from faying.units import shown_unit
from faying_app.context import Context
from faying_app.entities import body_at, joint_at
from faying_app.item_models.pairs_table import PairsTableModel
from faying_app.look.counts import counted
from faying_app.look.tips import tip
from faying_app.panels import Panel, panels
from faying_app.panels._gaps_view import GapsView
from faying_app.panels._table_actions import TableActions
from faying_app.selection import SMOOTH_ANGLE, PairRows


@panels.register("pairs")
class PairsPanel(Panel):
    """Shows the joint that is selected, or the first one of the selected body."""

    title = "Contact pairs"
    icon = "pairs"
    area = "bottom"
    order = 20
    page = "glossary"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.model = PairsTableModel()
        self.model.setParent(self)  # what Python alone owns outlives its window: its connections hold it
        self.view = QTableView(self)
        self.view.setModel(self.model)
        self.view.setAccessibleName("Contact pairs")
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setAlternatingRowColors(True)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(24)
        self.view.horizontalHeader().setDefaultSectionSize(112)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.horizontalHeader().setSortIndicatorShown(True)
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.view.setSortingEnabled(True)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.copies = TableActions(self.view, context)
        self._summary, self._empty = QLabel(self), QLabel(self)
        self._summary.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        page = QWidget(self)
        head = QHBoxLayout()
        head.setContentsMargins(8, 3, 8, 0)
        head.addWidget(self._summary, 1)
        self.only_picked = QCheckBox("Picked only", self)
        self.only_picked.setToolTip("Show the pairs on the faces picked in the 3D view alone.")
        self.gaps_button = QPushButton("Gaps", self)
        self.gaps_button.setCheckable(True)
        self.gaps_button.setToolTip(
            tip(
                "Show how often each initial gap occurs; drag the limits to close gaps and remove penetrations."
            )
        )
        head.addWidget(self.only_picked)
        head.addWidget(self.gaps_button)
        self.gaps = GapsView(context, self)
        self.gaps.hide()
        split = QSplitter(Qt.Orientation.Horizontal, page)
        split.addWidget(self.view)
        split.addWidget(self.gaps)
        split.setSizes([600, 360])
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(split, 1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(page)
        self._pages.addWidget(self._empty)
        self._shown: object = None
        self._body = self._joint = ""
        self._telling = False
        self.view.selectionModel().selectionChanged.connect(self._rows_selected)
        self.only_picked.toggled.connect(lambda _on: self._filter())
        self.gaps_button.toggled.connect(self.gaps.setVisible)
        context.selection.faces_changed.connect(lambda _faces: self._filter())
        context.selection.pairs_changed.connect(self._show_selected)
        context.changed.connect(self.refresh)
        context.values_changed.connect(self._show_values)
        context.view.changed.connect(self._view_changed)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a height that shows several rows."""
        return QSize(600, 190)

    def begin_project(self) -> None:
        """Show all pairs of another project, without their gaps."""
        self.only_picked.setChecked(False)
        self.gaps_button.setChecked(False)

    def refresh(self) -> None:
        """Show the pairs of the joint that is meant now."""
        project, path = self.context.project, self.context.entity
        body, joint = body_at(project, path), joint_at(project, path)
        if body is None or joint is None:
            self._show_nothing("There is no joint yet. Add one from two surfaces: Model ▸ Add joint.")
            return
        if body.is_tied(joint):
            self._show_nothing(f"{joint.name} is tied: its surfaces move as one, without contact pairs.")
            return
        pairs = self.context.computed.pairs(body.name, joint.name)
        if pairs is None:
            self._show_nothing(
                f"The contact pairs of joint {joint.name!r} have not been found yet, or are out of date. "
                "Find them: Run ▸ Update contact pairs (Ctrl+U)."
            )
            return
        self._pages.setCurrentIndex(0)
        shown = (id(pairs), body.name, joint.name, project.units)
        if shown != self._shown:
            self._shown, self._kept = shown, pairs
            self._body, self._joint = body.name, joint.name
            computed = self.context.computed
            self.model.show_pairs(
                pairs, computed.model(body.name), computed.surface(body.name, joint, "master"),
                computed.surface(body.name, joint, "slave"), project.units,
            )  # fmt: skip
            self.gaps.show_joint(body.name, joint.name, pairs)
            self._fit_columns()
            self._filter()
            self._show_selected(self.context.selection.pairs)
        missing = pairs.n_unpaired
        self._summary.setText(
            f"{joint.name}: {counted(len(pairs), 'contact pair')}"
            + (f", {missing} {pairs.slave_word} without a pair" if missing else "")
            + self._advice(body.name, joint)
        )
        self._show_values()

    def _advice(self, body: str, joint: JointSpec) -> str:
        """Return the advice to swap master and slave where the slave is the coarser one."""
        computed = self.context.computed
        model = computed.model(body)
        master, slave = computed.surface(body, joint, "master"), computed.surface(body, joint, "slave")
        if model is None or master is None or slave is None:
            return ""
        coarse = coarseness(master, slave, model.nodes)
        if coarse <= COARSE_SLAVE:
            return ""
        return f". The slave side is {coarse:.1f} times as coarse as the master: swap them (F8)"

    def _filter(self) -> None:
        """Leave out rows that are not on the picked faces, when that is wanted."""
        skin, faces = self.context.computed.skin(self._body), self.context.selection.faces
        if not self.only_picked.isChecked() or not faces or skin is None:
            self.model.show_only(None)
            return
        facets = np.unique(np.concatenate([skin.grow(face.facet, SMOOTH_ANGLE) for face in faces]))
        self.model.show_only(skin.chosen(facets, "picked").nodes)

    def _view_changed(self, name: str) -> None:
        if name == "units":
            self._show_values()

    def _show_values(self) -> None:
        """Show the values of the present frame next to the pairs, if the 3D view shows a joint's field."""
        shown = self.context.shown_field
        evaluated = self.context.shown_values.get(self._joint)
        if evaluated is None:
            self.model.show_values("", None)
            return
        field = find_field(shown)
        # In the unit of the legend.
        quantity = self.context.shown_quantity
        unit, factor = shown_unit(quantity, self.context.project.units, self.context.view.values.units)
        title = f"{field.title} [{unit}]" if unit else field.title
        is_new = title not in self._headings()
        self.model.show_values(title, factor * evaluated, field.states)
        if is_new:
            self._fit_columns()  # frames that follow leave the widths that the user gives

    def _headings(self) -> list[str]:
        return [
            str(self.model.headerData(section, Qt.Orientation.Horizontal))
            for section in range(self.model.columnCount())
        ]

    def _fit_columns(self) -> None:
        metrics, head = self.view.fontMetrics(), self.view.horizontalHeader()
        for section, text in enumerate(self._headings()[:-1]):
            head.resizeSection(section, max(metrics.horizontalAdvance(text) + 40, 72))

    def _show_nothing(self, why: str) -> None:
        if self._shown is not None:
            self._shown = None
            self.model.show_pairs(None, None)
        self._empty.setText(why)
        self._pages.setCurrentIndex(1)

    def _rows_selected(self, _new: QItemSelection, _old: QItemSelection) -> None:
        if self._telling:
            return
        rows = [self.model.pair_of(index.row()) for index in self.view.selectionModel().selectedRows()]
        pairs = tuple(sorted(r for r in rows if r < self.model.n_pairs))
        self.context.selection.select_pairs(PairRows(self._body, self._joint, pairs) if pairs else None)

    def _show_selected(self, pairs: PairRows | None) -> None:
        rows = (
            pairs.rows if pairs is not None and (pairs.body, pairs.joint) == (self._body, self._joint) else ()
        )
        marks, last = self.view.selectionModel(), self.model.columnCount() - 1
        now = {self.model.pair_of(index.row()) for index in marks.selectedRows()}
        if now == set(rows) or self._shown is None:
            return
        chosen = QItemSelection()
        for row in sorted(at for r in np.asarray(rows, int) if (at := self.model.row_of(int(r))) >= 0):
            chosen.select(self.model.index(row, 0), self.model.index(row, last))
        self._telling = True
        marks.select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._telling = False
        if rows and self.model.row_of(rows[0]) >= 0:
            self.view.scrollTo(self.model.index(self.model.row_of(rows[0]), 0))
