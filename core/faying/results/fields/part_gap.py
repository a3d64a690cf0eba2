"""Gap between contact surfaces and other parts, at the slave's nodes; at most the contact's reach."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.surface_values import CONTACTS, surface_values


@fields.register("part_gap")
class PartGap(Field):
    """Gap between contact surfaces and other parts, at the slave's nodes; at most the contact's reach."""

    title = "Gap to other parts"
    location = "body"
    quantity = "length"
    colours = "diverging"
    needs = (CONTACTS,)
    severe_below = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,), NaN elsewhere."""
        return surface_values(context, "gap", frame, np.minimum, self.needs)
