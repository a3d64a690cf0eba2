"""Power of friction per area."""

import numpy as np

from faying.results.fields import CONTACT, FRICTION, TIME, Field, FieldContext, fields
from faying.results.fields._rates import coordinate_rates
from faying.results.joint_points import joint_friction, joint_points, joint_rows


@fields.register("dissipated_power")
class DissipatedPower(Field):
    """Power of friction per area, τ · ds/dt; negative while the sticking stiffness returns stored energy."""

    title = "Dissipated power density"
    needs = (CONTACT, FRICTION, TIME)
    quantity = "power_per_area"
    colours = "diverging"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        joint_friction(context, joint, frame)
        rate = joint_rows(context, joint).tangential @ coordinate_rates(context, frame)
        return np.asarray(np.einsum("ni,ni->n", joint_points(context, joint, frame).stress, rate))
