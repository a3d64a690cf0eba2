"""Modes of rotors over their speed: parts that may be counted in fixed axes, whirl, modes that belong together."""

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.multibody.history import History
from faying.multibody.linearized import Vibrations, free_motions, tangent_at
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.spatial.rotations import quaternion_product, spatial_rates

_RESISTS = 1e-8  # of the largest stiffness
_TURNS = 1e-6  # of the fastest spin: a slower part is at rest
_ROUND = 1e-3  # of the mass matrix: change by a turn about the axis that still counts as round


def steady_velocity(
    system: MultibodySystem, q: np.ndarray, v: np.ndarray, multipliers: np.ndarray, history: History
) -> np.ndarray:
    """Return the velocity (n,) of a steady rotation: of all that drives allow the one along which no force changes.

    A motor between a suspended housing and its rotor prescribes their relative speed alone; springs tell which turns.

    Args:
        system, q: the system at rest at q (n,).
        v: (n,) any velocity that the drives allow; motions that nothing resists keep theirs.
        multipliers, history: (m,) and the history at rest.
    """
    tangent, _, _, rows = tangent_at(system, 0.0, q, np.zeros(system.n), multipliers, history)
    free, scales = free_motions(system, q, rows), system.scales[:, None]
    resisting = tangent @ free / scales
    changes = la.lstsq(resisting, -tangent @ v / system.scales, cond=_RESISTS, lapack_driver="gelsy")[0]
    return np.asarray(v + free @ changes)


def spins(system: MultibodySystem, q: np.ndarray, v: np.ndarray) -> dict[int, np.ndarray]:
    """Return the angular velocity (3,) of each part that turns, by its number."""
    found = {
        k: spatial_rates(q[at][3:RIGID]) @ v[at][3:RIGID]
        for k, (part, at) in enumerate(zip(system.parts, system.ranges, strict=True))
        if part.n
    }
    fastest = max((float(np.linalg.norm(each)) for each in found.values()), default=0.0)
    return {k: each for k, each in found.items() if np.linalg.norm(each) > _TURNS * fastest}


def require_round(system: MultibodySystem, q: np.ndarray, v: np.ndarray) -> None:
    """Refuse parts that turn and are not round, whose vibrations have no constant coefficients in fixed axes.

    Raises:
        ModelError: names the part and what is not round.
    """
    for k, spin in spins(system, q, v).items():
        part, at = system.parts[k], system.ranges[k]
        hint = "Model the rotor as a rigid part with its frame on the axis and two equal moments of inertia across it."
        if part.n > RIGID:
            raise ModelError(f"The part {part.name!r} turns and is flexible.", hint)
        speed, size = float(np.linalg.norm(spin)), float(system.scales[at][3])
        if float(np.linalg.norm(v[at][:3])) > _ROUND * speed * size:
            raise ModelError(f"The frame of part {part.name!r} is not on the axis that it turns about.", hint)
        axis, masses = spin / speed, []
        for angle in (0.0, 0.7, 1.9):
            turned = q.copy()
            half = np.concatenate([[np.cos(0.5 * angle)], np.sin(0.5 * angle) * axis])
            turned[at.start + 3 : at.start + RIGID] = quaternion_product(half, q[at][3:RIGID])
            frame = np.zeros((RIGID, 6))
            frame[:3, :3], frame[3:, 3:] = np.eye(3), 0.25 * spatial_rates(turned[at][3:RIGID]).T
            masses.append(frame.T @ system.mass(turned)[at, at] @ frame)
        if max(np.abs(each - masses[0]).max() for each in masses[1:]) > _ROUND * np.abs(masses[0]).max():
            raise ModelError(
                f"The part {part.name!r} is not round about the axis that it turns about: in bearings that stand still "
                "its vibrations have no constant frequencies.",
                hint,
            )


def whirl_of(
    system: MultibodySystem, q: np.ndarray, turning: dict[int, np.ndarray], shape: np.ndarray
) -> float:
    """Return how a mode circles: 1 forward, in the sense of the spin, −1 backward, 0 in a plane.

    Args:
        system, q: the system and its position (n,).
        turning: angular velocity (3,) of the parts that turn, by number.
        shape: (n,) complex, of x(t) = Re(shape exp(λ t)) with Im λ > 0.
    """
    turned = whole = 0.0
    for k, spin in turning.items():
        at, axis = system.ranges[k], spin / np.linalg.norm(spin)
        across = np.linalg.svd(axis[None])[2][1:]
        if np.linalg.det(np.vstack([axis, across])) < 0.0:
            across = across[::-1]
        tilt = system.scales[at][3] * spatial_rates(q[at][3:RIGID]) @ shape[at][3:RIGID]
        for moved in (shape[at][:3], tilt):
            x, y = across @ moved
            turned -= 2.0 * float((np.conj(x) * y).imag)
            whole += float(abs(x) ** 2 + abs(y) ** 2)
    return turned / whole if whole > 0.0 else 0.0


def matched(last: Vibrations, now: Vibrations) -> np.ndarray:
    """Return (k,) the number of the mode now that continues each of the last ones, by the MAC of shapes and rates.

    Vectors are (x, λ x), so that forward and backward whirl of equal shapes are told apart by their frequencies.
    """

    def states(found: Vibrations) -> np.ndarray:
        both = np.vstack([found.shapes, found.shapes * found.eigenvalues / np.abs(found.eigenvalues)])
        return np.asarray(both / np.linalg.norm(both, axis=0))

    from scipy.optimize import linear_sum_assignment  # late: takes long to import

    likeness = np.abs(states(last).conj().T @ states(now)) ** 2
    pace = np.abs(now.eigenvalues[None] - last.eigenvalues[:, None])
    apart = pace / (np.abs(last.eigenvalues)[:, None] + np.abs(now.eigenvalues)[None])
    return np.asarray(linear_sum_assignment(likeness - apart, maximize=True)[1])
