"""A sequence of steps on the unreduced FE model with the same pairs, laws and bolts: the reference for reduced ones."""

from pathlib import Path
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.path_run import run_path
from faying.analyses.statics.step_sequence import StepSequence
from faying.progress import Progress


@analyses.register("unreduced_steps")
class UnreducedSteps(StepSequence):
    """The same steps by Newton's method on the FE degrees of freedom: nothing in them knows of a reduction basis."""

    title: ClassVar[str] = "Steps in a row, unreduced"
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve the steps one after the other and write each state; continue an interrupted run."""
        return run_path(self, FeStructure(self, body), target, progress)
