"""Products with a few of a joint's rows: what an evaluation of the joint spends its time with.

To gather the closed pairs' rows by numpy copies them, which costs three times what reading them does; the
compiled kernels read them in place. Without numba numpy does the same, slower.
"""

from functools import cache
from typing import Protocol

import numpy as np


class JointKernels(Protocol):
    """What the compiled and the plain kernels have in common.

    Rows of all n pairs are `normal` (n, r) and `tangential` (n, 2, r), contiguous; `pairs` (m,) says which count.
    """

    def slips(self, tangential: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return (m, 2) Gt q."""

    def force(
        self,
        normal: np.ndarray,
        tangential: np.ndarray,
        pairs: np.ndarray,
        weights: np.ndarray,
        pressure: np.ndarray,
        stress: np.ndarray,
    ) -> np.ndarray:
        """Return (r,) Gnᵀ(w p) − Gtᵀ(w τ).

        Args:
            normal, tangential, pairs: see above.
            weights: (n,) areas.
            pressure: (m,) p.
            stress: (m, 2) τ; (m, 0) without friction.
        """


class PlainJointKernels:
    """The kernels in numpy."""

    def slips(self, tangential: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return (m, 2) Gt q; see `JointKernels`."""
        return np.asarray(tangential[pairs] @ q)

    def force(
        self,
        normal: np.ndarray,
        tangential: np.ndarray,
        pairs: np.ndarray,
        weights: np.ndarray,
        pressure: np.ndarray,
        stress: np.ndarray,
    ) -> np.ndarray:
        """Return (r,) Gnᵀ(w p) − Gtᵀ(w τ); see `JointKernels`."""
        areas = weights[pairs]
        force = (areas * pressure) @ normal[pairs]
        if stress.shape[1]:
            force -= (areas[:, None] * stress).ravel() @ tangential[pairs].reshape(-1, len(force))
        return np.asarray(force)


@cache
def kernels() -> JointKernels:
    """Return the compiled kernels, or the plain ones where numba is missing.

    Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
    """
    try:
        from faying.joints import kernels_compiled
    except (ImportError, RuntimeError):  # not installed, or no folder where its code can be kept
        return PlainJointKernels()
    return kernels_compiled
