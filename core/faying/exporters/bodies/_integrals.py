"""Inertia of a free body in the terms of other programs."""

import numpy as np

from faying.errors import ModelError
from faying.reduction.body_file import BodyFile
from faying.reduction.inertia import PAIRS, ShapeIntegrals

_CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def integrals_of(body: BodyFile, program: str) -> ShapeIntegrals:
    """Return the shape integrals of a body.

    Raises:
        ModelError: when it has none, since it only deforms.
    """
    if body.reduced.inertia is None:
        raise ModelError(
            f"Body {body.name!r} has no inertia integrals, which {program} needs for its motion.",
            "Export the body of an FE model.",
        )
    return body.reduced.inertia


def turned_products(integrals: ShapeIntegrals) -> np.ndarray:
    """Return (3, 3, 1 + r, 1 + r) ∫ρ (e_k × b_i) · (e_l × b_j) dV at [k, l, i, j].

    b_0 is the position in the undeformed body, b_1 to b_r are the trial vectors. `integrals.second` holds the part that
    is symmetric in k and l. The antisymmetric part is that of −b_i,l b_j,k: half the component m of ∫ρ b_i × b_j dV for
    k, l, m in cyclic order, and minus that otherwise.
    """
    own = np.r_[0, 7 : integrals.first.shape[1]]
    products = np.empty((3, 3, len(own), len(own)))
    for value, (k, m) in zip(integrals.second, PAIRS, strict=True):
        products[k, m] = products[m, k] = value[np.ix_(own, own)]
    for k, m, across in _CYCLIC:
        crossed = np.zeros((len(own), len(own)))
        rows = integrals.coupling[across][own][:, 6:]
        crossed[:, 1:] = rows  # the columns have no position
        crossed[1:, 0] = -rows[0]
        half = 0.5 * crossed
        products[k, m] += half
        products[m, k] -= half
    return products
