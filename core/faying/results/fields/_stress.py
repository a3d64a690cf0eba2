"""Stresses of the nodes at a frame, for all kinds of results."""

from abc import abstractmethod

import numpy as np

from faying.fem.stress import StressRecovery
from faying.results.fields import MODEL, Field, FieldContext
from faying.results.kept import STRESSES


def stress_recovery(context: FieldContext) -> StressRecovery:
    """Return the recovery of the body's stresses, made at the first call.

    Raises:
        ModelError: when the FE model is not there, or has no stresses.
    """
    if context.kept.recovery is None:
        MODEL.require(context)
        assert context.model is not None
        context.kept.recovery = StressRecovery(context.model, context.progress)
    return context.kept.recovery


def nodal_stresses(context: FieldContext, frame: int) -> np.ndarray:
    """Return (n_nodes, 6) stresses xx, yy, zz, xy, yz, zx; NaN at nodes without a solid element.

    Results of another program may bring theirs. Those of the last frame are kept: twelve fields look at the same
    tensor.
    """
    kept = context.kept.of(context.frames)
    last = kept.get(STRESSES)
    if last is not None and last[0] == frame:
        return np.asarray(last[1])
    stresses = context.frames.stresses(frame)
    if stresses is None:
        temperatures = context.frames.temperatures(frame)
        stresses = stress_recovery(context).at_nodes(context.displacement(frame), temperatures)
    kept[STRESSES] = frame, stresses
    return stresses


class StressField(Field):
    """A number from the stress tensor at every node."""

    group = "stress"
    quantity = "stress"
    location = "body"
    reach = "stress"
    needs = (MODEL,)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,); NaN at nodes without a solid element."""
        return self.of_tensors(nodal_stresses(context, frame))

    @abstractmethod
    def of_tensors(self, stresses: np.ndarray) -> np.ndarray:
        """Return (n,) numbers of tensors (n, 6)."""
