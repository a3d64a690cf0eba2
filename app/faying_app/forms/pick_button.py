"""A button next to a field: the next click in the 3D view fills it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from faying_app.look.icons import icon


class PickButton(QToolButton):
    """Lets a surface or node be picked.

    Args:
        title: of the field.
        what: "face" or "node".
        picker: returns what begins to wait for the pick; None when nothing can be picked now.
    """

    def __init__(
        self, title: str, what: str, picker: Callable[[], Callable[[], None] | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setIcon(icon("pick"))
        self.setAutoRaise(True)
        self.setToolTip(
            "Take the smooth surface round the picked face, or round the next face that is clicked in the 3D view"
            if what == "face"
            else "Take the next node that is clicked in the 3D view"
        )
        self.setAccessibleName(f"Pick {title.lower()}")
        self.clicked.connect(lambda _checked=False: (pick := picker()) and pick())


def with_button(field: QWidget, button: PickButton, parent: QWidget) -> QWidget:
    """Return a field with the button to its right."""
    both = QWidget(parent)
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2)
    row.addWidget(field, 1)
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    return both
