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
            Joint modes then may be computed with these nodes held; without, the body must be free.
        size: the parameter that says how many trial vectors there are beside those of the interface dofs; "" where
            these alone decide.
    """

    has_constraint_modes: ClassVar[bool] = False
    size: ClassVar[str] = ""

    def with_size(self, size: int) -> Self:
        """Return the method with so many trial vectors beside those of the interface dofs.

        Raises:
            ModelError: when it cannot have so many.
        """
        return self.with_(**{self.size: size}) if self.size else self

    def for_range(self, lowest: float, highest: float) -> Self:
        """Return the method for a range of frequencies, where it serves one and none has been chosen."""
        return self

    @abstractmethod
    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return orthogonalised modes without rigid body content.

        Args:
            interior: the body held at its interface nodes: matrices, factor, solves.
            progress: reports and cancels.
        """
