"""How the inertia of a body changes with its coordinates and velocities, as kernels (`faying.compiled`).

Notation of `faying.multibody.inertia`. Sums are written with
`add`, which is compiled once: every sum of arrays written out would take half a second to compile.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import (
    Body,
    along,
    centrifugal,
    flowing,
    full,
    stretching,
    turning_moment,
    unpacked,
)
from faying.multibody.small_matrices import (
    add,
    cross,
    frame,
    inner,
    moment_change,
    outer,
    product,
    products,
    rates_change,
    skew,
    transposed,
    transposed_products,
)


@compiled
def _weighted(weights: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return the sum (r, r) of matrices (k, r, r) times weights (k,)."""
    total = np.zeros((matrices.shape[1], matrices.shape[2]))
    for k in range(len(weights)):
        add(total, 0, 0, weights[k], matrices[k])
    return total


@compiled
def _total(one: np.ndarray, other: np.ndarray, factor: float) -> np.ndarray:
    """Return one + factor · other, both (k, r)."""
    total = one.copy()
    add(total, 0, 0, factor, other)
    return total


@compiled
def add_mass_change(
    change: np.ndarray, at: int, q: np.ndarray, a: np.ndarray, numbers: np.ndarray, body: Body
) -> None:
    """Add ∂(M a)/∂q at constant a (n,) to a matrix, from row and column `at` on.

    M a = (m a_R + A b, H̄ᵀμ + …, SᵀAᵀa_R + Bᵀᾱ + M_ff a_f) with ᾱ = H̄ a_p.
    """
    _, along_p, _, slopes, _, gyration, _, _, _, _ = unpacked(numbers, len(q) - 7)
    first, tensor, tensor_change, coupling = body
    p, by_p, by_f = q[3:7], a[3:7], a[7:]
    axes, rates = frame(p)
    spin, d_spin = product(rates, by_p), rates_change(p, by_p)
    pull = transposed(axes, a[:3])
    s, f = skew(first), skew(pull)
    # b = ᾱ × s + S a_f, so that the row of R is m a_R + A b; μ = s × Aᵀ a_R + J ᾱ + B a_f, that of p is H̄ᵀ μ.
    b = cross(spin, first) + product(slopes, by_f)
    mu = cross(first, pull) + product(tensor, spin) + product(coupling, by_f)

    # Row of R: A turns by δπ̄ = H̄ δp, ᾱ changes with p, and s with q_f.
    by_turn = _total(products(skew(b), rates), products(s, d_spin), 1.0)
    add(change, at, at + 3, -1.0, products(axes, by_turn))
    add(change, at, at + 7, 1.0, products(axes, products(skew(spin), slopes)))

    # Row of p: H̄ᵀ changes at constant μ, then μ with the turn of Aᵀ a_R, with ᾱ and with q_f.
    by_turn = _total(products(products(s, f), rates), products(tensor, d_spin), 1.0)
    add(change, at + 3, at + 3, 1.0, moment_change(p, mu))
    add(change, at + 3, at + 3, 1.0, transposed_products(rates, by_turn))
    add(change, at + 3, at + 3, along_p, outer(p, by_p))
    for i in range(3, 7):
        change[at + i, at + i] += along_p * inner(p, by_p)
    d_mu = _total(flowing(gyration, by_f)[0], along(spin, tensor_change), 1.0)
    add(d_mu, 0, 0, -1.0, products(f, slopes))
    add(change, at + 3, at + 7, 1.0, transposed_products(rates, d_mu))

    # Row of q_f: Sᵀ Aᵀ a_R turns, Bᵀ ᾱ changes with p and with q_f.
    add(change, at + 7, at + 3, 1.0, transposed_products(slopes, products(f, rates)))
    add(change, at + 7, at + 3, 1.0, transposed_products(coupling, d_spin))
    turned = _weighted(spin, gyration)
    for i in range(len(by_f)):
        for j in range(len(by_f)):
            change[at + 7 + i, at + 7 + j] += turned[j, i]


@compiled
def add_force_changes(
    by_q: np.ndarray, by_v: np.ndarray, at: int, q: np.ndarray, v: np.ndarray, gravity: np.ndarray,
    numbers: np.ndarray, body: Body,
) -> None:  # fmt: skip
    """Add the derivatives of quadratic velocity forces and weight over q and v to matrices, from `at` on."""
    r = len(q) - 7
    _, along_p, _, slopes, _, gyration, _, _, curvature, _ = unpacked(numbers, r)
    first, tensor, tensor_change, coupling = body
    p, rate, flow = q[3:7], v[3:7], v[7:]
    if not (rate.any() or flow.any() or gravity.any()):  # at rest nothing is centrifugal
        return
    axes, rates = frame(p)
    spin, weight = product(rates, rate), transposed(axes, gravity)
    stretch, drift = stretching(p, rate), product(slopes, flow)
    right, left = flowing(gyration, flow)
    tilde, s, w = skew(spin), skew(first), skew(weight)
    d_tensor = along(spin, tensor_change)  # ∂(J ω̄)/∂q_f at constant ω̄
    turn, turned_coupling = product(tensor, spin), transposed(coupling, spin)
    gyroscopic = _weighted(spin, gyration)

    # ω̄ and `stretch` over p and ṗ.
    spin_p, square = rates_change(p, rate), inner(p, p)
    stretch_p, stretch_rate = np.empty(4), np.empty(4)
    for k in range(4):
        stretch_p[k] = 2.0 / square * (rate[k] - stretch * p[k])
        stretch_rate[k] = 2.0 / square * p[k]

    # Position: derivatives of the centrifugal force over ω̄, q_f, q̇_f and `stretch`, then the frame's turn.
    c = centrifugal(spin, first, drift, stretch)
    c_spin = _total(skew(cross(first, spin)), products(tilde, s), -1.0)
    add(c_spin, 0, 0, stretch, s)
    add(c_spin, 0, 0, -2.0, skew(drift))
    sideways = cross(first, spin)
    by_turn = _total(products(skew(c), rates), products(c_spin, spin_p), -1.0)
    add(by_turn, 0, 0, -1.0, outer(sideways, stretch_p))
    add(by_q, at, at + 3, 1.0, products(axes, by_turn))
    c_shape = products(_total(products(tilde, tilde), tilde, -stretch), slopes)
    add(by_q, at, at + 7, -1.0, products(axes, c_shape))
    by_rate = _total(products(c_spin, rates), outer(sideways, stretch_rate), 1.0)
    add(by_v, at, at + 3, -1.0, products(axes, by_rate))
    add(by_v, at, at + 7, -2.0, products(axes, products(tilde, slopes)))

    # Rotation: the same of the moment.
    m = turning_moment(spin, flow, stretch, body, right) + cross(first, weight)
    m_spin = _total(skew(turn + product(coupling, flow)), full(product(tensor_change, flow)), -1.0)
    add(m_spin, 0, 0, -1.0, products(tilde, tensor))
    add(m_spin, 0, 0, stretch, tensor)
    bending = np.zeros((6, r))
    for k in range(6):
        for i in range(r):
            for j in range(r):
                bending[k, j] += curvature[k, i, j] * flow[i]
    m_shape = _total(products(tilde, _total(d_tensor, right, 1.0)), along(spin, bending), 2.0)
    add(m_shape, 0, 0, -stretch, d_tensor)
    add(m_shape, 0, 0, 1.0, products(w, slopes))
    m_flow = _total(_total(d_tensor, right, 1.0), left, 1.0)
    add(m_flow, 0, 0, 1.0, products(tilde, coupling))
    by_turn = _total(products(m_spin, spin_p), outer(turn, stretch_p), 1.0)
    add(by_turn, 0, 0, 1.0, products(products(s, w), rates))
    add(by_q, at + 3, at + 3, 1.0, moment_change(p, m))
    add(by_q, at + 3, at + 3, 1.0, transposed_products(rates, by_turn))
    add(by_q, at + 3, at + 7, -1.0, transposed_products(rates, m_shape))
    by_rate = _total(products(m_spin, rates), outer(turn, stretch_rate), 1.0)
    add(by_v, at + 3, at + 3, 1.0, transposed_products(rates, by_rate))
    add(by_v, at + 3, at + 3, -2.0 * along_p, outer(p, rate))
    add(by_v, at + 3, at + 7, -1.0, transposed_products(rates, m_flow))
    for i in range(3, 7):
        by_q[at + i, at + i] -= along_p * inner(rate, rate)

    # Deformation.
    f_spin = _total(_total(right, left, -1.0), d_tensor, 1.0)  # transposed
    add(f_spin, 0, 0, stretch, coupling)
    add(by_q, at + 7, at + 3, 1.0, transposed_products(f_spin, spin_p))
    add(by_q, at + 7, at + 3, 1.0, outer(turned_coupling, stretch_p))
    add(by_q, at + 7, at + 3, 1.0, transposed_products(slopes, products(w, rates)))
    add(by_v, at + 7, at + 3, 1.0, transposed_products(f_spin, rates))
    add(by_v, at + 7, at + 3, 1.0, outer(turned_coupling, stretch_rate))
    squares = np.empty(6)
    for k in range(3):
        squares[k] = spin[k] * spin[k]
    squares[3], squares[4], squares[5] = (
        2.0 * spin[0] * spin[1],
        2.0 * spin[0] * spin[2],
        2.0 * spin[1] * spin[2],
    )
    add(by_q, at + 7, at + 7, 1.0, _weighted(squares, curvature))
    for i in range(r):
        for j in range(r):
            by_q[at + 7 + i, at + 7 + j] += stretch * gyroscopic[j, i]
            by_v[at + 7 + i, at + 7 + j] += gyroscopic[i, j] - gyroscopic[j, i]
