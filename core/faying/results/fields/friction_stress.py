"""Magnitude of the tangential stress."""

from typing import ClassVar, Literal

import numpy as np

from faying.results.fields import Field, FieldContext, fields
from faying.results.fields._joint import joint_points


@fields.register("friction_stress")
class FrictionStress(Field):
    """Magnitude of the tangential stress."""

    title: ClassVar[str] = "Friction stress"
    quantity: ClassVar[str] = "stress"
    colours: ClassVar[Literal["sequential", "diverging", "status"]] = "sequential"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        return np.asarray(np.linalg.norm(joint_points(context, joint, frame).stress, axis=1))
