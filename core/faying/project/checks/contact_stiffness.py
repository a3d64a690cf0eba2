"""Contact stiffness: of the order of what the elements beneath the joint have."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.fem.surface import Surface
from faying.joints.contact_stiffness import penetration_at, propose_stiffness
from faying.project.checks import CheckedProject, Finding, Severity, checks, spoils
from faying.units import unit_text

# A law may well be ten times softer or stiffer on purpose, and coated or layered surfaces hundreds of times
# softer; beyond that it is probably a slip in the units.
_FAR, _TOO_FAR = 30.0, 1000.0


@checks.register("contact_stiffness")
@spoils("joint_problem", "preload", "analysis", "motion")
def contact_stiffness(checked: CheckedProject) -> Iterator[Finding]:
    """Check each joint's law against the proposal for its mesh."""
    units = checked.project.units
    length, stress = unit_text("length", units), unit_text("stress", units)
    per_length = unit_text("contact_stiffness", units)
    for path, body, joint, _ in checked.joints():
        pairs, model = checked.pairs.get((body.name, joint.name)), checked.models.get(body.name)
        sides = checked.surfaces(body, joint)
        master, slave = sides.get("master"), sides.get("slave")
        if (
            pairs is None
            or model is None
            or not isinstance(master, Surface)
            or not isinstance(slave, Surface)
        ):
            continue
        proposal = propose_stiffness(model, master, slave, pairs)
        if proposal is None:
            continue
        try:
            penetration = penetration_at(joint.contact_law, proposal.pressure)
        except FayingError as error:  # a table that cannot be read
            yield Finding("error", path, f"Joint {joint.name!r}: {error.message}", error.hint)
            continue
        ratio = penetration / proposal.penetration
        if 1.0 / _FAR <= ratio <= _FAR:
            continue
        far = "softer" if ratio > 1.0 else "stiffer"
        cost = (
            "The surfaces penetrate by more than the bodies deform there"
            if ratio > 1.0
            else "That costs steps and corrections, and the mesh cannot show the difference"
        )
        severity: Severity = "note" if 1.0 <= ratio <= _TOO_FAR else "warning"
        yield Finding(
            severity, path,
            f"Joint {joint.name!r}: the contact law is far {far} than the elements beneath it: at "
            f"{proposal.pressure:.3g} {stress} it lets the surfaces penetrate by {penetration:.2g} {length}.",
            f"{cost}; a stiffness of about {proposal.stiffness:.2g} {per_length} fits the mesh (penetration "
            f"{proposal.penetration:.2g} {length}).",
        )  # fmt: skip
