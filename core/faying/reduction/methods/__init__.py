"""Reduction methods (component mode synthesis). A member is one file, registered under its kind."""

from abc import abstractmethod
from typing import ClassVar, Self

from faying.params import Member
from faying.progress import Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.registry import Registry

reduction_methods: Registry[type["ReductionMethod"]] = Registry("reduction method", __name__)


class ReductionMethod(Member):
    """Builds the component modes Φ_CMS of a body.

    Attributes:
        has_constraint_modes: whether the modes span every static shape under motions of the interface nodes.
            If so, joint modes may be computed with these nodes held; if not, with the free body.
        size: name of the parameter for the number of trial vectors in addition to those of the interface dofs; "" if
            there are no others.
    """

    has_constraint_modes: ClassVar[bool] = False
    size: ClassVar[str] = ""

    def with_size(self, size: int) -> Self:
        """Return the method with `size` trial vectors in addition to those of the interface dofs.

        Raises:
            ModelError: when the method does not allow this number.
        """
        return self.with_(**{self.size: size}) if self.size else self

    def for_range(self, lowest: float, highest: float) -> Self:
        """Return the method with the frequency range set, if it uses one that has not been chosen."""
        return self

    @abstractmethod
    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return orthogonalised modes without rigid body content.

        Args:
            interior: the body held at its interface nodes: matrices, factor, solves.
            progress: reports and cancels.
        """
