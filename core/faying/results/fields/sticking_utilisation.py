"""Friction stress over the sticking limit; zero where open."""

import numpy as np

from faying.results.fields import CONTACT, FRICTION, Field, FieldContext, fields
from faying.results.joint_points import joint_friction, joint_points


@fields.register("sticking_utilisation")
class StickingUtilisation(Field):
    """Friction stress over the sticking limit; zero where open.

    It exceeds one with a law that has stiffness while sliding; where no stress is needed to slip it is zero.
    """

    order = 6
    title = "Sticking utilisation τ/R_G"
    needs = (CONTACT, FRICTION)
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        law, points = joint_friction(context, joint, frame), joint_points(context, joint, frame)
        limit, _ = law.sticking_limit(points.pressure)
        stress = np.linalg.norm(points.stress, axis=1)
        return np.asarray(np.divide(stress, limit, out=np.zeros_like(stress), where=limit > 0.0))
