"""The six components of the stress tensor in the directions of the undeformed body, a field each."""

from typing import ClassVar

import numpy as np

from faying.results.fields import fields
from faying.results.fields._stress import StressField


class _StressComponent(StressField):
    """A normal or shear stress in the directions of the undeformed body; tension is positive.

    Attributes:
        column: of the tensors (n, 6).
    """

    colours = "diverging"
    column: ClassVar[int]

    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,)."""
        return stresses[:, self.column]


for _column, _axes in enumerate(("xx", "yy", "zz", "xy", "yz", "zx")):
    _member = type(f"Stress{_axes.upper()}", (_StressComponent,), {"column": _column, "order": 30 + _column})
    fields.register(f"stress_{_axes}")(_member)
