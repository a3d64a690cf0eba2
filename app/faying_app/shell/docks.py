"""Docks: one for each member of the family of panels."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QScrollArea, QTabBar, QTabWidget, QWidget

from faying_app.context import Context
from faying_app.panels import Panel, panels

_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
# Windows narrower than this have properties below the tree instead of next to the view.
_WIDE = 1440
_LEAST = QSize(120, 60)
_UNBOUNDED = 16777215  # Qt's QWIDGETSIZE_MAX


class PanelsMade(dict[str, Panel]):
    """Panels by kind, each created on demand: few are needed at the start."""

    def __init__(self, context: Context, place: Callable[[str, Panel], None]) -> None:
        super().__init__()
        self._context, self._place = context, place

    def __missing__(self, kind: str) -> Panel:
        self[kind] = made = panels[kind](self._context)
        self._place(kind, made)  # which shows it and requests it again
        return made


class PanelArea(QScrollArea):
    """A panel that scrolls where its dock is smaller than it needs, so that no panel makes docks or window larger."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._panel = panel
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(panel)
        panel.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the panel all of the room, and no less than it needs."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note that the panel needs another size."""
        if watched is self._panel and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        # Not setWidgetResizable: of wrapped labels that would reserve the height that they would like to have.
        self._panel.resize(self.maximumViewportSize().expandedTo(self._panel.minimumSizeHint()))

    def sizeHint(self) -> QSize:
        """Return the size that the panel wants."""
        return self._panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return a size at which something is seen of any panel."""
        return _LEAST


class Docks:
    """The docks of a window, tabbed by area; those below the view show their tabs alone until one is needed.

    Attributes:
        panels: by kind, created on demand; iteration gives the existing ones.
        docks: by kind.
        is_open: whether the docks below the view show more than their tabs.
    """

    def __init__(self, window: QMainWindow, context: Context) -> None:
        self._window = window
        self.docks: dict[str, QDockWidget] = {}
        self.panels = PanelsMade(context, lambda kind, panel: self.docks[kind].setWidget(PanelArea(panel)))
        self.is_open = False
        self._height = 0  # of the docks below when they were last open
        self._in_front: set[str] = set()
        self._undressed: set[str] = set()  # panels that have not seen the present theme yet
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for area in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            side = _AREAS["left"] if area == Qt.Corner.BottomLeftCorner else _AREAS["right"]
            window.setCorner(area, side)
        for kind, cls in sorted(panels.items(), key=lambda kc: kc[1].order):
            self.docks[kind] = dock = QDockWidget(cls.title, window)
            dock.setObjectName(f"dock_{kind}")
            dock.visibilityChanged.connect(lambda seen, kind=kind: self._seen(kind, seen))
            dock.topLevelChanged.connect(lambda _floats: self._bound())
            dock.toggleViewAction().triggered.connect(lambda on, kind=kind: self.show(kind) if on else None)
            _hide_title_where_tabs_say_it(dock, cls.area)
            window.addDockWidget(_AREAS[cls.area], dock)
        self._bound()

    def show(self, kind: str) -> None:
        """Bring a panel to the front."""
        if kind in self._below():
            self.open_below()
        self.docks[kind].show()
        self.docks[kind].raise_()

    def open_below(self, wanted: bool = True) -> None:
        """Show the docks below the view, or their tabs alone."""
        if wanted == self.is_open:
            return
        below = self._below()
        if not wanted:
            self._height = max((dock.height() for dock in below.values()), default=0)
        self.is_open = wanted
        self._bound()
        for kind in [kind for kind in below if kind in self._in_front]:
            self._seen(kind, True)
        if wanted:
            height = self._height or min(max(self._window.height() * 2 // 7, 170), 340)
            self._window.resizeDocks(list(below.values())[:1], [height], Qt.Orientation.Vertical)

    def restore(self, state: QByteArray, version: int, *, is_open: bool) -> bool:
        """Give the docks the places and sizes of a stored state; return whether it fits.

        Args:
            state: of the window.
            version: of the arrangement that it was stored with.
            is_open: whether the docks below the view showed more than their tabs.
        """
        self.is_open = is_open
        self._bound()  # before: docks that are kept shut would lose their height
        if not self._window.restoreState(state, version):
            return False
        self.watch_tabs()
        return True

    def toggles(self) -> list[QAction]:
        """Return a switch for each dock, for the menu."""
        return [dock.toggleViewAction() for dock in self.docks.values()]

    def apply_theme(self) -> None:
        """Let the panels take over the theme's colours, those behind others when they are looked at."""
        for kind, panel in self.panels.items():
            if kind in self._in_front:
                panel.apply_theme()
            else:
                self._undressed.add(kind)

    def arrange(self) -> None:
        """Put docks of one area into tabs and give them sizes that leave most of a small screen to the 3D view.

        The window has to be shown already: tabs that are made before leave stray bars behind.
        """
        window, wide = self._window, self._window.width() >= _WIDE
        first: dict[str, QDockWidget] = {}
        for kind, dock in self.docks.items():
            area = panels[kind].area
            if area in first:
                window.tabifyDockWidget(first[area], dock)
            first.setdefault(area, dock)
        if not wide:
            window.splitDockWidget(first["left"], first["right"], Qt.Orientation.Vertical)
            for kind, dock in self.docks.items():
                if panels[kind].area == "right" and dock is not first["right"]:
                    window.tabifyDockWidget(first["right"], dock)
        for dock in first.values():
            dock.raise_()
        sides = [first["left"], first["right"]]
        if wide:
            side = min(max(window.width() * 9 // 40, 250), 380)
            window.resizeDocks(sides, [side, side + 44], Qt.Orientation.Horizontal)
        else:
            window.resizeDocks([first["left"]], [window.width() // 4], Qt.Orientation.Horizontal)
            upper = window.height() * 2 // 5
            window.resizeDocks(sides, [upper, window.height() - upper], Qt.Orientation.Vertical)
        self.open_below(False)
        self._height = 0
        self.watch_tabs()

    def watch_tabs(self) -> None:
        """Let a click on the tab in front close and open the docks below the view; Qt makes the tabs again at will."""
        titles = {dock.windowTitle() for dock in self._below().values()}
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            shown = {bar.tabText(i) for i in range(bar.count())}
            if shown & titles and not bar.property("watched"):
                bar.setProperty("watched", True)
                bar.setAccessibleName("Panels below the view")
                bar.tabBarClicked.connect(lambda at, bar=bar: self._tab_clicked(bar, at))

    def _tab_clicked(self, bar: QTabBar, at: int) -> None:
        if at >= 0:
            self.open_below(not self.is_open or at != bar.currentIndex())

    def _below(self) -> dict[str, QDockWidget]:
        return {
            kind: dock
            for kind, dock in self.docks.items()
            if panels[kind].area == "bottom" and not dock.isFloating()
        }

    def _bound(self) -> None:
        below = self._below()
        for kind, dock in self.docks.items():
            dock.setMaximumHeight(0 if kind in below and not self.is_open else _UNBOUNDED)

    def _seen(self, kind: str, seen: bool) -> None:
        (self._in_front.add if seen else self._in_front.discard)(kind)
        shut = not self.is_open and kind in self._below()
        if kind in self.panels or (seen and not shut):
            self.panels[kind].set_in_front(seen and not shut)
        if seen and not shut and kind in self._undressed:
            self._undressed.discard(kind)
            self.panels[kind].apply_theme()


def _hide_title_where_tabs_say_it(dock: QDockWidget, area: str) -> None:
    """Docks that share an area have tabs with their names; a title bar is needed only when they float."""
    if area == "left":
        return
    nothing = QWidget(dock)
    dock.setTitleBarWidget(nothing)
    dock.topLevelChanged.connect(lambda floats: dock.setTitleBarWidget(None if floats else nothing))  # type: ignore[arg-type]
