"""Archard's wear integral since the first frame."""

import numpy as np

from faying.results.fields import FRICTION, RUN, Field, FieldContext, fields
from faying.results.fields._work import require_order, work_and_wear
from faying.results.joint_points import joint_friction


@fields.register("wear")
class Wear(Field):
    """Pressure times slipped distance, ∫ p |ds|, over the stored frames since the first one (Archard 1953).

    The depth of wear is this times the wear coefficient of the pair of materials (area per force).
    """

    group = "durability"
    title = "Wear integral ∫ p ds"
    needs = (FRICTION, RUN)
    quantity = "energy_per_area"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        require_order(context, joint, "wear")
        joint_friction(context, joint, frame)
        return work_and_wear(context, joint, frame)[1]
