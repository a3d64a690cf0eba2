"""Inertia and forces of all parts at once, as kernels (`faying.compiled`).

Asking each part in Python costs more than all of the arithmetic. Arguments are those of a
`faying.multibody.part_table.PartTable`; matrices and vectors over all coordinates are added to.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_change_kernels import add_force_changes, add_mass_change
from faying.multibody.inertia_kernels import deformed, write_forces, write_mass
from faying.multibody.small_matrices import add, transposed


@compiled
def mass_and_forces(
    matrix: np.ndarray, force: np.ndarray, q: np.ndarray, v: np.ndarray, gravity: np.ndarray,
    ends: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Write M into a matrix (n, n) of zeros, and the parts' own forces into a vector (n,)."""
    for k in range(len(ends) - 1):
        a, b = ends[k, 0], ends[k + 1, 0]
        own, r = numbers[ends[k, 1] : ends[k + 1, 1]], b - a - 7
        body = deformed(q[a + 7 : b], own)
        write_mass(matrix, a, q[a:b], own, body)
        write_forces(force[a:b], q[a:b], v[a:b], gravity, own, body)
        if ends[k + 1, 2] > ends[k, 2]:
            stiffness, damping, load = _elasticity(elastic[ends[k, 2] : ends[k + 1, 2]], r)
            # Both are symmetric; so it runs along the rows.
            spring, damper = transposed(stiffness, q[a + 7 : b]), transposed(damping, v[a + 7 : b])
            for i in range(r):
                force[a + 7 + i] += load[i] - spring[i] - damper[i]


@compiled
def force_changes(
    by_q: np.ndarray, by_v: np.ndarray, q: np.ndarray, v: np.ndarray, gravity: np.ndarray,
    ends: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Add the derivatives of the parts' own forces over q and v to matrices (n, n)."""
    for k in range(len(ends) - 1):
        a, b = ends[k, 0], ends[k + 1, 0]
        own, r = numbers[ends[k, 1] : ends[k + 1, 1]], b - a - 7
        body = deformed(q[a + 7 : b], own)
        add_force_changes(by_q, by_v, a, q[a:b], v[a:b], gravity, own, body)
        if ends[k + 1, 2] > ends[k, 2]:
            stiffness, damping, _ = _elasticity(elastic[ends[k, 2] : ends[k + 1, 2]], r)
            add(by_q, a + 7, a + 7, -1.0, stiffness)
            add(by_v, a + 7, a + 7, -1.0, damping)


@compiled
def mass_changes(
    change: np.ndarray, q: np.ndarray, acceleration: np.ndarray, ends: np.ndarray, numbers: np.ndarray
) -> None:
    """Add ∂(M a)/∂q at constant a (n,) to a matrix (n, n)."""
    for k in range(len(ends) - 1):
        a, b = ends[k, 0], ends[k + 1, 0]
        own = numbers[ends[k, 1] : ends[k + 1, 1]]
        body = deformed(q[a + 7 : b], own)
        add_mass_change(change, a, q[a:b], acceleration[a:b], own, body)


@compiled
def _elasticity(numbers: np.ndarray, r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return stiffness and damping (r, r) and the constant load (r,)."""
    stiffness = numbers[: r * r].reshape((r, r))
    damping = numbers[r * r : 2 * r * r].reshape((r, r))
    return stiffness, damping, numbers[2 * r * r :]
