"""Chooser of a family's member at a place of the project: a list of kinds, and the purpose of the chosen one."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from faying.errors import FayingError
from faying.project import edits
from faying.project.paths import SpecPath
from faying_app.forms.editors import VARIOUS, QuietWheel
from faying_app.forms.host import FormHost
from faying_app.forms.wrong_sentence import WrongSentence


class KindChooser(QWidget):
    """Replaces the member when another kind is chosen; a change that the project refuses is undone and explained.

    Args:
        title: what is chosen, as the step in the history calls it.
        path: where the member is in the project.
        host: the project around it.
        family: the registry of its members.
        member: the present one; None for none.
        optional: whether there may be none.
    """

    def __init__(
        self,
        title: str,
        path: SpecPath,
        host: FormHost,
        family: Any,
        member: Any,
        *,
        optional: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._title, self._path, self._host = title, path, host
        self.combo = QComboBox(self)
        self.combo.installEventFilter(QuietWheel(self.combo))
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(8)
        self.combo.setAccessibleName(title)
        if optional:
            self.combo.addItem("none", None)
        for kind, cls in family.items():
            self.combo.addItem(cls.title or kind.replace("_", " "), kind)
            if cls.advice:
                self.combo.setItemData(self.combo.count() - 1, cls.advice, Qt.ItemDataRole.ToolTipRole)
        self._at = self.combo.findData(None if member is None else member.kind)
        self.combo.setCurrentIndex(self._at)
        self.combo.activated.connect(self._choose)
        self.advice, self.error = QLabel(self), WrongSentence(self)
        self.advice.setText("" if member is None else type(member).advice)
        self.advice.setVisible(bool(self.advice.text()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.combo)
        self.advice.setWordWrap(True)
        self.advice.setProperty("role", "muted")
        column.addWidget(self.advice)

    def show_various(self) -> None:
        """Show that members of several kinds are edited together."""
        self.combo.setPlaceholderText(VARIOUS)
        self._at = -1
        self.combo.setCurrentIndex(-1)
        self.advice.hide()

    def move_to(self, path: SpecPath) -> None:
        """Choose for another path, where a member of the same kind is."""
        self._path = path
        self.error.tell("")

    def _choose(self, index: int) -> None:
        self.error.tell("")
        if index == self._at:
            return
        try:
            chosen = edits.replace_member(self._path, self.combo.currentData())
            self._host.apply(f"Choose {self._title.lower()} {self.combo.currentText()!r}", chosen)
        except FayingError as problem:
            self.combo.setCurrentIndex(self._at)
            self.error.tell(str(problem))
        else:
            self._at = index
