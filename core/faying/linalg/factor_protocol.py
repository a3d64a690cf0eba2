"""The protocol of every factored sparse system, whichever solver made it."""

from typing import Protocol

import numpy as np


class Factor(Protocol):
    """A factored symmetric system K x + Cᵀλ = b, C x = d (C may have no rows).

    Attributes:
        n: number of unknowns x.
        backend: name of the sparse solver.
        entries: stored numbers of the factor, eight bytes each.
    """

    n: int
    backend: str
    entries: int

    def solve(self, loads: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return x, (n,) or (n, k) like the loads b; `values` d are (m,) or (m, k), zero without them."""

    def solve_with_multipliers(
        self, loads: np.ndarray, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return x and the constraints' multipliers λ, (m,) or (m, k)."""
