"""Free-interface component mode synthesis: free-free modes and residual attachment modes."""

from typing import ClassVar

import numpy as np

from faying.linalg.background import patiently
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._orthogonalised import orthogonalised_basis


@reduction_methods.register("free_interface")
class FreeInterface(ReductionMethod):
    """Free-free modes and attachment modes of the interface dofs (MacNeal 1971, Rubin 1975).

    An attachment mode is the elastic shape of the free body under a unit load at an interface dof that its
    own inertia balances. Its part in the span of the vibration modes is removed, which leaves the residual
    flexibility. The space is that of Rubin's method: statics under interface loads are exact.
    """

    title: ClassVar[str] = "Free-interface (Rubin, MacNeal)"
    advice: ClassVar[str] = (
        "For bodies that are loaded rather than held at their interface nodes: modes of the free body, "
        "and exact statics."
    )
    size: ClassVar[str] = "vibration_modes"

    vibration_modes: int = parameter(
        10, title="Vibration modes", ge=0, le=2000,
        meaning="Number of modes of the free body, from the lowest elastic frequency upwards.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised basis."""
        interior.prepare(PartialProgress(progress, 0.0, 0.3, "factorisation"))
        loads = np.zeros((interior.n_dofs, len(interior.interface_dofs)))
        loads[interior.interface_dofs, np.arange(loads.shape[1])] = 1.0
        vectors = patiently(lambda: interior.solve_free(loads), progress, 0.3, "attachment modes")
        if self.vibration_modes:
            part = PartialProgress(progress, 0.4, 0.9, "vibration modes")
            vibration = free_free_modes(interior, self.vibration_modes, part)
            residual = vectors - vibration @ (vibration.T @ (interior.matrices.mass @ vectors))
            vectors = np.hstack([vibration, residual])
        basis = orthogonalised_basis(interior, vectors, PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis
