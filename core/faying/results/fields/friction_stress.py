"""Magnitude of the tangential stress."""

import numpy as np

from faying.results.fields import CONTACT, FRICTION, Field, FieldContext, fields
from faying.results.joint_points import joint_friction, joint_points


@fields.register("friction_stress")
class FrictionStress(Field):
    """Magnitude of the tangential stress."""

    order = 5
    needs = (CONTACT, FRICTION)
    quantity = "stress"
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        joint_friction(context, joint, frame)
        return np.asarray(np.linalg.norm(joint_points(context, joint, frame).stress, axis=1))
