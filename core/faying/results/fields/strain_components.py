"""The strains in the directions of the undeformed body, a field each, and the equivalent strain."""

from typing import ClassVar

import numpy as np

from faying.results.fields import MODEL, Field, FieldContext, fields
from faying.results.fields._gradients import nodal_strains


class _Strain(Field):
    """A number from the tensor of small strains at every node."""

    group = "strain"
    needs = (MODEL,)
    location = "body"


@fields.register("equivalent_strain")
class EquivalentStrain(_Strain):
    """Equivalent strain √(2/3 e : e) of the deviator e of the strains (von Mises)."""

    order = 0

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        strains = nodal_strains(context, frame)
        normal = strains[:, :3] - strains[:, :3].mean(axis=1, keepdims=True)
        # e : e counts each shear strain ε = γ / 2 twice.
        squares = (normal**2).sum(axis=1) + 0.5 * (strains[:, 3:] ** 2).sum(axis=1)
        return np.asarray(np.sqrt(2.0 / 3.0 * squares))


class _StrainComponent(_Strain):
    """A normal strain ε or shear strain γ = 2 ε in the directions of the undeformed body; longer is positive.

    Attributes:
        column: of the strains (n, 6).
    """

    colours = "diverging"
    column: ClassVar[int]

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        return nodal_strains(context, frame)[:, self.column]


for _column, _axes in enumerate(("xx", "yy", "zz", "xy", "yz", "zx")):
    _said = {
        "column": _column, "order": 30 + _column, "title": f"Strain {'ε' if _column < 3 else 'γ'} {_axes}",
    }  # fmt: skip
    fields.register(f"strain_{_axes}")(type(f"Strain{_axes.upper()}", (_StrainComponent,), _said))
