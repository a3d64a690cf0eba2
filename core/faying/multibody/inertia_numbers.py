"""The constants of a body's inertia as one array, which compiled arithmetic takes in a single argument."""

from typing import NamedTuple

import numpy as np

from faying.multibody.small_matrices import product

# Where a symmetric tensor finds its components: the diagonal, then xy, xz, yz.
_FULL = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])


def packed(
    total_mass: float, along_p: float, first: np.ndarray, coupling: np.ndarray, second: np.ndarray, mass: np.ndarray,
    drift: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the constants as one sequence, in the order in which `Inertias.of` reads them.

    Notation of `faying.multibody.inertia`. Parts over the undeformed body come before those over q_f.

    Args:
        total_mass: m.
        along_p: factor of the term that vanishes on the unit sphere.
        first: ŝ (3, 1 + r).
        coupling: Ĝ (3, 1 + r, r).
        second: N (6, 1 + r, 1 + r), symmetric each.
        mass: M_ff (r, r).
        drift: L (3, r, r), symmetric each; None for zero.
    """
    in_order = (
        first[:, 0], first[:, 1:],
        coupling[:, 0], coupling[:, 1:],
        second[:, 0, 0], second[:, 0, 1:], second[:, 1:, 1:],
        mass,
        np.full(min(1, len(mass)), drift is not None),  # whether L is not zero
        np.zeros((3, *mass.shape)) if drift is None else drift,
    )  # fmt: skip
    return np.concatenate([[total_mass, along_p], *(block.ravel() for block in in_order)])


class Deformed(NamedTuple):
    """Integrals of deformed bodies: s (P, 3), S = ∂s/∂q_f and B (P, 3, r), J (P, 3, 3) and ∂J/∂q_f (P, 3, 3, r)."""

    first: np.ndarray
    slopes: np.ndarray
    tensor: np.ndarray
    tensor_change: np.ndarray
    coupling: np.ndarray


class Inertias(NamedTuple):
    """The constants of P bodies with r flexible coordinates each, as `packed` takes them.

    Attributes:
        along_p: (P,).
        first, slopes: ŝ of the undeformed body (P, 3), and its S = ∂s/∂q_f (P, 3, r).
        turning, gyration: B of the undeformed body (P, 3, r), and Ĝ (P, 3, r, r).
        tensor, tensor_slopes, curvature: J of the undeformed body (P, 6), its slopes (P, 6, r) and N (P, 6, r, r).
        drift: L (P, 3, r, r), the part of s that is quadratic in q_f.
    """

    along_p: np.ndarray
    first: np.ndarray
    slopes: np.ndarray
    turning: np.ndarray
    gyration: np.ndarray
    tensor: np.ndarray
    tensor_slopes: np.ndarray
    curvature: np.ndarray
    drift: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, r: int) -> "Inertias":
        """Return the constants of packed numbers (P, k)."""
        shapes = (
            (),
            (3,),
            (3, r),
            (3, r),
            (3, r, r),
            (6,),
            (6, r),
            (6, r, r),
            (r, r),
            (min(1, r),),
            (3, r, r),
        )
        ends = np.cumsum([1, *(int(np.prod(shape)) for shape in shapes)])
        blocks = np.split(numbers, ends, axis=1)[1:-1]
        every = [block.reshape(len(numbers), *shape) for block, shape in zip(blocks, shapes, strict=True)]
        kept = [*every[:8], every[10]]  # without M_ff, and whether L is zero
        return cls(*kept)

    def deformed(self, flexible: np.ndarray) -> Deformed:
        """Return the integrals of the bodies deformed by q_f (P, r)."""
        # s = ŝ ẑ + ½ q_fᵀ L q_f, B_k = ẑᵀ Ĝ_k and J_kl = ẑᵀ N_kl ẑ with ẑ = (1, q_f), each as constant + linear
        # (+ quadratic) part.
        bent = product(self.curvature, flexible[:, None])
        slopes = self.slopes + product(self.drift, flexible[:, None])
        components = self.tensor + product(2.0 * self.tensor_slopes + bent, flexible)
        return Deformed(
            self.first + product(0.5 * (self.slopes + slopes), flexible),
            slopes,
            components[:, _FULL],
            full(2.0 * (self.tensor_slopes + bent)),
            self.turning + product(self.gyration.mT, flexible[:, None]),
        )


def full(six: np.ndarray) -> np.ndarray:
    """Return symmetric tensors (P, 3, 3, r) of their components (P, 6, r): the diagonal, then xy, xz, yz."""
    return six[:, _FULL]
