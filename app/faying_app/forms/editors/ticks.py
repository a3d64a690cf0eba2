"""References to several named things: a list to tick."""

from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from faying_app.forms.declaration import Declaration
from faying_app.forms.editors import Editor, Surroundings, editors


@editors.register("ticks")
class TicksEditor(Editor):
    """A box for each thing that exists; a name of nothing stays until it is unticked."""

    rank = 30

    def __init__(self, declaration: Declaration, around: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(declaration, around, parent)
        self._known = around.names(declaration.choices)
        self.boxes: dict[str, QCheckBox] = {}
        self._value: tuple[str, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 3, 0, 3)
        self._column.setSpacing(2)
        self._none = QLabel("there is none yet", self)
        self._none.setProperty("role", "muted")
        self._column.addWidget(self._none)
        self._add(self._known)

    @classmethod
    def suits(cls, declaration: Declaration) -> bool:
        """Tuples of names that refer to something."""
        return declaration.item is str and bool(declaration.choices)

    def show_value(self, value: Any) -> None:
        """Tick what is referred to."""
        self._value = tuple(value or ())
        self._add([name for name in self._value if name not in self.boxes])
        for name, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(name in self._value)
            box.blockSignals(False)
            box.setVisible(name in self._known or name in self._value)

    def _add(self, names: list[str]) -> None:
        for name in names:
            box = QCheckBox(name.replace("&", "&&"), self)
            if name not in self._known:
                box.setText(f"{box.text()} (not there)")
            box.toggled.connect(lambda on, name=name: self._toggle(name, on))
            self.boxes[name] = box
            self._column.addWidget(box)
        self._none.setVisible(not self.boxes)

    def _toggle(self, name: str, on: bool) -> None:
        """Propose the names in the project's order, those of nothing at the end."""
        chosen = {*self._value, name} if on else set(self._value) - {name}
        rest = [other for other in self._value if other in chosen and other not in self._known]
        self.edited.emit((*(known for known in self._known if known in chosen), *rest))
