"""A system that vibrates periodically about a state of rest, with contact and friction in the joints of its parts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.analyses import SystemModel
from faying.analyses.harmonics.about_system_state import placed_parts
from faying.analyses.harmonics.loaded_system import marker_rows, markers_of
from faying.analyses.harmonics.periodic_structure import WORK, PeriodicFrame, PeriodicStructure
from faying.errors import ModelError
from faying.joints.cycle import CycleResponse
from faying.joints.cycle_laws import CLOSED
from faying.joints.fourier import FourierBasis
from faying.joints.linearized import pair_springs
from faying.joints.sampled import SampledJointForce
from faying.multibody.joint_springs import springs_in_joints
from faying.multibody.linearized import linearized, moved_on
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.results.names import path_of
from faying.solvers.integrators import State
from faying.spatial.rotations import body_rates

_STILL = 1e-9  # of the fastest vibration over a length of one: slower velocities are round-off
_FREE = 1e-6  # of the highest natural frequency: below, nothing resists a motion
_WEAK = 1e-5  # of the lowest frequency with resistance: that of motions that nothing resists, so that they have a mean


@dataclass(frozen=True, eq=False, kw_only=True)
class PeriodicSystem(PeriodicStructure):
    """A system in its modes with stuck joints; their coordinates are translations, rotations, deformations of parts.

    Attributes:
        built: the system.
        at: its state of rest.
        motions: (n, r) δq of the modes.
        ranges: where the coordinates of each moving part are, (6 + r) of them, by its name.
        paths: in results, of the joints inside parts, which come before the contacts between parts.
        facets: mean edge of the master's facets of each of these contacts; infinite on a shape by formula.
        slid: largest amplitude of slip over it, of each contact, by name.
    """

    built: MultibodySystem
    at: State
    motions: np.ndarray
    ranges: dict[str, slice]
    paths: tuple[str, ...]
    facets: tuple[float, ...]
    slid: dict[str, float] = field(default_factory=dict)

    def responses(self, x: np.ndarray, basis: FourierBasis, omega: float) -> list[CycleResponse]:
        """Return each joint and contact over a period with the coefficients (size, r) of the modes."""
        told = super().responses(x, basis, omega)
        first = len(self.paths)
        for name, edge, each in zip(self.names[first:], self.facets, told[first:], strict=True):
            slips = np.linalg.norm(each.slips[1:].reshape(len(x) - 1, -1, 2), axis=(0, 2))
            largest = float(slips[(each.pairs.did & CLOSED) != 0].max(initial=0.0))
            self.slid[name] = max(self.slid.get(name, 0.0), largest / edge)
        return told

    @property
    def notes(self) -> dict[str, Any]:
        """How far nodes of contacts between parts slid, over the facets."""
        return {"slid_over_facets": dict(self.slid)} if self.slid else {}

    @property
    def marker_motions(self) -> tuple[list[str], np.ndarray]:
        """Names of all markers of parts that move, and (6 m, r) their displacements and rotations over the modes."""
        moving, _ = markers_of(self.built)
        return moving, marker_rows(self.built, self.at, moving) @ self.motions

    @property
    def state_sizes(self) -> dict[str, int | tuple[int, ...]]:
        """Sizes of what frames store of a state, by path."""
        found: dict[str, int | tuple[int, ...]] = {}
        for part, own in self.ranges.items():
            n = own.stop - own.start
            found[path_of("parts", part, "motion")] = RIGID
            if n > RIGID - 1:
                found[path_of("parts", part, "coordinates")] = n - RIGID + 1
        for path, history in zip(self.paths, self.histories, strict=False):
            if history.shape[1]:
                found[f"{path}/history"] = history.shape
        return found

    def sizes(self, harmonics: int) -> dict[str, int | tuple[int, ...]]:
        """Return the sizes of what frames store of a motion, by path; the highest harmonic is given."""
        size = 2 * harmonics + 1
        found = {**self.state_sizes, "coefficients": (size, len(self.shapes))}
        for part, own in self.ranges.items():
            found[path_of("parts", part, "period")] = (size, own.stop - own.start)
        for path, history in zip(self.paths, self.histories, strict=False):
            found[f"{path}/{WORK}"] = len(history)
        return found

    def state(self, amplitudes: np.ndarray, histories: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
        """Return the arrays (…) that a frame stores of a state, by path.

        Args:
            amplitudes: (r,) of the modes.
            histories: of the pairs of each joint.
        """
        stored = placed_parts(self.built, moved_on(self.built, self.at.q, self.motions @ amplitudes))
        for path, history in zip(self.paths, histories, strict=False):
            if history.shape[1]:
                stored[f"{path}/history"] = history
        return stored

    def frame(self, motion: PeriodicFrame) -> dict[str, np.ndarray]:
        """Return the arrays (…) that a frame stores of a periodic motion, by path."""
        period = self.coordinates(motion.coefficients)
        stored = {**self.state(motion.amplitudes, motion.histories), "coefficients": period}
        for part, own in self.ranges.items():
            stored[path_of("parts", part, "period")] = period[:, own]
        for path, work in zip(self.paths, motion.works, strict=False):
            stored[f"{path}/{WORK}"] = work
        return stored


def periodic_system(
    system: SystemModel, built: MultibodySystem, at: State, *, laws: bool = True
) -> PeriodicSystem:
    """Return a system at rest, ready to vibrate about it.

    Constraints hold, forces and reactions have their tangents; joints inside flexible parts and contacts between parts
    follow their laws, from their history in the state. Motions that nothing resists are kept.

    Args:
        system: its decisions and bodies.
        built: the system without redundant equations.
        at: the state.
        laws: whether contacts between parts follow their laws, too; else they have their tangents.

    Raises:
        ModelError: when the parts move, no joint has a closed pair, or some motion departs.
    """
    if np.abs(built.scales * at.v).max(initial=0.0) > _STILL:
        raise ModelError(
            f"The parts of {system.spec.name!r} move in the chosen state, and a harmonic balance is about a rest.",
            "Choose the equilibrium, or a frame of a quasi-static motion.",
        )
    none = [np.zeros((len(at.q[built.ranges[k]]) - RIGID,) * 2) for k, _ in built.numbered_joints]
    small = linearized(built, at.q, at.v, at.all_multipliers, at.history, at.time, at.all_accelerations, none)
    if small.control is not None:
        controlled = ", ".join(dict.fromkeys(small.control.names))
        raise ModelError(
            f"The system {system.spec.name!r} has continuous controllers ({controlled}), whose states a harmonic "
            "balance leaves out.",
            "Let no force follow them, or compute a motion.",
        )
    stuck, closed = small.stiffness.copy(), 0
    springs = springs_in_joints(built, at.q, at.history, "stuck")
    answers = built.respond(at.q, at.history, 0.0)
    owners: list[tuple[str, str]] = []
    for (k, joint), spring, answer in zip(built.numbered_joints, springs, answers, strict=True):
        rows = small.shapes[built.ranges[k]][RIGID:]
        stuck += rows.T @ spring @ rows
        closed += int(np.count_nonzero(answer.closed.touching))
        owners.append((built.parts[k].name, str(getattr(joint.rows, "name", ""))))
    pairs = built.contacts.frozen(at.q, at.history.contacts, small.shapes) if laws else []
    rest, linear = np.zeros(len(stuck)), small.stiffness.copy()
    for each in pairs:
        answer = each.force.evaluate(rest, each.history, 0.0, jacobian=True)
        # Of the tangents at rest the pairs are taken out: they act by their laws.
        linear += answer.jacobian
        held = pair_springs(
            each.force.contact_law,
            each.force.friction_law,
            answer,
            np.asarray(each.force.rows.weights),
            "stuck",
        )
        stuck += answer.jacobian + held.over(each.force.rows)
        closed += held.closed
    names = (*(f"{part}: {joint}" for part, joint in owners), *(each.name for each in pairs))
    if names and not closed:
        raise ModelError(
            f"No contact pair of {', '.join(map(repr, names))} is under pressure at rest, so that the system has no "
            "modes with stuck joints.",
            "Choose preload cases of the parts, or a state whose loads close the joints and contacts.",
        )
    frequencies, modes, weak = _modes(stuck, small.mass)
    motions = small.shapes @ modes
    stiffness, damping, stuck = (modes.T @ matrix @ modes for matrix in (linear, small.damping, stuck))
    shapes, ranges = _part_motions(built, at.q, motions)
    joints = []
    for k, joint in built.numbered_joints:
        own, full = built.ranges[k], joint.full if isinstance(joint, SampledJointForce) else joint
        joints.append(full.about(at.q[own][RIGID:], motions[own][RIGID:]))
    joints += [each.force.about(rest, modes) for each in pairs]
    return PeriodicSystem(
        shapes=shapes, frequencies=frequencies, names=names, joints=tuple(joints),
        histories=(*at.history.joints, *(each.history for each in pairs)), rest=np.zeros(len(frequencies)),
        sticking=closed, stiffness=stiffness + weak, own_damping=damping, stuck=stuck + weak, built=built, at=at,
        motions=motions, ranges=ranges, facets=tuple(each.facet for each in pairs),
        paths=tuple(path_of("parts", part, "joints", joint) for part, joint in owners),
    )  # fmt: skip


def _modes(stiffness: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (r,) frequencies and (r, r) modes, orthonormal in the mass, and a weak stiffness (r, r) over them.

    The stiffness holds the mean of motions that nothing resists.
    """
    squares, modes = la.eigh(stiffness + stiffness.T, mass + mass.T)
    modes = modes * np.sqrt(2.0)  # of the sums, with mass one
    free = np.abs(squares) <= _FREE**2 * np.abs(squares).max(initial=0.0)
    lowest = np.abs(squares[~free]).min(initial=np.inf)
    weak = np.diag(np.where(free, _WEAK**2 * lowest if np.isfinite(lowest) else 1.0, 0.0))
    return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi), modes, weak


def _part_motions(
    system: MultibodySystem, q: np.ndarray, motions: np.ndarray
) -> tuple[np.ndarray, dict[str, slice]]:
    """Return motions (Σ 6 + r, k) of the parts from δq (n, k), and where those of each part are.

    Translations are in space, small rotations about the axes of the part's frame in the state.
    """
    found, ranges, begin = [], {}, 0
    for part, at in zip(system.parts, system.ranges, strict=True):
        if part.n:
            own = motions[at]
            found += [own[:3], body_rates(q[at][3:RIGID]) @ own[3:RIGID], own[RIGID:]]
            ranges[part.name] = slice(begin, begin + part.n - 1)
            begin += part.n - 1
    return np.vstack(found), ranges
