"""Friction stress by other parts on contact surfaces, at the slave's nodes."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.surface_values import RUBBING, surface_values


@fields.register("part_friction_stress")
class PartFrictionStress(Field):
    """Friction stress by other parts on contact surfaces, at the slave's nodes."""

    title = "Friction stress of other parts"
    location = "body"
    quantity = "stress"
    needs = (RUBBING,)
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,), NaN elsewhere."""
        return surface_values(context, "friction_stress", frame, np.add, self.needs)
