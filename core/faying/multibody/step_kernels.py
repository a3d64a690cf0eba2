"""A whole time step of a system of parts and terms as one kernel (`faying.compiled`).

It is the twin of the stages of `faying.solvers.integrators._step` for systems without contact: of the 100 µs that these
take for two bars, 5 are arithmetic. The kernel stops where it needs the forces of members that only Python knows, or a
new matrix, and goes on with them. It leaves a step that does not converge to the stages, which say why.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import mass_and_forces
from faying.multibody.rigid_kernels import write_imbalance
from faying.multibody.term_kernels import add_constraints, write_motions
from faying.solvers.integrators import BEGINS, FAILED, NEEDS_MATRIX, NEEDS_MEMBERS, TAKEN
from faying.solvers.step_kernels import best_points, extrapolate, substitute, weighted_norm


@compiled(reorder=False)
def write_flexible_imbalance(
    force: np.ndarray, matrix: np.ndarray, own: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray,
    gravity: np.ndarray, share: float, places: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Write M a less a share of the own forces of flexible parts into a vector (n,).

    Args:
        force: see above; other coordinates stay as they are.
        matrix, own: space (n, n) that was zero at first, and (n,).
        a, share: (n,) see above.
        q, v, gravity, places, numbers, elastic: as `mass_and_forces` takes them.
    """
    mass_and_forces(matrix, own, q, v, gravity, places, numbers, elastic)
    for k in range(len(places)):
        begin, end = places[k, 1], places[k, 1] + 7 + places[k, 0]
        for i in range(begin, end):
            value = -share * own[i]
            for j in range(begin, end):
                value += matrix[i, j] * a[j]
            force[i] = value


@compiled(reorder=False)
def newmark_step(
    start: np.ndarray, end: np.ndarray, values: np.ndarray, new_values: np.ndarray, times: np.ndarray,
    points: int, chooses: bool, time: float, length: float, scheme: np.ndarray, weights: np.ndarray,
    factor: np.ndarray, pivots: np.ndarray, serves: bool, asks: bool, said: int, iterations: int, last: float,
    angles: np.ndarray, aims: np.ndarray,
    space: np.ndarray, trial: np.ndarray, x: np.ndarray, change: np.ndarray, of_all: np.ndarray, kept: np.ndarray,
    turning: np.ndarray, gravity: np.ndarray, rigid: np.ndarray, rigid_numbers: np.ndarray,
    matrix: np.ndarray | None, own: np.ndarray, parts: np.ndarray, inertia: np.ndarray, elastic: np.ndarray,
    equations: np.ndarray, terms: np.ndarray, pairs: np.ndarray, rotations_of_parts: np.ndarray,
    starts: np.ndarray, sizes: np.ndarray, places: np.ndarray, axes: np.ndarray,
    displacements: np.ndarray, rotations: np.ndarray, bows: np.ndarray, deforming: np.ndarray,
    position: np.ndarray, turned: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    of_terms: np.ndarray, rows: np.ndarray, wrenches: np.ndarray,
) -> tuple[int, bool, int, int, float]:  # fmt: skip
    """Take a step by Newmark's formulas.

    Return what is needed, whether the matrix serves, corrections so far, points of the next guess, and the error over
    the tolerance. As long as something is needed at the `trial` (forces of members, which are subtracted from `change`,
    or a matrix) the last number is the norm of the last correction, and the kernel is called again with the answer.

    Args:
        start, end: (4, n) coordinates, velocities, accelerations of the scheme, and those that meet the equations.
        values, new_values: (4, n + m) unknowns of the last steps, newest first, before and after the step.
        times: (k,) of the last steps, newest first.
        points, chooses: of the polynomial that guesses; whether that for the next steps is chosen anew.
        time, length: of the end, and of the step.
        scheme: (9,) γ, β, αₘ, α_f, the factor of the error (zero where no error is asked), and of the corrections the
            norm of the last one, their number, and those of slow and of quadratic convergence.
        weights: (n,) of coordinates in the norm.
        factor, pivots, serves: of Newton's matrix (n + m, n + m), and whether there is one.
        asks: whether there are members that only Python knows.
        said, iterations, last: BEGINS, none and infinity, or what was returned.
        angles: (c,) that are counted, replaced by those at the end.
        aims: (w, 3) wanted values: which equation, value, and whether it is an angle.
        space, trial, x, change, of_all: space (3, n), (3, n), (n + m,), (n + m,) and (2, all equations).
        kept: (m,) which of all equations are met.
        turning: (c,) pairs of markers whose angles are counted.
        gravity: (3,) in the inertial frame.
        rigid, rigid_numbers: as `write_imbalance` takes them.
        matrix, own, parts, inertia, elastic: as `write_flexible_imbalance` takes them; None without flexible parts.
        equations, …, wrenches: as `add_constraints` takes them.
    """
    n, size = start.shape[1], len(x)
    free_q, free_v, rest, q, v, a = space[0], space[1], space[2], trial[0], trial[1], trial[2]
    missed, spread = of_all[0], of_all[1]
    gamma, beta, alpha_m, alpha_f, error_factor = scheme[0], scheme[1], scheme[2], scheme[3], scheme[4]
    enough, most, slow, quadratic = scheme[5], scheme[6], scheme[7], scheme[8]

    # Predict: q₁ = free + β h² x, v₁ = free + γ h x; weight x + rest is to meet the equations.
    now = 1.0 - alpha_f
    by_q, by_v, weight = beta * length**2, gamma * length, (1.0 - alpha_m) / now
    if said == BEGINS:
        for i in range(n):
            free_q[i] = start[0, i] + length * (start[1, i] + (length * (0.5 - beta)) * start[2, i])
            free_v[i] = start[1, i] + (length * (1.0 - gamma)) * start[2, i]
            rest[i] = (alpha_m / now) * start[2, i] - (alpha_f / now) * start[3, i]
        extrapolate(x, values, times, points, time)
    converges = False
    while not converges:
        if said == BEGINS:
            if iterations >= most:
                return FAILED, serves, iterations, points, 0.0
            # Evaluate.
            for i in range(n):
                q[i], v[i], a[i] = free_q[i] + by_q * x[i], free_v[i] + by_v * x[i], weight * x[i] + rest[i]
            for k in range(len(kept)):
                spread[kept[k]] = x[n + k]
            if matrix is not None:
                write_flexible_imbalance(change, matrix, own, q, v, a, gravity, 1.0, parts, inertia, elastic)
            write_imbalance(change, q, v, a, gravity, rigid, rigid_numbers)
            add_constraints(
                change, missed, q, spread, equations, terms, pairs, rotations_of_parts, starts, sizes, places, axes,
                displacements, rotations, bows, deforming, position, turned, d_position, d_rotation, of_terms, rows,
                wrenches,
            )  # fmt: skip
            for w in range(len(aims)):
                e, aim = int(aims[w, 0]), aims[w, 1]
                if aims[w, 2] != 0.0:
                    missed[e] += 2.0 * np.pi * np.round((aim - missed[e]) / (2.0 * np.pi))
                missed[e] -= aim
            for k in range(len(kept)):
                change[n + k] = missed[kept[k]] * (1.0 / by_q)
            if asks:
                return NEEDS_MEMBERS, serves, iterations, points, last
        if said != NEEDS_MATRIX:
            square = 0.0
            for i in range(size):
                square += change[i] * change[i]
            if not np.isfinite(square):
                return FAILED, serves, iterations, points, 0.0
            iterations += 1
            if not serves:
                return NEEDS_MATRIX, serves, iterations, points, last
        # Solve.
        said = BEGINS
        substitute(change, factor, pivots)
        for i in range(size):
            x[i] -= change[i]
        moved = weighted_norm(change, weights, by_q)
        converges = moved <= enough or (moved <= quadratic and moved * moved <= enough * last < np.inf)
        serves, last = moved <= slow * last, moved

    # Correct.
    for i in range(n):
        q[i] = free_q[i] + by_q * x[i]
        end[0, i], end[1, i], end[2, i], end[3, i] = (
            q[i],
            free_v[i] + by_v * x[i],
            x[i],
            weight * x[i] + rest[i],
        )
    if len(turning):
        write_motions(
            position, turned, d_position, d_rotation, q, starts, sizes, places, axes, displacements, rotations, bows,
            deforming,
        )  # fmt: skip
    for k in range(len(turning)):
        i, j, sine, cosine = 2 * turning[k], 2 * turning[k] + 1, 0.0, 0.0
        for c in range(3):
            sine += turned[i, c, 1] * turned[j, c, 0]
            cosine += turned[i, c, 0] * turned[j, c, 0]
        angle = np.arctan2(sine, cosine)
        angles[k] = angle + 2.0 * np.pi * np.round((angles[k] - angle) / (2.0 * np.pi))

    # Estimate, of components that are too fast for the step by their amplitude.
    error = 0.0
    if error_factor > 0.0:
        for i in range(n):
            v[i], a[i] = 0.0, error_factor * length**2 * (x[i] - start[2, i])
        if matrix is not None:
            write_flexible_imbalance(change, matrix, own, q, v, a, v[:3], 0.0, parts, inertia, elastic)
        write_imbalance(change, q, v, a, v[:3], rigid, rigid_numbers)
        for i in range(size):
            change[i] = weight * change[i] if i < n else 0.0
        substitute(change, factor, pivots)
        error = weighted_norm(change, weights, 1.0)

    # Accept: what the next step guesses from.
    if chooses:
        points = best_points(x, values, times, time, weights)
    for i in range(size):
        for k in range(3, 0, -1):
            new_values[k, i] = values[k - 1, i]
        new_values[0, i] = x[i]
    return TAKEN, serves, iterations, points, error
