"""Equilibria of the FE model without a results file."""

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.load_path import PathPoint, points
from faying.analyses.statics.path_run import begun, path_of
from faying.analyses.unreduced_static import UnreducedStatic
from faying.progress import PartialProgress, Progress, Silent


def unreduced_end(
    analysis: UnreducedStatic, body: BodyModel, progress: Progress | None = None
) -> tuple[np.ndarray, PathPoint]:
    """Return displacements (n_dofs,) and the state under the full load."""
    progress = progress or Silent()
    structure = FeStructure(analysis, body)
    path = path_of(analysis, structure)
    start, _ = begun(analysis, structure, path, PartialProgress(progress, 0.0, 0.3))
    *_, (_, last) = points(path, start, PartialProgress(progress, 0.3, 1.0))
    return structure.frame(last)[0], last
