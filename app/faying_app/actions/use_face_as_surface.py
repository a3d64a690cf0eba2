"""Model ▸ Use picked face as."""

from functools import partial

from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context

_ANGLE = 20.0


@actions.register("use_face_as_surface")
class UseFaceAsSurface(ChoosingAction):
    """Replace a joint's surface by the one round the picked face."""

    title = "Use picked face as"
    menu = "Model"
    order = 120
    icon = "pick"
    meaning = "Replace the master or slave surface of the selected joint by the smooth surface round the picked face."
    entities = ("joint", "surface")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        if len(context.entity) < 4 or context.entity[2] != "joints":
            return "Select a joint in the tree."
        return "" if context.selection.faces else "Click a face in the 3D view first."

    def choices(self, context: Context) -> list[Choice]:
        """Offer both surfaces."""
        if self.why_disabled(context):
            return []
        return [
            Choice(f"{role.capitalize()} surface", partial(_use, context, role))
            for role in ("master", "slave")
        ]


def _use(context: Context, role: str) -> None:
    face, path = context.selection.faces[-1], context.entity[:4]
    words = {"kind": "grown", "element": face.element, "face": face.face, "angle": _ANGLE}
    if context.apply(f"Choose {role} surface in the 3D view", edits.set_value((*path, role), words)):
        context.selection.drop_faces()
        context.selection.select((*path, role))
