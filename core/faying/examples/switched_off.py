"""Examples' projects with friction, contact, flexibility or weight switched off, which has to change their numbers."""

from typing import Any

from faying.multibody.contacts.spec import PartContactSpec
from faying.project.specs import BodySpec, Project

_APART = 1000.0  # by which surfaces are moved apart: more than any of them ever comes near
_STIFFER = 1e6


def without_contact(project: Project) -> Project:
    """Return the project with gaps so wide, in its unit of length, that no surfaces ever touch."""

    def apart(joint: Any) -> Any:
        return joint.with_(search=joint.search.with_(gap_offset=_APART))

    return _with_joints(project, apart)


def with_soft_part_contact(project: Project, share: float = 1e-9) -> Project:
    """Return the project with the contact stiffness between parts times a share; the default leaves next to none."""

    def soft(contact: PartContactSpec) -> PartContactSpec:
        law = contact.contact_law
        return contact.with_(contact_law=law.with_(stiffness=share * law.stiffness))

    return project.with_(
        systems=tuple(
            s.with_(contacts=tuple(soft(contact) for contact in s.contacts)) for s in project.systems
        )
    )


def with_soft_contact(project: Project, share: float = 1e-6) -> Project:
    """Return the project with the stiffness of joints' linear contact times a share; trial vectors stay the same."""

    def soft(joint: Any) -> Any:
        return joint.with_(contact_law=joint.contact_law.with_(stiffness=share * joint.contact_law.stiffness))

    return _with_joints(project, soft)


def without_friction(project: Project) -> Project:
    """Return the project whose joints slide freely."""
    return _with_joints(project, lambda joint: joint.with_(friction_law=None))


def without_flexibility(project: Project, element_set: str) -> Project:
    """Return the project, in metres, whose (first) body is a million times stiffer than steel.

    Args:
        project: of one body.
        element_set: of all its elements.
    """
    rigid = {
        "kind": "isotropic", "name": "rigid", "element_set": element_set,
        "youngs_modulus": 210e9 * _STIFFER, "density": 7850.0,
    }  # fmt: skip
    return project.with_(bodies=(project.bodies[0].with_(materials=(rigid,)),))


def without_weight(project: Project) -> Project:
    """Return the project whose systems have no gravity."""
    return project.with_(systems=tuple(s.with_(gravity=(0.0, 0.0, 0.0)) for s in project.systems))


def _with_joints(project: Project, changed: Any) -> Project:
    def body(spec: BodySpec) -> BodySpec:
        return spec.with_(joints=tuple(changed(joint) for joint in spec.joints))

    return project.with_(bodies=tuple(body(spec) for spec in project.bodies))
