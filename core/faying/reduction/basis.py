"""The reduction basis: trial vectors and their origin."""

import numpy as np

from faying.records import record
from faying.reduction.training import TrainingError


@record("mode_group")
class ModeGroup:
    """Columns start … stop (exclusive) of a basis with a common origin ("free-free modes", "joint modes")."""

    name: str
    start: int
    stop: int


@record("reduction_basis", read_only=True)
class ReductionBasis:
    """Trial vectors over the independent dofs, free of rigid body content.

    Attributes:
        modes: (n_dofs, r) trial vectors, full column rank.
        groups: origin of the columns, covering all of them in order.
        frequencies: (m,) natural frequencies in cycles per time unit of the orthogonalised free-free modes
            (the first group).
        removed: sentences about omitted near-dependent directions.
        singular_values: (k,) of the normalised vectors that the joint modes decompose, such as trial vector
            derivatives; their squares are the proper orthogonal values of thesis eq. 3.61. Empty without joint modes.
        trained: errors reached by joint modes trained to an accuracy, load by load.
    """

    modes: np.ndarray
    groups: tuple[ModeGroup, ...]
    frequencies: np.ndarray
    removed: tuple[str, ...]
    singular_values: np.ndarray
    trained: tuple[TrainingError, ...] = ()

    def pod_ratio(self, count: int) -> float:
        """Return w(g), the share of the proper orthogonal values in the first `count` (thesis eq. 3.61)."""
        values = self.singular_values**2
        return float(values[:count].sum() / values.sum()) if len(values) else 0.0
