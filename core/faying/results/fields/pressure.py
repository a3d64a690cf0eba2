"""Contact pressure, positive in compression."""

import numpy as np

from faying.results.fields import CONTACT, Field, FieldContext, fields
from faying.results.joint_points import joint_points


@fields.register("pressure")
class Pressure(Field):
    """Contact pressure, positive in compression."""

    order = 0
    needs = (CONTACT,)
    quantity = "stress"
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return joint_points(context, joint, frame).pressure
