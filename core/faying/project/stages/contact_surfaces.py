"""The surfaces of a body that parts of a system may touch."""

from pathlib import Path

from faying.errors import ModelError
from faying.fem.surface import Surface
from faying.progress import Progress
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.model import Model
from faying.project.stages.skin import OuterSkin


@stages.register("contact_surfaces")
class ContactSurfaces(Stage[tuple[Surface, ...]]):
    """Selects the facets of each contact surface."""

    title = "contact surfaces"
    order = 45
    keeps = "memory"
    weight = 0.1

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has contact surfaces."""
        return bool(project.body(target.body).contact_surfaces)

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return how the surfaces are selected."""
        return {"contact surfaces": [each.surface for each in project.body(target.body).contact_surfaces]}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and skin."""
        return of_same_body(target, Model, OuterSkin)

    def compute(self, context: StageContext, progress: Progress) -> tuple[Surface, ...]:
        """Return the surfaces in the body's order."""
        model, skin = context.get(Model), context.get(OuterSkin)
        found: list[Surface] = []
        for each in context.project.body(context.target.body).contact_surfaces:
            try:
                found.append(each.surface.select(model, skin))
            except ModelError as error:
                raise ModelError(f"Contact surface {each.name!r}: {error.message}", error.hint) from None
        return tuple(found)


def surfaces_of(project: Project, target: Target) -> dict[str, Target]:
    """Return the contact surfaces of a target's body as a need; nothing for a body without any."""
    has_any = bool(project.body(target.body).contact_surfaces)
    return of_same_body(target, ContactSurfaces) if has_any else {}


def has_contact_shapes(body: BodySpec) -> bool:
    """Return whether any surface of a body has contact shapes."""
    return any(each.shapes.shape_count(1) for each in body.contact_surfaces)
