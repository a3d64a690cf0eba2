"""The steps to a first model, in a strip above the 3D view: which are done, and a button that makes each."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from faying.project.next_steps import ModelStep, model_steps
from faying_app.actions import actions
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.look.icons import icon
from faying_app.look.one_line import OneLine
from faying_app.look.tips import tip
from faying_app.selection import PickedFace, WantedPick

# Title of a step, the action that makes it, and what to do for it, as a sentence.
_STEPS = {
    "material": (
        "Material",
        "give_material",
        "Choose a material of the library for the elements without one.",
    ),
    "joints": (
        "Joints",
        "search_joints",
        "Search the places where parts face each other, and create joints there.",
    ),
    "supports": ("Supports", "add_support", "Click the face that is held, then choose how."),
    "loads": ("Loads", "add_load", "Choose a load; for one on a surface, click the face first."),
    "analysis": ("Analysis", "add_analysis", "Choose what is to be computed."),
}
_LISTS = {"material": "materials"}


class Guide(QFrame):
    """Hidden for models that are complete or systems, and once it was closed.

    Attributes:
        buttons: by the kind of the step.
        leave: closes the strip, for later sessions too.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._context = context
        self._steps: list[ModelStep] = []
        self.buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 6, 3)
        row.setSpacing(2)
        for kind, (title, _, _) in _STEPS.items():
            button = QToolButton(self)
            button.setText(title)
            button.setAutoRaise(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setAccessibleName(f"Step: {title.lower()}")
            button.clicked.connect(lambda _checked=False, kind=kind: self._go(kind))
            row.addWidget(button)
            self.buttons[kind] = button
        self.text = OneLine(self)
        self.text.setProperty("role", "muted")
        row.addSpacing(8)
        row.addWidget(self.text, 1)
        self.leave = QToolButton(self)
        self.leave.setAutoRaise(True)
        self.leave.setToolTip("Hide these steps; Help ▸ Steps to a first model shows them again")
        self.leave.setAccessibleName("Hide the steps to a first model")
        self.leave.clicked.connect(lambda _checked=False: self._close())
        row.addWidget(self.leave)
        context.changed.connect(self.refresh)
        self.refresh()

    def apply_theme(self) -> None:
        """Draw the buttons in the theme's colours."""
        self.leave.setIcon(icon("cancel"))
        for step in self._steps:
            looks = ("state_missing", "accent") if step.missing else ("state_ready", "ok")
            self.buttons[step.kind].setIcon(icon(*looks))

    def refresh(self) -> None:
        """Show the steps of the selected body; nothing where none is missing."""
        steps = self._steps_of_body()
        self.setVisible(any(step.missing for step in steps))
        if steps == self._steps or self.isHidden():
            return
        self._steps = steps
        self.apply_theme()
        following = next(step for step in steps if step.missing)
        for step in steps:
            title, _, meaning = _STEPS[step.kind]
            state = f"{step.missing[:1].upper()}{step.missing[1:]}." if step.missing else "Done."
            self.buttons[step.kind].setToolTip(tip(title, state, meaning if step.missing else ""))
            font = self.buttons[step.kind].font()
            font.setBold(step is following)
            self.buttons[step.kind].setFont(font)
        missing, meaning = following.missing, _STEPS[following.kind][2]
        words = f"{missing[:1].upper()}{missing[1:]}: {meaning[:1].lower()}{meaning[1:]}"
        self.text.show_text(words, words)

    def _steps_of_body(self) -> list[ModelStep]:
        context, body = self._context, self._context.selected_body()
        if body is None or context.project.systems or not context.settings.guides or body.model.is_reduced:
            return []
        model = context.computed.model(body.name)
        if model is None:
            return self._steps  # while it is read again
        own = [each for each in context.project.analyses if getattr(each, "body", "") == body.name]
        return model_steps(body, model, own, context.computed.part_count(body.name))

    def _go(self, kind: str) -> None:
        """Make a step, or show what was decided for it."""
        step = next(step for step in self._steps if step.kind == kind)
        if not step.missing:
            self._show(kind)
            return
        action = actions[_STEPS[kind][1]]()
        if action.choices(self._context) is None:
            action.trigger(self._context)
        elif kind == "supports" and not self._has_face():
            self._wait_for_face(kind)
        else:
            button = self.buttons[kind]
            self._offer(kind, button.mapToGlobal(button.rect().bottomLeft()))

    def _show(self, kind: str) -> None:
        body = self._context.selected_body()
        assert body is not None
        place = body_path(self._context.project, body.name)
        path = ("analyses",) if kind == "analysis" else (*place, _LISTS.get(kind, kind))
        self._context.selection.select(path)
        self._context.window.show_panel("properties")

    def _offer(self, kind: str, place: QPoint) -> None:
        """Show the choices of a step as a menu."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for choice in actions[_STEPS[kind][1]]().choices(self._context) or []:
            entry = menu.addAction(choice.title.replace("&", "&&"))
            entry.setToolTip(choice.tooltip)
            entry.triggered.connect(lambda _checked=False, do=choice.do: do())
        if kind == "loads" and not self._has_face():
            menu.addSeparator()
            menu.addAction("On a face …").triggered.connect(lambda _checked=False: self._wait_for_face(kind))
        menu.popup(place)
        self.menu = menu

    def _has_face(self) -> bool:
        """Return whether a face is picked, or a surface of the deck selected."""
        return bool(self._context.selection.faces) or self._context.entity_kind == "deck_surface"

    def _wait_for_face(self, kind: str) -> None:
        """Offer the choices when a face was clicked in the 3D view."""
        body = self._context.selected_body()
        assert body is not None
        self._context.view.set(pointer="select")
        self._context.selection.want(WantedPick(body.name, "face", partial(self._take, kind)))
        self._context.say("Click the face in the 3D view; Esc gives up.")

    def _take(self, kind: str, face: PickedFace) -> None:
        self._context.selection.pick_face(face)
        self._offer(kind, QCursor.pos())

    def _close(self) -> None:
        self._context.settings.guides = False
        self._context.changed.emit()
