"""Model ▸ Add joint."""

from functools import partial
from typing import Any

from faying.joints.search import FOR_NEW_JOINTS
from faying.project import edits
from faying.project.specs import BodySpec
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_model
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.selection import SMOOTH_ANGLE


@actions.register("add_joint")
class AddJoint(ChoosingAction):
    """Make a joint from two picked faces or from two surfaces of the deck."""

    title = "Add joint"
    menu = "Model"
    order = 110
    icon = "joint"
    meaning = (
        "Make a joint where two parts touch: from two faces picked in the 3D view (hold Ctrl for the second), "
        "or from two surfaces of the deck."
    )
    in_toolbar = True
    entities = ("body", "joints", "joint", "deck_surface", "face")
    needs = (a_model,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer what is picked, and pairs of the deck's surfaces that are named alike."""
        body = context.selected_body()
        model = context.computed.model(body.name) if body is not None else None
        if body is None or model is None:
            return []
        offered = []
        faces = [face for face in context.selection.faces if face.body == body.name]
        if len(faces) == 2:
            master, slave = (
                {"kind": "grown", "element": face.element, "face": face.face, "angle": SMOOTH_ANGLE}
                for face in faces
            )
            offered.append(Choice("From the two picked faces", partial(_add, context, body, master, slave)))
        names = sorted(model.surfaces)
        for name in names:
            partner = name.upper().replace("MASTER", "SLAVE")
            if partner != name.upper() and (found := next((n for n in names if n.upper() == partner), "")):
                words = ({"kind": "deck_surface", "name": n} for n in (name, found))
                offered.append(Choice(f"{name} and {found}", partial(_add, context, body, *words)))
        if len(names) >= 2:
            words = ({"kind": "deck_surface", "name": n} for n in names[:2])
            offered.append(
                Choice("From two surfaces, chosen in the form", partial(_add, context, body, *words))
            )
        return offered


def _add(context: Context, body: BodySpec, master: Any, slave: Any) -> None:
    path = (*body_path(context.project, body.name), "joints")
    name = edits.unused_name(context.project, path, "joint")
    joint = {"name": name, "master": master, "slave": slave, "search": FOR_NEW_JOINTS}
    if context.apply(f"Add joint {name!r}", edits.add_joint(body.name, joint)):
        context.selection.drop_faces()
        context.selection.select((*path, len(context.value(path)) - 1))
