"""A few vectors of a body with coordinates in which its elastic energy is |q|²/2."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.linalg.products import blocks, gram
from faying.reduction.interior import ROUND_OFF
from faying.reduction.problem import JointModeProblem

_DEPENDENT = 1e-10
# Energy given to a motion that only contact and mounting forces resist, relative to that of the touching pairs: a weak
# spring in place of the missing elastic stiffness.
_WEAK = 1e-6


@dataclass(frozen=True, eq=False)
class ShapeProducts:
    """Elastic energy and gaps of some shapes V of a body; the shapes themselves need not be stored.

    Attributes:
        elastic: (r', r') Vᵀ K V.
        gaps: (n_pairs, r') gap of each pair in each shape.
        alone: (r',) Σ |K_ii| v_i² of each shape, the scale of round-off in its energy; zero for shapes that are known
            to be elastic.
    """

    elastic: np.ndarray
    gaps: np.ndarray
    alone: np.ndarray

    @classmethod
    def of(cls, problem: JointModeProblem, vectors: np.ndarray) -> "ShapeProducts":
        """Return the products of vectors (n_dofs, r')."""
        stiffness = problem.interior.matrices.stiffness
        diagonal, alone = np.abs(stiffness.diagonal()), np.zeros(vectors.shape[1])
        for rows in blocks(len(vectors)):
            alone += diagonal[rows] @ vectors[rows] ** 2
        return cls(gram(stiffness, vectors), np.asarray(problem.gap_rows @ vectors), alone)


class EnergyCoordinates:
    """Coordinates of the span of some vectors of a body with joints, in which its elastic energy is |q|²/2.

    Motions without elastic energy (but for round-off), such as that of a cap that only bolt forces and contact hold,
    get a weak spring: a millionth of the stiffness of the touching pairs.

    Args:
        shapes: of V (n_dofs, r'), not all of which need be independent.
        springs: (n_pairs,) contact stiffness of each pair.
        touching: (n_pairs,) pairs whose springs are the scale for weak motions.

    Attributes:
        amplitudes: T (r', r) of the vectors for each coordinate: a state is V T q.
        gaps: (n_pairs, r) gap rows over the coordinates.
        stiffening: (r,) energy of each coordinate with the springs of the touching pairs, over that without.
    """

    def __init__(self, shapes: ShapeProducts, springs: np.ndarray, touching: np.ndarray) -> None:
        elastic, rows = shapes.elastic, shapes.gaps
        joined = elastic + rows[touching].T @ (springs[touching, None] * rows[touching])

        # Motions that neither body nor joints resist, such as that of a separate loose part, are left out.
        resisted = np.diag(joined) > ROUND_OFF * shapes.alone
        scale = np.where(resisted, 1.0 / np.sqrt(np.where(resisted, np.diag(joined), 1.0)), 0.0)

        # Independent directions of the joined body, then those in which elastic and joined energy are diagonal.
        energies, directions = la.eigh(scale[:, None] * joined * scale)
        kept = energies > _DEPENDENT
        independent = scale[:, None] * directions[:, kept] / np.sqrt(energies[kept])
        shares, rotation = la.eigh(independent.T @ elastic @ independent)
        shares = np.maximum(shares, _WEAK)
        self.amplitudes = independent @ rotation / np.sqrt(shares)
        self.gaps = rows @ self.amplitudes
        self.stiffening = 1.0 / shares

    def of_loads(self, projected: np.ndarray) -> np.ndarray:
        """Return (r, k) the generalised loads, which are also the coordinates of the responses without contact.

        Args:
            projected: Vᵀ F (r', k) products of the vectors with forces F.
        """
        return np.asarray(self.amplitudes.T @ projected)
