"""Joint-mode methods: how the component modes are extended for a joint. A member is one file."""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from faying.params import Member
from faying.progress import Progress
from faying.reduction.problem import JointModeProblem
from faying.registry import Registry

joint_mode_methods: Registry[type["JointModeMethod"]] = Registry("joint-mode method", __name__)


class JointModeMethod(Member):
    """Computes g joint modes of a body.

    Attributes:
        is_trained: whether it needs the laws of the joints and the loads of analyses (`JointModeProblem.training`).
    """

    is_trained: ClassVar[bool] = False

    @classmethod
    def parameters_for(cls, count: int) -> dict[str, Any]:
        """Return the parameters for exactly g = count joint modes, by name; empty for a method without a number."""
        words = {"count": count, "ratio": 0.0}
        return {name: value for name, value in words.items() if name in cls.model_fields}

    def with_count(self, count: int) -> Self:
        """Return the method with parameters for exactly g = count joint modes."""
        return self.with_(**self.parameters_for(count))

    def kept(self, values: np.ndarray) -> int:
        """Return how many joint modes are kept by singular values (k,); a method without a number keeps all."""
        return len(values)

    @abstractmethod
    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values (k,) for w(g), descending; may be empty).

        Args:
            problem: the held body, its component modes and pairs.
            progress: reports and cancels.
        """
