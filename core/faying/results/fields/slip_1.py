"""Tangential displacement along the first tangent since contact closed; zero where open."""

from typing import ClassVar, Literal

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.fields._joint import joint_points


@fields.register("slip_1")
class Slip1(Field):
    """Tangential displacement along the first tangent since contact closed; zero where open."""

    title: ClassVar[str] = "Slip 1"
    quantity: ClassVar[str] = "length"
    colours: ClassVar[Literal["sequential", "diverging", "status"]] = "diverging"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return joint_points(context, joint, frame).slip[:, 0]
