"""Acceleration of the nodes relative to the body's frame of reference, from the stored frames."""

import numpy as np

from faying.results.fields import TIME, Field, FieldContext, fields
from faying.results.fields._rates import coordinate_accelerations


@fields.register("acceleration")
class Acceleration(Field):
    """Acceleration vector of every node, in the body's frame of reference."""

    group = "motion"
    order = 30
    needs = (TIME,)
    quantity = "acceleration"
    location = "body"
    components = 3
    reach = "node"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3)."""
        return np.asarray(context.body.displacements @ coordinate_accelerations(context, frame)).reshape(
            -1, 3
        )
