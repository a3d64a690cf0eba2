"""Energies of a system of parts, and what its energy balance asks."""

from collections.abc import Sequence

import numpy as np

from faying.joints.interface import JointForce
from faying.multibody.connections import Connections, Place
from faying.multibody.forces import Force
from faying.multibody.history import History
from faying.multibody.part import RIGID, Part
from faying.solvers.balance import Supply
from faying.solvers.integrators import State


class SystemEnergies:
    """The part of `faying.multibody.system.MultibodySystem` that knows of work and energy."""

    n: int
    gravity: np.ndarray
    parts: tuple[Part, ...]
    ranges: tuple[slice, ...]
    force_members: tuple[Force, ...]
    numbered_joints: list[tuple[int, JointForce]]
    _at_forces: list[tuple[Place, ...]]
    _connections: Connections
    _moving: Sequence[int]

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,)."""
        raise NotImplementedError

    def energies(self, q: np.ndarray, v: np.ndarray, history: History) -> tuple[float, float, float]:
        """Return kinetic energy, elastic energy of parts and springs, and potential energy of the weight."""
        kinetic, elastic, weight = self._energies_of_parts(q, v)
        members = zip(self.force_members, self._at_forces, history.force_angles, strict=True)
        elastic += sum(
            member.potential(self._connections.motions(places, q), angles)
            for member, places, angles in members
        )
        return kinetic, elastic, weight

    # --- what the energy balance asks

    @property
    def jointed(self) -> list[tuple[slice, JointForce]]:
        """The joints, each with where the flexible coordinates of its part are among all."""
        ranges = self.ranges
        return [(slice(ranges[k].start + RIGID, ranges[k].stop), joint) for k, joint in self.numbered_joints]

    def supply(self, state: State) -> Supply:
        """Return the power of prescribed motions, and the generalised forces between markers."""
        time, q, v = state.time, state.q, state.v
        drives = float(state.all_multipliers @ self.constraint_rates(time)[0])
        force = np.zeros(self.n)
        members = zip(self.force_members, self._at_forces, state.history.force_angles, strict=True)
        for member, places, angles in members:
            motions = self._connections.motions(places, q, v)
            wrenches = member.wrenches(motions, time, angles)
            self._connections.carry(wrenches[None], places, motions, force[None])
        return Supply(drives, force)

    def dissipation(self, rates: np.ndarray) -> float:
        """Return the power that the parts' damping takes."""
        return sum(part.dissipation(rates[at]) for part, at in self._of_parts())

    def own_energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic energy of the parts, and what their elasticity and weight store."""
        kinetic, elastic, weight = self._energies_of_parts(q, v)
        return kinetic, elastic + weight

    def _energies_of_parts(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        total = np.zeros(3)
        for part, at in self._of_parts():
            total += part.energies(q[at], v[at], self.gravity)
        return float(total[0]), float(total[1]), float(total[2])

    def _of_parts(self) -> list[tuple[Part, slice]]:
        return [(self.parts[k], self.ranges[k]) for k in self._moving]
