"""Modes of rotors over their speed: parts that may be counted in fixed axes, whirl, modes that belong together."""

from collections.abc import Mapping

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.multibody.history import History
from faying.multibody.linearized import Vibrations, free_motions, tangent_at
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.spatial.rotations import quaternion_product, spatial_rates

_RESISTS = 1e-8  # of the largest stiffness
_RATHER = 1e-3  # of likeness
_ACROSS = 1e-3  # of a motion by squares: less of it across the axis is round-off or coupling by the mesh
_MIXED = 0.01  # of an eigenvalue: what is not sure of the frequency in fixed axes
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
        hint = (
            "Model the rotor as a rigid part with its frame on the axis and two equal moments of inertia across it, or "
            "count in turning axes, where its supports are to be the same in all directions."
        )
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
    system: MultibodySystem, q: np.ndarray, turning: Mapping[int, np.ndarray], shape: np.ndarray
) -> tuple[float, float]:
    """Return how a mode circles: 1 forward, in the sense of the spin, −1 backward, 0 in a plane or not; and its share.

    Of rigid parts the frame moves and tilts, of flexible ones the nodes that have markers do. The share is that of what
    they do across the axis, by squares, in all that the parts that turn do.

    Args:
        system, q: the system and its position (n,).
        turning: angular velocity (3,) of the parts that turn, by number.
        shape: (n,) complex, of x(t) = Re(shape exp(λ t)) with Im λ > 0.
    """
    turned = lateral = whole = 0.0
    for k, spin in turning.items():
        part, at, axis = system.parts[k], system.ranges[k], spin / np.linalg.norm(spin)
        across = np.linalg.svd(axis[None])[2][1:]
        if np.linalg.det(np.vstack([axis, across])) < 0.0:
            across = across[::-1]
        names = ("frame",) if part.n == RIGID else [name for name in part.marker_names() if name != "frame"]
        whole += float(np.sum(np.abs(system.scales[at][RIGID:] * shape[at][RIGID:]) ** 2))
        for motion in (part.marker(name).motion(q[at]) for name in names or ("frame",)):
            for rows, size in ((motion.d_position, 1.0), (motion.d_rotation, system.scales[at][3])):
                moved = size * rows @ shape[at]
                x, y = across @ moved
                turned -= 2.0 * float((np.conj(x) * y).imag)
                lateral += float(abs(x) ** 2 + abs(y) ** 2)
                whole += float(np.sum(np.abs(moved) ** 2))
    share = lateral / whole if whole > 0.0 else 0.0
    return (turned / lateral if share > _ACROSS else 0.0), share


def in_fixed_axes(
    system: MultibodySystem, q: np.ndarray, turning: Mapping[int, np.ndarray], found: Vibrations
) -> tuple[Vibrations, np.ndarray]:
    """Return vibrations counted in turning axes as they are seen from fixed ones, and which of them are not pure (k,).

    What circles forward there with ω circles with ω + Ω, what circles backward with ω − Ω, and forward where that is
    negative; along and about the axis nothing changes. The motion of a rotor that is not round has both parts, and no
    single frequency in fixed axes.

    Args:
        system, q: the system and its position (n,).
        turning: angular velocity (3,) of the parts that turn, by number: one for all.
        found: vibrations in axes that turn with them.
    """
    speed = float(np.linalg.norm(next(iter(turning.values()))))
    values, shapes = found.eigenvalues.copy(), found.shapes.copy()
    mixed = np.zeros(len(values), dtype=bool)
    for k, own in enumerate(found.eigenvalues):
        whirl, share = whirl_of(system, q, turning, found.shapes[:, k])
        if share > _ACROSS:
            values[k] += 1j * np.round(whirl) * speed
            mixed[k] = (1.0 - abs(whirl)) * speed > _MIXED * max(abs(own), abs(values[k]))
        if values[k].imag < 0.0:
            values[k], shapes[:, k] = values[k].conj(), shapes[:, k].conj()
    order = np.argsort(np.abs(values), kind="stable")
    return Vibrations(values[order], shapes[:, order]), mixed[order]


def matched(last: Vibrations, now: Vibrations) -> np.ndarray:
    """Return (k,) the number of the mode now that continues each of the last ones, by the MAC of shapes and rates.

    Vectors are (x, λ x), so that forward and backward whirl of equal shapes are told apart by their frequencies.
    """

    def sizes(found: Vibrations) -> np.ndarray:
        return np.asarray(np.maximum(np.abs(found.eigenvalues), 1e-300))

    def states(found: Vibrations) -> np.ndarray:
        both = np.vstack([found.shapes, found.shapes * found.eigenvalues / sizes(found)])
        return np.asarray(both / np.linalg.norm(both, axis=0))

    from scipy.optimize import linear_sum_assignment  # late: takes long to import

    likeness = np.abs(states(last).conj().T @ states(now)) ** 2
    pace = np.abs(now.eigenvalues[None] - last.eigenvalues[:, None])
    apart = pace / (sizes(last)[:, None] + sizes(now)[None])
    # Of two real eigenvalues ±σ, into which a vibration divides where it diverges, the one that grows goes on.
    grows = _RATHER * (now.eigenvalues.real > 0.0)
    return np.asarray(linear_sum_assignment(likeness - apart + grows, maximize=True)[1])
