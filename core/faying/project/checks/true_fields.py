"""True fields: whether a body can have them, and how far off they show the reduced fields to be."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from faying.analyses.recording.true_fields import TRUE_FIELDS, WithTrueFields
from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = (
    0.05  # of the largest root mean square of the pressures: above that a frame needs its true fields
)
_MOST_RANGES = 6


@checks.register("true_fields")
def true_fields(checked: CheckedProject) -> Iterator[Finding]:
    """Check analyses with true fields."""
    project = checked.project
    for number, analysis in enumerate(project.analyses):
        if not isinstance(analysis, WithTrueFields) or not analysis.true_fields:
            continue
        place = ("analyses", number)
        if analysis.body in [body.name for body in project.bodies] and not project.can_be_corrected(analysis):
            yield Finding(
                "note", (*place, "true_fields"),
                f"Analysis {analysis.name!r} has no true fields: body {analysis.body!r} was read reduced, or has no "
                "joint with contact.",
                "Switch them off, or read the FE model itself.",
            )  # fmt: skip
        report = checked.reports.get(f"{analysis.name}{TRUE_FIELDS}", {})
        errors = report.get("pressure_errors", ())
        off = [
            frame
            for frame, error in zip(report.get("corrected_frames", ()), errors, strict=True)
            if error > _NOT_SMALL
        ]
        if off:
            yield Finding(
                "note", place,
                f"The reduced pressures of {analysis.name!r} are up to {percent(max(errors))} off those of the FE "
                f"model, and more than {percent(_NOT_SMALL)} in {len(off)} of {len(errors)} frames: "
                f"{_ranges(off)}.",
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
