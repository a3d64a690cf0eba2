"""Amount of the tangential displacement since contact closed; zero where open."""

import numpy as np

from faying.results.fields import CONTACT, FRICTION, Field, FieldContext, fields
from faying.results.joint_points import joint_friction, joint_points


@fields.register("slip")
class Slip(Field):
    """Amount of the tangential displacement since contact closed; zero where open."""

    order = 3
    needs = (CONTACT, FRICTION)
    quantity = "length"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        joint_friction(context, joint, frame)
        return np.asarray(np.linalg.norm(joint_points(context, joint, frame).slip, axis=1))
