"""Fields at some of a body's nodes, for pictures that follow each other too quickly for all of them."""

from dataclasses import replace

import numpy as np

from faying.results.fields import FieldContext
from faying.results.kept import Kept


def context_of_nodes(context: FieldContext, rows: np.ndarray) -> FieldContext:
    """Return a context in which the body has only some of its nodes.

    Body fields with a `reach` of "node" have there, row by row, their values at these nodes of the whole body. Frames
    that store nodal displacements are not possible: those are of all nodes.

    Args:
        context: of the whole body.
        rows: (m,) of its nodes.
    """
    body = context.body
    shapes = body.displacements.reshape(len(body.nodes), 3, -1)[rows]
    few = replace(body, nodes=body.nodes[rows], displacements=shapes.reshape(3 * len(rows), -1))
    return replace(context, body=few, model=None, pairs={}, kept=Kept())
