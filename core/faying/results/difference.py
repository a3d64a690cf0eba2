"""The difference of a field between two results of one body: other laws, another method, another load."""

import numpy as np

from faying.errors import ModelError
from faying.results.fields import Field, FieldContext
from faying.results.frame_axis import FrameAxis


def matching_frame(value: float, other: FieldContext) -> int:
    """Return the frame of another result that is nearest to a time or load."""
    return int(np.argmin(np.abs(np.asarray(other.frames.values) - value)))


class Difference(Field):
    """A field's shown numbers less those of another result, at the nearest time or load.

    Args:
        field: the field to compare.
        other: the result that is subtracted; of the same mesh and pairs.
        name: of that result.
    """

    colours = "diverging"

    def __init__(self, field: Field, other: FieldContext, name: str) -> None:
        self._field, self._other, self._name = field, other, name
        self.title = f"{field.title}, less {name}"
        self.quantity, self.location, self.needs = field.quantity, field.location, field.needs
        self.severe_below = field.severe_below

    @property
    def text(self) -> str:
        """The field's text and that of the subtracted result."""
        return f"{self._field.text} less {self._name}"

    def quantity_over(self, axis: FrameAxis) -> str:
        """Return the physical dimension of the field."""
        return self._field.quantity_over(axis)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n,) differences.

        Raises:
            ModelError: for states, which have none, and when the other result has other pairs or nodes.
        """
        if self._field.states:
            raise ModelError("States have no difference.", "Choose a field with numbers.")
        at = matching_frame(float(context.frames.values[frame]), self._other)
        here, there = self._field.shown(context, joint, frame), self._field.shown(self._other, joint, at)
        if here.shape != there.shape:
            raise ModelError("The two results have different contact pairs or nodes.", "Run both again.")
        return np.asarray(here - there)
