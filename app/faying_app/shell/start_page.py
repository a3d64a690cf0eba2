"""What an empty window shows: ways to begin."""

from collections.abc import Callable
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPixmap, QPixmapCache, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from faying.examples import GROUPS, Example, examples
from faying_app.context import Context
from faying_app.look.icons import application_icon, pixmap
from faying_app.tasks import opening

_MOST_RECENT = 5
_PICTURE = QSize(220, 124)
# Largest number of cards side by side, and the width of each (pixels).
_PICTURES = (5, 270)
_WAYS = (2, 250)


class StartPage(QFrame):
    """The files used lately, ways to open others, and examples with pictures by subject.

    Examples come when the page has been seen: to load them all takes longer than all the rest of it.
    """

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
        self._column: QVBoxLayout | None = None
        self._flows: list[_Flow] = []
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._add_examples)

    def showEvent(self, event: QShowEvent) -> None:
        """Build the page when it is first seen."""
        super().showEvent(event)
        if self._column is None:
            self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many cards side by side as there is room for: nothing is to scroll sideways."""
        super().resizeEvent(event)
        for flow in self._flows:
            flow.lay_out(self.width())

    def refresh(self) -> None:
        """Rebuild the page, since recent files and theme may have changed; a hidden page waits until it is shown."""
        self._column = None
        self._flows.clear()
        if not self.isVisible():
            return
        page = QWidget()
        page.setObjectName("formPage")
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(10)
        outer.addLayout(column, 12)
        outer.addStretch(1)
        column.addSpacing(12)
        column.addLayout(self._head())
        recent = self._context.settings.recent_files[:_MOST_RECENT]
        if recent:
            column.addSpacing(4)
            column.addWidget(_heading("Recent files"))
            for path in recent:
                column.addWidget(_Link(path, partial(opening.open_path, self._context, path)))
            column.addSpacing(4)
        column.addLayout(self._ways())
        column.addStretch(1)
        self._area.setWidget(page)
        self._column = column
        self._soon.start()

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

    def _ways(self) -> QGridLayout:
        ask, context = opening.ask_for_file, self._context
        return self._flow(_WAYS, 10, [
            StartPageCard("import", "Open an FE deck",
                 "Abaqus, CalculiX, Nastran, Ansys, Gmsh, VTK … Drop one anywhere on this window.",
                 lambda: ask(context, "Open deck", opening.deck_files(), opening.import_deck)),
            StartPageCard("open", "Open a project or study",
                 "Projects (.faying) hold everything; studies (.toml) decisions.",
                 lambda: ask(context, "Open", opening.openable_files(), opening.open_path)),
        ])  # fmt: skip

    def _flow(self, most: tuple[int, int], spacing: int, cards: list["StartPageCard"]) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(spacing)
        self._flows.append(_Flow(grid, cards, *most))
        self._flows[-1].lay_out(self.width())
        return grid

    def _add_examples(self) -> None:
        if self._column is None:
            return
        column, at = self._column, self._column.count() - 1
        column.insertWidget(at, _heading("Examples"))
        for i, group in enumerate(GROUPS):
            members = [(kind, cls) for kind, cls in examples.items() if cls.group == group]
            column.insertLayout(at + 1 + i, self._group(group, members))

    def _group(self, title: str, members: list[tuple[str, type[Example]]]) -> QVBoxLayout:
        block = QVBoxLayout()
        block.setSpacing(6)
        heading = QLabel(title)
        heading.setProperty("role", "muted")
        block.addSpacing(6)
        block.addWidget(heading)
        ratio = self.devicePixelRatioF()
        cards = [
            StartPageCard(
                "example", f"Example: {cls.title}", cls.summary, self._opener(kind), _picture(kind, ratio)
            )
            for kind, cls in members
        ]
        block.addLayout(self._flow(_PICTURES, 10, cards))
        return block

    def _opener(self, kind: str) -> Callable[[], None]:
        return partial(opening.open_example, self._context, kind)


class _Flow:
    """Cards in a grid of as many equal columns as there is room for.

    Args:
        grid: where they are put.
        cards: in their order.
        most: columns.
        needed: pixels for each.
    """

    def __init__(self, grid: QGridLayout, cards: list["StartPageCard"], most: int, needed: int) -> None:
        self._grid, self._cards, self._most, self._needed = grid, cards, most, needed
        self._columns = 0

    def lay_out(self, width: int) -> None:
        """Put the cards where they belong on a page of that width (pixels)."""
        columns = max(min(self._most, width // self._needed), 1)
        if columns == self._columns:
            return
        self._columns = columns
        for i in range(self._most):
            self._grid.setColumnStretch(i, 1 if i < columns else 0)
        for i, card in enumerate(self._cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, i // columns, i % columns)


class StartPageCard(QFrame):
    """A large button with an icon or a picture, a title and a line of what it is.

    Args:
        mark: name of its icon, for a card without a picture.
        title: of what it does; where the card is one of many examples, the word Example is not repeated in each.
        line: a sentence more.
        do: what it does.
        picture: above the words, as large as it is shown.
    """

    def __init__(
        self, mark: str, title: str, line: str, do: Callable[[], None], picture: QPixmap | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName(title)
        self.setAccessibleDescription(line)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._do = do
        head, below = QLabel(title.removeprefix("Example: ")), QLabel(line)
        head.setProperty("role", "title")
        head.setWordWrap(True)
        below.setProperty("role", "muted")
        below.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(head)
        words.addWidget(below)
        if picture is not None:
            words.addStretch(1)
        box = QVBoxLayout(self) if picture is not None else QHBoxLayout(self)
        box.setContentsMargins(14, 10, 14, 10)
        box.setSpacing(10)
        if picture is None:
            drawn = QLabel()
            drawn.setPixmap(pixmap(mark, 28, "accent", self.devicePixelRatioF()))
            box.addWidget(drawn)
        if picture is not None:
            shown = QLabel()
            shown.setPixmap(picture)
            shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
            box.addWidget(shown)
        box.addLayout(words, 1)

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


def _heading(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "title")
    return label


def _picture(kind: str, ratio: float) -> QPixmap | None:
    """Return the picture of an example for a card on a screen of that pixel ratio, None for one without.

    Qt keeps it: the page is made anew each time it is shown.
    """
    kept, name = QPixmap(), f"start page {kind} {ratio}"
    if QPixmapCache.find(name, kept):
        return kept
    file = files("faying_resources") / "pictures" / "start" / f"{kind.replace('-', '_')}.png"
    if not file.is_file():
        return None
    picture = QPixmap()
    picture.loadFromData(QByteArray(file.read_bytes()))
    fitted = picture.scaled(
        _PICTURE * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    fitted.setDevicePixelRatio(ratio)
    QPixmapCache.insert(name, fitted)
    return fitted
