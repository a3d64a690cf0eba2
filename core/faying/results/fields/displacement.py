"""Displacement of the nodes in the body's frame of reference."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields


@fields.register("displacement")
class Displacement(Field):
    """Displacement vector of every node."""

    group = "motion"
    order = 0
    quantity = "length"
    location = "body"
    components = 3
    reach = "node"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3), read-only."""
        return context.displacement(frame)
