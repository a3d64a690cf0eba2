"""Equilibrium of a system, and its small vibrations about any state."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.progress import Progress
from faying.spatial.rotations import body_rates, rotation_matrix, skew

_ITERATIONS = 200
_TOLERANCE = 1e-10  # of the system's lengths
_BALANCE = 1e-8  # of the largest force in play, as what stays out of balance
_SATISFIED = 1e-9  # of the largest constraint's row: what holds of itself


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A system at rest: position, multipliers of the constraints, history, and corrections made."""

    position: np.ndarray
    multipliers: np.ndarray
    history: History
    iterations: int


def find_equilibrium(
    system: MultibodySystem, q: np.ndarray, history: History, progress: Progress, time: float = 0.0
) -> Equilibrium:
    """Return the equilibrium of a system near q.

    Newton's method on forces and constraints; corrections longer than a tenth of the system's size are cut, and
    a small push towards the last position keeps directions alive that nothing holds yet.

    Raises:
        SolveError: when none is found; says which part moves most.
    """
    q, n = q.copy(), system.n
    rest = np.zeros(n)
    multipliers = np.zeros(system.n_constraints)
    reach = max(1.0, float(np.abs(system.scales * q).max()))
    last = np.inf
    for iteration in range(_ITERATIONS):
        tangent, force, values, rows = _tangent(system, time, q, rest, multipliers, history)
        matrix = _bordered(tangent, rows)
        right = np.concatenate([force, -values])
        step = (
            la.lstsq(matrix, right, lapack_driver="gelsy")[0]
            if _is_singular(matrix)
            else la.solve(matrix, right)
        )
        change = step[:n]
        size = float(np.abs(system.scales * change).max())
        share = min(1.0, 0.1 * reach / size) if size > 0.0 else 1.0
        progress.report(min(0.99, iteration / 30), f"iteration {iteration + 1}", change=size)
        q, multipliers = q + share * change, multipliers + share * step[n:]
        # Where nothing holds a part the smallest correction is none at all: what is out of balance tells.
        largest = np.abs(tangent) @ np.abs(q) + np.abs(rows.T) @ np.abs(multipliers)
        balanced = np.abs(force / system.scales).max() <= _BALANCE * np.abs(largest / system.scales).max()
        if share == 1.0 and size <= _TOLERANCE * reach and balanced:
            answered = system.contact(q, history, 0.0, jacobian=False)
            remembered = answered.history if answered is not None else history
            return Equilibrium(q, multipliers, system.accepted(time, q, remembered), iteration + 1)
        last = size
    # A part that nothing holds need not move: where corrections are none, the forces tell.
    moves = last > _TOLERANCE * reach
    amounts = np.abs(system.scales * change) if moves else np.abs(force / system.scales)
    worst = int(np.argmax(amounts))
    part = next(
        p.name for p, at in zip(system.parts, system.ranges, strict=True) if at.start <= worst < at.stop
    )
    clause = (
        f"part {part!r} still moves by {last:.2g}"
        if moves
        else f"nothing holds part {part!r} against a force of {amounts[worst]:.2g}"
    )
    raise SolveError(
        f"No static equilibrium was found in {_ITERATIONS} iterations; {clause}.",
        "Hold the system so that it cannot drift, start nearer to its rest, or let damping bring it there in time.",
    )


@dataclass(frozen=True, eq=False)
class Vibrations:
    """Small vibrations x(t) = shape · exp(λ t): eigenvalues (k,) with Im ≥ 0, shapes (n, k) complex.

    `frequencies` (k,) are |λ|/2π, `damping` (k,) are −Re λ/|λ|.
    """

    eigenvalues: np.ndarray
    shapes: np.ndarray

    @property
    def frequencies(self) -> np.ndarray:
        """(k,) undamped frequencies |λ|/2π."""
        return np.asarray(np.abs(self.eigenvalues) / (2.0 * np.pi))

    @property
    def damping(self) -> np.ndarray:
        """(k,) damping ratios; zero for a motion without frequency."""
        size = np.abs(self.eigenvalues)
        return np.asarray(np.where(size > 0, -self.eigenvalues.real / np.where(size > 0, size, 1.0), 0.0))


def vibrations(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    time: float = 0.0,
    accelerations: np.ndarray | None = None,
) -> Vibrations:
    """Return eigenvalues and shapes of the motion about a state, on the constraints' null space.

    Contact acts with its tangent at the state. Each part's small displacements and rotations are counted in the axes
    of its frame, which turn with it: about a steady rotation the equations then have constant coefficients, such as
    those of a rotor in round bearings or of a blade on its hub. About any other motion the eigenvalues are those of
    coefficients that are frozen.

    Args:
        system: what vibrates.
        q, v: (n,) the state.
        multipliers: (m,) there.
        history: there.
        time: of the state.
        accelerations: (n,) there; zero without them, as at rest.
    """
    a = np.zeros(system.n) if accelerations is None else accelerations
    tangent, _, _, rows = _tangent(system, time, q, v, multipliers, history, a)
    by_speed = system.forces(time, q, v, history, jacobian=True).d_velocity
    # δq = B x with B(t) over 6 + r coordinates of each part, so that pᵀp = 1 holds of itself.
    frame, frame_rate, frame_acceleration = _turning_frames(system, q, v, a)
    scales = 1.0 / np.linalg.norm(frame / system.scales[:, None], axis=0)
    free = np.diag(scales)
    if len(rows):
        free = free @ _null_space(rows @ frame * scales)
    whole = system.mass(q)
    mass, damping, stiffness = whole @ frame, 2.0 * whole @ frame_rate, whole @ frame_acceleration
    stiffness = stiffness + tangent @ frame
    if by_speed is not None:
        damping, stiffness = damping - by_speed @ frame, stiffness - by_speed @ frame_rate
    left = (frame @ free).T
    m, d, k = (left @ matrix @ free for matrix in (mass, damping, stiffness))
    size = len(m)
    first = np.block([[np.zeros((size, size)), np.eye(size)], [-la.solve(m, k), -la.solve(m, d)]])
    values, vectors = la.eig(first)
    chosen = np.flatnonzero(values.imag >= 0.0)
    chosen = chosen[np.argsort(np.abs(values[chosen]), kind="stable")]
    return Vibrations(values[chosen], frame @ free @ vectors[:size, chosen])


def _null_space(rows: np.ndarray) -> np.ndarray:
    """Return (n, n − rank) an orthonormal basis of what rows leave free, those of pᵀp = 1 being zero by now."""
    sizes = np.linalg.norm(rows, axis=1)
    return np.asarray(la.null_space(rows[sizes > _SATISFIED * sizes.max(initial=0.0)], rcond=_SATISFIED))


def _turning_frames(
    system: MultibodySystem, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return B, Ḃ and B̈ (n, k): δR = A x_R and δp = ½ Gᵀ(p) x_θ of each part, its flexible coordinates as they are."""
    blocks: list[tuple[np.ndarray, ...]] = []
    for part, at in zip(system.parts, system.ranges, strict=True):
        if not part.n:
            continue
        p, rate, acceleration = q[at][3:RIGID], v[at][3:RIGID], a[at][3:RIGID]
        axes, spin = rotation_matrix(p), body_rates(p) @ rate
        turn = skew(spin)
        # ω̄' = H̄ p̈, as H̄' ṗ = 0 on the unit sphere.
        turning = skew(body_rates(p) @ acceleration) + turn @ turn
        of_rotation = [0.25 * body_rates(p).T, *(0.25 * _linear_rates(x) for x in (rate, acceleration))]
        of_shape = np.eye(part.n - RIGID)
        still = np.zeros_like(of_shape)
        blocks.append(
            (
                la.block_diag(axes, of_rotation[0], of_shape),
                la.block_diag(axes @ turn, of_rotation[1], still),
                la.block_diag(axes @ turning, of_rotation[2], still),
            )
        )
    frame, rate, acceleration = (la.block_diag(*matrices) for matrices in zip(*blocks, strict=True))
    return frame, rate, acceleration


def _linear_rates(x: np.ndarray) -> np.ndarray:
    """Return (4, 3) what H̄ᵀ(p) = 2 Gᵀ(p) of a unit p, which is linear in p, becomes with another vector for p."""
    return np.asarray(body_rates(x).T * float(x @ x)) if x.any() else np.zeros((4, 3))


def _tangent(
    system: MultibodySystem,
    time: float,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    a: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return −∂(forces)/∂q, forces with reactions, C and C_q."""
    forces = system.forces(time, q, v, history, jacobian=True)
    contact = system.contact(q, history, 0.0, jacobian=True)
    values, rows = system.constraints(time, q, history)
    force = forces.force - (rows.T @ multipliers if len(rows) else 0.0)
    a = np.zeros(system.n) if a is None else a
    curved = system.inertia_and_constraint_jacobian(time, q, a, multipliers, history)
    tangent = curved - (forces.d_position if forces.d_position is not None else 0.0)
    if contact is not None:
        assert contact.d_position is not None
        force, tangent = force + contact.force, tangent - contact.d_position
    return tangent, force, values, rows


def _bordered(tangent: np.ndarray, rows: np.ndarray) -> np.ndarray:
    m = len(rows)
    return np.block([[tangent, rows.T], [rows, np.zeros((m, m))]]) if m else tangent


def _is_singular(matrix: np.ndarray) -> bool:
    """Whether a direction is free or nearly so, after scaling rows and columns alike."""
    sizes = np.sqrt(np.maximum(np.abs(matrix).max(axis=1), 1e-300))
    scaled = matrix / sizes[:, None] / sizes
    return bool(1.0 / np.linalg.cond(scaled, 1) < 1e-13) if np.isfinite(scaled).all() else True
