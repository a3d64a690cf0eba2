"""The manual, in a separate window."""

import shutil
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from faying.atomic import replacing
from faying.manual import FIRST, Page, anchor


class ManualWindow(QWidget):
    """Pages on the left, found by their words; the chosen one on the right, with links, back and forth.

    Args:
        pages: by name, in their order.
        folder: of their pictures and files.
        parent: the main window, with which it closes.
    """

    def __init__(self, pages: dict[str, Page], folder: Path, parent: QWidget) -> None:
        self._is_drawn = False  # Qt announces its colours before there is a page
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Faying manual")
        self.resize(1060, 760)
        self._pages, self._folder = pages, folder
        self._past: list[tuple[str, str]] = []
        self._future: list[tuple[str, str]] = []
        self.here = ("", "")
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Search the manual (Ctrl+F)")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._find)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Pages")
        self.list.currentItemChanged.connect(self._chosen)
        self.text = QTextBrowser(self)
        self.text.setOpenLinks(False)
        self.text.setSearchPaths([str(folder)])  # of pictures
        self.text.anchorClicked.connect(self._follow)
        self.back, self.forth = self._button("‹", "Back (Alt+Left)"), self._button("›", "Forth (Alt+Right)")
        self.back.clicked.connect(lambda: self._turn(self._past, self._future))
        self.forth.clicked.connect(lambda: self._turn(self._future, self._past))
        for keys, do in (
            ("Alt+Left", self.back.click), ("Alt+Right", self.forth.click), ("Ctrl+F", self.search.setFocus),
            ("Esc", self.close),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self, do)
        top = QHBoxLayout()
        for widget in (self.back, self.forth, self.search):
            top.addWidget(widget)
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(top)
        column.addWidget(self.list, 1)
        halves = QSplitter(self)
        halves.addWidget(left)
        halves.addWidget(self.text)
        halves.setStretchFactor(1, 1)
        halves.setSizes([270, 790])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(8, 8, 8, 8)
        outer.addWidget(halves)
        self._find("")

    def show_page(self, name: str = FIRST, section: str = "") -> None:
        """Show a page at a section, and remember where one was; the first page for a name that is none."""
        if self.here[0]:
            self._past.append(self.here)
            self._future.clear()
        self._show(name if name in self._pages else FIRST, section)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the page again in the colours of another theme: links keep those that they were made in."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._is_drawn:
            place = self.text.verticalScrollBar().value()
            self._draw(self.here[0])
            self.text.verticalScrollBar().setValue(place)

    def _draw(self, name: str) -> None:
        self._is_drawn = True
        self.text.setMarkdown(self._pages[name].text)
        self.text.document().setDocumentMargin(14)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        return button

    def _show(self, name: str, section: str) -> None:
        if name != self.here[0]:
            self._draw(name)
        self.here = (name, section)
        self.back.setEnabled(bool(self._past))
        self.forth.setEnabled(bool(self._future))
        self.list.blockSignals(True)
        for i in range(self.list.count()):
            if self.list.item(i).data(Qt.ItemDataRole.UserRole) == name:
                self.list.setCurrentRow(i)
        self.list.blockSignals(False)
        self._scroll_to(section)

    def _scroll_to(self, section: str) -> None:
        """Bring a heading to the top: Qt makes no anchors of the headings of Markdown."""
        block = self.text.document().begin()
        while block.isValid():
            if section and block.blockFormat().headingLevel() and anchor(block.text()) == section:
                self.text.moveCursor(QTextCursor.MoveOperation.End)
                self.text.setTextCursor(QTextCursor(block))
                return
            block = block.next()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _find(self, words: str) -> None:
        """List the pages that have all the words; without words, all pages."""
        wanted = words.lower().split()
        self.list.blockSignals(True)
        self.list.clear()
        for name, page in self._pages.items():
            if all(word in page.text.lower() for word in wanted):
                item = QListWidgetItem(page.title)
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.list.addItem(item)
                if name == self.here[0]:
                    self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        if wanted:
            self._mark(words)

    def _mark(self, words: str) -> None:
        """Go to the first place of the words on the page."""
        found = self.text.document().find(words.split()[0], 0, QTextDocument.FindFlag(0))
        if not found.isNull():
            self.text.setTextCursor(found)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.show_page(item.data(Qt.ItemDataRole.UserRole))
            if self.search.text():
                self._mark(self.search.text())

    def _follow(self, url: QUrl) -> None:
        if url.scheme():
            QDesktopServices.openUrl(url)
            return
        if url.path().startswith("files/"):
            self._save_copy(self._folder / url.path())
            return
        name = url.path().removesuffix(".md") or self.here[0]
        self.show_page(name, url.fragment())

    def _save_copy(self, file: Path) -> None:
        """Ask where a file of a tutorial is to be, and write it there."""
        wanted, _ = QFileDialog.getSaveFileName(self, "Save a copy", file.name, f"*{file.suffix}")
        if not wanted:
            return
        try:
            with replacing(Path(wanted)) as beside:
                shutil.copyfile(file, beside)
        except OSError as error:
            QMessageBox.warning(self, "Save a copy", f"{wanted} cannot be written: {error.strerror}.")

    def _turn(self, back: list[tuple[str, str]], forth: list[tuple[str, str]]) -> None:
        if back:
            forth.append(self.here)
            self._show(*back.pop())
