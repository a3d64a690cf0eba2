"""The components of displacement, velocity and acceleration, a field each: Ux, Uy, Uz and so on."""

from typing import ClassVar

import numpy as np

from faying.results.fields import TIME, Field, FieldContext, Need, fields
from faying.results.fields.acceleration import Acceleration
from faying.results.fields.displacement import Displacement
from faying.results.fields.velocity import Velocity


class _MotionComponent(Field):
    """A component of a vector of motion along an axis of the body's frame of reference.

    Attributes:
        vector: the field that it is a component of.
        column: of the vectors (n, 3).
    """

    group = "motion"
    location = "body"
    reach = "node"
    colours = "diverging"
    vector: ClassVar[type[Field]]
    column: ClassVar[int]

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,)."""
        return np.asarray(self.vector().evaluate(context, joint, frame))[:, self.column]


_VECTORS: tuple[tuple[type[Field], str, tuple[Need, ...]], ...] = (
    (Displacement, "U", ()), (Velocity, "V", (TIME,)), (Acceleration, "A", (TIME,)),
)  # fmt: skip
for _vector, _letter, _needs in _VECTORS:
    for _column, _axis in enumerate("xyz"):
        _said = {
            "vector": _vector,
            "column": _column,
            "needs": _needs,
            "quantity": _vector.quantity,
            "order": _vector.order + 1 + _column,
            "title": f"{_vector.__name__} {_letter}{_axis}",
        }
        fields.register(f"{_vector.kind}_{_axis}")(
            type(f"{_vector.__name__}{_axis.upper()}", (_MotionComponent,), _said)
        )
