"""The manual in the real window: F1 opens the page of what has the focus; links, search, back."""

import pytest
from PySide6.QtCore import Qt, QUrl

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
