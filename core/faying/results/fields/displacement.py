"""Displacement of the nodes in the body's frame of reference."""

from typing import ClassVar, Literal

import numpy as np

from faying.results.fields import Field, FieldContext, fields


@fields.register("displacement")
class Displacement(Field):
    """Displacement vector of every node."""

    title: ClassVar[str] = "Displacement"
    quantity: ClassVar[str] = "length"
    location: ClassVar[Literal["joint", "body"]] = "body"
    components: ClassVar[int] = 3

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3)."""
        stored = context.frames.displacement(frame)
        if stored is None:
            stored = context.body.displacements @ context.frames.coordinates(frame)
        return np.asarray(stored).reshape(-1, 3)
