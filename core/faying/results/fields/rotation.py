"""Rotation of the material at the nodes: its amount, and its components Rx, Ry, Rz."""

from typing import ClassVar

import numpy as np

from faying.results.fields import MODEL, Field, FieldContext, fields
from faying.results.fields._gradients import nodal_rotations


@fields.register("rotation")
class Rotation(Field):
    """Small rotation vector of the material at every node, half the curl of the displacements.

    Against the body's frame of reference; of solid elements, averaged over those around a node.
    """

    group = "motion"
    order = 10
    needs = (MODEL,)
    quantity = "angle"
    location = "body"
    components = 3

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes, 3); NaN at nodes without a solid element."""
        return nodal_rotations(context, frame)


class _RotationComponent(Field):
    """A component of the rotation; right-handed about its axis.

    Attributes:
        column: of the rotations (n, 3).
    """

    group = "motion"
    needs = (MODEL,)
    quantity = "angle"
    location = "body"
    colours = "diverging"
    column: ClassVar[int]

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        return nodal_rotations(context, frame)[:, self.column]


for _column, _axis in enumerate("xyz"):
    _said = {"column": _column, "order": 11 + _column, "title": f"Rotation R{_axis}"}
    fields.register(f"rotation_{_axis}")(type(f"Rotation{_axis.upper()}", (_RotationComponent,), _said))
