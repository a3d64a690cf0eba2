"""Safety factor against yielding."""

import numpy as np

from faying.results.fields import STRENGTH, FieldContext, fields
from faying.results.fields._strength import SafetyFactor, factor_of, strengths_of
from faying.results.fields.von_mises import VonMises


@fields.register("yield_safety")
class YieldSafety(SafetyFactor):
    """Yield strength over von Mises stress, at most 15; below one the material flows."""

    title = "Safety factor against yielding"
    needs = (STRENGTH,)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,)."""
        return factor_of(VonMises().evaluate(context, "", frame) / strengths_of(context)[:, 0])
