"""Stability of an equilibrium: whether a system stays at it, or leaves it at the slightest disturbance."""

import numpy as np
import scipy.linalg as la

from faying.multibody.history import History
from faying.multibody.linearized import free_motions, tangent_at
from faying.multibody.part import RIGID
from faying.multibody.redundancy import system_size
from faying.multibody.system import MultibodySystem

_LOADS = 1e-6  # of loads over a part's size, a stiffness; equilibria are out of balance by a hundredth of it
_ROUND_OFF = 1e-10  # of the stiffness that cancels out along a motion
_SOFTEST = 1e-9  # of the largest stiffness of a body: motions inside it that round-off makes free


def leaving_part(
    system: MultibodySystem, q: np.ndarray, multipliers: np.ndarray, history: History, time: float = 0.0
) -> str:
    """Return the part that moves most where an equilibrium is unstable; "" where it is stable or indifferent.

    The arguments are those of `leaving_shape`.
    """
    shape = leaving_shape(system, q, multipliers, history, time)
    return "" if shape is None else moving_most(system, shape)


def leaving_shape(
    system: MultibodySystem, q: np.ndarray, multipliers: np.ndarray, history: History, time: float = 0.0
) -> np.ndarray | None:
    """Return the motion (n,), complex, along which an unstable equilibrium is left fastest; None where it is not left.

    Judged are the eigenvalues σ of K x = σ x on the null space of the constraints' rows, at rest. K is the tangent of
    all forces, with that of the constraints' reactions at constant multipliers (which make a pendulum stable or not),
    of pressures and of loads that turn. Where σ is negative a displacement drives itself on (divergence). Where it is
    zero a motion is indifferent, as rolling on a plane or a free rotation: that is no reason to leave. So is a σ so
    little below zero that x·K x may as well be none: by forces that are not quite in balance over the parts' sizes,
    stiffness that cancels out along x, and of free motions inside a body.

    Contact and friction have their tangent at the state: surfaces that stick hold as springs, as static friction does;
    those that slip, and friction that depends on speed alone, have no stiffness. K is not symmetric where surfaces
    slip; σ is judged by its real part then, and vibrations that friction excites are no matter of statics.

    Args:
        system: what rests.
        q, multipliers, history: (n,), (m,) and the history at the equilibrium.
        time: of prescribed motions and load histories.
    """
    rest = np.zeros(system.n)
    tangent, _, _, rows = tangent_at(system, time, q, rest, multipliers, history)
    if _is_least(tangent, rows, system.scales):
        return None
    shapes = free_motions(system, q, rows)
    if not shapes.size:
        return None
    # Coordinates that the symmetric part barely couples: soft motions keep their digits next to stiff ones.
    stiffness = shapes.T @ tangent @ shapes
    shapes = shapes @ la.eigh(stiffness + stiffness.T)[1]
    stiffness = shapes.T @ tangent @ shapes
    acting = np.abs(system.forces(time, q, rest, history, jacobian=False).force)
    uncertain = _Uncertainty(system, tangent, acting + np.abs(rows.T) @ np.abs(multipliers))
    # Where the symmetric part is positive no eigenvalue has a negative real part.
    energies = np.diag(stiffness)
    if all(uncertain.covers(energies[k], shapes[:, k]) for k in np.flatnonzero(energies < 0.0)):
        return None
    values, vectors = la.eig(stiffness)
    growing = np.flatnonzero(values.real < 0.0)
    for k in growing[np.argsort(values[growing].real, kind="stable")]:
        x = shapes @ vectors[:, k]
        if not uncertain.covers((x.conj() @ tangent @ x).real, x):
            return np.asarray(x)
    return None


def _is_least(tangent: np.ndarray, rows: np.ndarray, scales: np.ndarray) -> bool:
    """Return whether x·K x is never negative where C_q x = 0, as most often, at the cost of one factor.

    With m independent rows the bordered matrix has m negative eigenvalues and those that K has on their null space
    (Gould 1985). In its factor L D Lᵀ a block of two in D counts as one of each sign (Bunch and Kaufman 1977).
    """
    m = len(rows)
    bordered = np.block([[0.5 * (tangent + tangent.T) / scales, rows.T], [rows / scales, np.zeros((m, m))]])
    bordered[: len(tangent)] /= scales[:, None]
    sizes = np.sqrt(np.abs(bordered).max(axis=1, initial=0.0))
    if not sizes.all():
        return False
    d = la.ldl(bordered / sizes[:, None] / sizes)[1]
    pairs = np.flatnonzero(np.diag(d, -1))
    single = np.delete(np.diag(d), [*pairs, *(pairs + 1)])
    return bool(np.count_nonzero(single < 0.0) + len(pairs) == m)


class _Uncertainty:
    """How far x·K x may come out below zero along a motion x that costs nothing.

    Args:
        system: what rests.
        tangent: K (n, n).
        acting: (n,) sizes of the forces in balance.
    """

    def __init__(self, system: MultibodySystem, tangent: np.ndarray, acting: np.ndarray) -> None:
        self._tangent, self._own = np.abs(tangent), np.zeros(system.n)
        size, loads = system_size(system), acting / system.scales
        for at in (at for at in system.ranges if at.stop > at.start):
            frame, turning = slice(at.start, at.start + RIGID), slice(at.start + 3, at.start + RIGID)
            largest = _LOADS * float(loads[frame].max())
            self._own[frame] = largest / size * system.scales[frame] ** 2
            self._own[turning] = largest * system.scales[turning]  # over the part's own size
            flexible = slice(at.start + RIGID, at.stop)
            self._own[flexible] = _SOFTEST * np.diag(self._tangent)[flexible].max(initial=0.0)

    def covers(self, energy: float, x: np.ndarray) -> bool:
        """Return whether x·K x along x (n,) may as well be zero or more."""
        sizes = np.abs(x)
        return bool(energy >= -(sizes @ (_ROUND_OFF * (self._tangent @ sizes) + self._own * sizes)))


def moving_most(system: MultibodySystem, x: np.ndarray) -> str:
    """Return the name of the part that moves furthest along x (n,)."""
    worst = int(np.argmax(np.abs(system.scales * x)))
    return next(
        p.name for p, at in zip(system.parts, system.ranges, strict=True) if at.start <= worst < at.stop
    )
