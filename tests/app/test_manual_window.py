"""The manual in the real window: F1 opens the page of what has the focus; links, search, back."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QColor, QImage, QPalette, QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog

from faying.cli.manual_page import manual_folder
from faying_app.look.theme import current_theme, wear
from support.windows import plates_in, settle, trigger

pytestmark = pytest.mark.window


def test_f1_opens_the_page_of_what_is_at_hand(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.selection.select(("bodies", 0, "joints", 0, "contact_law"))
    settle(qtbot)
    trigger(qtbot, window, "show_manual")
    manual = window.manual
    assert manual.isVisible() and manual.here == ("reference-contact-law", "linear-penalty")
    assert manual.text.textCursor().block().text() == "Linear penalty"
    window.activateWindow()
    panel = window.docks.panels["curves"]
    window.show_panel("curves")
    panel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    settle(qtbot)
    panel.setFocus()
    qtbot.waitUntil(lambda: window.focusWidget() is panel)
    trigger(qtbot, window, "show_manual")
    assert manual.here[0] == "reference-fields"


def test_links_search_and_back(qtbot, window):
    trigger(qtbot, window, "show_manual")
    manual = window.manual
    manual.show_page("index")
    manual.text.anchorClicked.emit(QUrl("theory.md"))
    assert manual.here[0] == "theory" and "Trial vector derivatives" in manual.text.toPlainText()
    manual.back.click()
    assert manual.here[0] == "index"
    manual.forth.click()
    assert manual.here[0] == "theory"
    qtbot.keyClicks(manual.search, "stribeck")
    found = [manual.list.item(i).text() for i in range(manual.list.count())]
    assert "Friction law: kinds" in found and "Commands" not in found
    manual.list.setCurrentRow(found.index("Friction law: kinds"))
    assert manual.text.textCursor().selectedText().lower() == "stribeck"


def test_pictures_are_seen_and_files_are_saved_from_the_page(
    qtbot, window, tmp_path, monkeypatch, screenshots
):
    trigger(qtbot, window, "show_manual")
    manual = window.manual
    manual.show_page("first-model")
    settle(qtbot, 200)
    document = manual.text.document()
    names = [
        fragment.fragment().charFormat().toImageFormat().name()
        for block in blocks_of(document)
        for fragment in block
        if fragment.fragment().charFormat().isImageFormat()
    ]
    assert len(names) == 4
    for name in names:
        picture = manual.text.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name))
        room = manual.text.viewport().width() - 2 * document.documentMargin()
        assert 0 < QImage.fromData(picture).width() <= room, name
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        settle(qtbot, 200)
        assert manual.grab().save(str(screenshots / f"manual-{theme}.png"))
    target = tmp_path / "copy.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    manual.text.anchorClicked.emit(QUrl("files/two_plates.toml"))
    assert target.read_bytes() == (manual_folder() / "files" / "two_plates.toml").read_bytes()
    assert manual.here[0] == "first-model"


def blocks_of(document):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def luminance(colour: QColor) -> float:
    """WCAG 2.1, relative luminance."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_links_stand_out_in_every_theme_also_after_a_change(qtbot, window):
    trigger(qtbot, window, "show_manual")
    manual, before = window.manual, current_theme().name
    manual.show_page("index")
    try:
        for name in ("dark", "light", "dark"):
            wear(QApplication.instance(), name)
            settle(qtbot)
            base = manual.text.palette().color(QPalette.ColorRole.Base)
            fragments = [
                fragment.fragment()
                for block in iter_blocks(manual.text.document())
                for fragment in block
                if fragment.fragment().charFormat().isAnchor()
            ]
            assert len(fragments) > 10
            for fragment in fragments:
                link = luminance(fragment.charFormat().foreground().color())
                bright, dim = sorted((link, luminance(base)), reverse=True)
                assert (bright + 0.05) / (dim + 0.05) > 4.5, (name, fragment.text())
    finally:
        wear(QApplication.instance(), before)


def iter_blocks(document: QTextDocument):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()
