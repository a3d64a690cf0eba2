"""Proper orthogonal decomposition of vectors that are given in factored form."""

from abc import abstractmethod

import numpy as np
import scipy.linalg as la
from pydantic import field_validator

from faying.params import member_of, parameter
from faying.progress import Part, Progress
from faying.reduction.derivative_selections import derivative_selections
from faying.reduction.joint_modes import JointModeMethod
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem
from faying.reduction.tvd import AMPLITUDES, TrialVectorDerivatives


class PodMethod(JointModeMethod):
    """What the decompositions of trial vector derivatives have in common: how many modes are kept."""

    count: int = parameter(
        40, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the decomposed vectors they hold.",
    )  # fmt: skip
    ratio: float = parameter(
        0.0, title="Ratio w", ge=0.0, lt=1.0,
        meaning="When not zero: as few joint modes as give w(g) this value, instead of their number.",
    )  # fmt: skip
    derivatives: member_of(derivative_selections) = parameter(  # type: ignore[valid-type]
        {"kind": "all"}, title="Derivatives", advanced=True,
        meaning="Which trial vector derivatives are computed and decomposed.",
    )  # fmt: skip
    amplitudes: tuple[float, ...] = parameter(
        AMPLITUDES, title="Deflections of open joints", advanced=True,
        meaning="For joints with initial gaps: how far each trial vector closes them, as multiples of the largest "
        "initial gap. Several values close the joint step by step.",
    )  # fmt: skip

    @field_validator("amplitudes")
    @classmethod
    def _positive(cls, amplitudes: tuple[float, ...]) -> tuple[float, ...]:
        if not amplitudes or min(amplitudes) <= 0.0:
            raise ValueError("deflections are positive multiples of the largest initial gap, at least one")
        return tuple(sorted(set(amplitudes)))

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the normalised vectors)."""
        if not self.count and not self.ratio:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        derivatives = problem.derivatives(Part(progress, 0.0, 0.9), self.derivatives, self.amplitudes)
        scales, directions = self.metric(derivatives)
        weights, values = pod(scales, directions, derivatives.coefficients, self.count, self.ratio)
        progress.report(1.0, self.title)
        return with_largest_positive(derivatives.responses @ weights), values

    @abstractmethod
    def metric(self, derivatives: TrialVectorDerivatives) -> tuple[np.ndarray, np.ndarray]:
        """Return (scales (c',), directions (c, c')) so that yᵀ y' of the decomposition is known, see `pod`."""


def pod(
    scales: np.ndarray, directions: np.ndarray, coefficients: np.ndarray, count: int, ratio: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return (weights (c, g), singular values) of the POD of N normalised vectors.

    The vectors are ``X @ coefficients`` with X (c columns) = P diag(scales) directionsᵀ and P orthonormal in
    the inner product that counts. Their coordinates in P are decomposed, each vector scaled to length one
    before (thesis eq. 3.47); mode k is ``X @ weights[:, k]``, orthonormal in that inner product. The thesis
    solves the eigenproblem of the vectors' Gram matrix instead, which halves the digits.

    Args:
        scales: (c',) positive.
        directions: (c, c') orthonormal columns.
        coefficients: (c, N).
        count: wanted number g; fewer when the vectors span less.
        ratio: when not zero, g is the smallest with w(g) ≥ ratio (thesis eq. 3.61) instead.
    """
    coordinates = scales[:, None] * (directions.T @ coefficients)
    left, values, _ = la.svd(coordinates / np.linalg.norm(coordinates, axis=0), full_matrices=False)
    g = min(count_for_ratio(values, ratio) if ratio else count, left.shape[1])
    return directions @ (left[:, :g] / scales[:, None]), values


def count_for_ratio(values: np.ndarray, ratio: float) -> int:
    """Return the smallest g whose share of the squared singular values (k,) is at least `ratio`."""
    shares = np.cumsum(values**2) / np.sum(values**2)
    return min(int(np.searchsorted(shares, ratio * (1.0 - 1e-14))) + 1, len(values))


def orthonormal_metric(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (scales, directions) of vectors (n, c) in the Euclidean inner product, by their triangular factor."""
    triangle = la.qr(vectors, mode="r")[0][: vectors.shape[1]]
    _, scales, transposed = la.svd(triangle)
    kept = scales > 1e-12 * scales[0]
    return scales[kept], transposed[kept].T
