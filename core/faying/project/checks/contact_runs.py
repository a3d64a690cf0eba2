"""Contacts between parts in runs: initial overlap, and contacts that never closed."""

from collections.abc import Iterator

import numpy as np

from faying.fem.skin import shell_facets
from faying.multibody.placement import PlacementSpec
from faying.multibody.system_spec import GROUND
from faying.project.checks import CheckedProject, Finding, Remedy, checks
from faying.project.contact_sides import ContactSide
from faying.project.specs import Project
from faying.units import unit_text

_MUCH = 0.01  # of a run's energy turnover: largest initial energy of overlap without finding
_DIRECTIONS = ("x", "y", "z")


@checks.register("contact_runs")
def contact_runs(checked: CheckedProject) -> Iterator[Finding]:
    """Check the contacts between parts in each run."""
    length = unit_text("length", checked.project.units)
    for number, analysis in enumerate(checked.project.analyses):
        report = checked.reports.get(analysis.name, {})
        turned_over = report.get("energy_balance", {}).get("turned over", 0.0)
        goes_on = bool(getattr(analysis, "start_from", "") or getattr(analysis, "from_equilibrium", False))
        contacts = report.get("contacts", {})
        # Corners, edges and round faces count as the contact that they complete.
        closed = {each.get("completes", name) for name, each in contacts.items() if each["most_closed"]}
        for name, found in contacts.items():
            first, second = found["parts"]
            itself = first == second
            both = f"surfaces of part {first!r}" if itself else f"parts {first!r} and {second!r}"
            if not goes_on and found["stored_at_start"] > _MUCH * turned_over > 0.0:
                way = np.array(found["way_out"])
                most = int(np.abs(way).argmax())
                share = 100.0 * found["stored_at_start"] / turned_over
                hint, remedy = "Start from equilibrium, or with the part bent.", None
                if not itself:
                    moved, out = (first, -way) if second == GROUND else (second, way)
                    hint = (
                        f"Move {moved!r} out by about ({', '.join(f'{x:.3g}' for x in out)}) {length}, most of it "
                        f"along {_DIRECTIONS[most]}, or start from equilibrium."
                    )
                    remedy = moved_out(checked.project, getattr(analysis, "system", ""), first, second, way)
                if shell := _shell(checked, getattr(analysis, "system", ""), name):
                    hint += f" {shell!r} is on shells: if the other side is the outside, choose that side."
                yield Finding(
                    "warning", ("analyses", number),
                    f"At the start of {analysis.name!r} {both} overlap in contact {name!r} by "
                    f"{found['overlap']:.3g} {length} at {found['overlapping_nodes']} nodes; what that stores is "
                    f"{share:.2g} % of the energy of the run, and throws them apart.",
                    hint, remedy=remedy,
                )  # fmt: skip
            if name not in closed and "completes" not in found:
                yield Finding(
                    "note", ("analyses", number),
                    f"In {analysis.name!r} {both} never touch in contact {name!r}.",
                    "Look at where the parts start, at which sides their surfaces have outside, and at the contact's "
                    "reach.",
                )  # fmt: skip


def _shell(checked: CheckedProject, system: str, contact: str) -> str:
    """Return the first of a contact's surfaces on shells, whose outer side is a choice; "" for none."""
    for _, own, spec in checked.contacts():
        if own.name != system or spec.name != contact:
            continue
        for role, side in checked.contact_sides(own, spec).items():
            if not isinstance(side, ContactSide) or side.model is None or side.surface is None:
                continue
            if shell_facets(side.model.blocks, side.surface).any():
                return str(getattr(spec, role))
    return ""


def moved_out(project: Project, system: str, first: str, second: str, way: np.ndarray) -> Remedy | None:
    """Return a remedy that moves a part out of the overlap: the second, or the first if only that has a placement.

    Args:
        project: the decisions.
        system: name of theirs.
        first, second: the parts that overlap.
        way: (3,) displacement that separates the second part from the first.
    """
    for name, other, out in ((second, first, way), (first, second, -way)):
        for i, spec in enumerate(project.systems):
            for k, part in enumerate(spec.parts):
                placement = getattr(part, "placement", None)
                if spec.name != system or part.name != name or not isinstance(placement, PlacementSpec):
                    continue
                place = tuple(float(f"{x:.9g}") for x in np.add(placement.position, out))
                path = ("systems", i, "parts", k, "placement", "position")
                return Remedy(f"Move {name!r} out of {other!r}", path, place)
    return None
