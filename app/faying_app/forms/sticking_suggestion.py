"""The sticking stiffness that follows from the contact law, shown where a friction law is chosen."""

from typing import Any

from faying.errors import FayingError
from faying.joints.friction_laws import FrictionLaw
from faying.project import edits
from faying.project.contact_friction import friction_between
from faying.project.contact_sides import ContactSide
from faying.project.file_names import with_absolute_files
from faying.project.friction_laws import acting_friction
from faying.project.paths import SpecPath, value_at
from faying.project.specs import Project
from faying.units import unit_text
from faying_app.computed import Computed
from faying_app.entities import body_at, contact_path, joint_at, kind_of
from faying_app.forms.host import Suggestion

_NEAR = 0.01  # a stiffness that differs by a smaller share is as it would follow


def suggested_sticking(computed: Computed, project: Project, path: SpecPath) -> Suggestion | None:
    """Return the note on a friction law; None for other members, and while nothing is known of its joint.

    Args:
        computed: where the joint's model and pairs are.
        project: that contains the law.
        path: of the law in it.
    """
    if kind_of(path) != "friction_law":
        return None
    law = value_at(project, path)
    name = law.stiffness_name if law is not None else ""
    if not name:
        return None
    try:
        follows = acting_law(computed, project, path, law.with_(**{name: None}))
    except FayingError as error:
        return Suggestion(str(error), "", None)
    if follows.leaves_open:
        return None
    given, wanted = getattr(law, name), getattr(follows, name)
    number = f"{wanted:.4g} {unit_text('contact_stiffness', project.units)}"
    if given is None:
        return Suggestion(f"Sticks with {number}, which follows from the contact law (Mindlin).", "", None)
    if abs(given / wanted - 1.0) < _NEAR:
        return None
    return Suggestion(
        f"From the contact law {number} would follow (Mindlin).",
        "Let the sticking stiffness follow from the contact law",
        lambda: edits.set_value((*path, name), None),
    )


def acting_law(computed: Computed, project: Project, path: SpecPath, law: Any) -> FrictionLaw:
    """Return a friction law as it would act at a path; as it is while its pairs or surfaces are not known.

    Raises:
        FayingError: when its stiffness is open and does not follow, or a table of the contact law cannot be read.
    """
    if at := contact_path(project, path):
        contact = with_absolute_files(value_at(project, at), computed.base).with_(friction_law=law)
        sides = computed.contact_sides(value_at(project, at[:2]), contact)
        found = [side for side in sides.values() if isinstance(side, ContactSide)]
        known = len(found) == 2 and all(side.rigid or side.model is not None for side in found)
        acting = friction_between(contact, found) if known else law
    else:
        body, joint = body_at(project, path), joint_at(project, path)
        model = computed.model(body.name) if body is not None else None
        pairs = computed.pairs(body.name, joint.name) if body is not None else None
        if model is None or pairs is None:
            return law  # type: ignore[no-any-return]
        contact = with_absolute_files(joint.contact_law, computed.base)
        acting = acting_friction(f"Joint {joint.name!r}", contact, law, model, pairs)
    assert acting is not None
    return acting
