"""The command palette: every action by some letters of its name, with its key, and why it is not possible now."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from faying_app.context import Context
from faying_app.look.icons import icon
from faying_app.look.theme import current_theme
from faying_app.shell.docks import Docks
from faying_app.shell.menus import Menus

_WIDTH, _HEIGHT = 560, 420
_MOST = 60  # entries that are listed


@dataclass(frozen=True)
class PaletteCommand:
    """What can be chosen: its words as "menu ▸ title", its key, icon, sentence, why not now, and what it does.

    `is_file` is that of a file or an example, which come after all commands.
    """

    words: str
    key: str
    icon: str
    meaning: str
    why_not: str
    do: Callable[[], None]
    is_file: bool = False


class Palette(QDialog):
    """A line to type in and the commands that have all typed words; Enter does the chosen one."""

    def __init__(self, context: Context, menus: Menus, docks: Docks, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Commands")
        self.commands = commands(context, menus, docks)
        self.line, self.list, self.told = QLineEdit(self), QListWidget(self), QLabel(self)
        self.line.setPlaceholderText("What do you want to do?")
        self.line.setAccessibleName("Command")
        self.line.setClearButtonEnabled(True)
        self.list.setAccessibleName("Commands")
        self.list.setUniformItemSizes(True)
        self.told.setProperty("role", "muted")
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(2 * self.told.fontMetrics().lineSpacing() + 4)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        for widget, stretch in ((self.line, 0), (self.list, 1), (self.told, 0)):
            column.addWidget(widget, stretch)
        self.found: list[PaletteCommand] = []
        self.line.textChanged.connect(self._list)
        self.line.installEventFilter(self)
        self.list.itemClicked.connect(lambda _item: self._do())
        self.list.currentRowChanged.connect(self._tell)
        self._list("")
        self.resize(min(_WIDTH, parent.width() - 40), min(_HEIGHT, parent.height() - 80))
        middle = parent.mapToGlobal(parent.rect().topLeft())
        self.move(middle.x() + (parent.width() - self.width()) // 2, middle.y() + 60)
        self.line.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down choose, Enter does it, while the line keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
            if event.key() in step:
                row = self.list.currentRow() + step[Qt.Key(event.key())]
                self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._do()
                return True
        return False

    def _list(self, typed: str) -> None:
        self.found = matching(self.commands, typed)[:_MOST]
        self.list.clear()
        for command in self.found:
            item = QListWidgetItem(
                icon(command.icon), f"{command.words}{'    ' if command.key else ''}{command.key}"
            )
            if command.why_not:
                item.setForeground(current_theme().colour("disabled"))
            self.list.addItem(item)
        self.list.setCurrentRow(0 if self.found else -1)
        if not self.found:
            self.told.setText("No command has all of these words.")

    def _tell(self, row: int) -> None:
        if 0 <= row < len(self.found):
            command = self.found[row]
            self.told.setText(f"Not now: {command.why_not}" if command.why_not else command.meaning)

    def _do(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self.found) and not self.found[row].why_not:
            do = self.found[row].do
            self.close()
            do()


def commands(context: Context, menus: Menus, docks: Docks) -> list[PaletteCommand]:
    """Return everything that menus and panels offer now, choices of submenus one by one."""
    found = []
    for kind, action in sorted(menus.actions.items(), key=lambda ka: (ka[1].menu, ka[1].order)):
        if kind == "command_palette":
            continue
        why, place = action.why_disabled(context), action.menu.replace("/", " ▸ ")
        made = menus.qt_actions[kind]
        keys = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        choices = None if why else action.choices(context)
        words = f"{place} ▸ {action.text(context)}"
        if choices is None:
            found.append(PaletteCommand(words, keys, action.icon, action.meaning, why, made.trigger))
            continue
        found += [
            PaletteCommand(
                f"{words} ▸ {choice.title}",
                "",
                action.icon,
                choice.tooltip or action.meaning,
                "",
                choice.do,
                action.offers_files,
            )
            for choice in choices
        ]
    for kind, dock in docks.docks.items():
        words = f"View ▸ Panels ▸ {dock.windowTitle()}"
        found.append(
            PaletteCommand(words, "", "", "Bring this panel to the front.", "", partial(docks.show, kind))
        )
    return found


def matching(offered: list[PaletteCommand], typed: str) -> list[PaletteCommand]:
    """Return the commands whose words, or whose sentence, have all that was typed; the likeliest first.

    A word that begins a word of the title counts most, then one inside it, then one in the sentence; what is not
    possible now comes after what is, files and examples after all commands.
    """
    words = typed.lower().split()

    def rank(command: PaletteCommand) -> int | None:
        title, total = command.words.lower(), 0
        last = title.rsplit(" ▸ ", 1)[-1]
        for word in words:
            if last.startswith(word):
                continue
            if f" {word}" in f" {title}":
                total += 1
            elif word in title:
                total += 2
            elif word in command.meaning.lower():
                total += 4
            else:
                return None
        return total + (1 if command.why_not else 0)

    ranked = [(command.is_file, rank(command), i, command) for i, command in enumerate(offered)]
    return [command for *_, command in sorted((r for r in ranked if r[1] is not None), key=lambda r: r[:3])]
