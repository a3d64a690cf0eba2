"""Joint modes that are added until the reduced body follows loads with contact and friction to an accuracy."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.linalg.batched_gmres import Operator, batched_gmres
from faying.linalg.products import energies, gram
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.extend import GrowingBasis
from faying.reduction.interior import ROUND_OFF, InteriorProblem
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.linear_states import component_shapes, tangent_springs, with_springs
from faying.reduction.mounted_bodies import RestingBody, held_at, mounted_bodies, over
from faying.reduction.problem import JointModeProblem
from faying.reduction.training import TrainingError, TrainingLoad, TrainingPoint

_PRESSURES = 5.0  # error of the pressures from pair to pair, relative to that of the motion, that is allowed
_ROUNDS = 12  # in which modes are added for a load, at most
_KEPT = 0.3  # of the allowed error, that a mode has to take away from some state
_BESIDE = 0.05  # of the largest singular value of a load's corrections: less is left to the next round
_AT_ONCE = 8  # modes added for a load in one round
_CORRECTED = 0.1  # error of a correction, relative to that by the stuck body's stiffness
_CORRECTIONS = 20  # largest number of solutions for a correction


@joint_mode_methods.register("error_controlled")
class ErrorControlled(JointModeMethod):
    """Modes of the stuck and the sliding joint, and corrections of states with friction until their errors are small.

    First come the component modes of the body whose closed pairs are springs (`linear_states`): with them a joint that
    holds by friction is as stiff as in the FE model. Then the loads of the project's analyses act on the reduced body
    with contact and friction. The unbalanced forces f + Q(u) − K u on the FE model show how far each
    equilibrium is off: the response w = (K + springs)⁻¹ (f + Q − K u) of the stuck body is about the error, and it is
    the directions that the basis lacks. The leading directions of these responses are added, and the loads act again,
    until the errors are small enough (a greedy method for reduced bases: Prud'homme et al. 2002; Haasdonk and
    Ohlberger 2008; with Newton corrections as new vectors). Where many pairs open or slide, the springs are those of
    the state itself.

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
        250, title="Joint modes at most", ge=0, le=2000,
        meaning="Largest number of joint modes. What accuracy was met under each load, the quality of the basis says.",
    )  # fmt: skip
    vibration_modes: int = parameter(
        12, title="Stuck and sliding modes", ge=0, le=200, advanced=True,
        meaning="Number of vibration modes of the body with stuck joints, and of that with sliding joints, at least.",
    )  # fmt: skip
    inertia_loads: int = parameter(
        2, title="Inertia loads", ge=0, le=50, advanced=True,
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
        training, grown = problem.training, _TrialVectors(problem, self.most)
        mounted = mounted_bodies(problem, training)
        loads = np.hstack([training.body_loads, *(load.force[:, None] for load in training.loads)])
        # A body that is still being mounted is learnt by the loads that mount it.
        states = [state for body in mounted if body.is_in_use for state in body.states]
        for k, state in enumerate(states):
            share = PartialProgress(progress, 0.3 * k / len(states), 0.3 * (k + 1) / len(states))
            shapes = component_shapes(state, self.vibration_modes, loads, share, free=problem.free)
            grown.add(shapes)
        trained = [
            _Trained(body, load)
            for body in mounted
            for load in (*body.loads_of_analyses, *body.loads_of_motion(grown, self.inertia_loads))
        ]
        self._train(trained, grown, PartialProgress(progress, 0.3, 1.0))
        problem.trained = tuple(each.error(self.accuracy) for each in trained)
        modes = grown.added
        if (
            not problem.free
        ):  # with the interface nodes at rest they span the same space, together with the constraint modes
            at = problem.interior.interface_dofs
            modes = modes - problem.interior.constraint_modes() @ modes[at]
            modes[at] = 0.0
        return modes, np.zeros(0)

    def _train(self, trained: Sequence["_Trained"], grown: "_TrialVectors", progress: Progress) -> None:
        """Add modes until all loads come out to the accuracy, or there are as many modes as allowed.

        A load within the accuracy is finished: more vectors do not make it worse, except for the status of single
        pairs.
        """
        kept = _Kept()
        for k, each in enumerate(trained):
            if each.body.preloads.any():  # without preload nothing is stuck, for pairs open under any load
                kept.body = each.body.stuck
            for turn in range(_ROUNDS):
                at = (k + turn / _ROUNDS) / len(trained)
                text = f"{each.load.name}, {grown.count} trial vectors"
                each.find(grown, kept, PartialProgress(progress, at, at, text))
                if not each.excess(self.accuracy) > 1.0 or turn == _ROUNDS - 1 or grown.is_full:
                    break
                grown.add(each.leading(self.accuracy))
        progress.report(1.0, self.title)


class _TrialVectors:
    """Trial vectors of a body, to which joint modes are added.

    Attributes:
        added: (n_dofs, g) the joint modes so far.
        modes: (n_dofs, r) all trial vectors, free of rigid motions.
        elastic: (r, r) their stiffness.
    """

    def __init__(self, problem: JointModeProblem, most: int) -> None:
        self._interior, self._most = problem.interior, most
        before, preloads = problem.components.modes, problem.preload_modes
        count = 0 if preloads is None else preloads.shape[1]
        self._grown = GrowingBasis(problem.interior, before, count + most)
        if preloads is not None:
            self._grown.add(preloads)
        self._first = self._grown.vectors.shape[1]
        self._update()

    @property
    def count(self) -> int:
        """Number of trial vectors."""
        return int(self.modes.shape[1])

    @property
    def is_full(self) -> bool:
        """Whether there are as many joint modes as allowed."""
        return bool(self.added.shape[1] >= self._most)

    def add(self, vectors: np.ndarray) -> None:
        """Add the parts of vectors (n_dofs, k) outside the present span, up to the allowed number of joint modes."""
        interior = self._interior
        stiffness, vectors = interior.matrices.stiffness, interior.without_rigid_content(vectors)
        # Component modes have the motions of loose parts; vectors that are mostly such motions would be dependent.
        loose = interior.loose_motions
        vectors = vectors - loose @ (loose.T @ (interior.inertia @ vectors))
        stored = energies(stiffness, vectors)
        elastic = stored > ROUND_OFF * (np.abs(stiffness.diagonal()) @ vectors**2)
        vectors = vectors[:, elastic] / np.sqrt(stored[elastic])
        self._grown.add(vectors[:, : self._most - self.added.shape[1]])
        self._update()

    def _update(self) -> None:
        idle, vectors = self._grown.idle, self._grown.vectors
        self.added, self.modes = vectors[:, self._first :], np.hstack([idle, vectors])
        # The vectors are orthonormal in the elastic energy.
        self.elastic = np.diag(np.repeat([0.0, 1.0], [idle.shape[1], vectors.shape[1]]))


@dataclass(eq=False)
class _Kept:
    """The body whose factor corrections are found with, from one load to the next; None before there is one."""

    body: InteriorProblem | None = None


@dataclass(eq=False)
class _Trained:
    """One load, its path on the reduced body, and the corrections on the FE model.

    Attributes:
        body: the body under its preload.
        load: of the path.
        motion, pressure, reached: see `TrainingError`.
        corrections: (n_dofs, k) of all states on the path, each over the size of its change from the mounted state.
    """

    body: RestingBody
    load: TrainingLoad
    motion: float = np.inf
    pressure: float = np.inf
    reached: float = 0.0
    corrections: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def excess(self, accuracy: float) -> float:
        """Return the error over the allowed one, of motion or pressures, whichever is larger."""
        return max(self.motion / accuracy, self.pressure / (_PRESSURES * accuracy))

    def error(self, accuracy: float) -> TrainingError:
        """Return the outcome of the load's path."""
        return TrainingError(self.load.name, self.motion, self.pressure, self.reached, accuracy)

    def find(self, basis: "_TrialVectors", kept: "_Kept", progress: Progress) -> None:
        """Follow the load on the reduced body, and find errors and corrections of its states."""
        body, interior, training = self.body, self.body.problem.interior, self.body.training
        vectors = held_at(self.load.support, basis.modes, interior)
        laws = [(contact, friction if self.load.friction else None) for contact, friction in training.laws]
        joints = [JointForce(over(r, vectors), *law) for r, law in zip(body.rows, laws, strict=True)]
        start, *path = training.follow(
            basis.elastic, vectors.T @ body.force, vectors.T @ self.load.force, joints, progress,
            constraints=np.asarray(self.load.rows @ vectors), values=self.load.values,
        )  # fmt: skip
        if not path:  # the joints carry none of it, so that it gives neither vectors nor errors
            self.motion = self.pressure = np.nan
            return
        self.reached = path[-1].load
        on_fe = [SparseJointForce(r, *law) for r, law in zip(body.rows, laws, strict=True)]
        displacements = vectors @ np.column_stack([point.coordinates for point in path])
        answers = [
            [joint.evaluate(u, history, 0.0, jacobian=True) for joint, history in zip(on_fe, p.histories, strict=True)]
            for u, p in zip(displacements.T, path, strict=True)
        ]  # fmt: skip

        def tangents(x: np.ndarray) -> np.ndarray:
            """Return the product of column k with the tangent stiffness of state k."""
            images = interior.matrices.stiffness @ x
            for k, of_state in enumerate(answers):
                images[:, k] -= sum(answer.jacobian @ x[:, k] for answer in of_state)
            return np.asarray(images)

        unbalanced = self._unbalanced(displacements, path, answers)
        corrections = self._corrections(tangents, unbalanced, kept, answers[-1], progress)
        # Sizes of the changes from the mounted state.
        moved = np.column_stack([point.coordinates - start.coordinates for point in path])
        sizes = np.sqrt(np.einsum("ik,ij,jk->k", moved, basis.elastic, moved))
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        errors = np.einsum("nk,nk->k", corrections, tangents(corrections))
        self.motion = float((np.sqrt(np.maximum(errors, 0.0)) / sizes).max())
        end = displacements[:, -1] + corrections[:, -1]
        self.pressure = _pressure_error(on_fe, path[-1], answers[-1], end)
        self.corrections = corrections / sizes

    def _corrections(
        self,
        tangents: Operator,
        unbalanced: np.ndarray,
        kept: "_Kept",
        end: Sequence[JointResponse],
        progress: Progress,
    ) -> np.ndarray:
        """Return (n_dofs, k) the first corrections of Newton's method towards the states of the FE model.

        One factor serves all states: a tangent differs from the stiffness of the stuck body, or from that in a former
        state, by the pairs that slide or have opened since. Where these are many, the last state is factored.
        """

        def solve(factored: InteriorProblem) -> tuple[np.ndarray, np.ndarray]:
            respond = partial(_respond, factored, free=self.body.problem.free)
            return batched_gmres(tangents, respond, unbalanced, _CORRECTED, _CORRECTIONS)

        if kept.body is not None:
            corrections, errors = solve(kept.body)
            if (errors <= _CORRECTED).all():
                return corrections
        kept.body = None  # frees its memory before the next one is factored
        last = self._tangent(end)
        try:
            last.prepare(progress)
        except SolveError:  # it holds some part no more
            last = self.body.stuck
        kept.body = last
        return solve(last)[0]

    def _tangent(self, answers: Sequence[JointResponse]) -> InteriorProblem:
        """Return the body with the springs that its joints are in a state."""
        rows = self.body.rows
        springs = [tangent_springs(a, r.weights) for a, r in zip(answers, rows, strict=True)]
        return with_springs(self.body.problem.interior, rows, springs)

    def leading(self, accuracy: float) -> np.ndarray:
        """Return (n_dofs, k) leading directions of the corrections, as far as they are relevant to an accuracy."""
        products = gram(self.body.stuck.matrices.stiffness, self.corrections)
        values, combinations = la.eigh(products)
        least = min(max(_KEPT * accuracy, _BESIDE * np.sqrt(values[-1])), 0.5 * np.sqrt(values[-1])) ** 2
        chosen = np.flatnonzero(values > least)[::-1][:_AT_ONCE]
        return np.asarray(self.corrections @ (combinations[:, chosen] / np.sqrt(values[chosen])))

    def _unbalanced(
        self,
        displacements: np.ndarray,
        path: Sequence[TrainingPoint],
        answers: Sequence[Sequence[JointResponse]],
    ) -> np.ndarray:
        """Return the forces out of balance (n_dofs, k) on the FE model in states (n_dofs, k)."""
        interior = self.body.problem.interior
        loads = np.outer(self.load.force, [point.load for point in path])
        left = self.body.force[:, None] + loads - interior.matrices.stiffness @ displacements
        left += np.column_stack([sum(answer.force for answer in of_state) for of_state in answers])
        left[self.load.rows.indices] = 0.0  # there are the forces that bring displacements about
        rigid, support = interior.rigid_modes, self.load.support
        if len(support):  # reactions
            left[support] -= np.linalg.lstsq(rigid[support].T, rigid.T @ left)[0]
        else:  # inertia
            left -= interior.matrices.mass @ (rigid @ (rigid.T @ left))
        return np.asarray(left)


def _pressure_error(
    joints: Sequence[SparseJointForce],
    state: TrainingPoint,
    answers: Sequence[JointResponse],
    corrected: np.ndarray,
) -> float:
    """Return √(Σ w Δp² / Σ w p²) between a state with its responses and corrected displacements (n_dofs,)."""
    error = size = 0.0
    for joint, history, answer in zip(joints, state.histories, answers, strict=True):
        pressure = joint.evaluate(corrected, history, 0.0, jacobian=False).pressure
        error += float(joint.rows.weights @ (pressure - answer.pressure) ** 2)
        size += float(joint.rows.weights @ answer.pressure**2)
    return float(np.sqrt(error / size)) if size else 0.0


def _respond(interior: InteriorProblem, unbalanced: np.ndarray, free: bool) -> np.ndarray:
    """Return (n_dofs, k) responses to forces out of balance."""
    if free:
        return interior.solve_free(unbalanced, apart=True)
    motions, mass = interior.free_motions, interior.matrices.mass
    return interior.solve(unbalanced - mass @ (motions @ (motions.T @ unbalanced)))
