"""Depth by which the surfaces overlap; zero where they do not touch."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.joint_points import joint_gap


@fields.register("penetration")
class Penetration(Field):
    """Depth by which the surfaces overlap; zero where they do not touch."""

    order = 7
    quantity = "length"
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return np.asarray(np.maximum(-joint_gap(context, joint, frame), 0.0))
