"""Contacts between parts in runs: surfaces that overlapped at the start, and contacts that never touched."""

from collections.abc import Iterator

import numpy as np

from faying.project.checks import CheckedProject, Finding, checks
from faying.units import unit_text

_MUCH = 0.01  # of the energy that a run turned over, as what surfaces that overlap bring along
_DIRECTIONS = ("x", "y", "z")


@checks.register("contact_runs")
def contact_runs(checked: CheckedProject) -> Iterator[Finding]:
    """Check what each run reports of its contacts between parts."""
    length = unit_text("length", checked.project.units)
    for number, analysis in enumerate(checked.project.analyses):
        report = checked.reports.get(analysis.name, {})
        turned_over = report.get("energy_balance", {}).get("turned over", 0.0)
        goes_on = bool(getattr(analysis, "start_from", "") or getattr(analysis, "from_equilibrium", False))
        for name, found in report.get("contacts", {}).items():
            first, second = found["parts"]
            if not goes_on and found["stored_at_start"] > _MUCH * turned_over > 0.0:
                way = np.array(found["way_out"])
                most = int(np.abs(way).argmax())
                share = 100.0 * found["stored_at_start"] / turned_over
                yield Finding(
                    "warning", ("analyses", number),
                    f"At the start of {analysis.name!r} parts {first!r} and {second!r} overlap in contact {name!r} by "
                    f"{found['overlap']:.3g} {length} at {found['overlapping_nodes']} nodes; what that stores is "
                    f"{share:.2g} % of the energy of the run, and throws them apart.",
                    f"Move {second!r} out by about ({', '.join(f'{x:.3g}' for x in way)}) {length}, most of it along "
                    f"{_DIRECTIONS[most]}, or start from equilibrium.",
                )  # fmt: skip
            if not found["most_closed"]:
                yield Finding(
                    "note", ("analyses", number),
                    f"In {analysis.name!r} parts {first!r} and {second!r} never touch in contact {name!r}.",
                    "Look at where the parts start, at which sides their surfaces have outside, and at the contact's "
                    "reach.",
                )  # fmt: skip
