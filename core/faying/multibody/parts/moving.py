"""A part that moves: inertia in a floating frame, elasticity and damping of its flexible coordinates, markers."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from faying.errors import ModelError, there_are
from faying.joints.sampled import ActingJoint
from faying.multibody.inertia import FloatingInertia
from faying.multibody.markers import Marker
from faying.multibody.part import RIGID
from faying.multibody.part_table import PartNumbers


def require_mass(name: str, mass: float) -> None:
    """Refuse a part without mass.

    Raises:
        ModelError: names the part.
    """
    if not mass > 0.0 or not np.isfinite(mass):
        raise ModelError(
            f"Part {name!r} has a mass of {mass:g}.",
            "Give it a positive mass; one of an FE model comes from the density of its materials.",
        )


class MovingPart:
    """A `Part` over q = (R, p, q_f); a rigid one has no q_f.

    Args:
        name: of the part.
        inertia: about the origin of its frame.
        scales: (7 + r,) lengths by which errors of the coordinates are judged.
        markers: with unique names.
        stiffness, damping: (r, r).
        joints: joint forces over q_f.
        load: (r,) a constant generalised force on q_f, such as a preload that is in balance; zero by default.
    """

    def __init__(
        self,
        name: str,
        inertia: FloatingInertia,
        scales: np.ndarray,
        markers: Iterable[Marker],
        stiffness: np.ndarray,
        damping: np.ndarray,
        joints: Iterable[ActingJoint] = (),
        load: np.ndarray | None = None,
    ) -> None:
        self.name, self.inertia, self.scales = name, inertia, scales
        self.n, self.total_mass = inertia.n, inertia.total_mass
        self.joints = tuple(joints)
        self.separable_stiffness = np.zeros(self.n)
        self._markers = {marker.name: marker for marker in markers}
        self._stiffness, self._damping = stiffness, damping
        self._load = np.zeros(len(stiffness)) if load is None else load

    def numbers(self) -> PartNumbers:
        """Return its constants."""
        elastic = (self._stiffness.ravel(), self._damping.ravel(), self._load)
        return PartNumbers(self.n, self.inertia.numbers, np.concatenate(elastic))

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n)."""
        return self.inertia.mass(q)

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂(M a)/∂q at constant a."""
        return self.inertia.mass_change(q, a)

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return (n,) quadratic velocity, elastic, damping and weight forces; gravity (3,) in the inertial frame."""
        force = self.inertia.forces(q, v, gravity)
        force[RIGID:] += self._load - self._stiffness @ q[RIGID:] - self._damping @ v[RIGID:]
        return force

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (n, n) ∂forces/∂q and ∂forces/∂v."""
        by_q, by_v = self.inertia.force_changes(q, v, gravity)
        by_q[RIGID:, RIGID:] -= self._stiffness
        by_v[RIGID:, RIGID:] -= self._damping
        return by_q, by_v

    def energies(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> tuple[float, float, float]:
        """Return kinetic, elastic and potential energy (zero with the centre of mass at the inertial origin)."""
        elastic = self.strain_energy(q) - self.preload_work(q)
        weight = float(-gravity @ self.inertia.first_moment(q))
        return self.inertia.kinetic_energy(q, v), elastic, weight

    def strain_energy(self, q: np.ndarray) -> float:
        """Return the energy of the elastic deformation."""
        flexible = q[RIGID:]
        return float(0.5 * flexible @ self._stiffness @ flexible)

    @property
    def is_preloaded(self) -> bool:
        """Whether a constant preload acts on the flexible coordinates."""
        return bool(self._load.any())

    def preload_work(self, q: np.ndarray) -> float:
        """Return the work of the constant preload on the flexible coordinates, from the undeformed part on."""
        return float(self._load @ q[RIGID:])

    def dissipation(self, v: np.ndarray) -> float:
        """Return the power (never negative) that the damping takes."""
        return float(v[RIGID:] @ self._damping @ v[RIGID:])

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (3,) linear and (3,) angular momentum about the inertial origin."""
        return self.inertia.momentum(q, v)

    def centre_of_mass(self, q: np.ndarray) -> np.ndarray:
        """Return (3,) in the inertial frame."""
        return np.asarray(self.inertia.first_moment(q) / self.total_mass)

    def marker(self, name: str) -> Marker:
        """Return a marker; raises ModelError naming the ones there are."""
        if name not in self._markers:
            raise ModelError(
                f"Part {self.name!r} has no marker called {name!r}.", there_are(name, self._markers)
            )
        return self._markers[name]

    def marker_names(self) -> tuple[str, ...]:
        """Return the names of all markers."""
        return tuple(self._markers)

    def placed(self, position: np.ndarray, p: np.ndarray, flexible: Any = None) -> np.ndarray:
        """Return q (n,) for a place of the frame's origin, Euler parameters, and q_f (zero without them)."""
        q = np.zeros(self.n)
        q[:3], q[3:RIGID] = position, p / np.linalg.norm(p)
        if flexible is not None:
            q[RIGID:] = flexible
        return q
