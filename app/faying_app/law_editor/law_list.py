"""The list of compared laws: shown or hidden, added, duplicated, removed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from faying.errors import FayingError
from faying.joints.law_plots import names_of
from faying.params import build
from faying.registry import Registry
from faying_app.law_editor.candidates import Candidate
from faying_app.look.theme import current_theme
from faying_app.plotting.view import curve_pen

_SAMPLE = QSize(26, 12)
_NONE = "none"


class LawList(QWidget):
    """Holds the candidates, the joint's own first.

    `changed` tells that other curves are to be drawn, `chosen` that another candidate is selected, `refused`
    a sentence why something was not done.
    """

    changed = Signal()
    chosen = Signal()
    refused = Signal(str)

    def __init__(self, family: Registry[Any], first: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._family, self.in_use = family, first
        self.candidates = [Candidate(first, 0)]
        self._filling = False
        self.list = QListWidget(self)
        self.list.setAccessibleName("Compared laws")
        self.list.setIconSize(_SAMPLE)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._row_changed)
        self.list.itemChanged.connect(self._toggled)
        self.add_button = self._button("Add", "Compare another law, with its default parameters.", None)
        self.add_button.setMenu(self._kinds())
        self.duplicate_button = self._button("Duplicate", "Compare a copy of the chosen law.", self.duplicate)
        self.remove_button = self._button("Remove", "Compare the chosen law no longer.", self.remove)
        buttons = QHBoxLayout()
        for button in (self.add_button, self.duplicate_button, self.remove_button):
            buttons.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        self.refresh()
        self.list.setCurrentRow(0)

    @property
    def current(self) -> Candidate:
        """The selected candidate."""
        return self.candidates[max(self.list.currentRow(), 0)]

    def names(self) -> list[str]:
        """Return the candidates' names."""
        titles = iter(names_of([c.law for c in self.candidates if c.law is not None]))
        return [next(titles) if c.law is not None else _NONE for c in self.candidates]

    def refresh(self) -> None:
        """Show the candidates as they are now."""
        self._filling = True
        row = max(self.list.currentRow(), 0)
        while self.list.count() > len(self.candidates):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(self.candidates):
            self.list.addItem(QListWidgetItem())
        for i, (candidate, name) in enumerate(zip(self.candidates, self.names(), strict=True)):
            item = self.list.item(i)
            item.setText(f"{name} (in the joint)" if i == 0 and candidate.law == self.in_use else name)
            item.setIcon(_sample(candidate.style))
            item.setCheckState(Qt.CheckState.Checked if candidate.shown else Qt.CheckState.Unchecked)
            item.setToolTip("Ticked laws are drawn.")
        self.list.setCurrentRow(min(row, len(self.candidates) - 1))
        self._filling = False
        self.remove_button.setEnabled(len(self.candidates) > 1)

    def add(self, kind: str) -> None:
        """Compare a law of a kind."""
        try:
            self._append(build(self._family[kind], {}))
        except FayingError as error:
            self.refused.emit(str(error))

    def _add_chosen(self, kind: str, _checked: bool = False) -> None:
        self.add(kind)

    def duplicate(self) -> None:
        """Compare a copy of the selected candidate."""
        self._append(self.current.law)

    def remove(self) -> None:
        """Remove the selected candidate."""
        if len(self.candidates) > 1:
            del self.candidates[max(self.list.currentRow(), 0)]
            self.refresh()
            self.chosen.emit()
            self.changed.emit()

    def _append(self, law: Any) -> None:
        taken = {c.style for c in self.candidates}
        style = next(n for n in range(len(taken) + 1) if n not in taken)
        self.candidates.append(Candidate(law, style))
        self.refresh()
        self.list.setCurrentRow(len(self.candidates) - 1)
        self.changed.emit()

    def _button(self, text: str, meaning: str, do: Callable[[], None] | None) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.setToolTip(meaning)
        if do is not None:
            button.clicked.connect(lambda _checked=False: do())
        return button

    def _kinds(self) -> QMenu:
        menu = QMenu(self)
        for kind, law in self._family.items():
            menu.addAction(law.title).triggered.connect(partial(self._add_chosen, kind))
        return menu

    def _row_changed(self, row: int) -> None:
        if row >= 0 and not self._filling:
            self.chosen.emit()

    def _toggled(self, item: QListWidgetItem) -> None:
        if not self._filling:
            self.candidates[self.list.row(item)].shown = item.checkState() == Qt.CheckState.Checked
            self.changed.emit()


def _sample(style: int) -> QIcon:
    """Return a piece of a curve as it is drawn in the plot."""
    colour, dashes = curve_pen(style, current_theme())
    picture = QPixmap(_SAMPLE)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setPen(QPen(QColor(colour), 2.5, dashes))
    middle = _SAMPLE.height() // 2
    painter.drawLine(0, middle, _SAMPLE.width(), middle)
    painter.end()
    return QIcon(picture)
