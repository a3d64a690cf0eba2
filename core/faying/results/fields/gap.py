"""Normal gap, positive when open; penetration is the negative gap."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.joint_points import joint_gap


@fields.register("gap")
class Gap(Field):
    """Normal gap, positive when open; penetration is the negative gap."""

    order = 1
    quantity = "length"
    colours = "diverging"
    severe_below = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return joint_gap(context, joint, frame)
