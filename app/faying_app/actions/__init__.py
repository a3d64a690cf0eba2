"""Actions: what a user can do. A member is one file: title, menu, shortcut, when it is possible, what it does.

Menus, toolbar, context menus and the list of shortcuts are made from this family; nobody keeps a list.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from faying.registry import Registry
from faying_app.context import Context

actions: Registry[type["Action"]] = Registry("action", __name__)

# Menus in their order; an action names one, and a submenu after a slash if it sits in one.
MENUS = ("File", "Edit", "View", "Model", "Run", "Help")


@dataclass(frozen=True)
class Choice:
    """An entry of an action that offers several: a recent file, an example, a theme."""

    title: str
    do: Callable[[], None]
    checked: bool = False
    tooltip: str = ""


class Action(ABC):
    """One thing a user can do; has no state.

    Attributes:
        title: in menus.
        menu: one of `MENUS`, or "Menu/Submenu".
        order: place in the menu; a new hundred begins a new group.
        shortcut: in Qt's portable words ("Ctrl+S"); several separated by "; "; "" for none.
        icon: file name in the resources, "" for none.
        meaning: one sentence for the tooltip.
        in_toolbar: whether it is used so often that it has a button.
        checkable: whether it switches something.
        entities: kinds of the entities in whose context menu it appears ("joint", "analysis", …); "face",
            "picked_part" and "picked_surface" are what was picked in the 3D view.
        in_tree: whether its shortcut counts in the project tree only, because other widgets use that key.
        offers_files: whether its choices are files or examples; the command palette lists these after all commands.
        needs: without which it is not possible, as of `faying_app.actions._needs`.
    """

    title: ClassVar[str]
    menu: ClassVar[str]
    order: ClassVar[int] = 500
    shortcut: ClassVar[str] = ""
    icon: ClassVar[str] = ""
    meaning: ClassVar[str] = ""
    in_toolbar: ClassVar[bool] = False
    checkable: ClassVar[bool] = False
    entities: ClassVar[tuple[str, ...]] = ()
    in_tree: ClassVar[bool] = False
    offers_files: ClassVar[bool] = False
    needs: ClassVar[tuple[Callable[[Context], str], ...]] = ()

    def why_disabled(self, context: Context) -> str:
        """Return why it is not possible now, as a sentence; "" when it is possible."""
        return next((why for need in self.needs if (why := need(context))), "")

    def text(self, context: Context) -> str:
        """Return the title as it is now."""
        return self.title

    def is_checked(self, context: Context) -> bool:
        """Return whether what it switches is on."""
        return False

    def choices(self, context: Context) -> list[Choice] | None:
        """Return the entries of its submenu as they are now; None for an action without one."""
        return None

    @abstractmethod
    def trigger(self, context: Context) -> None:
        """Do it."""


class ChoosingAction(Action):
    """An action that is a submenu of choices."""

    @abstractmethod
    def choices(self, context: Context) -> list[Choice]:
        """Return the entries as they are now."""

    def trigger(self, context: Context) -> None:
        """Do nothing: the entries act."""
