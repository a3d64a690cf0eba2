"""Friction laws of contacts between parts, with derived stiffness where none is given."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.skin import find_skin
from faying.fem.surface import Surface
from faying.joints.friction_laws import FrictionLaw
from faying.joints.sticking import beside
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.system_spec import SystemSpec
from faying.project.contact_sides import ContactSide, contact_side
from faying.project.specs import BodySpec, Project
from faying.reduction.contact_surfaces import ContactSurfaceSpec


def friction_between(contact: PartContactSpec, sides: Iterable[ContactSide]) -> FrictionLaw | None:
    """Return the completed friction law of a contact between parts; errors as in `faying.project.friction_laws`."""
    materials = [side.elastic for side in sides]
    law = contact.contact_law.loaded()
    return beside(contact.friction_law, law, materials, f"Contact {contact.name!r}")


def with_acting_friction(
    system: SystemSpec, project: Project, models: Mapping[str, FeModel], base: Path
) -> SystemSpec:
    """Return the system with completed friction laws of its contacts.

    Args:
        system: the decisions, with absolute names of files.
        project: project with the bodies of its parts.
        models: of these bodies, by name.
        base: folder of relative file names.

    Raises:
        ModelError: when an unspecified stiffness of a law cannot be derived, or a surface does not exist.
    """

    def facets(body: BodySpec, chosen: ContactSurfaceSpec) -> tuple[FeModel, Surface] | None:
        model = models.get(body.name)  # None for a rigid part, whose material is irrelevant
        return None if model is None else (model, chosen.surface.select(model, find_skin(model)))

    def acting(contact: PartContactSpec) -> PartContactSpec:
        if contact.friction_law is None or not contact.friction_law.leaves_open:
            return contact
        sides = []
        for name in (contact.master, contact.slave):
            side = contact_side(project, system, name, f"contact {contact.name!r}", facets, base)
            if isinstance(side, FayingError):
                raise side
            sides.append(side)
        found: PartContactSpec = contact.with_(friction_law=friction_between(contact, sides))
        return found

    made: SystemSpec = system.with_(contacts=tuple(acting(contact) for contact in system.contacts))
    return made
