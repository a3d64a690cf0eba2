"""Steady rotation about one axis: velocities, the equilibrium with centrifugal forces, and whether there is one at all.

Counted in axes that turn with the rotor, whatever turns at that speed rests, deformed by its centrifugal forces, and
small motions about it have constant coefficients, round or not. Those of what stands still are constant there only if
it is the same in all directions across the axis. (Genta 2005, Dynamics of Rotating Systems, chapters 5 and 6.)
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.multibody.history import History
from faying.multibody.initial import assembled_position
from faying.multibody.linearized import Axes, LinearizedSystem, linearized, moved_on
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State, consistent_start
from faying.spatial.rotations import quaternion_product, rotation_about, rotation_matrix, spatial_rates

_ITERATIONS = 30
_TOLERANCE = 1e-9  # of the system's lengths, as the last correction
_SAME = 1e-6  # of the speed: how far two parts may differ in it and still turn together
_APART = 1e-4  # of the size of a part: how far its own axis may be from the common one
_CONSTANT = 1e-3  # of the sizes of coefficients: change over a turn that still counts as none
_ANGLE = 0.7  # rad, by which the rotor is turned to see it
_FREE = 1e-10  # of the stiffest motion: below, nothing resists


@dataclass(frozen=True, eq=False)
class SteadyRotation:
    """How some parts of a system turn together, while all others stand still.

    Attributes:
        spin: (3,) angular velocity.
        point: (3,) on the axis.
        turning: numbers of the parts that turn.
    """

    spin: np.ndarray
    point: np.ndarray
    turning: tuple[int, ...]

    @property
    def speed(self) -> float:
        """Angular speed, never negative."""
        return float(np.linalg.norm(self.spin))

    def rates(self, system: MultibodySystem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return v and a (n,) at q (n,)."""
        v, a = np.zeros(system.n), np.zeros(system.n)
        for k in self.turning:
            at = system.ranges[k]
            own, p = q[at][:3], q[at][3:RIGID]
            v[at.start : at.start + 3] = np.cross(self.spin, own - self.point)
            a[at.start : at.start + 3] = np.cross(self.spin, v[at][:3])
            v[at.start + 3 : at.start + RIGID] = 0.25 * spatial_rates(p).T @ self.spin  # p' = ½ ω ∘ p
            a[at.start + 3 : at.start + RIGID] = -0.25 * (self.spin @ self.spin) * p
        return v, a

    def turned(self, system: MultibodySystem, q: np.ndarray, angle: float) -> np.ndarray:
        """Return q (n,) with the parts that turn at another angle."""
        found, axis = q.copy(), self.spin / self.speed
        half = np.concatenate([[np.cos(0.5 * angle)], np.sin(0.5 * angle) * axis])
        for k in self.turning:
            at = system.ranges[k]
            arm = q[at][:3] - self.point
            across = arm - (axis @ arm) * axis
            found[at.start : at.start + 3] += (np.cos(angle) - 1.0) * across + np.sin(angle) * np.cross(
                axis, arm
            )
            found[at.start + 3 : at.start + RIGID] = quaternion_product(half, q[at][3:RIGID])
        return found

    def axes(self, system: MultibodySystem, time: float) -> dict[int, Axes]:
        """Return the axes, turning as the rotor, in which parts that stand still are counted, by number."""
        still = (k for k, part in enumerate(system.parts) if part.n and k not in self.turning)
        return dict.fromkeys(still, (rotation_matrix(rotation_about(time * self.spin)), self.spin))


def common_rotation(
    system: MultibodySystem, q: np.ndarray, v: np.ndarray, turning: dict[int, np.ndarray]
) -> SteadyRotation:
    """Return the rotation of all parts that turn.

    Args:
        system, q, v: the system and a steady rotation of it (n,).
        turning: angular velocity (3,) of the parts that turn, by number; not empty.

    Raises:
        ModelError: when they do not turn about one axis at one speed; names a part.
    """
    first = next(iter(turning))
    spin = turning[first]
    squared = float(spin @ spin)
    place, velocity = (x[system.ranges[first]][:3] for x in (q, v))
    found = SteadyRotation(spin, place + np.cross(spin, velocity) / squared, tuple(turning))
    wanted = found.rates(system, q)[0]
    for k, own in turning.items():
        at = system.ranges[k]
        apart = np.linalg.norm((v - wanted)[at][:3])
        size = float(system.scales[at][3])
        if np.linalg.norm(own - spin) > _SAME * found.speed or apart > _APART * found.speed * size:
            raise ModelError(
                f"The parts {system.parts[first].name!r} and {system.parts[k].name!r} do not turn together about one "
                "axis.",
                "Only round rigid rotors may turn at different speeds or about different axes.",
            )
    return found


def relative_equilibrium(
    system: MultibodySystem, q: np.ndarray, history: History, rotation: SteadyRotation
) -> State:
    """Return the state in which nothing moves relative to the rotor: deformed by centrifugal forces, near q (n,).

    Newton's method: the acceleration that forces and constraints give, less that of the steady rotation, is what the
    stiffness in turning axes has to take away.

    Raises:
        SolveError: when none is found; says what may be the reason.
    """
    reach = max(float(np.abs(system.scales * q).max()), 1e-300)
    for _ in range(_ITERATIONS):
        v, a = rotation.rates(system, q)
        state = consistent_start(system, 0.0, q, v, history)
        small = small_motion(system, replace(state, a=a), rotation)
        missing = small.shapes.T @ (system.mass(q) @ (state.all_accelerations - a))
        sizes = np.sqrt(np.abs(np.diag(small.mass)))
        stiffness = small.stiffness / sizes[:, None] / sizes
        step = la.lstsq(stiffness, missing / sizes, cond=_FREE, lapack_driver="gelsy")[0] / sizes
        change = small.shapes @ step
        q = assembled_position(system, moved_on(system, q, change), history)
        if not np.isfinite(q).all():
            break
        if np.abs(system.scales * change).max() <= _TOLERANCE * reach:
            v, a = rotation.rates(system, q)
            return replace(consistent_start(system, 0.0, q, v, history), a=a)
    raise SolveError(
        f"No steady state is found at {rotation.speed:.6g} rad/s: centrifugal forces carry the rotor away.",
        "Lower the highest speed, stiffen the rotor, or switch geometric stiffening of its bodies on.",
    )


def require_steady(
    system: MultibodySystem, state: State, rotation: SteadyRotation, names: tuple[str, ...]
) -> None:
    """Refuse what has no constant coefficients in axes that turn: weight across the axis, and uneven supports.

    Args:
        system, state, rotation: the relative equilibrium.
        names: of the parts that turn and may not be counted in fixed axes.

    Raises:
        ModelError: names the parts.
    """
    axis, named = rotation.spin / rotation.speed, " and ".join(repr(each) for each in names)
    if np.linalg.norm(np.cross(axis, system.gravity)) > _APART * np.linalg.norm(system.gravity):
        raise ModelError(
            f"Weight across the axis moves {named} to and fro in every turn: there is no steady state to vibrate "
            "about.",
            "Set gravity to zero, or along the axis: it hardly changes frequencies.",
        )
    for k, part in enumerate(system.parts):
        if part.n > RIGID and k not in rotation.turning:
            raise ModelError(
                f"The part {part.name!r} stands still and is flexible, while {named} turns and is flexible or not "
                "round: their vibrations have no constant frequencies.",
                "Replace one of them by a rigid part on bushings.",
            )
    now = small_motion(system, state, rotation)
    time = _ANGLE / rotation.speed
    q = rotation.turned(system, state.q, _ANGLE)
    history = system.accepted(time, q, state.history)
    v, a = rotation.rates(system, q)
    later = replace(consistent_start(system, time, q, v, history), a=a)
    then = small_motion(system, later, rotation, now.basis)
    speeds = (1.0, rotation.speed, rotation.speed**2)
    first, second = ((each.stiffness, each.damping, each.mass) for each in (now, then))
    sizes = np.sqrt(sum(w * np.abs(np.diag(each)) for w, each in zip(speeds, first, strict=True)))
    changes = [
        np.abs(w * (b - a) / sizes[:, None] / sizes).max(initial=0.0)
        for w, a, b in zip(speeds, first, second, strict=True)
    ]
    rows = system.constraints(time, q, history)[1]
    lengths = np.linalg.norm(rows / system.scales, axis=1)
    shapes = then.shapes / np.abs(system.scales[:, None] * then.shapes).max(axis=0, initial=1e-300)
    violated = np.abs(rows @ shapes / np.where(lengths > 0.0, lengths, 1.0)[:, None]).max(initial=0.0)
    if max(*changes, violated) > _CONSTANT:
        raise ModelError(
            f"What holds {named} is not the same in all directions across the axis: as it turns, its vibrations have "
            "no constant frequencies.",
            "Give its supports the same stiffness and damping in both directions, or model the rotor as a round rigid "
            "part.",
        )


def small_motion(
    system: MultibodySystem, state: State, rotation: SteadyRotation, basis: np.ndarray | None = None
) -> LinearizedSystem:
    """Return the equations of small motion about a relative equilibrium, in axes that turn with the rotor.

    Args:
        system, state, rotation: the relative equilibrium.
        basis: as of `faying.multibody.linearized.linearized`.
    """
    return linearized(
        system, state.q, state.v, state.all_multipliers, state.history, state.time, state.a,
        counted=rotation.axes(system, state.time), basis=basis,
    )  # fmt: skip
