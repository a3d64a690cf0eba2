"""Inertia of a body in its floating frame: mass matrix, quadratic velocity forces, weight, and their derivatives.

Notation: ẑ = (1, q_f); A, ω̄ = H̄ ṗ and all vectors with a bar in the frame. Per unit of the quasi-velocities
(Ṙ, ω̄, q̇_f) the kinetic energy of a body is

    T = m Ṙ²/2 + Ṙ · A (ω̄ × s + S q̇_f) + ω̄ᵀJ ω̄/2 + ω̄ᵀB q̇_f + q̇_fᵀ M_ff q̇_f/2

with s = ŝ ẑ the first moment, S = ∂s/∂q_f, J_kl = ẑᵀ N_kl ẑ and B_k = ẑᵀ Ĝ_k of constant ŝ, N, Ĝ (the shape
integrals of Shabana 2020, section 5.3; thesis eqs. 2.28). Lagrange's equations then give the quadratic velocity
forces in the compact form of Sherif and Nachbagauer (2014), thesis eq. 2.40.

Displacements of second order ½ w_ij q_i q_j (`faying.reduction.second_order`) add the terms of T in which they stand
alone: ∫ρ x × w_ij to Ĝ, the same of J to N, and s = ŝ ẑ + ½ q_fᵀ L q_f with L = ∫ρ w. T stays consistent to second
order in q_f and q̇_f, and what follows from it keeps energy and momentum.
"""

import numpy as np

from faying.multibody.inertia_numbers import Deformed, Inertias, packed
from faying.multibody.part import RIGID
from faying.multibody.part_table import PartNumbers, PartTable
from faying.reduction.inertia import ShapeIntegrals
from faying.reduction.second_order import SecondOrder
from faying.spatial.rotations import body_rates, cross, rotation_matrix


class FloatingInertia:
    """Inertia over q = (R, p, q_f), constant while a system is solved.

    Attributes:
        numbers: all of it, see `faying.multibody.inertia_numbers`.

    Args:
        total_mass: m.
        first: ŝ (3, 1 + r) about the frame's origin.
        coupling: Ĝ (3, 1 + r, r).
        second: N (6, 1 + r, 1 + r), symmetric each.
        mass: M_ff (r, r).
        drift: L (3, r, r); None for zero.
    """

    def __init__(
        self,
        total_mass: float,
        first: np.ndarray,
        coupling: np.ndarray,
        second: np.ndarray,
        mass: np.ndarray,
        drift: np.ndarray | None = None,
    ) -> None:
        self.total_mass, self.n = total_mass, RIGID + len(mass)
        self._flexible_mass = mass
        # Factor of the term that vanishes on the unit sphere: of the size of the other terms, 4 J on average.
        along_p = 4.0 / 3.0 * float(second[:3, 0, 0].sum())
        self.numbers = packed(total_mass, along_p, first, coupling, second, mass, drift)
        self._table = PartTable([PartNumbers(self.n, self.numbers, np.zeros(0))])
        self._inertias = Inertias.of(self.numbers[None], len(mass))

    @classmethod
    def of_shape_integrals(
        cls, integrals: ShapeIntegrals, mass: np.ndarray, origin: np.ndarray, of_second: SecondOrder | None = None
    ) -> "FloatingInertia":  # fmt: skip
        """Return the inertia of a reduced body with its frame at a point (3,) of the undeformed body.

        Args:
            integrals: over the body's modes.
            mass: (r, r) of the modes.
            origin: in the coordinates of the nodes.
            of_second: displacements of second order; None without geometric stiffening.
        """
        modes = np.eye(6 + len(mass))[:, 6:]
        about = integrals.recombined(np.concatenate([-origin, np.zeros(3)]), modes)
        kept = np.concatenate([[0], 7 + np.arange(len(mass))])
        if of_second is not None:
            about = of_second.added_to(about, origin)
        return cls(
            integrals.total_mass,
            about.first[:, kept],
            about.coupling[:, kept, 6:],
            about.second[:, kept[:, None], kept],
            mass,
            None if of_second is None else of_second.drift,
        )

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""
        return self._table.mass_and_forces(q, np.zeros(self.n), np.zeros(3))[0]

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        return self._table.mass_change(q, a)

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return (n,) quadratic velocity forces and weight."""
        return self._table.mass_and_forces(q, v, gravity)[1]

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (n, n) ∂forces/∂q and ∂forces/∂v."""
        return self._table.force_changes(q, v, gravity)

    def kinetic_energy(self, q: np.ndarray, v: np.ndarray) -> float:
        """Return T."""
        linear, turning, bending, spin = self._momenta(q, v)
        return 0.5 * float(v[:3] @ linear + spin @ turning + v[RIGID:] @ bending)

    def first_moment(self, q: np.ndarray) -> np.ndarray:
        """Return (3,) ∫ρ r in the inertial frame, mass times the place of the centre of mass."""
        return np.asarray(self.total_mass * q[:3] + rotation_matrix(q[3:7]) @ self._deformed(q)[0])

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (3,) linear and (3,) angular momentum about the inertial origin."""
        linear, turning, _, _ = self._momenta(q, v)
        return linear, cross(q[:3], linear) + rotation_matrix(q[3:7]) @ turning

    def _momenta(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return ∂T over Ṙ (3,), ω̄ (3,) and q̇_f (r,), and ω̄."""
        axes, (first, slopes, tensor, _, coupling) = rotation_matrix(q[3:7]), self._deformed(q)
        spin, flow = body_rates(q[3:7]) @ v[3:7], v[RIGID:]
        own = axes.T @ v[:3]
        linear = self.total_mass * v[:3] + axes @ (cross(spin, first) + slopes @ flow)
        turning = cross(first, own) + tensor @ spin + coupling @ flow
        return linear, turning, slopes.T @ own + coupling.T @ spin + self._flexible_mass @ flow, spin

    def _deformed(self, q: np.ndarray) -> Deformed:
        return Deformed(*(own[0] for own in self._inertias.deformed(q[None, RIGID:])))
