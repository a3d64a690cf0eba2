"""Candidates for joints as a Qt table model: ticked, named and swapped by the user."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from faying.joints.candidates import CandidateMeasure, JointCandidate, merged_candidates
from faying.units import unit_text

Index = QModelIndex | QPersistentModelIndex
_WAITING = "…"


@dataclass(frozen=True, eq=False)
class CandidateRow:
    """A candidate as the user has it by now; `measured` tells whether `measure` was looked for."""

    candidate: JointCandidate
    name: str
    ticked: bool = True
    measured: bool = False
    measure: CandidateMeasure | None = None


class CandidatesTable(QAbstractTableModel):
    """One candidate a row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[CandidateRow] = []
        self._titles: tuple[str, ...] = ()
        self._parts: dict[int, str] = {}

    def show_candidates(
        self, candidates: Iterable[JointCandidate], units: str, parts: Mapping[int, str] | None = None
    ) -> None:
        """Show other candidates, all ticked; parts are called by the names given, else by their numbers."""
        self._parts = dict(parts or {})
        area, length = unit_text("area", units), unit_text("length", units)
        self.beginResetModel()
        self._titles = (
            "Name", "Master", "Slave", f"Areas [{area}]", "Paired nodes",
            f"Initial gap [{length}]", f"Penetration [{length}]",
        )  # fmt: skip
        self.rows = [CandidateRow(c, c.name) for c in candidates]
        self.endResetModel()

    def ticked(self) -> list[int]:
        """Return the rows that are to become joints."""
        return [i for i, row in enumerate(self.rows) if row.ticked]

    def change(self, row: int, **changes: Any) -> None:
        """Change what the user decides of a row."""
        self.rows[row] = replace(self.rows[row], **changes)
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def swap(self, row: int) -> None:
        """Make the master of a candidate its slave and the other way round."""
        self.change(row, candidate=self.rows[row].candidate.swapped(), measured=False, measure=None)

    def merge(self, rows: list[int]) -> None:
        """Put several rows together to one, in the place and with the name of the first."""
        first = self.rows[rows[0]]
        candidate = merged_candidates([self.rows[row].candidate for row in rows], first.name)
        self.beginResetModel()
        self.rows[rows[0]] = CandidateRow(candidate, first.name, any(self.rows[row].ticked for row in rows))
        self.rows = [row for at, row in enumerate(self.rows) if at not in rows[1:]]
        self.endResetModel()

    def next_unmeasured(self) -> int | None:
        """Return the first row whose contact pairs have not been looked for; None when there is none."""
        return next((i for i, row in enumerate(self.rows) if not row.measured), None)

    def set_measure(self, row: int, measure: CandidateMeasure | None) -> None:
        """Show what the contact pairs of a row are like."""
        self.change(row, measured=True, measure=measure)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of candidates."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._titles)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Names can be edited and rows ticked."""
        flags = super().flags(index)
        if index.column() == 0:
            flags |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tick or alignment of a cell."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            return Qt.CheckState.Checked if row.ticked else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._texts(row)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > 0:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take over a name or a tick."""
        if role == Qt.ItemDataRole.CheckStateRole:
            self.change(index.row(), ticked=Qt.CheckState(value) == Qt.CheckState.Checked)
        elif role == Qt.ItemDataRole.EditRole and str(value).strip():
            self.change(index.row(), name=str(value).strip())
        else:
            return False
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's heading."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return None

    def _texts(self, row: CandidateRow) -> tuple[str, ...]:
        c, m = row.candidate, row.measure
        if m is not None:
            measured = (
                f"{100 * m.paired:.1f} %",
                f"{m.gaps[0]:.4g} … {m.gaps[1]:.4g}",
                f"{m.penetration:.4g}",
            )
        else:
            measured = ("none", "", "") if row.measured else (_WAITING,) * 3
        parts = (
            ", ".join(
                self._parts.get(p, f"part {p + 1}") for p in sorted({one.parts[side] for one in c.found})
            )
            for side in (0, 1)
        )
        return (row.name, *parts, f"{c.areas[0]:.5g}, {c.areas[1]:.5g}", *measured)
