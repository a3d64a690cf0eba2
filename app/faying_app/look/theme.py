"""Themes: named colours from `faying_resources/themes`, made into a palette and a style sheet."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

ThemeName = Literal["light", "dark"]
ThemeChoice = Literal["light", "dark", "system"]

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "alternate",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "accent_text",
    QPalette.ColorRole.Link: "link",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Light: "raised",
}
_FADED = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


class Theme:
    """Colours by what they are for: ``theme["error"]`` is "#b3261e"."""

    def __init__(self, name: ThemeName) -> None:
        folder = files("faying_resources") / "themes"
        words = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
        self.name: ThemeName = name
        self.dark = bool(words.pop("dark"))
        self._colours: dict[str, str] = words
        self._sheet = (folder / "faying.qss").read_text(encoding="utf-8")

    def __getitem__(self, purpose: str) -> str:
        return self._colours[purpose]

    def colour(self, purpose: str) -> QColor:
        """Return the colour for a purpose."""
        return QColor(self._colours[purpose])

    def palette(self) -> QPalette:
        """Return Qt's palette in this theme's colours."""
        palette = QPalette()
        for role, purpose in _ROLES.items():
            palette.setColor(role, self.colour(purpose))
        for role in _FADED:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("disabled"))
        return palette

    def style_sheet(self) -> str:
        """Return the style sheet with the colours filled in."""
        folder = str(files("faying_resources") / "themes").replace("\\", "/")
        words = {**self._colours, "folder": folder, "name": self.name}
        return re.sub(r"@(\w+)", lambda match: words[match[1]], self._sheet)


@cache
def theme(name: ThemeName) -> Theme:
    """Return a theme, read once."""
    return Theme(name)


def current_theme() -> Theme:
    """Return the theme that the application wears now."""
    app = QApplication.instance()
    name = app.property("faying_theme") if app is not None else None
    return theme("dark" if name == "dark" else "light")


def resolve(choice: ThemeChoice) -> ThemeName:
    """Return the theme that a choice means now; "system" follows the desktop."""
    if choice != "system":
        return choice
    from PySide6.QtCore import Qt

    return "dark" if QApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def wear(app: QApplication, name: ThemeName) -> Theme:
    """Dress the application in a theme and return it."""
    worn = theme(name)
    if app.property("faying_theme") == name and app.styleSheet() == worn.style_sheet():
        return worn  # to dress every widget again takes half a second
    if app.property("faying_theme") is None:
        app.setStyle("Fusion")  # once: it polishes every widget, as the style sheet does after it
    app.setProperty("faying_theme", name)
    # One sheet in place of another is polished into every widget that there is; one in place of none, into those that
    # were ever shown: less than half of the time.
    app.setStyleSheet("")
    app.setPalette(worn.palette())
    app.setStyleSheet(worn.style_sheet())
    return worn
