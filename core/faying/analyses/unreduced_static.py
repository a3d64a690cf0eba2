"""Static equilibrium of the unreduced FE model with the same pairs and laws: the reference for reduced bodies."""

from pathlib import Path
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.path_run import run_path
from faying.analyses.statics.settings import HeldStatics
from faying.progress import Progress


@analyses.register("unreduced_static")
class UnreducedStatic(HeldStatics):
    """Newton with line search on the FE degrees of freedom, in the same load steps as the reduced body.

    It starts from an equilibrium in few contact responses of its own, so the solution has nothing to do with the
    reduction basis: it stays true when joint modes change, and costs fewer corrections than from the reduced
    solution (friction bar of 19 000 nodes: three instead of five to nine). Where friction acts or load steps are
    counted or nodes are displaced, the mounted body is the frame at load 0.
    """

    title: ClassVar[str] = "Static equilibrium, unreduced"
    may_be_free: ClassVar[bool] = True
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    @property
    def counts_mass(self) -> bool:
        """Whether the body is held nowhere, so that its inertia balances the loads."""
        return not self.support

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve load step after load step, and write each; continue an interrupted run."""
        return run_path(self, FeStructure(self, body), target, progress)
