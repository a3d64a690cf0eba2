"""Energies of a system of parts, and the quantities of its energy balance."""

from collections.abc import Sequence

import numpy as np

from faying.joints.interface import JointResponse
from faying.joints.sampled import ActingJoint
from faying.multibody.connections import Connections, Place
from faying.multibody.contacts.of_system import SystemContacts
from faying.multibody.forces import Force
from faying.multibody.history import History
from faying.multibody.part import RIGID, Part
from faying.solvers.balance import Supply, Touching
from faying.solvers.integrators import State


class SystemEnergies:
    """The part of `faying.multibody.system.MultibodySystem` for work and energy."""

    n: int
    gravity: np.ndarray
    parts: tuple[Part, ...]
    ranges: tuple[slice, ...]
    force_members: tuple[Force, ...]
    contacts: SystemContacts
    numbered_joints: list[tuple[int, ActingJoint]]
    _at_forces: list[tuple[Place, ...]]
    _connections: Connections
    _moving: Sequence[int]

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,)."""
        raise NotImplementedError

    def respond(self, q: np.ndarray, history: History, time_step: float) -> list[JointResponse]:
        """Return the response of each joint."""
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

    def preload_work(self, q: np.ndarray) -> float | None:
        """Return the work of the preloads of flexible parts, which `energies` subtracts; None without any."""
        preloaded = [(part, at) for part, at in self._of_parts() if part.is_preloaded]
        return sum(part.preload_work(q[at]) for part, at in preloaded) if preloaded else None

    # --- called by the energy balance

    def touching(self, q: np.ndarray, history: History, time_step: float) -> Touching:
        """Return the energy stored in the laws of joints and contacts, and the generalised forces of their friction."""
        stored, friction = 0.0, np.zeros(self.n)
        answers = self.respond(q, history, time_step)
        for (k, joint), answer in zip(self.numbered_joints, answers, strict=True):
            at = slice(self.ranges[k].start + RIGID, self.ranges[k].stop)
            stored += joint.stored_energy(answer)
            friction[at] += joint.friction_force(answer)
        touched = self.contacts.respond(q, history.contacts, time_step)
        stored += sum(
            c.stored_energy(answer) for c, answer in zip(self.contacts.members, touched, strict=True)
        )
        self.contacts.add_friction(touched, friction)
        self._add_friction_of_constraints(q, history, time_step, friction)
        return Touching(stored, friction)

    def supply(self, state: State) -> Supply:
        """Return the power of prescribed motions, and the generalised forces between markers."""
        time, q, v = state.time, state.q, state.v
        drives = float(state.all_multipliers @ self.constraint_rates(time)[0])
        force = np.zeros(self.n)
        members = zip(self.force_members, self._at_forces, state.history.force_angles, strict=True)
        for member, places, angles in members:
            if member.rubs:
                continue  # `touching` has it
            motions = self._connections.motions(places, q, v)
            wrenches = member.wrenches(motions, time, angles)
            self._connections.carry(wrenches[None], places, motions, force[None])
        return Supply(drives, force)

    def _add_friction_of_constraints(
        self, q: np.ndarray, history: History, time_step: float, friction: np.ndarray
    ) -> None:
        """Add to forces (n,) those of friction in constraints, after a step from a history."""
        members = zip(self.force_members, self._at_forces, history.force_angles, strict=True)
        for member, places, last in members:
            if member.rubs:
                motions = self._connections.motions(places, q)
                wrenches = member.wrenches(motions, float(last[0]) + time_step, last)
                self._connections.carry(wrenches[None], places, motions, friction[None])

    def dissipation(self, rates: np.ndarray) -> float:
        """Return the power that the parts' damping takes."""
        return sum(part.dissipation(rates[at]) for part, at in self._of_parts())

    def own_energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic energy of the parts, and the potential energy of their elasticity and weight."""
        kinetic, elastic, weight = self._energies_of_parts(q, v)
        return kinetic, elastic + weight

    def _energies_of_parts(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        total = np.zeros(3)
        for part, at in self._of_parts():
            total += part.energies(q[at], v[at], self.gravity)
        return float(total[0]), float(total[1]), float(total[2])

    def _of_parts(self) -> list[tuple[Part, slice]]:
        return [(self.parts[k], self.ranges[k]) for k in self._moving]
