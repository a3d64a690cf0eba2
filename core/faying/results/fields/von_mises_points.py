"""Von Mises stress at the integration points, as computed in the elements."""

import numpy as np

from faying.fem.stress_measures import von_mises
from faying.results.fields import MODEL, Field, FieldContext, fields
from faying.results.fields._stress import stress_recovery


@fields.register("von_mises_points")
class VonMisesPoints(Field):
    """The largest von Mises stress at the integration points of the elements around each node.

    Neither extrapolated nor averaged: a large difference from the nodal stress shows a coarse mesh.
    """

    title = "Von Mises stress, largest at integration points"
    needs = (MODEL,)
    group = "stress"
    order = 2
    quantity = "stress"
    location = "body"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        recovery = stress_recovery(context)
        temperatures = context.frames.temperatures(frame)
        of_points = von_mises(recovery.at_points(context.displacement(frame), temperatures))
        elements, first = np.unique(recovery.point_elements, return_index=True)
        of_elements = np.full(int(elements[-1]) + 1, np.nan)
        of_elements[elements] = np.maximum.reduceat(of_points, first)
        found = np.full(recovery.n_nodes, -np.inf)
        np.maximum.at(found, recovery.corner_nodes, of_elements[recovery.corner_elements])
        return np.where(np.isfinite(found), found, np.nan)
