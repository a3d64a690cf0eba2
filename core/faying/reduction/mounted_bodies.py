"""A jointed body at rest under preload cases: its linear states, and loads scaled to the capacity of its joints."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.joints.interface import DenseRows, JointForce
from faying.joints.kinematics import ProjectedRows, SparseRows
from faying.joints.linearized import PairSprings
from faying.linalg.products import gram
from faying.progress import Silent
from faying.reduction.interior import InteriorProblem
from faying.reduction.linear_states import LinearState, linear_states
from faying.reduction.problem import JointModeProblem
from faying.reduction.quality import ritz_modes
from faying.reduction.snapshot_loads import interface_loads
from faying.reduction.training import Training, TrainingLoad

_UNFELT = 1e-6  # effect of a load on the joints, relative to its motion, to leave it out
_BORNE = 0.5  # of the joints' capacity: the size of a load that represents motion
_SLIPS = (
    1.0  # of it, as the size of a vibration's inertia: below, an evenly pressed joint does not slip at all
)
_BENT = 1e-3  # displacement under a load of arbitrary size, relative to the body's size, if nothing else scales it


class TrialVectors(Protocol):
    """Trial vectors of a body: `modes` (n_dofs, r) free of rigid motions, and `elastic` (r, r) their stiffness."""

    @property
    def modes(self) -> np.ndarray:
        """(n_dofs, r)."""

    @property
    def elastic(self) -> np.ndarray:
        """(r, r)."""


@dataclass(frozen=True, eq=False)
class RestingBody:
    """The body under preload cases, at rest.

    Attributes:
        problem, training: the body and its joints.
        preloads: (p,) how much of each preload case acts.
        displacement: (n_dofs,) of the FE model.
        states: linear states; none if no pair touches.
    """

    problem: JointModeProblem
    training: Training
    preloads: np.ndarray
    displacement: np.ndarray
    states: tuple[LinearState, ...]

    @property
    def force(self) -> np.ndarray:
        """(n_dofs,) forces of the preload cases."""
        cases = self.problem.preloads
        return np.zeros(self.problem.interior.n_dofs) if cases is None else cases.forces @ self.preloads

    @property
    def rows(self) -> list[SparseRows]:
        """Rows of each joint, with the gaps that the preload leaves."""
        return _closed_by(self.problem, self.training, self.preloads)

    @property
    def springs(self) -> tuple[PairSprings, ...]:
        """The springs of each joint in the first state; none if no pair touches."""
        return self.states[0].springs if self.states else ()

    @property
    def n_closed(self) -> int:
        """Number of closed pairs."""
        return sum(springs.closed for springs in self.springs)

    @property
    def stuck(self) -> InteriorProblem:
        """The body whose closed pairs stick, or slide where there is no friction; without any the body alone."""
        return self.states[0].interior if self.states else self.problem.interior

    @property
    def loads_of_analyses(self) -> list[TrainingLoad]:
        """The given loads on top of these preload cases."""
        return [load for load in self.training.loads if np.array_equal(load.preloads, self.preloads)]

    @property
    def is_in_use(self) -> bool:
        """Whether the body under these preload cases is used for more than to continue mounting it."""
        loads = self.loads_of_analyses
        return not loads or not all(load.mounts for load in loads)

    def loads_of_motion(self, basis: TrialVectors, count: int) -> list[TrainingLoad]:
        """Return inertia loads in the shape of `count` stuck modes, and forces at interface nodes of a moving body."""
        found: list[TrainingLoad] = []
        held: set[tuple[int, ...]] = set()  # supports at which the body has vibrated
        for motion in self.training.motions:
            if not np.array_equal(motion.preloads, self.preloads):
                continue
            support = motion.support
            vectors = held_at(support, basis.modes, self.problem.interior)
            stiffness, _, _ = self._stuck_over(basis, vectors)
            mass = self.problem.interior.matrices.mass
            _, shapes = ritz_modes(stiffness, gram(mass, vectors))
            new = tuple(support.tolist()) not in held
            held.add(tuple(support.tolist()))
            for k in range(min(count, shapes.shape[1]) if new else 0):
                force = np.asarray(mass @ (vectors @ shapes[:, k]))
                found += self._scaled(f"inertia in stuck mode {k + 1}", force, support, basis, _SLIPS)
            if motion.force.any():
                found += self._scaled("loads of the motion", motion.force, support, basis)
            for k, force in enumerate(interface_loads(self.problem).T if motion.at_interfaces else ()):
                found += self._scaled(f"force {k + 1} at interface nodes", force, support, basis)
        return found

    def _stuck_over(
        self, basis: TrialVectors, vectors: np.ndarray
    ) -> tuple[np.ndarray, list[DenseRows], tuple[PairSprings, ...]]:
        """Return the stiffness of the stuck body over vectors, its joints over them, and their springs."""
        dense, stiffness = [over(rows, vectors) for rows in self.rows], basis.elastic
        springs = self.springs
        for found, rows in zip(springs, dense, strict=False):
            stiffness = stiffness + found.over(rows)
        return stiffness, dense, springs

    def _scaled(
        self,
        name: str,
        force: np.ndarray,
        support: np.ndarray,
        basis: TrialVectors,
        share: float = _BORNE,
    ) -> list[TrainingLoad]:
        """Return a load near the joints' capacity, in both directions; none if it does not act on the joints.

        Args:
            name, force, support: of the load.
            basis: the trial vectors so far.
            share: the stuck body's friction forces under the load, over the sticking limits, in the mean. Without
                friction its normal forces are half as large as those of the preload; without preload the load closes
                initial gaps twice.
        """
        interior = self.problem.interior
        vectors = held_at(support, basis.modes, interior)
        stiffness, dense, springs = self._stuck_over(basis, vectors)
        answer = la.lstsq(stiffness, vectors.T @ force, cond=1e-12)[0]
        demand = borne = opened = widest = 0.0
        for i, (of_joint, (contact, friction)) in enumerate(zip(dense, self.training.laws, strict=True)):
            gaps = of_joint.initial_gaps + self.rows[i].normal @ self.displacement
            pressure = contact.pressure(gaps)[0] * (gaps < contact.closing_gap())
            limits = pressure if friction is None else friction.sticking_limit(pressure)[0]
            borne += float(np.sum((of_joint.weights * limits) ** 2))
            opened = max(opened, float(np.abs(of_joint.normal @ answer).max(initial=0.0)))
            widest = max(widest, float(gaps.max(initial=0.0)))
            if springs and friction is None:
                demand += float(np.sum((springs[i].normal * (of_joint.normal @ answer)) ** 2))
            elif springs:
                slips = of_joint.tangential @ answer
                demand += float(np.sum(np.einsum("nij,nj->ni", springs[i].tangential, slips) ** 2))
        if borne:
            rubs = any(friction is not None for _, friction in self.training.laws)
            size = (share if rubs else _BORNE) * np.sqrt(borne / demand) if demand else 0.0
        else:
            length = float(np.ptp(interior.nodes, axis=0).max())
            moved = float(
                np.abs(interior.matrices.dofs.displacement_rows @ (vectors @ answer)).max(initial=0.0)
            )
            size = 2.0 * widest / opened if widest > _UNFELT * length else _BENT * length / moved
            size *= opened > _UNFELT * moved
        if not size:
            return []
        nothing = sp.csr_matrix((0, interior.n_dofs)), np.zeros(0)
        # Without preload friction varies with the pressure; then the opening of the joint matters.
        return [
            TrainingLoad(f"{name}{back}", self.preloads, sign * size * force, support, *nothing, bool(borne))
            for sign, back in ((1.0, ""), (-1.0, ", backwards"))
        ]


def mounted_bodies(problem: JointModeProblem, training: Training) -> list[RestingBody]:
    """Return the body under each set of preload cases that acts with a load; under all cases if none does."""
    every = [case.preloads for case in training.loads] + [case.preloads for case in training.motions]
    sets = {tuple(acting.tolist()): acting for acting in every}
    cases = len(problem.preloads.names) if problem.preloads is not None else 0
    return [_mounted(problem, training, acting) for acting in sets.values() or [np.ones(cases)]]


def _mounted(problem: JointModeProblem, training: Training, acting: np.ndarray) -> RestingBody:
    rows = _closed_by(problem, training, acting)
    u = np.zeros(problem.interior.n_dofs)
    if problem.preloads is not None and acting.any():
        if acting.sum() == acting.max() == 1.0:
            u = problem.preloads.modes[:, int(acting.argmax())]
        else:  # several cases: their equilibrium in the span of all preload modes and component modes
            vectors = np.hstack([problem.components.modes, problem.preloads.modes])
            joints = [
                JointForce(over(r, vectors), law) for r, (law, _) in zip(rows, training.laws, strict=True)
            ]
            force = vectors.T @ (problem.preloads.forces @ acting)
            stiffness = gram(problem.interior.matrices.stiffness, vectors)
            rest = training.follow(
                stiffness, force, np.zeros_like(force), joints, Silent(),
                constraints=np.zeros((0, len(force))), values=np.zeros(0),
            )[0]  # fmt: skip
            u = vectors @ rest.coordinates
    states = linear_states(problem.interior, rows, training.laws, u)
    return RestingBody(problem, training, acting, u, states)


def _closed_by(problem: JointModeProblem, training: Training, acting: np.ndarray) -> list[SparseRows]:
    """Return the rows of all joints with the gaps that the interferences of preload cases leave."""
    if problem.preloads is None:
        return list(training.joints)
    closing = acting @ problem.preloads.closings
    return [
        replace(rows, initial_gaps=rows.initial_gaps - by)
        for rows, by in zip(training.joints, closing, strict=True)
    ]


def held_at(support: np.ndarray, modes: np.ndarray, interior: InteriorProblem) -> np.ndarray:
    """Return modes (n_dofs, r) minus the rigid motion of a support; unchanged without a support."""
    if not len(support):
        return modes
    rigid = interior.rigid_modes
    return np.asarray(modes - rigid @ np.linalg.lstsq(rigid[support], modes[support])[0])


def over(rows: SparseRows, vectors: np.ndarray) -> DenseRows:
    """Return the rows of a joint over the amplitudes of vectors (n_dofs, r)."""
    tangential = np.asarray(rows.tangential @ vectors).reshape(len(rows.weights), 2, -1)
    return ProjectedRows(np.asarray(rows.normal @ vectors), tangential, rows.weights, rows.initial_gaps)
