"""Static equilibrium of a jointed body, reduced or not: f + Q_joint(x) = K x + Cᵀ λ, C x = 0."""

import itertools
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.joints.interface import JointResponse
from faying.progress import Part, Progress
from faying.solvers.newton import USUAL_ITERATIONS, NewtonReport, solve_newton
from faying.solvers.tangent import SparseTangent


class Joint(Protocol):
    """A joint force over some coordinates, dense or sparse (`faying.joints.interface`)."""

    def evaluate(
        self, q: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return the joint's force, Jacobian and new history."""


_SOFTEST = 1e-9  # of the largest stiffness: springs that keep a free part from flying off


def solve_equilibrium(
    stiffness: Any,
    load: np.ndarray,
    joints: Sequence[Joint],
    histories: Sequence[np.ndarray],
    start: np.ndarray,
    progress: Progress,
    *,
    constraints: sp.csr_matrix | None = None,
    tolerance: float = 1e-20,
    iterations: int = 80,
) -> tuple[np.ndarray, list[JointResponse], NewtonReport]:
    """Return (coordinates, responses of the joints there, report).

    Every correction obeys the constraints, so their forces do no work along it: the search along it and the
    energy at which the iteration stops know nothing of them.

    Args:
        stiffness: K, dense (n, n) or CSR; of a body that is held.
        load: (n,) generalised forces.
        joints: joint forces over the same coordinates.
        histories: their committed friction histories.
        start: first guess; should obey the constraints, the first correction takes out what is left.
        progress: reports iterations and cancels.
        constraints: C, CSR (m, n) of distributing couplings, for a sparse stiffness.
        tolerance, iterations: see `solve_newton`.

    Raises:
        SolveError: without convergence.
    """

    def respond(x: np.ndarray, jacobian: bool) -> list[JointResponse]:
        return [j.evaluate(x, h, 0.0, jacobian=jacobian) for j, h in zip(joints, histories, strict=True)]

    def residual(x: np.ndarray) -> np.ndarray:
        return np.asarray(
            load - stiffness @ x + sum((r.force for r in respond(x, False)), np.zeros_like(load))
        )

    is_sparse = sp.issparse(stiffness)
    softest = 0.0 if is_sparse else _SOFTEST * float(np.abs(np.diag(stiffness)).max(initial=0.0))
    tangent = SparseTangent(stiffness, constraints) if is_sparse else None
    corrections = itertools.count()

    def correct(x: np.ndarray, r: np.ndarray) -> np.ndarray:
        jacobians = [answer.jacobian for answer in respond(x, True)]
        if tangent is None:
            return _dense_correction(stiffness - sum(jacobians), r, softest)
        done = next(corrections)
        start, end = (min(0.98, count / USUAL_ITERATIONS) for count in (done, done + 1))
        part = Part(progress, start, end, f"iteration {done + 1}")
        values = None if constraints is None else -(constraints @ x)
        return tangent.correct(jacobians, r, values, part)

    x, report = solve_newton(
        residual, correct, start, progress, tolerance=tolerance, iterations=iterations,
        stored=lambda x: float(x @ (stiffness @ x)),
    )  # fmt: skip
    return x, respond(x, False), report


def _dense_correction(tangent: np.ndarray, residual: np.ndarray, softest: float) -> np.ndarray:
    """Return Δx; where the forces would do negative work, with weak springs against all coordinates.

    A part that contact alone holds moves freely until it touches: its stiffness is round-off, of either sign, and
    with the wrong one it would fly off instead of coming to rest.
    """
    try:
        step = np.asarray(la.lu_solve(la.lu_factor(tangent), residual))
        if step @ residual >= 0.0:
            return step
        held = tangent + softest * np.eye(len(tangent))
        return np.asarray(la.lu_solve(la.lu_factor(held), residual))
    except (la.LinAlgError, ValueError) as error:
        raise SolveError(
            "The reduced body has a singular stiffness.", "Hold it at an interface node with six dofs."
        ) from error
