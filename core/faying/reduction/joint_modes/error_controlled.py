"""Joint modes that are added until the reduced body follows loads with contact and friction to a wanted accuracy."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError
from faying.joints.interface import DenseRows, JointForce, JointResponse, SparseJointForce
from faying.joints.kinematics import ProjectedRows, SparseRows
from faying.joints.linearized import PairSprings
from faying.linalg.products import energies, gram
from faying.params import parameter
from faying.progress import PartialProgress, Progress, Silent
from faying.reduction.extend import extend_basis
from faying.reduction.interior import ROUND_OFF, InteriorProblem
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.linear_states import (
    LinearState,
    component_shapes,
    linear_states,
    tangent_springs,
    with_springs,
)
from faying.reduction.problem import JointModeProblem
from faying.reduction.quality import ritz_modes
from faying.reduction.snapshot_loads import interface_loads
from faying.reduction.training import PathPoint, Training, TrainingError, TrainingLoad

_PRESSURES = 5.0  # error of the pressures from pair to pair, relative to that of the motion, that is allowed
_ROUNDS = 12  # in which modes are added
_KEPT = 0.3  # of the allowed error, that a mode has to take away from some state
_AT_ONCE = 8  # modes added for a load in one round
_SLOW = 0.5  # of the error in the last round: a load whose error is larger gets a factor of its own state
_UNFELT = 1e-6  # effect of a load on the joints, relative to the largest
_BENT = (
    1e-3  # displacement under a load of no particular size, relative to the body's, where nothing scales it
)


@joint_mode_methods.register("error_controlled")
class ErrorControlled(JointModeMethod):
    """Modes of the stuck and the sliding joint, and corrections of states with friction until their errors are small.

    First come the component modes of the body whose closed pairs are springs (`linear_states`): with them a joint that
    holds by friction is as stiff as in the FE model. Then the loads of the project's analyses act on the reduced body
    with contact and friction. The forces f + Q(u) − K u that are out of balance on the FE model tell how far each
    equilibrium is off: the response w = (K + springs)⁻¹ (f + Q − K u) of the stuck body is about the error, and it is
    what the basis lacks. The leading directions of these responses are added, and the loads act again, until the errors
    are as small as wanted (a greedy method for reduced bases: Prud'homme et al. 2002; Haasdonk and Ohlberger 2008;
    with Newton corrections as new vectors). Where many pairs open or slide, the springs are those of the state itself.

    Bodies that vibrate or are part of a system are trained on the inertia of their first modes, and on forces at their
    interface nodes, as large as their joints bear.
    """

    title: ClassVar[str] = "To an accuracy, with friction"
    advice: ClassVar[str] = (
        "The usual choice: sticks and slides as the FE model does, and adds modes until the loads of the analyses come "
        "out to the accuracy. Loads that no analysis has are not checked."
    )
    is_trained: ClassVar[bool] = True

    accuracy: float = parameter(
        0.01, title="Accuracy", gt=0.0, le=0.5,
        meaning="Error of motion in the elastic energy norm up to which modes are added; of pressures from pair to "
        "pair five times as much is allowed.",
    )  # fmt: skip
    most: int = parameter(
        150, title="Joint modes at most", ge=0, le=2000,
        meaning="Largest number of joint modes. Where it does not suffice, a finding tells the accuracy that was met.",
    )  # fmt: skip
    vibration_modes: int = parameter(
        6, title="Stuck and sliding modes", ge=0, le=200, advanced=True,
        meaning="Number of vibration modes of the body with stuck joints, and of that with sliding joints, at least.",
    )  # fmt: skip
    inertia_loads: int = parameter(
        4, title="Inertia loads", ge=0, le=50, advanced=True,
        meaning="For bodies that vibrate: on how many inertia loads, in the shape of their stuck modes, they are "
        "trained.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), no singular values); the errors reached are in `problem.trained`.

        Raises:
            ModelError: for a problem without `training`.
        """
        nothing = np.zeros((problem.interior.n_dofs, 0))
        if not self.most:
            return nothing, np.zeros(0)
        if problem.training is None:
            raise ModelError(
                f"Joint modes {self.title.lower()!r} need the laws of the joints and the loads of analyses, which are "
                "not at hand here.",
                "Choose another joint-mode method.",
            )
        training, grown = problem.training, _GrowingBasis(problem)
        mounted = _mounted_bodies(problem, training)
        loads = np.hstack([training.body_loads, *(load.force[:, None] for load in training.loads)])
        states = [state for body in mounted for state in body.states]
        for k, state in enumerate(states):
            share = PartialProgress(progress, 0.3 * k / len(states), 0.3 * (k + 1) / len(states))
            shapes = component_shapes(state, self.vibration_modes, loads, share, free=problem.free)
            grown.add(shapes, self.most)
        trained = [
            _Trained(body, load)
            for body in mounted
            for load in (*body.loads_of_analyses, *body.loads_of_motion(grown, self.inertia_loads))
        ]
        self._train(trained, grown, PartialProgress(progress, 0.3, 1.0))
        problem.trained = tuple(each.error() for each in trained)
        modes = grown.added
        if not problem.free:  # with the interface nodes at rest they span the same, beside the constraint modes
            at = problem.interior.interface_dofs
            modes = modes - problem.interior.constraint_modes() @ modes[at]
            modes[at] = 0.0
        return modes, np.zeros(0)

    def _train(self, trained: Sequence["_Trained"], grown: "_GrowingBasis", progress: Progress) -> None:
        """Add modes until all loads come out to the accuracy, or there are as many modes as allowed.

        A load that comes out is done with: more vectors do not make it worse, but for the status of single pairs.
        """
        lacking = list(trained)
        for turn in range(_ROUNDS):
            for k, each in enumerate(lacking):
                at = (turn + k / len(lacking)) / _ROUNDS
                text = f"{each.load.name}, {grown.count} trial vectors"
                each.find(grown, self.accuracy, PartialProgress(progress, at, at, text))
                if each.excess(self.accuracy) > 1.0 and turn < _ROUNDS - 1:
                    grown.add(each.leading(self.accuracy), self.most)
            lacking = [each for each in lacking if each.excess(self.accuracy) > 1.0]
            if not lacking or grown.added.shape[1] >= self.most:
                break
        progress.report(1.0, self.title)


class _GrowingBasis:
    """Trial vectors of a body, to which joint modes are added.

    Attributes:
        added: (n_dofs, g) the joint modes so far.
        modes: (n_dofs, r) all trial vectors, free of rigid motions.
        elastic: (r, r) their stiffness.
    """

    def __init__(self, problem: JointModeProblem) -> None:
        self._problem = problem
        self.added = np.zeros((problem.interior.n_dofs, 0))
        self._update()

    @property
    def count(self) -> int:
        """Number of trial vectors."""
        return int(self.modes.shape[1])

    def add(self, vectors: np.ndarray, most: int) -> None:
        """Add what vectors (n_dofs, k) hold outside of those before, without exceeding a number of joint modes."""
        interior = self._problem.interior
        stiffness, vectors = interior.matrices.stiffness, interior.without_rigid_content(vectors)
        stored = energies(stiffness, vectors)
        elastic = stored > ROUND_OFF * (np.abs(stiffness.diagonal()) @ vectors**2)
        vectors = vectors[:, elastic] / np.sqrt(stored[elastic])
        self.added = np.hstack([self.added, vectors[:, : most - self.added.shape[1]]])
        self._update()

    def _update(self) -> None:
        problem = self._problem
        found = extend_basis(
            problem.interior, problem.components, self.added, np.zeros(0), problem.preload_modes
        )
        start = next((g.start for g in found.groups if g.name == "joint modes"), found.modes.shape[1])
        self.modes, self.added = found.modes, found.modes[:, start:]
        elastic = gram(problem.interior.matrices.stiffness, self.modes)
        self.elastic = 0.5 * (elastic + elastic.T)


@dataclass(frozen=True, eq=False)
class _MountedBody:
    """The body under preload cases, at rest.

    Attributes:
        problem, training: the body and its joints.
        preloads: (p,) how much of each preload case acts.
        displacement: (n_dofs,) of the FE model.
        states: linear states; none where no pair touches.
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
    def stuck(self) -> InteriorProblem:
        """The body whose closed pairs stick, or slide where there is no friction; without any the body alone."""
        return self.states[0].interior if self.states else self.problem.interior

    @property
    def loads_of_analyses(self) -> list[TrainingLoad]:
        """The given loads on top of these preload cases."""
        return [load for load in self.training.loads if np.array_equal(load.preloads, self.preloads)]

    def loads_of_motion(self, basis: "_GrowingBasis", count: int) -> list[TrainingLoad]:
        """Return inertia loads in the shape of `count` stuck modes, and forces at interface nodes of a moving body."""
        found = []
        for motion in self.training.motions:
            if not np.array_equal(motion.preloads, self.preloads):
                continue
            support = motion.support
            vectors = _held_at(support, basis.modes, self.problem.interior)
            stiffness, _, _ = self._stuck_over(basis, vectors)
            mass = self.problem.interior.matrices.mass
            _, shapes = ritz_modes(stiffness, gram(mass, vectors))
            for k in range(min(count, shapes.shape[1])):
                force = np.asarray(mass @ (vectors @ shapes[:, k]))
                found += self._scaled(f"inertia in stuck mode {k + 1}", force, support, basis)
            for k, force in enumerate(interface_loads(self.problem).T if motion.at_interfaces else ()):
                found += self._scaled(f"force {k + 1} at interface nodes", force, support, basis)
        return found

    def _stuck_over(
        self, basis: "_GrowingBasis", vectors: np.ndarray
    ) -> tuple[np.ndarray, list[DenseRows], tuple[PairSprings, ...]]:
        """Return the stiffness of the stuck body over vectors, its joints over them, and their springs."""
        dense, stiffness = [_over(rows, vectors) for rows in self.rows], basis.elastic
        springs = self.states[0].springs if self.states else ()
        for found, rows in zip(springs, dense, strict=False):
            stiffness = stiffness + found.over(rows)
        return stiffness, dense, springs

    def _scaled(
        self, name: str, force: np.ndarray, support: np.ndarray, basis: "_GrowingBasis"
    ) -> list[TrainingLoad]:
        """Return a load as large as the joints bear about, in both directions where the body rests without preload.

        The stuck body's friction forces under the load are then as large as the sticking limits in the mean, or without
        friction its normal forces as large as those of the preload. Without preload the load closes initial gaps twice.
        """
        interior = self.problem.interior
        vectors = _held_at(support, basis.modes, interior)
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
        nothing = sp.csr_matrix((0, interior.n_dofs)), np.zeros(0)
        if borne:
            if not demand:
                return []  # the joints do not feel it
            size = np.sqrt(borne / demand)
            return [TrainingLoad(name, self.preloads, size * force, support, *nothing, size_is_given=False)]
        length = float(np.ptp(interior.nodes, axis=0).max())
        moved = float(np.abs(interior.matrices.dofs.displacement_rows @ (vectors @ answer)).max(initial=0.0))
        if opened <= _UNFELT * moved:
            return []
        size = 2.0 * widest / opened if widest > _UNFELT * length else _BENT * length / moved
        # Without preload friction comes and goes with the pressure; what matters then is where the joint opens.
        return [
            TrainingLoad(f"{name}{back}", self.preloads, sign * size * force, support, *nothing, False, False)
            for sign, back in ((1.0, ""), (-1.0, ", backwards"))
        ]


@dataclass(eq=False)
class _Trained:
    """One load, its path on the reduced body, and what that lacks.

    Attributes:
        body: the body under its preload.
        load: of the path.
        motion, pressure, reached: see `TrainingError`.
        corrections: (n_dofs, k) of all states on the path, each over the size of its change from the mounted state.
    """

    body: _MountedBody
    load: TrainingLoad
    motion: float = np.inf
    pressure: float = np.inf
    reached: float = 0.0
    corrections: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    _slow: bool = False

    def excess(self, accuracy: float) -> float:
        """Return the error over the allowed one; pressures count under loads of analyses alone."""
        pressure = self.pressure / _PRESSURES if self.load.size_is_given else 0.0
        return max(self.motion, pressure) / accuracy

    def error(self) -> TrainingError:
        """Return what the load's path came to."""
        return TrainingError(self.load.name, self.motion, self.pressure, self.reached)

    def find(self, basis: "_GrowingBasis", accuracy: float, progress: Progress) -> None:
        """Follow the load on the reduced body, and find errors and corrections of its states."""
        body, before = self.body, self.motion
        interior, training = body.problem.interior, body.training
        vectors = _held_at(self.load.support, basis.modes, interior)
        laws = [(contact, friction if self.load.friction else None) for contact, friction in training.laws]
        joints = [JointForce(_over(r, vectors), *law) for r, law in zip(body.rows, laws, strict=True)]
        start, *path = training.follow(
            basis.elastic, vectors.T @ body.force, vectors.T @ self.load.force, joints, progress,
            constraints=np.asarray(self.load.rows @ vectors), values=self.load.values,
        )  # fmt: skip
        if not path:  # the joints bear nothing of it, so nothing can be learnt from it
            self.motion = self.pressure = 0.0
            return
        self.reached = path[-1].load
        on_fe = [SparseJointForce(r, *law) for r, law in zip(body.rows, laws, strict=True)]
        found = [self._unbalanced(vectors @ point.coordinates, point, on_fe) for point in path]
        answers = found[-1][1]
        left = np.column_stack([forces for forces, _ in found])
        # Sizes of the changes from the mounted state.
        moved = np.array([point.coordinates - start.coordinates for point in path])
        sizes = np.sqrt(np.einsum("ij,jk,ik->i", moved, basis.elastic, moved))
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        factored = body.stuck
        if self._slow or not body.preloads.any():
            factored = self._tangent(answers)
        motion = self._judge(factored, left, sizes, path[-1], vectors, on_fe, answers)
        if factored is body.stuck and self.excess(accuracy) <= 1.0:
            # Where pairs slide or have opened, the stuck body is too stiff to tell an error.
            motion = self._judge(self._tangent(answers), left, sizes, path[-1], vectors, on_fe, answers)
        self._slow = motion > _SLOW * before

    def _tangent(self, answers: Sequence[JointResponse]) -> InteriorProblem:
        """Return the body with the springs that its joints are in a state."""
        rows = self.body.rows
        springs = [tangent_springs(a, r.weights) for a, r in zip(answers, rows, strict=True)]
        return with_springs(self.body.problem.interior, rows, springs)

    def _judge(
        self, factored: InteriorProblem, left: np.ndarray, sizes: np.ndarray, end: PathPoint, vectors: np.ndarray,
        joints: Sequence[SparseJointForce], answers: Sequence[JointResponse],
    ) -> float:  # fmt: skip
        """Set corrections and errors by a factored body, and return the error of the motion."""
        corrections = _respond(factored, left, self.body.problem.free)
        self.motion = float((np.sqrt(energies(factored.matrices.stiffness, corrections)) / sizes).max())
        self.pressure = _pressure_error(joints, end, vectors @ end.coordinates, corrections[:, -1], answers)
        self.corrections = corrections / sizes
        return self.motion

    def leading(self, accuracy: float) -> np.ndarray:
        """Return (n_dofs, k) leading directions of the corrections, as far as they matter beside an accuracy."""
        products = gram(self.body.stuck.matrices.stiffness, self.corrections)
        values, combinations = la.eigh(products)
        least = min((_KEPT * accuracy) ** 2, 0.25 * values[-1])
        chosen = np.flatnonzero(values > least)[::-1][:_AT_ONCE]
        return np.asarray(self.corrections @ (combinations[:, chosen] / np.sqrt(values[chosen])))

    def _unbalanced(
        self, u: np.ndarray, point: PathPoint, on_fe: Sequence[SparseJointForce]
    ) -> tuple[np.ndarray, list[JointResponse]]:
        """Return the forces out of balance (n_dofs,) on the FE model in a state, and the joints' responses there."""
        interior = self.body.problem.interior
        answers = [
            joint.evaluate(u, history, 0.0, jacobian=True)
            for joint, history in zip(on_fe, point.histories, strict=True)
        ]
        left = self.body.force + point.load * self.load.force - interior.matrices.stiffness @ u
        left += sum(answer.force for answer in answers)
        left[self.load.rows.indices] = 0.0  # there are the forces that bring displacements about
        rigid, support = interior.rigid_modes, self.load.support
        if len(support):  # reactions
            left[support] -= np.linalg.lstsq(rigid[support].T, rigid.T @ left)[0]
        else:  # inertia
            left -= interior.matrices.mass @ (rigid @ (rigid.T @ left))
        return left, answers


def _respond(interior: InteriorProblem, unbalanced: np.ndarray, free: bool) -> np.ndarray:
    """Return (n_dofs, k) responses to forces out of balance."""
    if free:
        return interior.solve_free(unbalanced, apart=True)
    motions, mass = interior.free_motions, interior.matrices.mass
    return interior.solve(unbalanced - mass @ (motions @ (motions.T @ unbalanced)))


def _pressure_error(
    joints: Sequence[SparseJointForce],
    point: PathPoint,
    u: np.ndarray,
    correction: np.ndarray,
    answers: Sequence[JointResponse],
) -> float:
    """Return √(Σ w Δp² / Σ w p²) between a state u (n_dofs,) and the corrected one."""
    error = size = 0.0
    for joint, history, answer in zip(joints, point.histories, answers, strict=True):
        corrected = joint.evaluate(u + correction, history, 0.0, jacobian=False)
        error += float(joint.rows.weights @ (corrected.pressure - answer.pressure) ** 2)
        size += float(joint.rows.weights @ answer.pressure**2)
    return float(np.sqrt(error / size)) if size else 0.0


def _mounted_bodies(problem: JointModeProblem, training: Training) -> list[_MountedBody]:
    """Return the body under each set of preload cases that acts with some load; under all cases where none acts."""
    sets = {tuple(case.preloads.tolist()): case.preloads for case in (*training.loads, *training.motions)}
    cases = len(problem.preloads.names) if problem.preloads is not None else 0
    return [_mounted(problem, training, acting) for acting in sets.values() or [np.ones(cases)]]


def _mounted(problem: JointModeProblem, training: Training, acting: np.ndarray) -> _MountedBody:
    rows = _closed_by(problem, training, acting)
    u = np.zeros(problem.interior.n_dofs)
    if problem.preloads is not None and acting.any():
        if acting.sum() == acting.max() == 1.0:
            u = problem.preloads.modes[:, int(acting.argmax())]
        else:  # several cases: their equilibrium in the span of all preload modes and component modes
            vectors = np.hstack([problem.components.modes, problem.preloads.modes])
            joints = [
                JointForce(_over(r, vectors), law) for r, (law, _) in zip(rows, training.laws, strict=True)
            ]
            force = vectors.T @ (problem.preloads.forces @ acting)
            stiffness = gram(problem.interior.matrices.stiffness, vectors)
            rest = training.follow(
                stiffness, force, np.zeros_like(force), joints, Silent(),
                constraints=np.zeros((0, len(force))), values=np.zeros(0),
            )[0]  # fmt: skip
            u = vectors @ rest.coordinates
    states = linear_states(problem.interior, rows, training.laws, u)
    return _MountedBody(problem, training, acting, u, states)


def _closed_by(problem: JointModeProblem, training: Training, acting: np.ndarray) -> list[SparseRows]:
    """Return the rows of all joints with the gaps that the interferences of preload cases leave."""
    if problem.preloads is None:
        return list(training.joints)
    closing = acting @ problem.preloads.closings
    return [
        replace(rows, initial_gaps=rows.initial_gaps - by)
        for rows, by in zip(training.joints, closing, strict=True)
    ]


def _held_at(support: np.ndarray, modes: np.ndarray, interior: InteriorProblem) -> np.ndarray:
    """Return modes (n_dofs, r) less the rigid motion of a support; as they are without one."""
    if not len(support):
        return modes
    rigid = interior.rigid_modes
    return np.asarray(modes - rigid @ np.linalg.lstsq(rigid[support], modes[support])[0])


def _over(rows: SparseRows, vectors: np.ndarray) -> DenseRows:
    """Return the rows of a joint over the amplitudes of vectors (n_dofs, r)."""
    tangential = np.asarray(rows.tangential @ vectors).reshape(len(rows.weights), 2, -1)
    return ProjectedRows(np.asarray(rows.normal @ vectors), tangential, rows.weights, rows.initial_gaps)
