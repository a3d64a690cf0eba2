"""View ▸ Parts: hide the parts of picked faces, hide all others, show all again."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import body_at, kind_of


class _PartAction(Action):
    menu = "View/Parts"
    entities = ("body", "model", "connected_part", "face")

    def why_disabled(self, context: Context) -> str:
        """Say what to click."""
        if context.selection.faces or kind_of(context.entity) == "connected_part":
            body, _, _ = self.picked_parts(context)
            return "" if context.computed.parts(body) is not None else "The model has not been read yet."
        return "Click a face of the part in the 3D view, or the part in the tree, first."

    def picked_parts(self, context: Context) -> tuple[str, set[int], set[int]]:
        """Return the body, the parts of the picked faces or the one picked in the tree, and all of its parts."""
        faces, in_tree = context.selection.faces, body_at(context.project, context.entity)
        body = faces[-1].body if faces or in_tree is None else in_tree.name
        found = context.computed.parts(body)
        if found is None:
            return body, set(), set()
        labels, count = found
        picked = {int(labels[face.facet]) for face in faces} or {int(context.entity[4]) - 1}
        return body, picked, set(range(count))


def hide(context: Context, body: str, parts: set[int]) -> None:
    """Hide parts of a body besides those hidden already; faces stay picked, for a joint with what is behind."""
    hidden = {*context.view.values.hidden_parts, *((body, part) for part in parts)}
    context.view.set(hidden_parts=tuple(sorted(hidden)))


@actions.register("hide_part")
class HidePart(_PartAction):
    """Hide the picked part; the search for joints ignores it too."""

    title = "Hide picked part"
    order = 340
    shortcut = "Ctrl+H"
    meaning = "Leave the part of the picked face out of the picture and of the search for joints."

    def trigger(self, context: Context) -> None:
        """Hide it."""
        body, parts, _ = self.picked_parts(context)
        hide(context, body, parts)


@actions.register("isolate_part")
class IsolatePart(_PartAction):
    """Hide all parts but the picked ones."""

    title = "Hide all other parts"
    order = 341
    shortcut = "Ctrl+Shift+H"
    meaning = "Show only the parts of the picked faces."

    def trigger(self, context: Context) -> None:
        """Hide the others."""
        body, parts, every = self.picked_parts(context)
        hide(context, body, every - parts)


@actions.register("show_parts")
class ShowParts(Action):
    """Show all parts again."""

    title = "Show all parts"
    menu = "View/Parts"
    order = 342
    shortcut = "Ctrl+Alt+H"
    meaning = "Show the hidden parts again."
    entities = ("body", "model", "connected_part", "face")

    def why_disabled(self, context: Context) -> str:
        """Say that there is nothing to do."""
        return "" if context.view.values.hidden_parts else "No part is hidden."

    def trigger(self, context: Context) -> None:
        """Show them."""
        context.view.set(hidden_parts=())
