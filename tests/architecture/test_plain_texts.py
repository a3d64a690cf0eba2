"""Names and messages by others are plain text in the window: nothing there is made of tags, but one link."""

import re
from pathlib import Path

import faying_app

APP = Path(faying_app.__file__).parent
_RICH = re.compile(
    r"</?(?:p|b|i|br|small|a|img|span|qt)\b[^>]*>|RichText|AutoText|MarkdownText|setHtml|insertHtml"
)
_LINK = "start_page.py"  # a path, escaped, as a link


def test_no_text_of_the_window_is_rich():
    found = {
        f"{file.relative_to(APP)}: {line.strip()}"
        for file in APP.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if _RICH.search(line) and file.name != _LINK
    }
    assert not found
    link = next(APP.rglob(_LINK)).read_text(encoding="utf-8")
    assert "escape(path.name)" in link and "escape(str(path.parent))" in link


def test_labels_of_plots_are_escaped():
    """pyqtgraph shows all its labels as HTML."""
    for file in (APP / "plotting").glob("*.py"):
        for call in re.findall(r"(?:setLabel|legend\.addItem)\(\w.*", file.read_text(encoding="utf-8")):
            assert "escape(" in call, f"{file.name}: {call}"
