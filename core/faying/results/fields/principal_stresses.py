"""The three principal stresses, a field each: 1 is the largest, tension is positive."""

from typing import ClassVar

import numpy as np

from faying.fem.stress_measures import principal_stresses
from faying.results.fields import fields
from faying.results.fields._stress import StressField


class _PrincipalStress(StressField):
    """A principal stress; tension is positive.

    Attributes:
        column: of the principal stresses (n, 3), the largest first.
    """

    colours = "diverging"
    column: ClassVar[int]

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return principal_stresses(stresses)[:, self.column]


for _column in range(3):
    _member = type(
        f"_PrincipalStress{_column + 1}", (_PrincipalStress,), {"column": _column, "order": 10 + _column}
    )
    fields.register(f"principal_stress_{_column + 1}")(_member)
