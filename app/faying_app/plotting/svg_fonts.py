"""Fonts of drawings: text stays text, in a family that other programs know."""

import re
from pathlib import Path

_FAMILY = re.compile(r'font-family="([^"]*)"')


def name_fonts(path: Path) -> None:
    """Let each family of a drawing (SVG) be the one that Qt took, and behind it that of CSS for such letters.

    Qt writes the name that was asked for, "Sans Serif" on Linux, which is no family for browsers and word processors:
    they would take one with serifs.
    """
    from PySide6.QtGui import QFont, QFontInfo

    def named(found: re.Match[str]) -> str:
        asked = found[1]
        taken = QFontInfo(QFont(asked)).family()
        families = dict.fromkeys(name for name in (taken, asked) if name and name.lower() != "sans serif")
        kind = "monospace" if "mono" in taken.lower() else "sans-serif"
        if "serif" in taken.lower() and "sans" not in taken.lower():
            kind = "serif"
        listed = ", ".join([*(f"'{name}'" for name in families), kind])
        return f'font-family="{listed}"'

    path.write_text(_FAMILY.sub(named, path.read_text(encoding="utf-8")), encoding="utf-8")
