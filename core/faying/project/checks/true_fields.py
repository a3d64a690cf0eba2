"""True fields: whether a body can have them, and how far off they show the reduced fields to be."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from faying.analyses import SystemAnalysis
from faying.analyses.recording.true_fields import WithTrueFields
from faying.project.checks import CheckedProject, EntityPath, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = (
    0.05  # of the largest root mean square of the pressures: above that a frame needs its true fields
)
_MOST_RANGES = 6


@checks.register("true_fields")
def true_fields(checked: CheckedProject) -> Iterator[Finding]:
    """Check analyses with true fields."""
    project = checked.project
    owners = {body.name for body in project.bodies} | {system.name for system in project.systems}
    for number, analysis in enumerate(project.analyses):
        if not isinstance(analysis, WithTrueFields) or not analysis.true_fields:
            continue
        place, corrections = ("analyses", number), project.true_fields_of(analysis)
        if analysis.owner in owners and not corrections:
            of_system = isinstance(analysis, SystemAnalysis)
            yield Finding(
                "note", (*place, "true_fields"),
                f"Analysis {analysis.name!r} has no true fields: "
                + (
                    f"no flexible part of {analysis.owner!r} has a joint with contact, touches no other part, and "
                    "was not read reduced."
                    if of_system
                    else f"body {analysis.owner!r} was read reduced, or has no joint with contact."
                ),
                "Switch them off, or read the FE model itself.",
            )  # fmt: skip
        for correction in corrections:
            part = getattr(correction, "part", "")
            what = f"part {part!r} in {analysis.name!r}" if part else repr(analysis.name)
            yield from _error(place, what, checked.reports.get(correction.name, {}))


def _error(place: EntityPath, what: str, report: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield how far the reduced pressures of an analysis or a part are off, by the report on its true fields."""
    errors = report.get("pressure_errors", ())
    frames = report.get("corrected_frames", ())
    off = [frame for frame, error in zip(frames, errors, strict=True) if error > _NOT_SMALL]
    if off:
        yield Finding(
            "note", place,
            f"The reduced pressures of {what} are up to {percent(max(errors))} off those of the FE model, and more "
            f"than {percent(_NOT_SMALL)} in {len(off)} of {len(errors)} frames: {_ranges(off)}.",
            "Read pressures and stresses of these frames from the true fields, or give the body more joint modes.",
        )  # fmt: skip


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers in words: "0, 3 to 9"."""
    rows = [
        [number for _, number in row]
        for _, row in groupby(enumerate(numbers), lambda each: each[1] - each[0])
    ]
    words = [f"{row[0]} to {row[-1]}" if len(row) > 1 else str(row[0]) for row in rows]
    more = len(words) - _MOST_RANGES
    return ", ".join(words[:_MOST_RANGES]) + (f" and {more} more ranges" if more > 0 else "")
