"""The few nodes that pictures in motion are drawn from, with what evaluates their fields."""

from dataclasses import replace

import numpy as np

from faying.results.fields import Field, FieldContext
from faying.results.some_nodes import context_of_nodes
from faying_app.scene.content import DisplayOptions


class FewNodes:
    """Some nodes of a body.

    Args:
        context: of the whole body.
        rows: (m,) of its nodes, each once.

    Attributes:
        rows: as given.
        place: (n_nodes,) where among them each node of the body is, -1 for those that are not.
        nodes: (m, 3) undeformed.
    """

    def __init__(self, context: FieldContext, rows: np.ndarray) -> None:
        self.rows, self.nodes = rows, context.body.nodes[rows]
        self.place = np.full(len(context.body.nodes), -1)
        self.place[rows] = np.arange(len(rows))
        self._modes = context.body.displacements
        self._context = context_of_nodes(context, rows)

    def are_of(self, context: FieldContext, rows: np.ndarray) -> bool:
        """Return whether they are these rows of this body."""
        return rows is self.rows and context.body.displacements is self._modes

    def suffice(
        self, context: FieldContext, number: int, field: Field | None, limited: bool, display: DisplayOptions
    ) -> bool:
        """Return whether a frame can be drawn from them alone, and exactly so.

        Args:
            context: of the whole body.
            number: of the frame.
            field: that gives the colours.
            limited: whether the limits of its colours are given; those of the frame itself need all nodes.
            display: enlarged joints need the nodes of both surfaces.
        """
        if display.joint_scale != 1.0 or context.frames.displacement(number) is not None:
            return False
        return field is None or field.location == "joint" or (field.reach == "node" and limited)

    def context_like(self, context: FieldContext) -> FieldContext:
        """Return a context of these nodes alone, with the frames of another one."""
        return replace(self._context, frames=context.frames)
