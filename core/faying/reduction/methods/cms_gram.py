"""CMS-Gram: the interior shapes that motions of the interface excite most in a range of frequencies."""

from itertools import pairwise
from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.linalg.background import patiently
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import reduction_methods
from faying.reduction.methods._band import BandMethod
from faying.reduction.methods._orthogonalised import orthogonalised_basis
from faying.reduction.responses import DeformationResponses, held_modes, held_responses
from faying.units import amount

_POINTS = 24  # number of Gauss-Legendre points between neighbouring resonances
_NOTHING = 1e-8  # share of the largest singular value below which a shape is round-off


@reduction_methods.register("cms_gram")
class CmsGram(BandMethod):
    """Constraint modes, and the leading directions of the Gramian inside over a range.

    It is the method of Holzwarth and Eberhard (2015). Motions of the interface nodes act on the body inside through
    its inertia, B = M_ii Ψ + M_ib. The trial vectors in addition to the constraint modes Ψ are the leading eigenvectors
    of P = 1/π ∫ X X^H dω with the responses X to B over the range, orthonormal in the mass.
    """

    title: ClassVar[str] = "CMS-Gram"
    advice: ClassVar[str] = (
        "A given band of frequencies, with the directions that matter there chosen by what the interface "
        "nodes excite."
    )
    has_constraint_modes: ClassVar[bool] = True
    size: ClassVar[str] = "count"

    count: int = parameter(
        10, title="Gramian shapes", ge=1, le=2000,
        meaning="Number of trial vectors in addition to the constraint modes.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised basis; the rigid body motions are removed.

        Raises:
            ModelError: without interface nodes or a fixed-interface mode in the range, or when motions of the interface
                excite fewer shapes than requested.
        """
        if not len(interior.interface_dofs):
            raise ModelError(
                "CMS-Gram takes its trial vectors from motions of the interface nodes, and the body has none.",
                "Add interface nodes, or take another method.",
            )
        interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        static = patiently(interior.constraint_modes, progress, 0.2, "constraint modes")
        part = PartialProgress(progress, 0.3, 0.5, "range of frequencies")
        end = self.range_end(interior, self.count, held_modes(interior), part)
        loads = np.asarray(interior.matrices.mass @ static)
        part = PartialProgress(progress, 0.5, 0.8, "responses")
        responses = held_responses(interior, loads, end, part, **self.damping(end))
        resonances = self.resonances(responses.squares, end)
        progress.report(0.8, "Gramian")
        shapes, values = _leading_shapes(interior, responses, self._pieces(resonances, end))
        found = int((values > _NOTHING * values[0]).sum()) if len(values) else 0
        if found < self.count:
            raise ModelError(
                f"CMS-Gram: motions of the interface excite {found} shapes between the frequencies "
                f"{self.lowest_frequency:g} and {amount(end, 'frequency', 6)}, but {self.count} are requested.",
                f"Take {found} or less, or a wider range.",
            )
        vectors = np.hstack([static, shapes[:, : self.count]])
        basis = orthogonalised_basis(interior, vectors, PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis

    def _pieces(self, resonances: np.ndarray, end: float) -> np.ndarray:
        """Return the ends of the integrated frequency intervals, within which the responses are smooth."""
        return np.unique(np.concatenate([[self.lowest_frequency], resonances, [end]]))


def _leading_shapes(
    interior: InteriorProblem, responses: DeformationResponses, pieces: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (shapes (n_dofs, m), singular values (m,)): eigenvectors of P in the mass, roots of its eigenvalues.

    P = S (Σ w_j Re(G_j G_j^H)) Sᵀ with X_j = S G_j. The sum is stored as its triangular (QR) factor, so that small
    values are not lost by squaring.
    """
    abscissae, weights = np.polynomial.legendre.leggauss(_POINTS)
    root = np.zeros((0, responses.shapes.shape[1]))
    for start, stop in pairwise(pieces):
        half = 0.5 * (stop - start)
        rows = []
        for at, weight in zip(start + half * (abscissae + 1.0), weights * half * 2.0, strict=True):
            amplitudes = np.sqrt(weight) * responses.amplitudes(float(at))
            rows += [amplitudes.real.T, amplitudes.imag.T]
        root = la.qr(np.vstack([root, *rows]), mode="r", check_finite=False)[0][: root.shape[1]]

    # Orthonormal in the mass: S = E Lᵀ with Eᵀ M E = I.
    shapes = responses.shapes
    sizes = np.sqrt(np.einsum("ij,ij->j", shapes, interior.matrices.mass @ shapes))
    kept = sizes > 0.0
    scaled = shapes[:, kept] / sizes[kept]
    values, vectors = la.eigh(scaled.T @ (interior.matrices.mass @ scaled))
    alive = values > 1e-14 * values.max(initial=0.0)
    lengths = np.sqrt(values[alive])
    left = (vectors[:, alive] * lengths).T @ (sizes[kept, None] * root[:, kept].T)
    directions, singular_values, _ = la.svd(left, full_matrices=False)
    return scaled @ ((vectors[:, alive] / lengths) @ directions), singular_values
