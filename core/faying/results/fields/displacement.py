"""Displacement of the nodes in the body's frame of reference."""

import numpy as np

from faying.errors import ModelError
from faying.results.fields import Field, FieldContext, fields


@fields.register("displacement")
class Displacement(Field):
    """Displacement vector of every node."""

    title = "Displacement"
    quantity = "length"
    location = "body"
    components = 3
    reach = "node"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3), read-only.

        Those of the last frame are kept: the drawn shape, this field and all stresses begin with them.
        """
        modes, kept = context.body.displacements, context.kept.of(context.frames)
        last = kept.get("displacement")
        if last is not None and last[0] == frame and last[1] is modes:
            return np.asarray(last[2])
        stored = context.frames.displacement(frame)
        if stored is None:
            coordinates = context.frames.coordinates(frame)
            if coordinates is None:
                raise ModelError(
                    "This result holds neither coordinates nor displacements.", "Run the analysis again."
                )
            stored = modes @ coordinates
        return keep_displacement(context, frame, np.asarray(stored))


def keep_displacement(context: FieldContext, frame: int, values: np.ndarray) -> np.ndarray:
    """Keep the displacements of a frame in place of the last ones; return them (n_nodes, 3), read-only.

    Args:
        context: of the frame.
        frame: its number.
        values: (3 n_nodes,) or (n_nodes, 3), the product of modes and coordinates.
    """
    found = values.reshape(-1, 3)
    found.flags.writeable = False
    context.kept.of(context.frames)["displacement"] = frame, context.body.displacements, found
    return found
