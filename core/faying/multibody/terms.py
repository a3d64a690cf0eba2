"""Terms of constraints: scalar equations between two markers, written down once and evaluated together.

Notation of Haug (1989): i and j are the markers, P their positions, d = P_j − P_i, a and b axes of theirs.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

ALONG, ACROSS, ANGLE, LENGTH = range(4)


class Term(NamedTuple):
    """One scalar equation.

    Attributes:
        kind: `ALONG` a · d, how far j has moved along an axis of i; `ACROSS` a · b, zero where an axis of i and one of
            j are at right angles; `ANGLE` from x_i to the projection of x_j, about z_i, in (−π, π]; `LENGTH` |d|.
        axis_i, axis_j: 0 to 2, if the kind needs them.
        words: quantity that it holds, such as "displacement along x".
    """

    kind: int
    axis_i: int
    axis_j: int
    words: str


def along(axis: int) -> Term:
    """Return the displacement of j along an axis of i."""
    return Term(ALONG, axis, 0, f"displacement along {'xyz'[axis]}")


COINCIDENT = (along(0), along(1), along(2))
"""P_j − P_i along the axes of i."""

PARALLEL_Z = (Term(ACROSS, 0, 2, "rotation about y"), Term(ACROSS, 1, 2, "rotation about x"))
"""x_i · z_j and y_i · z_j: zero where the z axes are parallel."""

NO_TURNING = (
    Term(ACROSS, 1, 2, "rotation about x"),
    Term(ACROSS, 2, 0, "rotation about y"),
    Term(ACROSS, 0, 1, "rotation about z"),
)
"""Zero where all axes are parallel; near there the small rotation of j against i, with the signs − − −."""

CROSS = Term(ACROSS, 0, 1, "rotation about z")
"""x_i · y_j: the cross of a universal joint."""

ABOUT_Z = Term(ANGLE, 0, 0, "rotation about z")
DISTANCE = Term(LENGTH, 0, 0, "distance")


def term_array(terms: Sequence[Term]) -> np.ndarray:
    """Return (k, 3) kind and axes, as the kernels read them."""
    return np.array([term[:3] for term in terms], dtype=np.int64).reshape(-1, 3)
