"""A system in motion as content of the same kind as a body's, for pictures and films without a window."""

from dataclasses import dataclass, field, replace

from faying.errors import ModelError
from faying.exporters import ExportContent, SystemContent
from faying.fem.model import FeModel
from faying.fem.skin import Skin, find_skin
from faying_app.scene.system_picture import PartShape, SystemPicture, context_of, picture_of


@dataclass(frozen=True)
class DrawnSystem(ExportContent):
    """All parts of a system; its `context` is a `SystemContext`, its joints are called "part: joint".

    Attributes:
        picture: the parts put together.
        rigid: whether no part deforms, so that there are no fields.
    """

    picture: SystemPicture = field(kw_only=True)
    rigid: bool = field(kw_only=True)


def drawn_system(content: SystemContent, shape: int = 0) -> DrawnSystem:
    """Return a system put together from its parts, where its first frame has them; of several shapes one.

    Raises:
        ModelError: when there are no frames yet.
    """
    if not content.n_frames:
        raise ModelError(f"{content.title} has no frames yet.", "Run the analysis first.")
    project, system, results = content.project, content.system, content.results
    starts = [results.part(part.name).placement(0) for part in system.parts]
    picture = picture_of(project, system, _shapes(content), starts)
    contexts = {name: body.body_context for name, body in content.bodies.items()}
    if results.n_shapes > 1:
        contexts = {name: replace(c, frames=results.part(name, shape)) for name, c in contexts.items()}
    # What pictures and films ask of frames, a system answers as a body does.
    frames = context_of(system, picture, results, contexts, shape)
    surfaces = {name: (slave, slave) for name, slave in picture.slaves.items()}
    return DrawnSystem(
        content.title, project.units, picture.model, frames, surfaces, picture.pairs,
        picture=picture, rigid=not content.bodies,
        beside=tuple(drawn_system(other, shape) for other in content.beside), curves=content.curves,
    )  # fmt: skip


def _shapes(content: SystemContent) -> dict[str, PartShape]:
    """Return the shapes of all parts with an FE model; parts of one body share its skin."""
    skins: dict[int, Skin] = {}

    def shape(name: str, model: FeModel) -> PartShape:
        if id(model) not in skins:
            skins[id(model)] = find_skin(model)
        part = next(p for p in content.system.parts if p.name == name)
        body, flexible = content.project.body(part.body_name()), content.bodies.get(name)
        if flexible is None:
            return PartShape(body, model, skins[id(model)])
        slaves = {joint: slave for joint, (_, slave) in flexible.surfaces.items()}
        return PartShape(body, model, skins[id(model)], flexible.pairs, slaves)

    models = {**content.models, **{name: body.model for name, body in content.bodies.items()}}
    return {name: shape(name, model) for name, model in models.items()}
