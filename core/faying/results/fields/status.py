"""Gaping, sticking or slipping."""

import numpy as np

from faying.results.fields import CONTACT, Field, FieldContext, fields
from faying.results.joint_points import joint_points


@fields.register("status")
class Status(Field):
    """Gaping, sticking or slipping."""

    order = 2
    needs = (CONTACT,)
    colours = "status"
    states = ("gaping", "sticking", "slipping")

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return joint_points(context, joint, frame).status.astype(float)
