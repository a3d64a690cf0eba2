"""Work of friction per area since the first frame."""

import numpy as np

from faying.results.fields import FRICTION, RUN, Field, FieldContext, fields
from faying.results.fields._work import require_order, work_and_wear
from faying.results.joint_points import joint_friction


@fields.register("dissipated_work")
class DissipatedWork(Field):
    """Work of friction per area since the first frame, over the stored frames.

    It includes the energy stored in the sticking stiffness at that frame; over a closed cycle all of it is dissipated.
    """

    title = "Dissipated work density"
    needs = (FRICTION, RUN)
    quantity = "energy_per_area"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        require_order(context, joint, "dissipated work")
        joint_friction(context, joint, frame)
        return work_and_wear(context, joint, frame)[0]
