"""The terms of a part in the equations of motion: its own inertia, elasticity and weight, and its markers."""

from typing import Any, Protocol

import numpy as np

from faying.joints.sampled import ActingJoint
from faying.multibody.markers import Marker
from faying.multibody.part_table import PartNumbers

RIGID = 7  # position of the part's frame and its Euler parameters come first, then flexible coordinates


class Part(Protocol):
    """A part of a multibody system: coordinates q = (R, p, q_f), (n,); ground has none.

    Lagrange's equations M(q) v̇ = Q(q, v) + (external forces), on which the system imposes pᵀp = 1. The
    mass may be singular along p alone; a part adds the term of a kinetic energy ½ J (p·ṗ)², which vanishes on the
    unit sphere, so that M is positive definite.

    Attributes:
        name: of the part.
        n: number of coordinates: 7 + r, or 0.
        scales: (n,) lengths by which errors of the coordinates are judged.
        total_mass: of the part.
        joints: joint forces over q_f, empty for a rigid part.
        separable_stiffness: (n,) of the joint modes, zero for all other coordinates.
    """

    name: str
    n: int
    scales: np.ndarray
    separable_stiffness: np.ndarray
    total_mass: float
    joints: tuple[ActingJoint, ...]

    def numbers(self) -> PartNumbers:
        """Return its constants, by which a system evaluates all of its parts at once."""

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return (n,) quadratic velocity, elastic, damping and weight forces; gravity (3,) in the inertial frame."""

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (n, n) ∂forces/∂q and ∂forces/∂v."""

    def energies(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> tuple[float, float, float]:
        """Return kinetic, elastic and potential energy (zero with the centre of mass at the inertial origin).

        Elastic energy includes the potential of the preload: it is smaller by the preload's work (`preload_work`).
        """

    def strain_energy(self, q: np.ndarray) -> float:
        """Return the energy of the elastic deformation."""

    @property
    def is_preloaded(self) -> bool:
        """Whether a constant preload acts on the flexible coordinates."""

    def preload_work(self, q: np.ndarray) -> float:
        """Return the work of the constant preload on the flexible coordinates, from the undeformed part on."""

    def dissipation(self, v: np.ndarray) -> float:
        """Return the power (never negative) that the damping takes."""

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (3,) linear and (3,) angular momentum about the inertial origin."""

    def marker(self, name: str) -> Marker:
        """Return a marker; raises ModelError naming the ones there are."""

    def marker_names(self) -> tuple[str, ...]:
        """Return the names of all markers."""

    def placed(self, position: np.ndarray, p: np.ndarray, flexible: Any = None) -> np.ndarray:
        """Return q (n,) for a place, unit Euler parameters, and flexible coordinates (zero without them)."""
