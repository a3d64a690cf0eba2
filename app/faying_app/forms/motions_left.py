"""The motions that are left to a system, with a button for each that swings it in the view."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from faying.multibody.assembly import Assembled
from faying.multibody.free_motions import FreeMotion, named_motions
from faying_app.context import Context
from faying_app.look.icons import icon


class MotionsLeft(QWidget):
    """How many motions are left, and a button for each.

    Args:
        context: of the window.
        parent: around.
        most: motions that have a button of their own.

    Attributes:
        buttons: in the order of the motions.
    """

    def __init__(self, context: Context, parent: QWidget, most: int = 6) -> None:
        super().__init__(parent)
        self._context, self._most = context, most
        self._shown: tuple[Assembled | None, tuple[FreeMotion, ...]] = (None, ())
        self.buttons: list[QPushButton] = []
        self.heading, self._more = QLabel(self), QLabel(self)
        for label in (self.heading, self._more):
            label.setProperty("role", "muted")
            label.setWordWrap(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        self._column.addWidget(self.heading)
        self._column.addWidget(self._more)
        self.show_motions(None, ())

    def show_motions(self, at: Assembled | None, motions: Sequence[FreeMotion]) -> None:
        """Show the motions of a system as it starts; nothing without one."""
        motions = tuple(motions)
        if at is not None and (at, motions) == self._shown:
            return
        self._shown = at, motions
        for button in self.buttons:
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        count = len(motions)
        self.setVisible(at is not None)
        if at is None:
            return
        words = {0: "No motion is left.", 1: "1 motion is left:"}
        self.heading.setText(words.get(count, f"{count} motions are left:"))
        named = named_motions(motions)
        for k, (sentence, motion) in enumerate(named[: self._most]):
            self._column.insertWidget(1 + k, self._button(at, sentence, motion))
        self._more.setText(f"and {len(named) - self._most} more")
        self._more.setVisible(len(named) > self._most)

    def apply_theme(self) -> None:
        """Draw the icons in the theme's colours."""
        for button in self.buttons:
            button.setIcon(icon("swing"))

    def _button(self, at: Assembled, sentence: str, motion: FreeMotion) -> QPushButton:
        button = QPushButton(icon("swing"), sentence, self)
        button.setProperty("role", "compact")
        follow = f" {', '.join(motion.followers)} with it." if motion.followers else ""
        button.setToolTip(f"Let it swing in the view.{follow}")
        button.clicked.connect(lambda _checked=False: self._context.window.swing(at, motion))
        self.buttons.append(button)
        return button
