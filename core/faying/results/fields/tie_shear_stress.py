"""Stress of tied joints along the surface."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.tie_tractions import TIES, tie_tractions


@fields.register("tie_shear_stress")
class TieShearStress(Field):
    """Shear stress in a weld or glue on the slave surface."""

    title = "Shear stress in ties"
    location = "body"
    quantity = "stress"
    needs = (TIES,)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN where nothing is tied."""
        return tie_tractions(context, frame)[1]
