"""Tangential displacement along the second tangent since contact closed; zero where open."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.fields._joint import joint_friction, joint_points


@fields.register("slip_2")
class Slip2(Field):
    """Tangential displacement along the second tangent since contact closed; zero where open."""

    title = "Slip 2"
    quantity = "length"
    colours = "diverging"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        joint_friction(context, joint, frame)
        return joint_points(context, joint, frame).slip[:, 1]
