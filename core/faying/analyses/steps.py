"""A sequence of steps on the reduced body: bolts are tightened and locked, loads change, friction keeps its history."""

from pathlib import Path
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses
from faying.analyses.statics.bolt_state_errors import BoltStateErrors
from faying.analyses.statics.path_run import Watcher, run_path
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.analyses.statics.step_sequence import StepSequence
from faying.params import parameter
from faying.progress import PartialProgress, Progress


@analyses.register("steps")
class Steps(StepSequence):
    """Bolts are tightened one after the other and locked at their length, then loads come, go and swing.

    Each step goes on from the state that the last one left, with its friction. The report has the area of each loop of
    load against displacement in a cyclic load.
    """

    title: ClassVar[str] = "Steps in a row"

    error_estimate: bool = parameter(
        True, title="Error estimate", advanced=True,
        meaning="Whether the state at the end of each tightening step is corrected on the FE model, to report how far "
        "the forces of bolts are off. Takes about a factorisation of the FE model for each. Not with hard contact.",
    )  # fmt: skip

    @property
    def estimates_error(self) -> bool:
        """The parameter, if bolts are tightened without hard contact (its multipliers fit the reduced gaps only)."""
        tightens = any(step.tightening is not None for step in self.steps)
        return self.error_estimate and tightens and not self.allowed_penetration

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve the steps one after the other; continue an interrupted run."""
        structure, watchers = ReducedStructure(self, body), dict[str, Watcher]()
        if self.estimates_error and body.matrices is not None and body.basis is not None and body.joints:
            watchers["bolts"] = BoltStateErrors(self, body, PartialProgress(progress, 0.99, 0.99))
        return run_path(self, structure, target, progress, watchers=watchers)
