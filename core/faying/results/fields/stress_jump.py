"""Difference between the stresses of the elements around a node."""

import numpy as np

from faying.fem.stress_measures import von_mises
from faying.results.fields import MODEL, Field, FieldContext, fields
from faying.results.fields._stress import stress_recovery


@fields.register("stress_jump")
class StressJump(Field):
    """Largest minus smallest von Mises stress that the elements around a node have there, before averaging.

    A measure of the mesh's error; at edges between materials the stress jumps in truth.
    """

    order = 90
    title = "Von Mises stress, jump between elements"
    needs = (MODEL,)
    quantity = "stress"
    group = "stress"
    location = "body"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        recovery = stress_recovery(context)
        temperatures = context.frames.temperatures(frame)
        of_corners = von_mises(recovery.at_element_nodes(context.displacement(frame), temperatures))
        largest, smallest = np.full(recovery.n_nodes, -np.inf), np.full(recovery.n_nodes, np.inf)
        np.maximum.at(largest, recovery.corner_nodes, of_corners)
        np.minimum.at(smallest, recovery.corner_nodes, of_corners)
        return np.where(np.isfinite(largest), largest - smallest, np.nan)
