"""Proper orthogonal decomposition of vectors that are given in factored form."""

from abc import abstractmethod
from collections.abc import Callable, Iterable

import numpy as np
import scipy.linalg as la
from pydantic import field_validator

from faying.linalg.background import patiently
from faying.linalg.compression import add_rows
from faying.linalg.freed_memory import give_back_freed_memory
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.derivative_selections import derivative_selections
from faying.reduction.joint_modes._counted import CountedModes
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem
from faying.reduction.tvd import AMPLITUDES, TrialVectorDerivatives

_MANY = 1500  # coordinates, from which the Gram matrix is used
_AT_LEAST = 250  # vectors computed then at least, for studies with several numbers of modes
_PANEL = 256


class PodMethod(CountedModes):
    """Common to the decompositions of trial vector derivatives."""

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
        derivatives = problem.derivatives(
            PartialProgress(progress, 0.0, 0.7), self.derivatives, self.amplitudes
        )
        weights, values = self._decomposed(derivatives, PartialProgress(progress, 0.7, 0.8))
        modes = derivatives.responses(
            weights[:, : self.kept(values)], PartialProgress(progress, 0.8, 1.0, "joint modes")
        )
        progress.report(1.0, self.title)
        return with_largest_positive(modes), values

    def _decomposed(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (weights (c, k), singular values) of all modes that are kept, or more.

        The result is cached; it is computed again if more modes are needed than before.
        """
        known = derivatives.decompositions
        if self.kind not in known or known[self.kind][0].shape[1] < self.kept(known[self.kind][1]):
            scales, directions = self.metric(derivatives, PartialProgress(progress, 0.0, 0.5))
            known[self.kind] = patiently(
                lambda: pod(scales, directions, derivatives.coefficients(), self.kept),
                progress,
                0.5,
                "decomposition",
            )
            del directions
            if len(scales) > _MANY:
                give_back_freed_memory()
        return known[self.kind]

    @abstractmethod
    def metric(
        self, derivatives: TrialVectorDerivatives, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (scales (c',), directions (c, c')), which define the inner product of the decomposition, see `pod`."""


def pod(
    scales: np.ndarray,
    directions: np.ndarray,
    coefficients: Iterable[np.ndarray],
    kept: Callable[[np.ndarray], int],
) -> tuple[np.ndarray, np.ndarray]:
    """Return (weights (c, k), singular values of all modes) of the POD of N normalised vectors.

    The vectors are ``X @ coefficients`` with X (c columns) = P diag(scales) directionsᵀ and P orthonormal in the chosen
    inner product. Their coordinates in P, each vector scaled to length one (thesis eq. 3.47), are decomposed; mode k is
    ``X @ weights[:, k]``, orthonormal in that inner product. The thesis solves the eigenproblem of the vectors' Gram
    matrix instead, which halves the number of correct digits. The triangular factor of the coordinates keeps them, and
    is built block by block, without memory for all N. Only where that factor would be too large, the eigenproblem of
    its size is solved instead.

    Args:
        scales: (c',) positive.
        directions: (c, c') orthonormal columns.
        coefficients: (c, N) in blocks of columns.
        kept: function from the singular values to the requested number of modes; k is at least that number.
    """
    blocks = (_normalised(scales[:, None] * (directions.T @ block)) for block in coefficients)
    if len(scales) > _MANY:
        left, values = _of_gram_matrix(blocks, len(scales), kept)
    else:
        left, values = _of_triangle(blocks, len(scales))
    left /= scales[:, None]
    return directions @ left, values


def _normalised(vectors: np.ndarray) -> np.ndarray:
    vectors /= np.linalg.norm(vectors, axis=0)
    return vectors


def _of_triangle(blocks: Iterable[np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return left singular vectors (n, k) and singular values of columns (n, N), to full accuracy."""
    triangle = np.zeros((0, n))
    for block in blocks:
        triangle = add_rows(triangle, block.T)
    _, values, right = la.svd(triangle, full_matrices=False, overwrite_a=True)
    return right.T, values


def _of_gram_matrix(
    blocks: Iterable[np.ndarray], n: int, kept: Callable[[np.ndarray], int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the leading singular vectors (n, k) and all values from C Cᵀ, with half the digits and less memory.

    Values below 1e-8 of the largest are round-off, and so are their vectors. Of thousands of vectors the singular
    values fall so slowly that the first hundreds are accurate enough.
    """
    gram, count = np.zeros((n, n), order="F"), 0
    for block in blocks:
        count += block.shape[1]
        gram = la.blas.dsyrk(1.0, block, beta=1.0, c=gram, overwrite_c=True, lower=True)
    # Each eigenproblem overwrites one triangle of the matrix: the lower one gives all values, then the upper one the
    # wanted vectors. So no second matrix of this size is needed.
    diagonal = gram.diagonal().copy()
    for start in range(0, n, _PANEL):
        end = start + _PANEL
        gram[start:end, end:] = gram[end:, start:end].T
        here = gram[start:end, start:end]
        here += np.tril(here, -1).T
    squares = la.eigvalsh(gram, lower=True, overwrite_a=True, check_finite=False)
    values = np.sqrt(np.maximum(squares[::-1][: min(n, count)], 0.0))
    gram[np.diag_indices(n)] = diagonal
    wanted = min(max(kept(values), _AT_LEAST), len(values))
    _, vectors = la.eigh(
        gram, lower=False, overwrite_a=True, check_finite=False, subset_by_index=(n - wanted, n - 1)
    )
    return vectors[:, ::-1], values


def orthonormal_metric(vectors: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Return (scales, directions) of vectors (n, c) in the Euclidean inner product, by their triangular factor."""
    triangle = patiently(
        lambda: add_rows(np.zeros((0, vectors.shape[1])), vectors), progress, 0.9, "inner product"
    )
    _, scales, transposed = la.svd(triangle)
    kept = int((scales > 1e-12 * scales[0]).sum())
    return scales[:kept], transposed[:kept].T
