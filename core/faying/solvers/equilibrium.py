"""Static equilibrium of a jointed body, reduced or not: f + Q_joint(x) = K x + Cᵀ λ, C x = d."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import SolveError
from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.linalg.symmetric import is_sparse
from faying.progress import PartialProgress, Progress
from faying.solvers.newton import USUAL_ITERATIONS, NewtonReport, solve_newton
from faying.solvers.tangent import SparseTangent


class Joint(Protocol):
    """A joint force over some coordinates, dense or sparse (`faying.joints.interface`)."""

    def evaluate(
        self, q: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return the joint's force, Jacobian and new history."""


def require_numbers(load: np.ndarray) -> None:
    """Refuse a load (n,) that is not finite; raises SolveError."""
    if not np.isfinite(load).all():
        raise SolveError(
            "A load of the static equilibrium is not a finite number.",
            "Look at the loads, their factors and load histories.",
        )


Solution = tuple[np.ndarray, list[JointResponse], NewtonReport]

_BALANCE = 1e-4  # of the largest force, that may be left
_PROJECTED = 1e-8  # of the forces, that constraints could carry and are left all the same
_GIVEN = 1e-12  # of the sizes of the terms of C x − d: below it constraints count as satisfied
_SOFTEST = 1e-9  # of the largest stiffness: springs that keep a free part from flying off


def solve_equilibrium(
    stiffness: Any,
    load: np.ndarray,
    joints: Sequence[Joint],
    histories: Sequence[np.ndarray],
    start: np.ndarray,
    progress: Progress,
    *,
    constraints: Any = None,
    tangent: SparseTangent | None = None,
    values: np.ndarray | None = None,
    tolerance: float = 1e-20,
    iterations: int = 80,
) -> Solution:
    """Return (coordinates, responses of the joints there, report).

    Every correction obeys the constraints, so their forces do no work along it: the search along it and the
    energy at which the iteration stops do not depend on them.

    Args:
        stiffness: K, dense (n, n) or CSR; of a body that is held.
        load: (n,) generalised forces.
        joints: joint forces over the same coordinates.
        histories: their committed friction histories.
        start: first guess; should satisfy the constraints, the first correction removes the remaining violation.
        progress: reports iterations and cancels.
        constraints: C (m, n) of full row rank: CSR for a sparse stiffness, dense for a dense one.
        tangent: of the same sparse stiffness and constraints, with the factor of an equilibrium nearby.
        values: d (m,); zero without them.
        tolerance, iterations: see `solve_newton`.

    Raises:
        SolveError: without convergence, and for a load that is not finite.
    """
    require_numbers(load)
    sparse = is_sparse(stiffness)
    if sparse and tangent is None:
        tangent = SparseTangent(stiffness, constraints)
    within = None
    if not sparse and constraints is not None:
        # The motions that dense constraints leave: the last columns of the orthogonal factor of Cᵀ.
        within = la.qr(np.asarray(constraints).T)[0][:, len(constraints) :]
    problem = _Problem(
        stiffness, load, histories, constraints, tangent if sparse else None, tolerance, values, within
    )
    if not any(_rubs(joint) for joint in joints):
        return problem.solved(joints, start, progress, iterations)
    try:
        return problem.solved(joints, start, progress, min(iterations, _WITH_FRICTION))
    except SolveError:
        return _through_given_limits(problem, joints, start, progress, iterations)


_WITH_FRICTION = (
    25  # corrections of plain Newton's method with friction, before sticking limits are held fixed
)
_ROUNDS, _SETTLED = (
    40,
    3,
)  # rounds with fixed limits; those after which open pairs lose their friction history


def _rubs(joint: Joint) -> bool:
    return isinstance(joint, JointForce | SparseJointForce) and joint.friction_law is not None


def _through_given_limits(
    problem: "_Problem", joints: Sequence[Joint], start: np.ndarray, progress: Progress, iterations: int
) -> Solution:
    """Return the equilibrium by a fixed-point iteration on sticking limits, which are those of the last pressures.

    With limits that depend on the pressures there is no potential, and Newton's method may cycle. With fixed limits
    (Tresca's friction) there is a convex one. The pressures found give the next limits, a contraction as long as
    friction coefficients are not large (Nečas, Jarušek and Haslinger 1980); after each round plain Newton is tried.

    When a pair opens its friction spring loses its force, which may close the pair again, and so on. So after
    `_SETTLED` rounds open pairs lose their friction history: when they close again, slip counts from there.
    """
    x, done = start, 0
    for turn in range(_ROUNDS):
        part = PartialProgress(
            progress, 1.0 - 0.8**turn, 1.0 - 0.8 ** (turn + 1), f"sticking limits {turn + 1}"
        )
        answers = problem.respond(joints, x, False)
        if turn > _SETTLED:
            problem = problem.forgetting([~answer.is_closed for answer in answers])
        given: list[Joint] = []
        for joint, answer in zip(joints, answers, strict=True):
            if isinstance(joint, JointForce | SparseJointForce) and joint.friction_law is not None:
                limits = joint.friction_law.sticking_limit(answer.pressure)[0]
                given.append(replace(joint, limits=np.where(answer.is_closed, limits, -1.0)))
            else:
                given.append(joint)
        x, _, report = problem.solved(given, x, part, iterations)
        done += report.iterations
        try:
            x, answers, report = problem.solved(joints, x, part, 10)
        except SolveError:
            continue
        return x, answers, replace(report, iterations=done + report.iterations)
    problem.require_balance(joints, x)
    return x, problem.respond(joints, x, False), replace(report, iterations=done)


@dataclass(frozen=True, eq=False)
class _Problem:
    """load + Q(x) = K x + Cᵀ λ for any joints; see `solve_equilibrium`.

    `within` (n, n − m) spans the motions that dense constraints leave.
    """

    stiffness: Any
    load: np.ndarray
    histories: Sequence[np.ndarray]
    constraints: Any
    tangent: SparseTangent | None
    tolerance: float
    values: np.ndarray | None = None
    within: np.ndarray | None = None

    def respond(self, joints: Sequence[Joint], x: np.ndarray, jacobian: bool) -> list[JointResponse]:
        """Return the responses of the joints."""
        return [j.evaluate(x, h, 0.0, jacobian=jacobian) for j, h in zip(joints, self.histories, strict=True)]

    def forgetting(self, which: Sequence[np.ndarray]) -> "_Problem":
        """Return the problem with the histories of some pairs set to zero; `which` is a mask (n_pairs,) per joint."""
        lost = [np.where(pairs[:, None], 0.0, h) for h, pairs in zip(self.histories, which, strict=True)]
        return replace(self, histories=lost)

    def residual(self, joints: Sequence[Joint], x: np.ndarray) -> np.ndarray:
        """Return (n,) the forces out of balance, without those of constraints."""
        forces = (r.force for r in self.respond(joints, x, False))
        return np.asarray(self.load - self.stiffness @ x + sum(forces, np.zeros_like(self.load)))

    def left(self, x: np.ndarray) -> np.ndarray | None:
        """Return d − C x (m,), None without constraints."""
        if self.constraints is None:
            return None
        given = np.zeros(self.constraints.shape[0]) if self.values is None else self.values
        return np.asarray(given - self.constraints @ x)

    def _sizes(self, x: np.ndarray) -> np.ndarray:
        """Return (m,) max |d| + |C| |x|, the magnitudes that round-off in C x − d is judged by."""
        assert self.values is not None
        return np.asarray(np.abs(self.values).max(initial=0.0) + abs(self.constraints) @ np.abs(x))

    def solved(
        self, joints: Sequence[Joint], start: np.ndarray, progress: Progress, iterations: int
    ) -> Solution:
        """Return the solution by Newton's method."""
        tangent = self.tangent
        softest = (
            _SOFTEST * float(np.abs(np.diag(self.stiffness)).max(initial=0.0)) if tangent is None else 0.0
        )
        corrections = itertools.count()

        def correct(x: np.ndarray, r: np.ndarray) -> np.ndarray:
            jacobians = [answer.jacobian for answer in self.respond(joints, x, True)]
            if tangent is None:
                return self._dense(self.stiffness - sum(jacobians), x, r, softest)
            done = next(corrections)
            first, last = (min(0.98, count / USUAL_ITERATIONS) for count in (done, done + 1))
            part = PartialProgress(progress, first, last, f"iteration {done + 1}")
            return tangent.correct(jacobians, r, self.left(x), part)

        left = None if self.values is None else self.left(start)
        if left is not None and np.any(np.abs(left) > _GIVEN * self._sizes(start)):
            # Prescribed values do work that the line search must not count: meet them first, by one full correction.
            start = start + correct(start, self.residual(joints, start))
        x, report = solve_newton(
            lambda x: self.residual(joints, x), correct, start, progress, tolerance=self.tolerance,
            iterations=iterations, stored=lambda x: float(x @ (self.stiffness @ x)),
        )  # fmt: skip
        self.require_balance(joints, x)
        return x, self.respond(joints, x, False), report

    def _dense(self, tangent: np.ndarray, x: np.ndarray, r: np.ndarray, softest: float) -> np.ndarray:
        """Return a correction that obeys the constraints: one that meets them, plus one in their null space."""
        left = self.left(x)
        if left is None or self.within is None:
            return _dense_correction(tangent, r, softest)
        first = np.linalg.lstsq(self.constraints, left, rcond=None)[0]
        inner = _dense_correction(
            self.within.T @ tangent @ self.within, self.within.T @ (r - tangent @ first), softest
        )
        return np.asarray(first + self.within @ inner)

    def _off_constraints(self, forces: np.ndarray) -> np.ndarray:
        """Return forces (n,) without the part that constraints carry: their projection onto the null space of C."""
        if self.within is not None:
            return np.asarray(self.within @ (self.within.T @ forces))
        # Least squares by LSMR (Fong and Saunders 2011), with rows of length one.
        sizes = np.sqrt(self.constraints.multiply(self.constraints).sum(axis=1))
        rows = sp.diags(1.0 / np.ravel(sizes)) @ self.constraints
        carried = spla.lsmr(rows.T, forces, atol=_PROJECTED, btol=_PROJECTED, maxiter=10 * sum(rows.shape))[0]
        return np.asarray(forces - rows.T @ carried)

    def require_balance(self, joints: Sequence[Joint], x: np.ndarray) -> None:
        """Refuse a state that is out of balance: where a part flies away, corrections are small relative to x as well.

        Raises:
            SolveError: where forces are out of balance.
        """
        forces = sum((r.force for r in self.respond(joints, x, False)), np.zeros_like(self.load))
        largest = max(np.abs(self.load).max(initial=0.0), np.abs(forces).max(initial=0.0))
        elastic = self.stiffness @ x
        lacking = self.load + forces - elastic
        if self.constraints is not None and self.constraints.shape[0]:
            # Where prescribed motions are the only load, the elastic forces give the scale.
            largest = max(largest, float(np.abs(elastic).max(initial=0.0)))
            lacking = self._off_constraints(lacking)
        left = float(np.abs(lacking).max(initial=0.0))
        if left > _BALANCE * largest:
            raise SolveError(
                f"No static equilibrium: {100.0 * left / largest:.2g} % of the largest force is out of balance.",
                "If a part slides or flies away, hold it or lower the load that moves it; if pairs open that have slid "
                "far, make the friction law's sliding stiffness smaller.",
            )


def _dense_correction(tangent: np.ndarray, residual: np.ndarray, softest: float) -> np.ndarray:
    """Return Δx; where the forces would do negative work, with weak springs against all coordinates.

    A part that contact alone holds moves freely until it touches: its stiffness is round-off, of either sign, and
    with the wrong one it would fly off instead of coming to rest.
    """
    if not np.isfinite(tangent).all() or not np.isfinite(residual).all():
        raise SolveError(
            "The forces of the joints are not finite numbers.",
            "Look at the contact and friction laws, their tables and parameters.",
        )
    step = _solved(tangent, residual)
    if step is None or not step @ residual >= 0.0:  # there may be no round-off at all
        step = _solved(tangent + softest * np.eye(len(tangent)), residual)
    if step is None:
        raise SolveError(
            "The reduced body has a singular stiffness.", "Hold it at an interface node with six dofs."
        )
    return step


def _solved(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray | None:
    """Return the solution (n,) of a dense system; None where a pivot is exactly zero."""
    factor, pivots, zero = la.lapack.dgetrf(matrix)
    return None if zero else np.asarray(la.lapack.dgetrs(factor, pivots, vector)[0])
