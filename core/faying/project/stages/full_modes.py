"""The lowest vibration modes of the full model, for comparison with a basis."""

import numpy as np

from faying.fem.densities import require_densities
from faying.progress import PartialProgress, Progress
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.interior import Interior
from faying.project.stages.model import Model
from faying.reduction.basis_quality import COMPARED_MODES
from faying.reduction.quality import free_frequencies


@stages.register("full_modes")
class FullModes(Stage[tuple[np.ndarray, np.ndarray]]):
    """Solves the eigenvalue problem of the free body."""

    title = "vibration modes of the full model"
    order = 110
    weight = 5.0
    unreduced = True
    travels = False

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and interior problem."""
        return of_same_body(target, Model, Interior)

    def compute(self, context: StageContext, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return frequencies (k,) in cycles per time, and modes (n_dofs, k)."""
        interior, body = context.get(Interior), context.project.body(context.target.body)
        if not body.model.imports_matrices:
            require_densities(context.get(Model), f"a vibration of body {body.name!r}")
        interior.prepare(PartialProgress(progress, 0.0, 0.3, "factorisation"))
        return free_frequencies(interior, COMPARED_MODES, PartialProgress(progress, 0.3, 1.0))
