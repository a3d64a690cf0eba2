"""GMRES for many right-hand sides at once, each with its own matrix, and one preconditioner for all."""

from collections.abc import Callable

import numpy as np

Operator = Callable[[np.ndarray], np.ndarray]

_SPENT = 1e-12  # of its image: a new vector that is shorter is round-off


def batched_gmres(
    apply: Operator, precondition: Operator, right: np.ndarray, tolerance: float, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return approximate solutions (n, k) of A_i x_i = b_i, and their errors (k,) relative to the first guesses P b_i.

    GMRES (Saad and Schultz 1986) on P A_i x = P b_i in the inner product of P⁻¹. No product with P⁻¹ is needed: that of
    a vector u = P z with any v of the range of P is vᵀ z. If A_i differs from P⁻¹ in few directions, as the tangent of
    a joint does after a few pairs have changed, about as many steps are needed. The k solutions of a step are one call,
    which costs a sparse factor a fraction of k calls.

    Args:
        apply: (n, k) vectors -> (n, k), column i times A_i.
        precondition: (n, k) -> (n, k) times P, symmetric and positive semidefinite; vectors stay in its range.
        right: (n, k) b_i.
        tolerance: error at which a column is done.
        most: largest number of steps, of n k numbers each.
    """
    k = right.shape[1]
    first = precondition(right)
    sizes = _lengths(first, right)
    scales = np.where(sizes > 0.0, sizes, 1.0)
    vectors, images = [first / scales], [right / scales]
    hessenberg = np.zeros((k, most + 1, most))
    unit = np.zeros(most + 1)
    unit[0] = 1.0
    combinations, errors = np.zeros((k, 0)), np.ones(k)
    for step in range(most):
        image = apply(vectors[-1])
        vector = precondition(image)
        for i, (v, z) in enumerate(zip(vectors, images, strict=True)):
            part = np.einsum("nk,nk->k", v, image)
            hessenberg[:, i, step] = part
            vector -= part * v
            image -= part * z
        length = _lengths(vector, image)
        hessenberg[:, step + 1, step] = length
        rows, columns = step + 2, step + 1
        solved = [np.linalg.lstsq(h[:rows, :columns], unit[:rows], rcond=None)[0] for h in hessenberg]
        combinations = np.array(solved)
        errors = np.array([
            np.linalg.norm(unit[:rows] - h[:rows, :columns] @ y) for h, y in zip(hessenberg, solved, strict=True)
        ])  # fmt: skip
        if (errors[sizes > 0.0] <= tolerance).all():
            break
        # Where a column is solved, its next vector is round-off: it would grow with each further step of the others.
        left = length > _SPENT * np.linalg.norm(hessenberg[:, :rows, step], axis=1)
        length = np.where(left, length, 1.0)
        vectors.append(np.where(left, vector, 0.0) / length)
        images.append(np.where(left, image, 0.0) / length)
    x = np.zeros_like(right)
    for i in range(combinations.shape[1]):
        x += vectors[i] * (sizes * combinations[:, i])
    return x, np.where(sizes > 0.0, errors, 0.0)


def _lengths(vectors: np.ndarray, images: np.ndarray) -> np.ndarray:
    """Return (k,) lengths of vectors P z with the given z."""
    return np.asarray(np.sqrt(np.maximum(np.einsum("nk,nk->k", vectors, images), 0.0)))
