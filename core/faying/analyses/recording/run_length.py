"""How many steps a run over time takes at least, and for how long."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from faying.durations import duration
from faying.solvers.integrators import Integrator

_STEP = 1e-4  # s; few systems take their steps in less


@dataclass(frozen=True)
class RunLength:
    """The least that a run takes.

    Attributes:
        steps: time steps, if each is the longest that is allowed.
        per_step: processor time of a step (s).
        measured: whether a run of this analysis took that; else it is what few are faster than.
    """

    steps: float
    per_step: float
    measured: bool

    @property
    def seconds(self) -> float:
        """Processor time of all steps."""
        return self.steps * self.per_step

    @property
    def sentence(self) -> str:
        """Such as "at least 2e+09 time steps, which take 2.3 days at 0.1 ms each"."""
        how = "as in the last run" if self.measured else "few are faster"
        each = f"{1e3 * self.per_step:.2g} ms each ({how})"
        steps = f"{self.steps:.0f}" if self.steps < 1e5 else f"{self.steps:.3g}"
        return f"at least {steps} time steps, which take {duration(self.seconds)} at {each}"


def least_length(analysis: object, report: Mapping[str, Any]) -> RunLength | None:
    """Return the least that a run takes; None of an analysis that takes no time steps.

    Args:
        analysis: settings.
        report: of its last run; empty where there is none.
    """
    integrator, end = getattr(analysis, "integrator", None), getattr(analysis, "duration", None)
    if not isinstance(integrator, Integrator) or end is None:
        return None
    steps, spent = report.get("steps", 0), report.get("processor_seconds", 0.0)
    measured = isinstance(steps, int) and steps > 100 and spent > 0.0
    return RunLength(integrator.least_steps(end), spent / steps if measured else _STEP, measured)
