"""Quality of a reduction basis."""

from faying.linalg.background import patiently
from faying.progress import Progress
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.basis import Basis
from faying.project.stages.full_modes import FullModes
from faying.project.stages.interior import Interior
from faying.reduction.basis_quality import BasisQuality, measure_basis


@stages.register("quality")
class Quality(Stage[BasisQuality]):
    """Compares the reduced body with the full model."""

    title = "basis quality"
    order = 120
    weight = 0.5
    unreduced = True

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the basis and the reference modes."""
        return of_same_body(target, Interior, Basis, FullModes)

    def compute(self, context: StageContext, progress: Progress) -> BasisQuality:
        """Return frequencies, assurance, effective masses and condition of the basis against the full model."""
        interior, basis, full = context.get(Interior), context.get(Basis), context.get(FullModes)
        return patiently(lambda: measure_basis(interior, basis, *full), progress, 0.0, "basis quality")
