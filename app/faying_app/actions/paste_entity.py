"""Edit ▸ Paste."""

from PySide6.QtGui import QGuiApplication

from faying.errors import FayingError
from faying.project.clipboard import pasting
from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context
from faying_app.entities import body_path, system_path


@actions.register("paste_entity")
class PasteEntity(Action):
    """Add what the clipboard holds to the project, also what was copied in another window."""

    title = "Paste"
    menu = "Edit"
    order = 204
    shortcut = "Ctrl+V"
    icon = "add"
    meaning = (
        "Add what was copied, also in another window, to the selected body or system; a law replaces those of all "
        "selected joints. Numbers are converted to the units of the project."
    )
    entities = (
        "body", "interfaces", "couplings", "supports", "bolts", "preloads", "loads", "load", "joints", "joint",
        "contact_law", "friction_law", "materials", "system", "part", "constraints", "forces", "measures",
        "controllers", "events", "contacts", "contact", "analyses", "analysis",
    )  # fmt: skip
    in_tree = True
    needs = (content,)

    def trigger(self, context: Context) -> None:
        """Paste as one step, and select what was pasted."""
        body, system = context.selected_body(), context.selected_system()
        try:
            found = pasting(
                QGuiApplication.clipboard().text(),
                context.project,
                context.entities,
                body_path(context.project, body.name) if body is not None else (),
                system_path(context.project, system.name) if system is not None else (),
            )
        except FayingError as error:
            context.show_error(error)
            return
        if context.apply(f"Paste {', '.join(found.names)}", found.edit):
            context.selection.select_all(found.paths)
            context.say(f"Pasted {', '.join(found.names)}.")
