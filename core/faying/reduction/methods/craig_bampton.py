"""Craig-Bampton: fixed-interface vibration modes and constraint modes."""

from typing import ClassVar

import numpy as np

from faying.linalg.background import patiently
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._orthogonalised import orthogonalised_basis


@reduction_methods.register("craig_bampton")
class CraigBampton(ReductionMethod):
    """Fixed-interface modes and constraint modes, orthogonalised (Craig and Bampton 1968; thesis 2.2.3).

    Without interface nodes these are the modes of the free body.
    """

    title: ClassVar[str] = "Craig-Bampton"
    advice: ClassVar[str] = (
        "The usual choice: exact for static loads at the interface nodes, good up to about the last "
        "mode's frequency."
    )
    has_constraint_modes: ClassVar[bool] = True
    size: ClassVar[str] = "vibration_modes"

    vibration_modes: int = parameter(
        10, title="Vibration modes", ge=0, le=2000,
        meaning="Number of modes with all interface nodes held, from the lowest elastic frequency upwards; without "
        "interface nodes those of the free body.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised basis; the rigid body motions are removed."""
        interior.prepare(PartialProgress(progress, 0.0, 0.3, "factorisation"))
        vectors = patiently(interior.constraint_modes, progress, 0.3, "constraint modes")
        if self.vibration_modes:
            part = PartialProgress(progress, 0.4, 0.9, "vibration modes")
            vibration = fixed_interface_modes(interior, self.vibration_modes, part)
            vectors = np.hstack([vibration, vectors])
        basis = orthogonalised_basis(interior, vectors, PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis
