"""Edit ▸ Copy."""

from PySide6.QtGui import QGuiApplication

from faying.errors import FayingError
from faying.project.clipboard import LAWS, copied_text
from faying_app.actions import Action, actions
from faying_app.actions._selected import selected_of
from faying_app.context import Context
from faying_app.entities import NAMED, counted_entities

_KINDS = (*NAMED, "body_material", *LAWS)


@actions.register("copy_entity")
class CopyEntity(Action):
    """Put what is selected into the clipboard, as TOML text."""

    title = "Copy"
    menu = "Edit"
    order = 202
    shortcut = "Ctrl+C"
    icon = "pairs"
    meaning = "Put all that is selected (laws, loads, joints, analyses, …) into the clipboard, as text of a study file."
    entities = _KINDS
    in_tree = True

    def why_disabled(self, context: Context) -> str:
        """Say what can be copied."""
        if any(context.value(path) is not None for path in selected_of(context, _KINDS)):
            return ""
        return "Select something in the tree: a joint, a law, a load, an analysis."

    def trigger(self, context: Context) -> None:
        """Write it as text with the unit system of its numbers."""
        paths = [path for path in sorted(selected_of(context, _KINDS)) if context.value(path) is not None]
        try:
            text = copied_text(context.project, paths, context.computed.base)
        except FayingError as error:
            context.show_error(error)
            return
        QGuiApplication.clipboard().setText(text)
        context.say(f"Copied {counted_entities(paths)} as text; Ctrl+V in a project tree pastes it.")
