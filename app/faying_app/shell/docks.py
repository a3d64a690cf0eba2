"""Docks: one for each member of the family of panels."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from faying_app.context import Context
from faying_app.panels import Panel, panels

_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Docks:
    """The docks of a window, tabbed by area, the first of each area in front."""

    def __init__(self, window: QMainWindow, context: Context) -> None:
        self._window = window
        self.panels: dict[str, Panel] = {}
        self.docks: dict[str, QDockWidget] = {}
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for area in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            side = _AREAS["left"] if area == Qt.Corner.BottomLeftCorner else _AREAS["right"]
            window.setCorner(area, side)
        for kind, cls in sorted(panels.items(), key=lambda kc: kc[1].order):
            panel = cls(context)
            dock = QDockWidget(cls.title, window)
            dock.setObjectName(f"dock_{kind}")
            dock.setWidget(panel)
            dock.visibilityChanged.connect(panel.set_in_front)
            self.panels[kind], self.docks[kind] = panel, dock
            _hide_title_where_tabs_say_it(dock, cls.area)
            window.addDockWidget(_AREAS[cls.area], dock)

    def show(self, kind: str) -> None:
        """Bring a panel to the front."""
        self.docks[kind].show()
        self.docks[kind].raise_()

    def toggles(self) -> list[QAction]:
        """Return a switch for each dock, for the menu."""
        return [dock.toggleViewAction() for dock in self.docks.values()]

    def apply_theme(self) -> None:
        """Let the panels take over the theme's colours."""
        for panel in self.panels.values():
            panel.apply_theme()

    def arrange(self) -> None:
        """Put docks of one area into tabs and give them sizes that leave most of a small screen to the 3D view.

        The window has to be shown already: tabs that are made before leave stray bars behind.
        """
        first: dict[str, QDockWidget] = {}
        for kind, dock in self.docks.items():
            area = self.panels[kind].area
            if area in first:
                self._window.tabifyDockWidget(first[area], dock)
            first.setdefault(area, dock)
        for dock in first.values():
            dock.raise_()
        width, height = self._window.width(), self._window.height()
        side = min(max(width * 9 // 40, 250), 380)
        self._window.resizeDocks(
            [self.docks["project"], self.docks["properties"]], [side, side + 44], Qt.Orientation.Horizontal
        )
        self._window.resizeDocks(
            [self.docks["pairs"]], [min(max(height // 4, 170), 320)], Qt.Orientation.Vertical
        )


def _hide_title_where_tabs_say_it(dock: QDockWidget, area: str) -> None:
    """Docks that share an area have tabs with their names; a title bar is needed only when they float."""
    if area == "left":
        return
    nothing = QWidget(dock)
    dock.setTitleBarWidget(nothing)
    dock.topLevelChanged.connect(lambda floats: dock.setTitleBarWidget(None if floats else nothing))  # type: ignore[arg-type]
