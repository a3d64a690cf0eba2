"""The two components of the slip, a field each."""

from typing import ClassVar

import numpy as np

from faying.results.fields import CONTACT, FRICTION, Field, FieldContext, fields
from faying.results.joint_points import joint_friction, joint_points


class _SlipComponent(Field):
    """Tangential displacement along one of a pair's tangents since contact closed; zero where open.

    Attributes:
        column: of the slips (n_pairs, 2).
    """

    quantity = "length"
    colours = "diverging"
    needs = (CONTACT, FRICTION)
    column: ClassVar[int]

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        joint_friction(context, joint, frame)
        return joint_points(context, joint, frame).slip[:, self.column]


for _column in range(2):
    _member = type(f"Slip{_column + 1}", (_SlipComponent,), {"column": _column})
    fields.register(f"slip_{_column + 1}")(_member)
