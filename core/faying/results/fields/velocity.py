"""Velocity of the nodes relative to the body's frame of reference."""

import numpy as np

from faying.results.fields import TIME, Field, FieldContext, fields
from faying.results.fields._rates import coordinate_rates


@fields.register("velocity")
class Velocity(Field):
    """Velocity vector of every node, in the body's frame of reference."""

    group = "motion"
    order = 20
    needs = (TIME,)
    quantity = "velocity"
    location = "body"
    components = 3
    reach = "node"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3)."""
        return np.asarray(context.body.displacements @ coordinate_rates(context, frame)).reshape(-1, 3)
