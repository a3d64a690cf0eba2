"""What an empty window shows: ways to begin."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.examples import examples
from faying_app.context import Context
from faying_app.look.icons import application_icon, pixmap
from faying_app.tasks import opening


class StartPage(QFrame):
    """Cards to open a deck, a project, an example, and the files used lately."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("startPage")
        self._context = context
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        self.refresh()

    def refresh(self) -> None:
        """Build the page anew: recent files and the theme may have changed."""
        page = QWidget()
        page.setObjectName("formPage")
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(10)
        outer.addLayout(column, 8)
        outer.addStretch(1)
        column.addStretch(1)
        column.addLayout(self._head())
        ask = opening.ask_for_file
        context = self._context
        column.addWidget(
            StartPageCard("import", "Open an FE deck",
                 "Abaqus, CalculiX, Nastran, Ansys, Gmsh, VTK … Drop one anywhere on this window.",
                 lambda: ask(context, "Open deck", opening.DECKS, opening.import_deck)))  # fmt: skip
        column.addWidget(
            StartPageCard("open", "Open a project or study",
                 "Projects (.faying) hold everything; studies (.toml) decisions.",
                 lambda: ask(context, "Open", opening.OPENABLE, opening.open_path)))  # fmt: skip
        for kind, example in examples.items():
            column.addWidget(
                StartPageCard(
                    "example",
                    f"Example: {example.title}",
                    example.summary,
                    partial(opening.open_example, context, kind),
                )
            )
        recent = self._context.settings.recent_files[:5]
        if recent:
            heading = QLabel("Recent files")
            heading.setProperty("role", "title")
            column.addSpacing(8)
            column.addWidget(heading)
            for path in recent:
                column.addWidget(_Link(path, partial(opening.open_path, context, path)))
        column.addStretch(2)
        self._area.setWidget(page)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        picture = QLabel()
        picture.setPixmap(application_icon().pixmap(56, 56))
        words = QVBoxLayout()
        name, what = QLabel("Faying"), QLabel("Contact and friction inside jointed flexible bodies")
        name.setProperty("role", "heading")
        what.setProperty("role", "muted")
        words.addWidget(name)
        words.addWidget(what)
        row.addWidget(picture)
        row.addSpacing(6)
        row.addLayout(words)
        row.addStretch(1)
        return row


class StartPageCard(QFrame):
    """A large button with an icon, a title and a line below."""

    def __init__(self, picture: str, title: str, line: str, do: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName(title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._do = do
        mark, head, below = QLabel(), QLabel(title), QLabel(line)
        mark.setPixmap(pixmap(picture, 28, "accent", self.devicePixelRatioF()))
        head.setProperty("role", "title")
        below.setProperty("role", "muted")
        below.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(head)
        words.addWidget(below)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 11, 16, 11)
        row.setSpacing(14)
        row.addWidget(mark)
        row.addLayout(words, 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do it when the button is let go on the card."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._do()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do it on Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._do()
        else:
            super().keyPressEvent(event)


class _Link(QLabel):
    def __init__(self, path: Path, do: Callable[[], None]) -> None:
        name, folder = escape(path.name), escape(str(path.parent))
        super().__init__(f'<a href="#" style="text-decoration: none">{name}</a>  <small>{folder}</small>')
        self.setProperty("words", "rich")  # for the link, and nothing else in the window
        self.setToolTip(str(path))
        self.linkActivated.connect(lambda _link: do())
