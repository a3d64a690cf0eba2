"""Equilibrium of a system, and its small vibrations about any state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la
from scipy.linalg import lapack

from faying.errors import SolveError
from faying.multibody.followers import ControlStates
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.redundancy import system_size
from faying.multibody.system import MultibodySystem
from faying.progress import Progress
from faying.solvers.integrators import ContactForces
from faying.solvers.newton import search_line
from faying.spatial.rotations import body_rates, moved_along_screw, rotation_matrix, skew, spatial_rates
from faying.units import amount

_ITERATIONS, _ITERATIONS_NEAR = 200, 60
_TOLERANCE = 1e-10  # of the system's lengths
_BALANCE = 1e-8  # of the largest force, as the remaining imbalance
_SWING = 1e-7  # of the system's lengths: how far corrections may swing to and fro over the edge of two facets
_SHRINKS = 0.1  # ratio of a correction to the last one, below which it is sure to converge
_LEAST = 1e-11  # least σ over the largest stiffness per largest mass
_REDUCED = 0.01  # factor of σ after a step that succeeds
_HARDLY = 1e-6  # of the most that surfaces may approach in a step
_SOFTEST = (
    1e-9  # of the largest stiffness of a body: springs that keep parts held only by contact from flying off
)
_SINGULAR = 1e-13  # reciprocal condition, scaled
Axes = tuple[np.ndarray, np.ndarray]  # unit vectors in the columns (3, 3), and their angular velocity (3,)
_IN_OWN_AXES: Mapping[int, Axes] = {}
_SATISFIED = 1e-9  # of a constraint's own row, and of the largest one: smaller rows hold nothing


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A system at rest: position, multipliers of the constraints, history, and corrections made."""

    position: np.ndarray
    multipliers: np.ndarray
    history: History
    iterations: int


def find_equilibrium(
    system: MultibodySystem,
    q: np.ndarray,
    history: History,
    progress: Progress,
    time: float = 0.0,
    *,
    held: bool = True,
    within: float = np.inf,
) -> Equilibrium:
    """Return the equilibrium of a system near q.

    Newton's method on forces and constraints; corrections longer than a tenth of the system's size are cut. Weak
    springs bring bodies together whose joints are still open. Until parts with contacts touch, nothing may hold them:
    a resistance σ M is added, and reduced with every step that succeeds (pseudo-transient continuation; Kelley and
    Keyes 1998). A line search ends each of these steps where its force has fallen, so that none goes through a surface.

    Args:
        system: to be brought to rest.
        q, history: where it is sought.
        progress: reports and cancels.
        time: of prescribed motions and load histories.
        held: whether σ is large at first; not needed where parts touch at q already as they do in equilibrium.
        within: largest distance from q, in lengths; farther away the search is given up early.

    Raises:
        SolveError: when none is found; names the part that moves most.
    """
    q, n = q.copy(), system.n
    rest = np.zeros(n)
    multipliers = np.zeros(system.n_constraints)
    reach = max(system_size(system), float(np.abs(system.scales * q).max()))
    last, resistance, before = np.inf, _Resistance.around(system, q, held), np.zeros(n)
    most, first = _ITERATIONS if within == np.inf else _ITERATIONS_NEAR, q

    def left(touched: ContactForces | None) -> np.ndarray:
        """Return the imbalance of forces at q."""
        total = system.forces(time, q, rest, history, jacobian=False).force
        total = total if touched is None else total + touched.force
        return np.asarray(total - system.constraints(time, q, history)[1].T @ multipliers)

    for iteration in range(most):
        tangent, force, values, rows = tangent_at(system, time, q, rest, multipliers, history)
        right = np.concatenate([force, -values])
        if resistance is not None:
            step, resistance = resistance.step(system, q, multipliers, history, time, (tangent, right, rows))
        else:
            step = _held_solution(system, tangent, rows, right)
        change = step[:n]
        size = float(np.abs(system.scales * change).max())
        share = min(1.0, 0.1 * reach / size) if size > 0.0 else 1.0
        progress.report(min(0.99, iteration / 30), f"iteration {iteration + 1}", change=size)
        q, multipliers = q + share * change, multipliers + share * step[n:]
        if np.abs(system.scales * (q - first)).max() > within:
            last = size
            break
        spent = resistance is None or resistance.is_spent
        # A node that rests on the edge of two facets is pushed to the one by the normal of the other.
        swings = size <= _SWING * reach and np.linalg.norm(change + before) <= 0.01 * np.linalg.norm(change)
        before = change
        # The error after a correction is less than its size times its ratio to the last one (Deuflhard 2004, section
        # 2.1).
        near = np.isfinite(last) and size <= _SHRINKS * last and size**2 <= _TOLERANCE * reach * last
        if share == 1.0 and spent and (near or size <= _TOLERANCE * reach or swings):
            answered = system.contact(q, history, 0.0, jacobian=False)
            # If nothing holds a part, the smallest correction is zero: then the imbalance decides.
            largest = np.abs(tangent) @ np.abs(q) + np.abs(rows.T) @ np.abs(multipliers)
            most_out = _BALANCE * np.abs(largest / system.scales).max()
            swings &= size > _TOLERANCE * reach and len(system.contacts) > 0
            if swings or np.abs(left(answered) / system.scales).max() <= most_out:
                remembered = answered.history if answered is not None else history
                return Equilibrium(
                    q, multipliers, system.accepted(time, q, remembered, None, multipliers), iteration + 1
                )
        last = size
    # A part that nothing holds need not move: if corrections are zero, the forces decide.
    moves = last > _TOLERANCE * reach
    amounts = np.abs(system.scales * change) if moves else np.abs(force / system.scales)
    worst = int(np.argmax(amounts))
    part = next(
        p.name for p, at in zip(system.parts, system.ranges, strict=True) if at.start <= worst < at.stop
    )
    clause = (
        f"part {part!r} still moves by {amount(last, 'length', 2)}"
        if moves
        else f"nothing holds part {part!r} against a force of {amount(float(amounts[worst]), 'force', 2)}"
    )
    raise SolveError(
        f"No static equilibrium was found in {iteration + 1} iterations; {clause}.",
        "Hold the system so that it cannot drift, start nearer to its rest, or let damping bring it there in time.",
    )


def followed_step(system: MultibodySystem, at: Equilibrium, time: float, step: float) -> np.ndarray:
    """Return the change (n,) of an equilibrium within a step of time, to first order: a tangent to its path.

    Args:
        system: at rest.
        at: the equilibrium.
        time: of prescribed motions and load histories there.
        step: time over which these are followed.
    """
    q, history, rest = at.position, at.history, np.zeros(system.n)
    tangent, _, _, rows = tangent_at(system, time, q, rest, at.multipliers, history)
    now, then = (system.forces(t, q, rest, history, jacobian=False).force for t in (time, time + step))
    missed = system.constraints(time + step, q, history)[0] - system.constraints(time, q, history)[0]
    return _solved(_bordered(tangent, rows), np.concatenate([then - now, -missed]))[: system.n]


def moved_on(system: MultibodySystem, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return q (n,) after a change (n,), along which parts move at constant twist, so that rotations follow circles."""
    ahead = np.asarray(q + change)
    for part, at in zip(system.parts, system.ranges, strict=True):
        if part.n:
            own, moved, p = ahead[at], change[at], q[at][3:RIGID]
            turn = spatial_rates(p) @ moved[3:RIGID]
            own[:3], own[3:RIGID] = moved_along_screw(q[at][:3], p, moved[:3], turn)
    return ahead


@dataclass(frozen=True, eq=False)
class _Resistance:
    """Resistance σ M to the motion of parts until they touch, with the mass matrix where the search begins.

    Attributes:
        mass: M (n, n).
        sigma: σ, as of the next step; negative while it is not known.
        least: of σ, so small that it affects only motions that nothing else holds.
    """

    mass: np.ndarray
    sigma: float = -1.0
    least: float = 0.0

    @classmethod
    def around(cls, system: MultibodySystem, q: np.ndarray, unknown: bool) -> "_Resistance | None":
        """Return that of a system with contacts, σ to be found (`unknown`) or the least; None without contacts."""
        return cls(system.mass(q), -1.0 if unknown else 0.0) if len(system.contacts) else None

    @property
    def is_spent(self) -> bool:
        """Whether σ is so small that it has no effect any more."""
        return 0.0 <= self.sigma <= 1e3 * self.least

    def step(
        self,
        system: MultibodySystem,
        q: np.ndarray,
        multipliers: np.ndarray,
        history: History,
        time: float,
        linearised: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> tuple[np.ndarray, "_Resistance"]:
        """Return a step (n + m,), and the resistance for the next one.

        Args:
            system, q, multipliers, history, time: where the step begins.
            linearised: tangent (n, n), imbalance (n + m,) and C_q (m, n) there.
        """
        tangent, right, rows = linearised
        n, sigma = system.n, self.sigma
        least_approach = min(contact.most_approach for contact in system.contacts.members)
        if sigma < 0.0:
            # The first step brings no node deeper than a step may.
            free = np.linalg.solve(_bordered(self.mass, rows), right)[:n]
            fastest = float(np.abs(system.scales * free).max())
            sigma = fastest / least_approach
        squares = system.scales**2
        stiffest = float((np.abs(np.diag(tangent)) / squares).max())
        least = _LEAST * stiffest / float((np.diag(self.mass) / squares).max())
        sigma = max(sigma, least)
        matrix = _bordered(tangent + sigma * self.mass, rows)
        try:
            step = np.linalg.solve(matrix, right)
        except np.linalg.LinAlgError:  # as small as can be, and nothing touches
            step = _solved(matrix, right)

        def residual(x: np.ndarray) -> np.ndarray:
            place, force = x[:n], x[n:]
            total = system.forces(time, place, np.zeros(n), history, jacobian=False).force
            touched = system.contact(place, history, 0.0, jacobian=False)
            total = total if touched is None else total + touched.force
            return np.asarray(total - rows.T @ force - sigma * self.mass @ (place - q))

        def rate_of(along: np.ndarray, r: np.ndarray) -> float:
            return float(along[:n] @ r[:n])

        start, length = np.concatenate([q, multipliers]), 1.0
        # In a tiny step the rate is round-off.
        if np.abs(system.scales * step[:n]).max() > _HARDLY * least_approach:
            rate = rate_of(step, right)
            length, _, _ = search_line(residual, start, step, rate, most=25, rate_of=rate_of)
        reduced = _REDUCED if length == 1.0 else 1.0
        return length * step, replace(self, sigma=max(reduced * sigma, least), least=least)


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


@dataclass(frozen=True, eq=False)
class LinearizedSystem:
    """Small motion M ẍ + D ẋ + K x = Sᵀ f about a state, with δq = S x in the axes of the parts' frames.

    Attributes:
        mass, damping, stiffness: (k, k); the latter two are not symmetric where parts turn.
        shapes: S (n, k), motions that the constraints allow.
        rates: Ṡ (n, k), as the axes of the parts' frames turn: δv = S ẋ + Ṡ x.
        basis: (l, k) the motions x over small displacements, rotations and flexible coordinates of the parts.
        control: states z of continuous controllers over x, z' = A z + B x + G ẋ, with Sᵀ f = H z; None without any.
    """

    mass: np.ndarray
    damping: np.ndarray
    stiffness: np.ndarray
    shapes: np.ndarray
    rates: np.ndarray
    basis: np.ndarray
    control: ControlStates | None = None

    def first_order(self) -> np.ndarray:
        """Return (2 k + s, 2 k + s) the matrix of (x, ẋ, z)' = A (x, ẋ, z)."""
        size, m, of = len(self.mass), self.mass, self.control
        lower = [-la.solve(m, self.stiffness), -la.solve(m, self.damping)] if size else [m, m]
        if of is None:
            return np.block([[np.zeros((size, size)), np.eye(size)], lower])
        states = len(of.names)
        force = la.solve(m, of.force) if size else of.force
        return np.block([
            [np.zeros((size, size)), np.eye(size), np.zeros((size, states))],
            [*lower, force],
            [of.by_place, of.by_speed, of.by_states],
        ])  # fmt: skip

    def eigenvalues(self, vectors: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return λ (2 k + s,) of x exp(λ t), and their vectors (k, 2 k + s) if requested, else (k, 0)."""
        size, first = len(self.mass), self.first_order()
        if not vectors:
            return np.asarray(la.eigvals(first)), np.zeros((size, 0))
        values, found = la.eig(first)
        return values, found[:size]

    def response(self, s: complex, loads: np.ndarray) -> np.ndarray:
        """Return x (k, p) under loads (k, p) exp(s t)."""
        matrix = s * s * self.mass + s * self.damping + self.stiffness
        if (of := self.control) is not None:
            pole = s * np.eye(len(of.names)) - of.by_states
            matrix = matrix - of.force @ la.solve(pole, of.by_place + s * of.by_speed)
        # Metres, radians and amplitudes of stiff modes: brought to one size.
        sizes = np.sqrt(np.abs(s) ** 2 * np.abs(np.diag(self.mass)) + np.abs(np.diag(self.stiffness)))
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        scaled = la.solve(matrix / sizes[:, None] / sizes, loads / sizes[:, None])
        return np.asarray(scaled / sizes[:, None])

    def vibrations(self) -> Vibrations:
        """Return eigenvalues and shapes, the slowest first."""
        values, vectors = self.eigenvalues(vectors=True)
        chosen = np.flatnonzero(values.imag >= 0.0)
        chosen = chosen[np.argsort(np.abs(values[chosen]), kind="stable")]
        return Vibrations(values[chosen], self.shapes @ vectors[:, chosen])


def vibrations(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    time: float = 0.0,
    accelerations: np.ndarray | None = None,
) -> Vibrations:
    """Return eigenvalues and shapes of the motion about a state; the arguments are those of `linearized`."""
    return linearized(system, q, v, multipliers, history, time, accelerations).vibrations()


def linearized(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    time: float = 0.0,
    accelerations: np.ndarray | None = None,
    joint_springs: Sequence[np.ndarray] | None = None,
    counted: Mapping[int, Axes] = _IN_OWN_AXES,
    basis: np.ndarray | None = None,
) -> LinearizedSystem:
    """Return the equations of small motion about a state, on the constraints' null space.

    Contact acts with its tangent at the state, and continuous controllers add their states; sampled ones hold their
    outputs. Each part's small displacements and rotations are counted in the axes
    of its frame, which turn with it: about a steady rotation the equations then have constant coefficients, such as
    those of a rotor in round bearings or of a blade on its hub. About any other motion the eigenvalues are those of
    coefficients that are frozen.

    Args:
        system: to be linearised.
        q, v: (n,) the state.
        multipliers: (m,) there.
        history: there.
        time: of the state.
        accelerations: (n,) there; zero without them, as at rest.
        joint_springs: stiffness (r, r) of each of the system's `numbered_joints`, which replaces its tangent.
        counted: other axes in which a part is counted, by its number. In fixed ones a round rotor that spins about its
            axis has constant coefficients whatever its bearings are, and gyroscopic terms; in those of a rotor that is
            not round, a round housing that stands still has them.
        basis: (l, k) the motions to be taken, that of another state; found from the constraints without it.
    """
    a = np.zeros(system.n) if accelerations is None else accelerations
    history = system.followers.frozen(history)  # their states are coordinates of their own
    tangent, _, _, rows = tangent_at(system, time, q, v, multipliers, history, a)
    if joint_springs is not None:
        now = joint_stiffnesses(system, q, history)
        for (k, _), own, replaced in zip(system.numbered_joints, joint_springs, now, strict=True):
            at = slice(system.ranges[k].start + RIGID, system.ranges[k].stop)
            tangent[at, at] += own - replaced
    by_speed = system.forces(time, q, v, history, jacobian=True).d_velocity
    # δq = B x with B(t) over 6 + r coordinates of each part, so that pᵀp = 1 is satisfied automatically.
    frame, frame_rate, frame_acceleration = _turning_frames(system, q, v, a, counted)
    whole = system.mass(q)
    mass, damping, stiffness = whole @ frame, 2.0 * whole @ frame_rate, whole @ frame_acceleration
    stiffness = stiffness + tangent @ frame
    if by_speed is not None:
        damping, stiffness = damping - by_speed @ frame, stiffness - by_speed @ frame_rate
    free = _allowed(system, frame, rows) if basis is None else basis
    left = (frame @ free).T
    if basis is None:
        # Coordinates of mass one that the stiffness barely couples: soft motions keep their digits next to stiff ones.
        m, k = left @ mass @ free, left @ stiffness @ free
        free = free @ la.eigh(k + k.T, m + m.T)[1]
        left = (frame @ free).T
    m, d, k = (left @ matrix @ free for matrix in (mass, damping, stiffness))
    shapes, rates = frame @ free, frame_rate @ free
    control = system.followers.control_states(time, q, v, history)
    if control is not None:
        control = control.over(shapes, rates)
    return LinearizedSystem(m, d, k, shapes, rates, free, control)


def joint_stiffnesses(system: MultibodySystem, q: np.ndarray, history: History) -> list[np.ndarray]:
    """Return the stiffness (r, r) of each of the system's `numbered_joints` as it is at a state."""
    return [-np.asarray(answer.jacobian) for answer in system.respond(q, history, 0.0, jacobian=True)]


def free_motions(system: MultibodySystem, q: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return S (n, k): rows C_q (m, n) and unit Euler parameters allow the motions δq = S x, at rest at q (n,)."""
    rest = np.zeros(system.n)
    frame = _turning_frames(system, q, rest, rest)[0]
    return np.asarray(frame @ _allowed(system, frame, rows))


def _allowed(system: MultibodySystem, frame: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return (l, k) a basis of the motions δq = B y, B (n, l), that rows C_q (m, n) leave free."""
    scales = 1.0 / np.linalg.norm(frame * system.scales[:, None], axis=0)  # columns of one length
    left = rows @ frame * scales
    # pᵀp = 1 leaves only round-off: each row is compared with its original size.
    holding = np.linalg.norm(left, axis=1) > _SATISFIED * np.linalg.norm(rows / system.scales, axis=1)
    free = np.diag(scales)
    return free @ _null_space(left[holding]) if holding.any() else free


def _null_space(rows: np.ndarray) -> np.ndarray:
    """Return (n, n − rank) an orthonormal basis of the null space of rows."""
    sizes = np.linalg.norm(rows, axis=1)
    return np.asarray(la.null_space(rows[sizes > _SATISFIED * sizes.max(initial=0.0)], rcond=_SATISFIED))


def _turning_frames(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    counted: Mapping[int, Axes] = _IN_OWN_AXES,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return B, Ḃ and B̈ (n, k): δR = A x_R and δp = ½ Gᵀ(p) x_θ of each part, its flexible coordinates as they are.

    Of parts that are counted in other axes A, δR = A x_R and δp = ½ Eᵀ(p) A x_θ.
    """
    blocks: list[tuple[np.ndarray, ...]] = []
    for number, (part, at) in enumerate(zip(system.parts, system.ranges, strict=True)):
        if not part.n:
            continue
        p, rate, acceleration = q[at][3:RIGID], v[at][3:RIGID], a[at][3:RIGID]
        of_shape = np.eye(part.n - RIGID)
        still = np.zeros_like(of_shape)
        if number in counted:
            axes, turn = counted[number][0], skew(counted[number][1])
            places = (axes, turn @ axes, turn @ turn @ axes)
            t, t_rate, t_acceleration = (
                0.25 * _linear_rates(x, spatial_rates) for x in (p, rate, acceleration)
            )
            turns = (
                t @ places[0], t_rate @ places[0] + t @ places[1],
                t_acceleration @ places[0] + 2.0 * t_rate @ places[1] + t @ places[2],
            )  # fmt: skip
            shapes = (of_shape, still, still)
            blocks.append(tuple(la.block_diag(*each) for each in zip(places, turns, shapes, strict=True)))
            continue
        axes, spin = rotation_matrix(p), body_rates(p) @ rate
        turn = skew(spin)
        # ω̄' = H̄ p̈, as H̄' ṗ = 0 on the unit sphere.
        turning = skew(body_rates(p) @ acceleration) + turn @ turn
        of_rotation = [0.25 * body_rates(p).T, *(0.25 * _linear_rates(x) for x in (rate, acceleration))]
        blocks.append(
            (
                la.block_diag(axes, of_rotation[0], of_shape),
                la.block_diag(axes @ turn, of_rotation[1], still),
                la.block_diag(axes @ turning, of_rotation[2], still),
            )
        )
    frame, rate, acceleration = (la.block_diag(*matrices) for matrices in zip(*blocks, strict=True))
    return frame, rate, acceleration


def _linear_rates(x: np.ndarray, rates: Callable[[np.ndarray], np.ndarray] = body_rates) -> np.ndarray:
    """Return (4, 3) H̄ᵀ(p) = 2 Gᵀ(p), or Hᵀ = 2 Eᵀ, which are linear in p, for any vector in place of a unit p."""
    size = float(np.abs(x).max())  # squares of the components of a part at rest may be too small for numbers
    if size == 0.0:
        return np.zeros((4, 3))
    unit = x / size
    return np.asarray(rates(unit).T * (size * float(unit @ unit)))


def tangent_at(
    system: MultibodySystem,
    time: float,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    a: np.ndarray | None = None,
    pressing: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return −∂(forces with reactions)/∂q (n, n), those forces (n,), C (m,) and C_q (m, n).

    The first contains how reactions turn at constant multipliers, and the tangent of contact and friction. The
    arguments are those of `linearized`; friction in constraints is under the reactions of the multipliers `pressing`,
    without them under those of the history.
    """
    forces = system.forces(time, q, v, history, jacobian=True, multipliers=pressing)
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


def bordered_solution(tangent: np.ndarray, rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return x (n + m,) of [K, C_qᵀ; C_q, 0] x = right; the smallest one where a direction is free."""
    return _solved(_bordered(tangent, rows), right)


def _bordered(tangent: np.ndarray, rows: np.ndarray) -> np.ndarray:
    m = len(rows)
    return np.block([[tangent, rows.T], [rows, np.zeros((m, m))]]) if m else tangent


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the solution; where a direction is free or nearly so, the smallest one of those that miss least.

    One factor gives both: rows and columns are scaled equally, so that its condition does not depend on units
    (estimated from the factor; Higham 1988).
    """
    sizes = np.sqrt(np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-300))
    scaled = matrix / sizes[:, None] / sizes
    if len(matrix) and np.isfinite(scaled).all():
        norm = float(np.abs(scaled).sum(axis=0).max())
        factor, pivots, zero = lapack.dgetrf(scaled)
        if not zero and lapack.dgecon(factor, norm)[0] >= _SINGULAR:
            return np.asarray(lapack.dgetrs(factor, pivots, right / sizes)[0] / sizes)
    return np.asarray(la.lstsq(matrix, right, lapack_driver="gelsy")[0])


def _held_solution(
    system: MultibodySystem, tangent: np.ndarray, rows: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """Return Newton's step (n + m,); where it goes against the forces, with weak springs on flexible coordinates.

    What only the joints inside of a body hold moves freely until they close: its stiffness is round-off of either sign,
    and with the wrong one it would open them ever further. `faying.solvers.equilibrium` does the same for one body.
    """
    n = system.n
    step = _solved(_bordered(tangent, rows), right)
    if step[:n] @ tangent @ step[:n] >= 0.0:
        return step
    springs = np.zeros(n)
    stiffnesses = np.abs(np.diag(tangent))
    for at in system.ranges:
        springs[at.start + RIGID : at.stop] = _SOFTEST * stiffnesses[at.start + RIGID : at.stop].max(
            initial=0.0
        )
    return _solved(_bordered(tangent + np.diag(springs), rows), right)
