"""Modal truncation: the lowest modes of the free body and nothing else."""

from typing import ClassVar

from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._orthogonalised import orthogonalised_basis


@reduction_methods.register("modal_truncation")
class ModalTruncation(ReductionMethod):
    """Free-free vibration modes; no static shape of any load, so local deformation at loads is missing."""

    advice: ClassVar[str] = (
        "For comparison, and bodies loaded far from where one looks: local deformation at the loads is "
        "missing."
    )
    size: ClassVar[str] = "vibration_modes"

    vibration_modes: int = parameter(
        20, title="Vibration modes", ge=1, le=2000,
        meaning="Number of modes of the free body, from the lowest elastic frequency upwards.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the free-free modes."""
        interior.prepare(PartialProgress(progress, 0.0, 0.3, "factorisation"))
        modes = free_free_modes(
            interior, self.vibration_modes, PartialProgress(progress, 0.3, 0.95, "vibration modes")
        )
        basis = orthogonalised_basis(interior, modes, PartialProgress(progress, 0.95, 1.0))
        progress.report(1.0, "component modes")
        return basis
