"""Static equilibrium of a jointed body, reduced or not: f + Q_joint(x) = K x + Cᵀ λ, C x = 0."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.joints.interface import JointResponse
from faying.linalg.factor import factorize
from faying.progress import Progress
from faying.solvers.newton import NewtonReport, solve_newton


class Joint(Protocol):
    """A joint force over some coordinates, dense or sparse (`faying.joints.interface`)."""

    def evaluate(
        self, q: np.ndarray, history: np.ndarray, time_step: float, *, jacobian: bool
    ) -> JointResponse:
        """Return the joint's force, Jacobian and new history."""


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

    def correct(x: np.ndarray, r: np.ndarray) -> np.ndarray:
        tangent = stiffness - sum((answer.jacobian for answer in respond(x, True)), 0 * stiffness)
        if constraints is not None and constraints.shape[0]:
            factor = factorize(cast(Any, tangent).tocsr(), constraints, progress=progress)
            return factor.solve(r, -(constraints @ x))
        return _solver(tangent, progress)(r)

    x, report = solve_newton(
        residual, correct, start, progress, tolerance=tolerance, iterations=iterations,
        stored=lambda x: float(x @ (stiffness @ x)),
    )  # fmt: skip
    return x, respond(x, False), report


def _solver(tangent: Any, progress: Progress) -> Callable[[np.ndarray], np.ndarray]:
    if sp.issparse(tangent):
        return factorize(cast(Any, tangent).tocsr(), progress=progress).solve
    try:
        factor = la.lu_factor(tangent)
    except (la.LinAlgError, ValueError) as error:
        raise SolveError(
            "The reduced body has a singular stiffness.", "Hold it at an interface node with six dofs."
        ) from error
    return lambda r: np.asarray(la.lu_solve(factor, r))
