"""Initial overlap of contacts between parts: forces reported before a run."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from faying.analyses.motion import Motion
from faying.analyses.recording.contact_records import start_of
from faying.multibody.assembly import Assembled
from faying.multibody.redundancy import system_size
from faying.multibody.system_spec import GROUND
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.checks.contact_runs import moved_out
from faying.units import unit_text

_ROUNDING = 1e-6  # relative to the system's size: overlap of parts that only touch
_BORNE = 3.0  # relative to the other forces on both parts, which resting parts balance


@checks.register("contact_starts")
def contact_starts(checked: CheckedProject) -> Iterator[Finding]:
    """Check the initial state of each system whose motion starts from the given placement and has not run."""
    units = checked.project.units
    length, force, energy = (unit_text(quantity, units) for quantity in ("length", "force", "energy"))
    for i, spec in enumerate(checked.project.systems):
        at = checked.assembled.get(spec.name)
        begins = [
            each
            for each in checked.project.analyses
            if isinstance(each, Motion) and each.system == spec.name
            and not (each.start_from or each.from_equilibrium or each.name in checked.reports)
        ]  # fmt: skip
        if not begins or not isinstance(at, Assembled) or not at.system.contacts.members:
            continue
        # There is no slip yet, so friction has no force.
        members = at.system.contacts.members
        smooth = [replace(each, friction_law=None) for each in members]
        coordinates = {
            part.name: at.position[own] for part, own in zip(at.system.parts, at.system.ranges, strict=True)
        }
        axes = at.system.contacts.master_axes(at.position)
        still = np.zeros(at.system.n)
        forces = at.system.forces(0.0, at.position, still, at.history, jacobian=False).force
        numbers = {contact.name: k for k, contact in enumerate(spec.contacts)}
        for contact, turned in zip(smooth, axes, strict=True):
            sides = coordinates[contact.master_part], coordinates[contact.slave_part]
            answer = contact.evaluate(*sides, contact.initial_memory(), 0.0, jacobian=False)
            found = start_of(contact, answer, turned)
            owner = contact.completes or contact.name
            if found["overlap"] <= _ROUNDING * system_size(at.system) or owner not in numbers:
                continue
            first, second = found["parts"]
            presses = float(np.linalg.norm(answer.nodal_forces.sum(axis=0)))
            other = max(
                float(np.linalg.norm(at.system.of_part(name, forces)[:3])) for name in (first, second)
            )
            if presses <= _BORNE * other:
                continue
            way = np.array(found["way_out"])
            itself = first == second
            parts = f"surfaces of part {first!r}" if itself else f"parts {first!r} and {second!r}"
            part, out = (first, -way) if second == GROUND else (second, way)
            hint = "Start from equilibrium, unless that is meant."
            if not itself:
                hint = (
                    f"Move {part!r} out by about ({', '.join(f'{x:.3g}' for x in out)}) {length}, or start from "
                    "equilibrium, unless that is meant."
                )
            yield Finding(
                "warning", ("systems", i, "contacts", numbers.pop(owner)),  # one finding of each contact
                f"At the start of system {spec.name!r} {parts} overlap in contact {owner!r} by "
                f"{found['overlap']:.3g} {length}: it presses with {presses:.3g} {force} at once, and throws them "
                f"apart with {found['stored_at_start']:.3g} {energy} that nothing has put in.",
                hint,
                remedy=None if itself else moved_out(checked.project, spec.name, first, second, way),
            )  # fmt: skip
