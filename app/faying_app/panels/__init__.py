"""Panels: the docks round the 3D view. A member is one file with a widget, registered under its kind."""

from typing import ClassVar, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from faying.registry import Registry
from faying_app.context import Context

panels: Registry[type["Panel"]] = Registry("panel", __name__)


class Panel(QWidget):
    """What a dock shows. Panels know the context and nothing of each other.

    Attributes:
        title, icon: of the dock.
        area: where it is docked at first.
        order: place among the docks of its area; the smallest is in front.
        page: of the manual, that F1 opens while the panel has the focus; "" for the one about the selected entity.
        analyses: kinds of analyses that it, instead of the panel *Run*, shows while they run.
    """

    title: ClassVar[str]
    icon: ClassVar[str] = ""
    area: ClassVar[Literal["left", "right", "bottom"]]
    order: ClassVar[int] = 100
    page: ClassVar[str] = ""
    analyses: ClassVar[tuple[str, ...]] = ()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        context.project_begun.connect(self.begin_project)

    def run(self) -> None:
        """Do what the panel is for, as its first button does; nothing for a panel that only shows."""

    def refresh(self) -> None:
        """Show what there is now; nothing for a panel that hears of every change by itself."""

    def begin_project(self) -> None:
        """Forget what was typed, ticked, folded and drawn of the former project; nothing where a panel keeps none."""

    def set_in_front(self, in_front: bool) -> None:
        """Take note whether the panel can be seen now, or lies behind another tab."""

    def apply_theme(self) -> None:
        """Take over the colours of the current theme where the style sheet does not reach."""
