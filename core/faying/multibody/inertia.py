"""Inertia of a body in its floating frame: mass matrix, quadratic velocity forces, weight, and their derivatives.

Notation: ẑ = (1, q_f); A, ω̄ = H̄ ṗ and all vectors with a bar in the frame. Per unit of the quasi-velocities
(Ṙ, ω̄, q̇_f) the kinetic energy of a body is

    T = m Ṙ²/2 + Ṙ · A (ω̄ × s + S q̇_f) + ω̄ᵀJ ω̄/2 + ω̄ᵀB q̇_f + q̇_fᵀ M_ff q̇_f/2

with s = ŝ ẑ the first moment, S = ∂s/∂q_f, J_kl = ẑᵀ N_kl ẑ and B_k = ẑᵀ Ĝ_k of constant ŝ, N, Ĝ (the shape
integrals of Shabana 2020, section 5.3; thesis eqs. 2.28). Lagrange's equations then give the quadratic velocity
forces in the compact form of Sherif and Nachbagauer (2014), thesis eq. 2.40.
"""

from dataclasses import dataclass

import numpy as np

from faying.multibody.kernels import kernels
from faying.multibody.part import RIGID
from faying.reduction.inertia import PAIRS, ShapeIntegrals
from faying.spatial.rotations import (
    body_moment_change,
    body_rates,
    body_rates_change,
    rotation_matrix,
    skew,
)

_FULL = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])  # where the components of a symmetric tensor are in PAIRS
_TWICE = np.array([1.0 if k == m else 2.0 for k, m in PAIRS])


@dataclass(frozen=True, eq=False)
class _Flow:
    """What the flexible velocities do with the integrals.

    Attributes:
        tensor_rate: J̇ (3, 3).
        right, left: (3, r) Ĝ_k q̇_f and q̇_fᵀ Ĝ_k; the negative of each other for solids.
    """

    tensor_rate: np.ndarray
    right: np.ndarray
    left: np.ndarray


@dataclass(frozen=True, eq=False)
class _Deformed:
    """The integrals of the deformed body.

    Attributes:
        first: s (3,).
        tensor: J (3, 3).
        tensor_change: (6, r) ∂J/∂q_f of the `PAIRS`.
        coupling: B (3, r).
    """

    first: np.ndarray
    tensor: np.ndarray
    tensor_change: np.ndarray
    coupling: np.ndarray


class FloatingInertia:
    """Inertia over q = (R, p, q_f), constant while a system is solved.

    Args:
        total_mass: m.
        first: ŝ (3, 1 + r) about the frame's origin.
        coupling: Ĝ (3, 1 + r, r).
        second: N (6, 1 + r, 1 + r), symmetric each.
        mass: M_ff (r, r).
    """

    def __init__(
        self,
        total_mass: float,
        first: np.ndarray,
        coupling: np.ndarray,
        second: np.ndarray,
        mass: np.ndarray,
    ) -> None:
        self.total_mass, self.n = total_mass, RIGID + len(mass)
        self._first, self._flexible_mass = np.ascontiguousarray(first), mass
        self._coupling, self._second = np.ascontiguousarray(coupling), np.ascontiguousarray(second)
        self._slopes = np.ascontiguousarray(self._first[:, 1:])
        self._gyration = np.ascontiguousarray(self._coupling[:, 1:])
        # Of the term that vanishes on the unit sphere: the size of the others, 4 J.
        self._along_p = 4.0 / 3.0 * float(second[:3, 0, 0].sum())
        self._last: tuple[bytes, _Deformed] | None = None

    @classmethod
    def of_shape_integrals(
        cls, integrals: ShapeIntegrals, mass: np.ndarray, origin: np.ndarray
    ) -> "FloatingInertia":
        """Return the inertia of a reduced body with its frame at a point (3,) of the undeformed body.

        Args:
            integrals: over the body's modes.
            mass: (r, r) of the modes.
            origin: in the coordinates of the nodes.
        """
        modes = np.eye(6 + len(mass))[:, 6:]
        about = integrals.recombined(np.concatenate([-origin, np.zeros(3)]), modes)
        kept = np.concatenate([[0], 7 + np.arange(len(mass))])
        return cls(
            integrals.total_mass,
            about.first[:, kept],
            about.coupling[:, kept, 6:],
            about.second[:, kept[:, None], kept],
            mass,
        )

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""
        body = self._deformed(q[RIGID:])
        matrix: np.ndarray = kernels().mass(
            q, self.total_mass, body.first, self._slopes, body.tensor, body.coupling, self._flexible_mass,
            self._along_p,
        )  # fmt: skip
        return matrix

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        p, by_r, by_p, by_f = q[3:7], a[:3], a[3:7], a[RIGID:]
        axes, rates, body = rotation_matrix(p), body_rates(p), self._deformed(q[RIGID:])
        slopes = self._slopes
        spin, d_spin = rates @ by_p, body_rates_change(p, by_p)
        along = axes.T @ by_r
        # M a = (m a_R + A b, H̄ᵀμ + …, SᵀAᵀa_R + Bᵀᾱ + M_ff a_f) with ᾱ = H̄ a_p.
        b = _cross(spin, body.first) + slopes @ by_f
        mu = _cross(body.first, along) + body.tensor @ spin + body.coupling @ by_f
        change = np.zeros((self.n, self.n))
        change[:3, 3:7] = -axes @ (skew(b) @ rates + skew(body.first) @ d_spin)
        change[:3, 7:] = axes @ skew(spin) @ slopes
        change[3:7, 3:7] = (
            body_moment_change(p, mu)
            + rates.T @ (skew(body.first) @ skew(along) @ rates + body.tensor @ d_spin)
            + self._along_p * (float(p @ by_p) * np.eye(4) + np.outer(p, by_p))
        )
        d_mu = self._gyration @ by_f + spin @ body.tensor_change[_FULL] - skew(along) @ slopes
        change[3:7, 7:] = rates.T @ d_mu
        change[7:, 3:7] = slopes.T @ skew(along) @ rates + body.coupling.T @ d_spin
        change[7:, 7:] = np.tensordot(spin, self._gyration, 1).T
        return change

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return (n,) quadratic velocity forces and weight."""
        body = self._deformed(q[RIGID:])
        force: np.ndarray = kernels().forces(
            q, v, gravity, self.total_mass, body.first, self._slopes, body.tensor, body.tensor_change,
            body.coupling, self._gyration, self._along_p,
        )  # fmt: skip
        return force

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (n, n) ∂forces/∂q and ∂forces/∂v."""
        p, rate, flow = q[3:7], v[3:7], v[RIGID:]
        axes, rates, body = rotation_matrix(p), body_rates(p), self._deformed(q[RIGID:])
        slopes, first, squares = self._slopes, body.first, float(p @ p)
        spin, weight = rates @ rate, axes.T @ gravity
        stretch = 2.0 * float(p @ rate) / squares
        terms = self._flow(body, flow)
        tilde, s, w = skew(spin), skew(first), skew(weight)
        d_tensor = spin @ body.tensor_change[_FULL]  # ∂(J ω̄)/∂q_f at constant ω̄
        turn, gyration = body.tensor @ spin, np.tensordot(spin, self._gyration, 1)

        # Derivatives of three vectors over ω̄, q_f, q̇_f and `stretch`; the frame's turn comes after.
        c = self._centrifugal(body, spin, flow, stretch)
        c_spin = -skew(_cross(spin, first)) - tilde @ s - 2.0 * skew(slopes @ flow) + stretch * s
        c_shape = (tilde @ tilde - stretch * tilde) @ slopes
        c_flow = 2.0 * tilde @ slopes
        m = self._moment(body, spin, flow, stretch, terms) + _cross(first, weight)
        m_spin = (
            -terms.tensor_rate
            - tilde @ body.tensor
            + skew(turn + body.coupling @ flow)
            + stretch * body.tensor
        )
        m_shape = (
            -2.0 * (spin @ (self._second[:, 1:, 1:] @ flow)[_FULL])
            - tilde @ (d_tensor + terms.right)
            + stretch * d_tensor
            - w @ slopes
        )
        m_flow = -d_tensor - terms.right - terms.left - tilde @ body.coupling
        f_spin = (terms.right - terms.left + d_tensor + stretch * body.coupling).T
        f_shape = np.tensordot(_weights(spin), self._second, 1)[1:, 1:] + stretch * gyration.T
        f_flow = gyration - gyration.T

        # ω̄ and `stretch` over p and ṗ.
        spin_p, spin_rate = body_rates_change(p, rate), rates
        stretch_p, stretch_rate = 2.0 * (rate - stretch * p) / squares, 2.0 * p / squares
        along = _cross(first, spin)
        by_q, by_v = np.zeros((self.n, self.n)), np.zeros((self.n, self.n))
        by_q[:3, 3:7] = axes @ (skew(c) @ rates - c_spin @ spin_p - np.outer(along, stretch_p))
        by_q[:3, 7:] = -axes @ c_shape
        by_q[3:7, 3:7] = (
            body_moment_change(p, m)
            + rates.T @ (m_spin @ spin_p + np.outer(turn, stretch_p) + s @ w @ rates)
            - self._along_p * float(rate @ rate) * np.eye(4)
        )
        by_q[3:7, 7:] = rates.T @ m_shape
        by_q[7:, 3:7] = f_spin @ spin_p + np.outer(spin @ body.coupling, stretch_p) + slopes.T @ w @ rates
        by_q[7:, 7:] = f_shape
        by_v[:3, 3:7] = -axes @ (c_spin @ spin_rate + np.outer(along, stretch_rate))
        by_v[:3, 7:] = -axes @ c_flow
        by_v[3:7, 3:7] = rates.T @ (m_spin @ spin_rate + np.outer(turn, stretch_rate))
        by_v[3:7, 3:7] -= 2.0 * self._along_p * np.outer(p, rate)
        by_v[3:7, 7:] = rates.T @ m_flow
        by_v[7:, 3:7] = f_spin @ spin_rate + np.outer(spin @ body.coupling, stretch_rate)
        by_v[7:, 7:] = f_flow
        return by_q, by_v

    def kinetic_energy(self, q: np.ndarray, v: np.ndarray) -> float:
        """Return T."""
        return float(0.5 * v @ self.mass(q) @ v - 0.5 * self._along_p * (q[3:7] @ v[3:7]) ** 2)

    def first_moment(self, q: np.ndarray) -> np.ndarray:
        """Return (3,) ∫ρ r in the inertial frame, mass times the place of the centre of mass."""
        turned = rotation_matrix(q[3:7]) @ self._deformed(q[RIGID:]).first
        return np.asarray(self.total_mass * q[:3] + turned)

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (3,) linear and (3,) angular momentum about the inertial origin."""
        axes, body = rotation_matrix(q[3:7]), self._deformed(q[RIGID:])
        spin, flow = body_rates(q[3:7]) @ v[3:7], v[RIGID:]
        drift = _cross(spin, body.first) + self._slopes @ flow
        linear = self.total_mass * v[:3] + axes @ drift
        own = _cross(body.first, axes.T @ v[:3]) + body.tensor @ spin + body.coupling @ flow
        return linear, _cross(q[:3], linear) + axes @ own

    def _deformed(self, flexible: np.ndarray) -> _Deformed:
        # Mass, forces and their changes are asked for at the same place one after the other. Bytes are compared
        # in a tenth of the time that NumPy takes to see whether two short vectors are equal.
        key = flexible.tobytes()
        if self._last is None or self._last[0] != key:
            found = _Deformed(*kernels().deformed(flexible, self._first, self._coupling, self._second))
            self._last = key, found
        return self._last[1]

    def _flow(self, body: _Deformed, flow: np.ndarray) -> _Flow:
        return _Flow((body.tensor_change @ flow)[_FULL], self._gyration @ flow, flow @ self._gyration)

    def _centrifugal(self, body: _Deformed, spin: np.ndarray, flow: np.ndarray, stretch: float) -> np.ndarray:
        """Return (3,) ω̄ × (ω̄ × s) + 2 ω̄ × S q̇_f + stretch s × ω̄."""
        across = _cross(spin, body.first)
        return np.asarray(_cross(spin, across + 2.0 * self._slopes @ flow) - stretch * across)

    def _moment(
        self, body: _Deformed, spin: np.ndarray, flow: np.ndarray, stretch: float, terms: _Flow
    ) -> np.ndarray:
        """Return (3,) −J̇ ω̄ − Ḃ q̇_f − ω̄ × (J ω̄ + B q̇_f) + stretch J ω̄."""
        turn = body.tensor @ spin
        gyroscopic = _cross(spin, turn + body.coupling @ flow)
        return np.asarray(stretch * turn - terms.tensor_rate @ spin - terms.right @ flow - gyroscopic)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(skew(a) @ b)  # numpy's own is many times slower for single vectors


def _weights(spin: np.ndarray) -> np.ndarray:
    """Return (6,) ω_k ω_l of the `PAIRS`, twice those off the diagonal."""
    return np.asarray(_TWICE * np.array([spin[k] * spin[m] for k, m in PAIRS]))
