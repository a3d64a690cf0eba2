"""Model ▸ Use picked face as."""

from functools import partial

from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_face
from faying_app.actions._surface_at_hand import picked
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.selection import EntityPath


@actions.register("use_face_as_surface")
class UseFaceAsSurface(ChoosingAction):
    """Replace a joint's surface by the one round the picked face."""

    title = "Use picked face as"
    menu = "Model"
    order = 120
    icon = "pick"
    meaning = "Replace the master or slave surface of a joint by the smooth surface round the picked face."
    entities = ("joint", "surface", "face")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        if not context.selection.faces or _joints(context):
            return a_face(context)
        return "The body has no joint yet: Model ▸ Add joint makes one."

    def choices(self, context: Context) -> list[Choice]:
        """Offer both surfaces of the selected joint, else of every joint of the body."""
        if self.why_disabled(context):
            return []
        found = _joints(context)
        return [
            Choice(
                f"{role.capitalize()} surface"
                + (f" of {context.value(path).name}" if len(found) > 1 else ""),
                partial(_use, context, path, role),
            )
            for path in found
            for role in ("master", "slave")
        ]


def _joints(context: Context) -> list[EntityPath]:
    """Return the selected joint, else all joints of the body that the picked face is on."""
    body = body_path(context.project, context.selection.faces[-1].body)
    selected = context.entity[:4]
    if len(selected) == 4 and selected[:3] == (*body, "joints"):
        return [selected]
    return [(*body, "joints", i) for i in range(len(context.value((*body, "joints"))))]


def _use(context: Context, path: EntityPath, role: str) -> None:
    words = picked(context)
    if context.apply(f"Choose {role} surface in the 3D view", edits.set_value((*path, role), words)):
        context.selection.drop_faces()
        context.selection.select((*path, role))
