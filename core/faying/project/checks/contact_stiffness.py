"""Contact stiffness: compared with the stiffness of the elements below the joint."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_stiffness import StiffnessProposal
from faying.project.checks import CheckedProject, EntityPath, Finding, Severity, checks, spoils
from faying.project.contact_sides import ContactSide, propose_part_stiffness
from faying.units import unit_text

# A law may be ten times softer or stiffer on purpose, and coated or layered surfaces hundreds of times softer; larger
# factors probably indicate wrong units.
_FAR, _TOO_FAR = 30.0, 1000.0


@checks.register("contact_stiffness")
@spoils("joint_problem", "preload", "analysis", "motion")
def contact_stiffness(checked: CheckedProject) -> Iterator[Finding]:
    """Check the law of each joint, and of each contact between parts, against the proposal for its mesh."""
    for path, body, joint, _ in checked.joints():
        proposal = checked.stiffness_proposal(body, joint)
        yield from _compared(checked, path, f"Joint {joint.name!r}", joint.contact_law, proposal)
    for path, system, contact in checked.contacts():
        chosen = list(checked.contact_sides(system, contact).values())
        found = [side for side in chosen if isinstance(side, ContactSide)]
        if len(found) == 2:
            proposal = propose_part_stiffness(*found)
            yield from _compared(checked, path, f"Contact {contact.name!r}", contact.contact_law, proposal)


def _compared(
    checked: CheckedProject, path: EntityPath, what: str, law: ContactLaw, proposal: StiffnessProposal | None
) -> Iterator[Finding]:
    """Yield a finding if a law is far softer or stiffer than the proposal for its mesh."""
    if proposal is None:
        return
    units = checked.project.units
    length, stress = unit_text("length", units), unit_text("stress", units)
    per_length = unit_text("contact_stiffness", units)
    try:
        penetration = checked.penetration(law, proposal)
    except FayingError as error:  # an unreadable table
        yield Finding("error", path, f"{what}: {error.message}", error.hint)
        return
    ratio = penetration / proposal.penetration
    if 1.0 / _FAR <= ratio <= _FAR:
        return
    far = "softer" if ratio > 1.0 else "stiffer"
    cost = (
        "The surfaces penetrate by more than the bodies deform there"
        if ratio > 1.0
        else "That costs steps and corrections, and the mesh cannot show the difference"
    )
    severity: Severity = "note" if 1.0 <= ratio <= _TOO_FAR else "warning"
    yield Finding(
        severity, path,
        f"{what}: the contact law is far {far} than the elements beneath it: at "
        f"{proposal.pressure:.3g} {stress} it lets the surfaces penetrate by {penetration:.2g} {length}.",
        f"{cost}; a stiffness of about {proposal.stiffness:.2g} {per_length} fits the mesh (penetration "
        f"{proposal.penetration:.2g} {length}).",
    )  # fmt: skip
