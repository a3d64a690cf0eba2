"""Stiffness of friction laws: sticking stiffness relative to contact stiffness, and springs without slip limit."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.joints.friction_laws import FrictionLaw
from faying.project.checks import CheckedProject, EntityPath, Finding, Remedy, Severity, checks, spoils
from faying.project.contact_friction import friction_between
from faying.project.contact_sides import ContactSide
from faying.project.file_names import with_absolute_files
from faying.project.friction_laws import friction_law_of
from faying.results.verdicts import percent
from faying.units import unit_text

# Measured joints are within a factor of two or three of Mindlin's ratio; layers between the surfaces are softer.
_FAR = 5.0
_NOTED, _TOO_MUCH = 0.1, 1.0  # relative to the sticking limit


@checks.register("friction_stiffness")
@spoils("analysis", "motion")
def friction_stiffness(checked: CheckedProject) -> Iterator[Finding]:
    """Check the sticking stiffness of joints and contacts, and the force in springs parallel to sliders in runs."""
    for path, body, joint, _ in checked.joints():
        pairs, model = checked.pairs.get((body.name, joint.name)), checked.models.get(body.name)
        law = joint.friction_law
        if pairs is None or model is None or law is None or not law.stiffness_name:
            continue
        opened = with_absolute_files(joint, checked.base).with_(friction_law=_opened(law))
        try:
            follows = friction_law_of(opened, model, pairs)
        except FayingError as error:
            yield from _unknown(path, law, error)
        else:
            yield from _compared(path, f"Joint {joint.name!r}", law, follows, checked.project.units)
    for path, system, contact in checked.contacts():
        law = contact.friction_law
        sides = [s for s in checked.contact_sides(system, contact).values() if isinstance(s, ContactSide)]
        known = len(sides) == 2 and all(side.rigid or side.model is not None for side in sides)
        if not known or law is None or not law.stiffness_name:
            continue
        between = with_absolute_files(contact, checked.base).with_(friction_law=_opened(law))
        try:
            follows = friction_between(between, sides)
        except FayingError as error:
            yield from _unknown(path, law, error)
        else:
            yield from _compared(path, f"Contact {contact.name!r}", law, follows, checked.project.units)
    for number, analysis in enumerate(checked.project.analyses):
        beyond = checked.reports.get(analysis.name, {}).get("friction_beyond_limit", {})
        for joint_name, share in beyond.items():
            if share > _NOTED:
                severity: Severity = "warning" if share > _TOO_MUCH else "note"
                yield Finding(
                    severity, ("analyses", number),
                    f"In {analysis.name!r} the spring parallel to the slider of joint {joint_name!r} bears up to "
                    f"{percent(share)} of the sticking limit μ p, on top of it: so much more than μ says.",
                    "Set sliding_stiffness of its friction law to 0 for friction that never exceeds μ p.",
                )  # fmt: skip


def _opened(law: FrictionLaw) -> FrictionLaw:
    """Return the law with unspecified stiffness and without a parallel spring."""
    spring = {"sliding_stiffness": 0.0} if law.unlimited_stiffness else {}
    return law.with_(**{law.stiffness_name: None, **spring})


def _unknown(path: EntityPath, law: FrictionLaw, error: FayingError) -> Iterator[Finding]:
    """Yield a finding if a law's stiffness should be derived but cannot be."""
    if law.leaves_open:
        yield Finding("error", path, error.message, error.hint)


def _compared(
    path: EntityPath, whose: str, law: FrictionLaw, follows: FrictionLaw | None, units: str
) -> Iterator[Finding]:
    """Yield a finding if a given stiffness differs greatly from the derived one, or a parallel spring is as stiff."""
    assert follows is not None
    wanted, unit = follows.known_stiffness, unit_text("contact_stiffness", units)
    if law.leaves_open:
        if law.unlimited_stiffness >= wanted:
            yield Finding(
                "error", path,
                f"{whose}: the sliding stiffness of {law.unlimited_stiffness:.4g} {unit} is not smaller than the "
                f"sticking stiffness that follows from the contact law, {wanted:.4g} {unit}.",
                "Give the sticking stiffness, or a smaller sliding stiffness.",
            )  # fmt: skip
        return
    ratio = law.known_stiffness / wanted
    if 1.0 / _FAR <= ratio <= _FAR:
        return
    far, then = ("softer", "more") if ratio < 1.0 else ("stiffer", "less")
    yield Finding(
        "note", path,
        f"{whose} sticks with {law.known_stiffness:.4g} {unit}, {max(ratio, 1.0 / ratio):.2g} times {far} than its "
        f"contact law lets expect ({wanted:.4g} {unit}, Mindlin): sheets and bolts give way {then} before it slips.",
        "Leave the sticking stiffness open, unless it was measured.",
        remedy=Remedy("Let the sticking stiffness follow", (*path, "friction_law", law.stiffness_name), None),
    )  # fmt: skip
