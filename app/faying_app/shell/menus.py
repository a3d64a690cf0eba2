"""Menus, toolbar and context menus, made from the family of actions."""

from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QToolButton, QWidget

from faying_app.actions import MENUS, Action, ChoosingAction, actions
from faying_app.context import Context
from faying_app.entities import title_of
from faying_app.look.icons import icon
from faying_app.look.tips import tip
from faying_app.shell.mnemonics import marked, mnemonics

_TOOLBAR_MENUS = ("File", "Edit", "Model", "Run", "View")


class Menus:
    """Owns one QAction for each action and keeps its text, tooltip and state up to date."""

    def __init__(self, window: QMainWindow, context: Context) -> None:
        self._window, self._context = window, context
        self.actions: dict[str, Action] = {kind: cls() for kind, cls in actions.items()}
        self.qt_actions: dict[str, QAction] = {}
        self._submenus: dict[str, QMenu] = {}
        self.menus: dict[str, QMenu] = {}
        self._letters: dict[str, str] = {}
        self.toolbar = QToolBar("Toolbar", window)
        for kind, action in self.actions.items():
            self.qt_actions[kind] = self._make(kind, action)
        self._fill_menus()
        self._fill_toolbar()
        self._soon = QTimer(window, interval=0, singleShot=True)
        self._soon.timeout.connect(lambda: self.refresh())
        self.refresh()

    def refresh_soon(self) -> None:
        """Bring all up to date once for all that changes until then."""
        self._soon.start()

    def refresh(self) -> None:
        """Bring texts, tooltips, ticks and greyness up to date."""
        self._soon.stop()
        for kind, action in self.actions.items():
            made, why = self.qt_actions[kind], action.why_disabled(self._context)
            made.setText(marked(action.text(self._context), self._letters.get(kind, "")))
            made.setEnabled(not why)
            if action.checkable:
                made.setChecked(action.is_checked(self._context))
            made.setToolTip(_tooltip(action, made, why))
            made.setStatusTip(why or action.meaning)

    def mark_mnemonics(self) -> None:
        """Give each menu, and each entry of a menu, its letter; call it when all menus are filled."""
        kinds = {action: kind for kind, action in self.qt_actions.items()}

        def mark(entries: list[QAction]) -> None:
            titles = [self.actions[kinds[e]].title if e in kinds else e.text() for e in entries]
            for entry, title, letter in zip(entries, titles, mnemonics(titles), strict=True):
                if entry in kinds:
                    self._letters[kinds[entry]] = letter
                else:
                    entry.setText(marked(title, letter))
                menu = entry.menu()
                if isinstance(menu, QMenu) and entry not in kinds:
                    mark([each for each in menu.actions() if not each.isSeparator()])

        mark(self._window.menuBar().actions())
        self.refresh()

    def apply_theme(self) -> None:
        """Draw all icons in the theme's colours."""
        for kind, action in self.actions.items():
            self.qt_actions[kind].setIcon(icon(action.icon))

    def picked_menu(self, kind: str, parent: QWidget) -> QMenu:
        """Return the menu of something that was picked: what is done with it, then the selected entity's menu."""
        context = self._context
        menu = self.entity_menu(kind, parent)
        entity = self.entity_menu(context.entity_kind, menu)
        if entity.actions():
            menu.addSeparator()
            title = title_of(context.project, context.entity)
            menu.addMenu(entity).setText(title.replace("&", "&&"))
        return menu

    def entity_menu(self, kind: str, parent: QWidget) -> QMenu:
        """Return the context menu of an entity of some kind."""
        menu = QMenu(parent)
        menu.setToolTipsVisible(True)
        group = -1
        order = {name: i for i, name in enumerate(("Run", "Model", "File", "Edit"))}
        fitting = [(k, a) for k, a in self.actions.items() if kind in a.entities]
        for name, action in sorted(
            fitting, key=lambda ka: (order.get(ka[1].menu.split("/")[0], 9), ka[1].order)
        ):
            here = order.get(action.menu.split("/")[0], 9)
            if group not in (-1, here):
                menu.addSeparator()
            group = here
            menu.addAction(self.qt_actions[name])
        return menu

    def _make(self, kind: str, action: Action) -> QAction:
        made = QAction(icon(action.icon), action.title, self._window)
        made.setObjectName(kind)
        made.setCheckable(action.checkable)
        made.setIconVisibleInMenu(not action.checkable)
        if action.shortcut:
            made.setShortcuts([QKeySequence(key.strip()) for key in action.shortcut.split(";")])
        if action.in_tree:
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            self._window.addAction(made)
        if isinstance(action, ChoosingAction):
            submenu = QMenu(self._window)
            submenu.setToolTipsVisible(True)
            submenu.aboutToShow.connect(lambda: self._fill_choices(kind))
            made.setMenu(submenu)
            self._submenus[kind] = submenu
        else:
            made.triggered.connect(lambda _checked=False: self._trigger(kind))
        return made

    def _trigger(self, kind: str) -> None:
        action = self.actions[kind]
        if not action.why_disabled(self._context):
            action.trigger(self._context)
        self.refresh_soon()

    def _fill_choices(self, kind: str) -> None:
        menu = self._submenus[kind]
        menu.clear()
        choices = self.actions[kind].choices(self._context) or []
        for choice in choices:
            entry = menu.addAction(marked(choice.title, ""))
            entry.setToolTip(choice.tooltip)
            if any(c.checked for c in choices):
                entry.setCheckable(True)
                entry.setChecked(choice.checked)
            entry.triggered.connect(lambda _checked=False, do=choice.do: do())
        if not choices:
            menu.addAction("Nothing to choose").setEnabled(False)

    def _fill_menus(self) -> None:
        bar = self._window.menuBar()
        for name in MENUS:
            self.menus[name] = bar.addMenu(name)
            self.menus[name].setToolTipsVisible(True)
            group = -1
            inner: dict[str, QMenu] = {}
            mine = [(k, a) for k, a in self.actions.items() if a.menu.split("/")[0] == name]
            for kind, action in sorted(mine, key=lambda ka: ka[1].order):
                if group not in (-1, action.order // 100):
                    self.menus[name].addSeparator()
                group = action.order // 100
                target = self.menus[name]
                if "/" in action.menu:
                    sub = action.menu.split("/")[1]
                    target = inner.get(sub) or self.menus[name].addMenu(sub)
                    inner[sub] = target
                target.addAction(self.qt_actions[kind])

    def _fill_toolbar(self) -> None:
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        self.toolbar.setIconSize(QSize(20, 20))
        self.toolbar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._window.addToolBar(self.toolbar)
        for i, name in enumerate(_TOOLBAR_MENUS):
            mine = [(k, a) for k, a in self.actions.items() if a.in_toolbar and a.menu.split("/")[0] == name]
            if i and mine:
                self.toolbar.addSeparator()
            for kind, _ in sorted(mine, key=lambda ka: ka[1].order):
                self.toolbar.addAction(self.qt_actions[kind])
                button: Any = self.toolbar.widgetForAction(self.qt_actions[kind])
                if kind in self._submenus and isinstance(button, QToolButton):
                    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)


def _tooltip(action: Action, made: QAction, why: str) -> str:
    keys = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    head = action.title.rstrip("…") + (f" ({keys})" if keys else "")
    return tip(head, action.meaning, f"Not now: {why}" if why else "")
