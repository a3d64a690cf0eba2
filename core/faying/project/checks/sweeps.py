"""Parameter sweeps: missing decisions and invalid values."""

from collections.abc import Iterator

from faying.analyses.sweep import Sweep
from faying.errors import ModelError
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.sweep_points import SweepPlan


@checks.register("sweeps")
def sweeps(checked: CheckedProject) -> Iterator[Finding]:
    """Check that each point of a sweep is a valid project, judged by the decisions."""
    project = checked.project
    for number, sweep in enumerate(project.analyses):
        if not isinstance(sweep, Sweep):
            continue
        try:
            SweepPlan(project, sweep).require_allowed()
        except ModelError as error:
            yield Finding("error", ("analyses", number), error.message, error.hint)
