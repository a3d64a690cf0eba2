"""Stress of tied joints along the normal."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.tie_tractions import TIES, tie_tractions


@fields.register("tie_normal_stress")
class TieNormalStress(Field):
    """Normal stress in a weld or glue on the slave surface: tension is positive."""

    title = "Normal stress in ties"
    location = "body"
    quantity = "stress"
    colours = "diverging"
    needs = (TIES,)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN where nothing is tied."""
        return tie_tractions(context, frame)[0]
