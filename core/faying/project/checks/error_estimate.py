"""Reduced equilibria: errors of displacement, normal force and pressure relative to the FE model."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

# Relative to the FE model's values: pressures of single pairs become inaccurate before their resultant force, and that
# before the displacement.
_NOT_SMALL = {"motion": 0.01, "stress": 0.05, "force": 0.05, "friction": 0.2, "pressure": 0.2}
_NAMES = {
    "motion": "the motion of the loaded nodes",
    "stress": "the stresses in the mean of the body",
    "force": "the normal force",
    "friction": "the friction stresses",
    "pressure": "the pressure from pair to pair",
}


@checks.register("error_estimate")
def error_estimate(checked: CheckedProject) -> Iterator[Finding]:
    """Check the error estimate of each run."""
    for number, analysis in enumerate(checked.project.analyses):
        report = checked.reports.get(analysis.name, {})
        found = report.get("error_estimate", {})
        off = [name for name, bound in _NOT_SMALL.items() if found.get(name, 0.0) > bound]
        if off:
            shares = " and ".join(f"{_NAMES[name]} by about {percent(found[name])}" for name in off)
            fine = ", ".join(
                f"{name} by {percent(found[name])}"
                for name in _NOT_SMALL
                if name in found and name not in off
            )
            yield Finding(
                "warning",
                ("analyses", number),
                f"The trial vectors of {analysis.name!r} do not hold the state under the full load: against the FE "
                f"model they miss {shares}{f' ({fine})' if fine else ''}.",
                "Give the body joint modes to an accuracy, or more of the kind that it has; a correction on the FE "
                "model (fe_correction) gives the true state of a frame.",
            )
        if reason := report.get("no_error_estimate"):
            yield Finding(
                "note",
                ("analyses", number),
                f"How far the reduced {analysis.name!r} is from the FE model was not estimated: {reason.rstrip('.')}.",
                "Compare with an unreduced static analysis.",
            )
