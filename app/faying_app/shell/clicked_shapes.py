"""What was clicked of a part of a system, as geometry in the part's frame."""

from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.fem.face_shapes import FaceShape, face_shapes_at, triangle_at
from faying.fem.facet_names import names_of_facets
from faying.fem.skin import skin_of_surface
from faying.fem.surface import FacetBlock, Surface
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.results.field import Pose
from faying_app.computed import Computed
from faying_app.scene.content import SceneContent
from faying_app.scene.picking import Picked
from faying_app.scene.systems import AT_REST


@dataclass(frozen=True, eq=False)
class ClickedShapes:
    """A clicked place of a part: what it may mean, the likeliest first, in space as the parts start.

    Attributes:
        part: its name, "ground" for ground.
        pose: of the part.
        shapes: face and edge.
        face: (element, face) by the names of its body's model, on which it is; None of a part without an FE model.
    """

    part: str
    pose: Pose
    shapes: tuple[FaceShape, ...]
    face: tuple[int, int] | None = None


def clicked_shapes(
    content: SceneContent, system: SystemSpec, computed: Computed, found: Picked
) -> ClickedShapes:
    """Return what was clicked.

    Args:
        content: that is shown, with the system at its start.
        system: its decisions.
        computed: gives the models of bodies.
        found: under the pointer.

    Raises:
        ModelError: for what is no part, and where the face has no shape that is known.
    """
    shown = content.system
    assert shown is not None
    if found.kind == "surface":
        surface = shown.surfaces[found.number]
        pose = content.poses[surface.part] if surface.part >= 0 else AT_REST
        none = np.zeros(len(surface.triangles), np.int64)
        faces = Surface("", (FacetBlock("tri3", surface.triangles, none, none),))
        place = _in_frame(pose, found)
        facet = triangle_at(surface.points, surface.triangles, place)
        shapes = face_shapes_at(skin_of_surface(faces, surface.points), surface.points, facet, place)
        part = shown.parts[surface.part].name if surface.part >= 0 else GROUND
        return ClickedShapes(part, pose, _moved(shapes, pose))
    if found.kind != "part":
        raise ModelError("This is a sign, not a face.", "Click the face of a part beside it.")
    name, pose = shown.parts[found.number].name, content.poses[found.number]
    if found.facet < 0:
        raise ModelError(
            f"Part {name!r} is drawn as the box of its inertia, which has no faces of its own.",
            "Give it looks or a shape first.",
        )
    body = next(part.body_name() for part in system.parts if part.name == name)
    model, skin = computed.model(body), computed.skin(body)
    if model is None or skin is None:
        raise ModelError(f"The model of part {name!r} has not been read yet.")
    facet = content.facets_of_part(name).index(found.facet)
    shapes = face_shapes_at(skin, model.nodes, facet, _in_frame(pose, found))
    ((element, face),) = names_of_facets(model, skin, [facet])
    return ClickedShapes(name, pose, _moved(shapes, pose), (element, face))


def _in_frame(pose: Pose, found: Picked) -> np.ndarray:
    position, turn = pose
    return np.asarray(turn.T @ (np.array(found.position) - position))


def _moved(shapes: tuple[FaceShape, ...], pose: Pose) -> tuple[FaceShape, ...]:
    return tuple(shape.moved(*pose) for shape in shapes)
