"""Safety factors: the factor on the load at which a strength is reached."""

import numpy as np

from faying.fem.strength import nodal_strengths
from faying.results.fields import STRENGTH, Field, FieldContext

# Larger factors are of no interest, and those of unloaded nodes would be infinite.
LARGEST = 15.0


class SafetyFactor(Field):
    """One over the utilisation of a strength, cut at 15; NaN where no strength is known."""

    group = "durability"
    location = "body"


def strengths_of(context: FieldContext) -> np.ndarray:
    """Return (n_nodes, 3) yield, ultimate and fatigue strength.

    Raises:
        ModelError: when the model is not there, or no strength is known.
    """
    STRENGTH.require(context)
    assert context.model is not None
    return nodal_strengths(context.model, context.strengths)


def factor_of(utilisation: np.ndarray) -> np.ndarray:
    """Return (n,) safety factors of utilisations (n,)."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.minimum(1.0 / utilisation, LARGEST))
