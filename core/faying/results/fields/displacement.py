"""Displacement of the nodes in the body's frame of reference."""

import numpy as np

from faying.results.fields import Field, FieldContext, fields


@fields.register("displacement")
class Displacement(Field):
    """Displacement vector of every node."""

    title = "Displacement"
    quantity = "length"
    location = "body"
    components = 3

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3)."""
        stored = context.frames.displacement(frame)
        if stored is None:
            stored = context.body.displacements @ context.frames.coordinates(frame)
        return np.asarray(stored).reshape(-1, 3)
