"""Fields at some of a body's nodes, for pictures that follow each other too quickly for all of them."""

from dataclasses import replace

import numpy as np

from faying.results.fields import FieldContext
from faying.results.kept import Kept


def context_of_nodes(context: FieldContext, rows: np.ndarray) -> FieldContext:
    """Return a context in which the body has only some of its nodes.

    Body fields whose `reach` is "node" give there, row by row, what they give at these nodes of the whole body. Frames
    that store nodal displacements cannot be looked at in this way: those are of all nodes.

    Args:
        context: of the whole body.
        rows: (m,) of its nodes.
    """
    body = context.body
    shapes = body.displacements.reshape(len(body.nodes), 3, -1)[rows]
    few = replace(body, nodes=body.nodes[rows], displacements=shapes.reshape(3 * len(rows), -1))
    return replace(context, body=few, model=None, pairs={}, kept=Kept())
