"""Proper orthogonal decomposition of vectors that are given in factored form."""

from abc import abstractmethod
from collections.abc import Iterable

import numpy as np
import scipy.linalg as la
from pydantic import field_validator

from faying.linalg.background import patiently
from faying.linalg.compression import add_rows
from faying.params import member_of, parameter
from faying.progress import Part, Progress
from faying.reduction.derivative_selections import derivative_selections
from faying.reduction.joint_modes._counted import CountedModes
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem
from faying.reduction.tvd import AMPLITUDES, TrialVectorDerivatives

_MANY = 1500  # coordinates


class PodMethod(CountedModes):
    """What the decompositions of trial vector derivatives have in common."""

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
        if self.wants_none:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        derivatives = problem.derivatives(Part(progress, 0.0, 0.7), self.derivatives, self.amplitudes)
        weights, values = self._decomposed(derivatives, Part(progress, 0.7, 0.8))
        modes = derivatives.responses(
            weights[:, : self.kept(values)], Part(progress, 0.8, 1.0, "joint modes")
        )
        progress.report(1.0, self.title)
        return with_largest_positive(modes), values

    def _decomposed(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (weights (c, k), singular values) of all modes; computed when first asked for."""
        known = derivatives.decompositions
        if self.kind not in known:
            scales, directions = self.metric(derivatives, Part(progress, 0.0, 0.5))
            known[self.kind] = patiently(
                lambda: pod(scales, directions, derivatives.coefficients()), progress, 0.5, "decomposition"
            )
        return known[self.kind]

    @abstractmethod
    def metric(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (scales (c',), directions (c, c')) so that yᵀ y' of the decomposition is known, see `pod`."""


def pod(
    scales: np.ndarray, directions: np.ndarray, coefficients: Iterable[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return (weights (c, k), singular values) of the POD of N normalised vectors.

    The vectors are ``X @ coefficients`` with X (c columns) = P diag(scales) directionsᵀ and P orthonormal in
    the inner product that counts. Their coordinates in P are decomposed, each vector scaled to length one
    before (thesis eq. 3.47); mode k is ``X @ weights[:, k]``, orthonormal in that inner product. The thesis
    solves the eigenproblem of the vectors' Gram matrix instead, which halves the digits; the triangular factor
    of the coordinates keeps them, and grows block by block without any memory for all N. Only where that factor
    itself would need more memory than all else, an eigenproblem of its size takes its place.

    Args:
        scales: (c',) positive.
        directions: (c, c') orthonormal columns.
        coefficients: (c, N) in blocks of columns.
    """
    blocks = (_normalised(scales[:, None] * (directions.T @ block)) for block in coefficients)
    decompose = _of_gram_matrix if len(scales) > _MANY else _of_triangle
    left, values = decompose(blocks, len(scales))
    left /= scales[:, None]
    return directions @ left, values


def _normalised(vectors: np.ndarray) -> np.ndarray:
    vectors /= np.linalg.norm(vectors, axis=0)
    return vectors


def _of_triangle(blocks: Iterable[np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return left singular vectors (n, k) and singular values of columns (n, N), with all digits."""
    triangle = np.zeros((0, n))
    for block in blocks:
        triangle = add_rows(triangle, block.T)
    _, values, right = la.svd(triangle, full_matrices=False, overwrite_a=True)
    return right.T, values


def _of_gram_matrix(blocks: Iterable[np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the same by C Cᵀ, with half the digits and a third of the memory.

    Values below 1e-8 of the largest are round-off, and so are their vectors. Of thousands of vectors the singular
    values fall so slowly that the first hundreds have all the digits that anybody asks for.
    """
    gram, count = np.zeros((n, n), order="F"), 0
    for block in blocks:
        count += block.shape[1]
        gram = la.blas.dsyrk(1.0, block, beta=1.0, c=gram, overwrite_c=True, lower=True)
    squares, vectors = la.eigh(gram, lower=True, overwrite_a=True, check_finite=False)
    leading = slice(None, -min(n, count) - 1, -1)
    return vectors[:, leading], np.sqrt(np.maximum(squares[leading], 0.0))


def orthonormal_metric(vectors: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Return (scales, directions) of vectors (n, c) in the Euclidean inner product, by their triangular factor."""
    triangle = patiently(
        lambda: add_rows(np.zeros((0, vectors.shape[1])), vectors), progress, 0.9, "inner product"
    )
    _, scales, transposed = la.svd(triangle)
    kept = int((scales > 1e-12 * scales[0]).sum())
    return scales[:kept], transposed[:kept].T
