"""Contact pairs as a Qt table model: arrays stay arrays, so that twenty thousand rows are no burden."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from faying.fem.model import FeModel
from faying.fem.skin import nodal_normals
from faying.fem.surface import Surface
from faying.joints.pairs import REASONS, ContactPairs
from faying.joints.pairs_table import slave_numbers
from faying.units import unit_text

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class _Column:
    title: str
    meaning: str
    values: np.ndarray
    form: str
    states: tuple[str, ...] = ()
    ends: tuple[float, ...] = ()  # the largest and the smallest value, if they are highlighted


class PairsTableModel(QAbstractTableModel):
    """One contact pair a row in their order, then the slave nodes or integration points without a pair."""

    def __init__(self) -> None:
        super().__init__()
        self.n_pairs = 0
        self._order = np.zeros(0, np.int64)
        self._rank = np.zeros(0, np.int64)
        self._columns: list[_Column] = []
        self._remarks: np.ndarray = np.zeros(0, np.int64)
        self._nodes: list[np.ndarray] = []  # (n, k) of the slave side of all rows
        self._only: np.ndarray | None = None
        self._sorted: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self._value_at = -1

    def show_pairs(
        self,
        pairs: ContactPairs | None,
        model: FeModel | None,
        master: Surface | None = None,
        slave: Surface | None = None,
        units: str = "mm-t-s",
    ) -> None:
        """Show the pairs of a joint, or nothing."""
        self.beginResetModel()
        self._columns, self.n_pairs = [], 0
        if pairs is not None and model is not None:
            self.n_pairs = len(pairs)
            self._columns = _columns(pairs, model, master, slave, units)
            self._nodes = [pairs.slave_shares[0], pairs.unpaired_shares[0]]
            self._remarks = np.concatenate([np.full(len(pairs), -1), pairs.unpaired_reasons]).astype(np.int64)
        self._value_at, self._sorted = -1, (-1, Qt.SortOrder.AscendingOrder)
        self._set_order(np.arange(self._count))
        self.endResetModel()

    def show_only(self, nodes: np.ndarray | None) -> None:
        """Show only the rows at some slave nodes or between them, by row in the model; None shows all."""
        if nodes is None and self._only is None:
            return
        self.beginResetModel()
        self._only = nodes
        self._set_order(self._sorted_rows())
        self.endResetModel()

    def show_values(self, title: str, values: np.ndarray | None, states: tuple[str, ...] = ()) -> None:
        """Show or hide the values of a field next to the pairs; those of a status field by their names."""
        if not self._columns:
            return
        if values is None or len(values) != self.n_pairs:
            if self._value_at >= 0:
                self.beginRemoveColumns(QModelIndex(), self._value_at, self._value_at)
                del self._columns[self._value_at]
                self._value_at = -1
                self.endRemoveColumns()
            return
        padded = np.full(self._count, np.nan)
        padded[: self.n_pairs] = values
        column = _Column(
            title, "Value in the frame that is shown.", padded, ".5g", states, () if states else _ends(values)
        )
        if self._value_at < 0:
            at = len(self._columns)
            self.beginInsertColumns(QModelIndex(), at, at)
            self._columns.append(column)
            self._value_at = at
            self.endInsertColumns()
            return
        renamed = self._columns[self._value_at].title != title
        self._columns[self._value_at] = column
        if renamed:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, self._value_at, self._value_at)
        if self._sorted[0] == self._value_at:
            self.sort(*self._sorted)
        else:
            bottom = max(self.rowCount() - 1, 0)
            self.dataChanged.emit(self.index(0, self._value_at), self.index(bottom, self._value_at))

    def pair_of(self, row: int) -> int:
        """Return the number of the contact pair in a table row; numbers from `n_pairs` on have no pair."""
        return int(self._order[row])

    def row_of(self, pair: int) -> int:
        """Return the table row of a contact pair, -1 when it is left out."""
        return int(self._rank[pair])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of slave nodes or integration points that are shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns: the numbers, and the remark."""
        return len(self._columns) + 1 if self._columns else 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell."""
        row, at = int(self._order[index.row()]), self._source(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            if at < 0:
                reason = int(self._remarks[row])
                return REASONS[reason] if reason >= 0 else ""
            value = self._columns[at].values[row]
            if not np.isnan(value) and self._columns[at].states:
                return self._columns[at].states[round(value)]
            return "" if np.isnan(value) else format(value, self._columns[at].form)
        if (
            role == Qt.ItemDataRole.FontRole
            and at >= 0
            and self._columns[at].values[row] in self._columns[at].ends
        ):
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole and at >= 0:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's heading with its unit, and its meaning as a tooltip."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        at = self._source(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[at].title if at >= 0 else "Remark"
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._columns[at].meaning if at >= 0 else "Why there is no contact pair."
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows; nodes without a value come last either way."""
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        pairs = [self.pair_of(index.row()) for index in kept]
        self._sorted = (column, order)
        self._set_order(self._sorted_rows())
        self.changePersistentIndexList(
            kept, [self.index(self.row_of(p), i.column()) for p, i in zip(pairs, kept, strict=True)]
        )
        self.layoutChanged.emit()

    @property
    def _count(self) -> int:
        """Number of slave nodes or integration points, left out or not."""
        return len(self._columns[0].values) if self._columns else 0

    def _sorted_rows(self) -> np.ndarray:
        column, order = self._sorted
        at = self._source(column) if column >= 0 else -2
        keys = np.arange(self._count) if at == -2 else self._remarks if at < 0 else self._columns[at].values
        return np.argsort(keys if order == Qt.SortOrder.AscendingOrder else -keys, kind="stable")

    def _set_order(self, order: np.ndarray) -> None:
        if self._only is not None and len(order):
            wanted = np.concatenate([np.isin(rows, self._only).all(axis=1) for rows in self._nodes])
            order = order[wanted[order]]
        self._order = order
        self._rank = np.full(self._count, -1)
        self._rank[order] = np.arange(len(order))

    def _source(self, section: int) -> int:
        """Return the number of the column at a section; -1 for the remark, which is the last."""
        return section if section < len(self._columns) else -1


def _ends(values: np.ndarray) -> tuple[float, ...]:
    """Return the largest value, and the smallest one unless it is the zero of open pairs."""
    known = values[np.isfinite(values)]
    if not len(known) or known.min() == known.max():
        return ()
    return (float(known.max()), float(known.min())) if known.min() != 0.0 else (float(known.max()),)


def _columns(
    pairs: ContactPairs, model: FeModel, master: Surface | None, slave: Surface | None, units: str
) -> list[_Column]:
    length, area = unit_text("length", units), unit_text("area", units)
    missing = pairs.n_unpaired

    def padded(values: np.ndarray) -> np.ndarray:
        return np.concatenate([np.asarray(values, float), np.full(missing, np.nan)])

    columns = _slave_columns(pairs, model, slave)
    if master is not None:
        elements = np.concatenate([b.elements for b in master.blocks])[pairs.facets]
        faces = np.concatenate([b.faces for b in master.blocks])[pairs.facets] + 1
        columns.append(
            _Column("Master element", "The element whose face holds the intersection point.",
                    padded(model.element_ids[elements]), ".0f"))  # fmt: skip
        columns.append(_Column("Face", "Number of that face, S1, S2, ….", padded(faces), ".0f"))
    columns += [
        _Column("ξ", "First local coordinate of the intersection point.", padded(pairs.local_coordinates[:, 0]), ".4f"),
        _Column("η", "Its second local coordinate.", padded(pairs.local_coordinates[:, 1]), ".4f"),
        _Column(f"Initial gap [{length}]",
                "Distance of the slave side from the master face before any load, along the face's normal: positive "
                "where they are apart, negative where they penetrate each other.",
                padded(pairs.initial_gaps), ".4g"),
        _Column(f"Area [{area}]", "The area that the contact pair represents.",
                np.concatenate([pairs.weights, pairs.unpaired_weights]), ".4g"),
    ]  # fmt: skip
    if slave is not None:
        normals = np.zeros_like(model.nodes)
        normals[slave.nodes] = nodal_normals(slave, model.nodes)
        own = pairs.on_slave(normals)  # between nodes of a curved face shorter than 1
        cosines = -np.einsum("ij,ij->i", own / np.linalg.norm(own, axis=1, keepdims=True), pairs.normals)
        angles = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
        meaning = "Angle by which the slave normal deviates from exactly facing the master normal."
        columns.append(_Column("Deviation [°]", meaning, padded(angles), ".2f"))
    return columns


def _slave_columns(pairs: ContactPairs, model: FeModel, slave: Surface | None) -> list[_Column]:
    """Return what names the slave node of a pair, or the face that its integration point is on."""
    numbers = np.concatenate(slave_numbers(pairs, model))
    if pairs.slave_points is None:
        return [_Column("Slave node", "The deck's number of the slave node.", numbers.astype(float), ".0f")]
    if slave is None:
        return [_Column("Slave facet", "Number of the slave facet.", numbers.astype(float), ".0f")]
    elements = np.concatenate([b.elements for b in slave.blocks])[numbers]
    faces = np.concatenate([b.faces for b in slave.blocks])[numbers] + 1
    return [
        _Column("Slave element", "The element whose face holds the integration point.",
                model.element_ids[elements].astype(float), ".0f"),
        _Column("Slave face", "Number of that face, S1, S2, ….", faces.astype(float), ".0f"),
    ]  # fmt: skip
