"""Pressure of other parts on contact surfaces, at the slave's nodes."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.surface_values import CONTACTS, surface_values


@fields.register("part_pressure")
class PartPressure(Field):
    """Pressure of other parts on contact surfaces, at the slave's nodes."""

    title = "Pressure of other parts"
    location = "body"
    quantity = "stress"
    needs = (CONTACTS,)
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,), NaN elsewhere."""
        return surface_values(context, "pressure", frame, np.add, self.needs)
