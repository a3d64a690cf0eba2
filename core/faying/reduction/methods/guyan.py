"""Guyan: constraint modes alone."""

from typing import ClassVar

from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._orthogonalised import orthogonalised_basis


@reduction_methods.register("guyan")
class Guyan(ReductionMethod):
    """Static shapes under unit motions of the interface dofs, orthogonalised (Guyan 1965).

    It needs more interface dofs than hold the body, since nothing else deforms it. Statics under loads at the
    interface nodes are exact; inertia acts as if the interior followed statically.
    """

    advice: ClassVar[str] = (
        "Statics only, or motions far below the first frequency with held interface nodes. No mode to be "
        "computed."
    )

    has_constraint_modes: ClassVar[bool] = True

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised constraint modes; the rigid body motions are removed."""
        interior.prepare(PartialProgress(progress, 0.0, 0.6, "factorisation"))
        shapes = patiently(interior.constraint_modes, progress, 0.6, "constraint modes")
        basis = orthogonalised_basis(interior, shapes, PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis
