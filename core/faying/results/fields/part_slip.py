"""Slip on other parts since contact closed, at the slave's nodes; zero where open."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.surface_values import RUBBING, surface_values


@fields.register("part_slip")
class PartSlip(Field):
    """Slip on other parts since contact closed, at the slave's nodes; zero where open."""

    title = "Slip on other parts"
    location = "body"
    quantity = "length"
    needs = (RUBBING,)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,), NaN elsewhere."""
        return surface_values(context, "slip", frame, np.maximum, self.needs)
