"""A stable equilibrium from an unstable one: off it along the motion that leaves it, then downhill to rest.

Downhill is overdamped motion σ M q' = Q with implicit steps, σ so large that all stiffnesses are positive with it and
so small that Newton's method remains near the end (pseudo-transient continuation: Kelley and Keyes 1998). Forces do
work in each step, so that without friction the potential energy falls; forces without a potential need nothing else.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.history import History
from faying.multibody.initial import assembled_position
from faying.multibody.linearized import (
    Equilibrium,
    bordered_solution,
    find_equilibrium,
    free_motions,
    moved_on,
    tangent_at,
)
from faying.multibody.redundancy import system_size
from faying.multibody.stability import leaving_shape, moving_most
from faying.multibody.system import MultibodySystem
from faying.progress import Progress

_ROUNDS = 10  # unstable equilibria that are left
_STEPS = 500
_PUSH = 1e-3  # of the system's size: how far it is pushed
_LONGEST = 0.05  # of the system's size, as a step
_SHORTEST = 1e-4  # of the system's size: a step near rest
_OVER = 1.5  # of the most negative σ: how much is added
_MORE = 4.0  # factor of σ after a step uphill
_UPHILL = 30  # times


@dataclass(frozen=True, eq=False)
class StableRest:
    """A stable equilibrium, the part that left each unstable one on the way, and how far anything has moved."""

    equilibrium: Equilibrium
    left: tuple[str, ...]
    distance: float


def find_stable(
    system: MultibodySystem, at: Equilibrium, progress: Progress, time: float = 0.0
) -> StableRest:
    """Return a stable or indifferent equilibrium downhill from one; the same where it is stable already.

    Of both ways off an unstable equilibrium it takes that in which the coordinate that moves most grows.

    Args:
        system: at rest.
        at: the equilibrium.
        progress: reports and cancels.
        time: of prescribed motions and load histories.

    Raises:
        SolveError: when nothing holds the system further down, or every equilibrium on the way is unstable.
    """
    first, size = at.position, system_size(system)
    left: list[str] = []
    for _ in range(_ROUNDS):
        shape = leaving_shape(system, at.position, at.multipliers, at.history, time)
        if shape is None:
            distance = float(np.abs(system.scales * (at.position - first)).max(initial=0.0))
            return StableRest(at, tuple(left), distance if left else 0.0)
        left.append(moving_most(system, shape))
        way = shape.real if np.linalg.norm(shape.real) >= np.linalg.norm(shape.imag) else shape.imag
        lengths = system.scales * way
        push = way * (_PUSH * size / lengths[int(np.argmax(np.abs(lengths)))])
        q = assembled_position(system, moved_on(system, at.position, push), at.history, time)
        found = find_downhill(system, q, at.history, progress, time)
        at = replace(found, iterations=at.iterations + found.iterations)
    raise SolveError(
        f"No stable equilibrium was found: {_ROUNDS} in a row are unstable, the last one by part {left[-1]!r}.",
        "Start nearer to a stable one, or let damping bring the system there in time.",
    )


def find_downhill(
    system: MultibodySystem, q: np.ndarray, history: History, progress: Progress, time: float = 0.0
) -> Equilibrium:
    """Return the equilibrium to which an overdamped system comes from q (n,).

    Args:
        system: that moves.
        q, history: where it begins; constraints are met.
        progress: reports and cancels.
        time: of prescribed motions and load histories.

    Raises:
        SolveError: when it moves on and on.
    """
    q, history, steps = _downhill(system, q, history, progress, time)
    found = find_equilibrium(system, q, history, progress, time, held=False)
    return replace(found, iterations=found.iterations + steps)


def _downhill(
    system: MultibodySystem, q: np.ndarray, history: History, progress: Progress, time: float
) -> tuple[np.ndarray, History, int]:
    """Return a position near rest downhill from q (n,), the history there, and the steps to it.

    Raises:
        SolveError: when it moves on and on.
    """
    n, size, rest = system.n, system_size(system), np.zeros(system.n)
    part, scales = "", system.scales

    def forces(place: np.ndarray) -> np.ndarray:
        force = system.forces(time, place, rest, history, jacobian=False).force
        touched = system.contact(place, history, 0.0, jacobian=False)
        return np.asarray(force if touched is None else force + touched.force)

    for number in range(_STEPS):
        # Reactions that carry the forces as they are; what is left of these moves the system.
        values, rows = system.constraints(time, q, history)
        force = forces(q)
        multipliers = la.lstsq(rows.T / scales[:, None], force / scales, lapack_driver="gelsy")[0]
        tangent = tangent_at(system, time, q, rest, multipliers, history)[0]
        mass, free = system.mass(q), free_motions(system, q, rows)
        stiffness = free.T @ (tangent + tangent.T) @ free
        lowest = 0.5 * float(la.eigvalsh(stiffness, free.T @ mass @ free)[0]) if free.size else 0.0
        sigma = _OVER * max(-lowest, 0.0)
        for _ in range(_UPHILL):
            step = bordered_solution(tangent + sigma * mass, rows, np.concatenate([force, -values]))
            length = float(np.abs(scales * step[:n]).max())
            change = step[:n] * min(1.0, _LONGEST * size / length if length > 0.0 else 1.0)
            ahead = assembled_position(system, moved_on(system, q, change), history, time)
            if change @ (force + forces(ahead)) >= 0.0 or length <= _SHORTEST * size:
                break
            sigma = max(_MORE * sigma, 0.1 * abs(lowest), 1e-12)
        q, part = ahead, moving_most(system, change)
        answered = system.contact(q, history, 0.0, jacobian=False)
        history = system.accepted(
            time, q, answered.history if answered is not None else history, None, step[n:]
        )
        progress.report(min(0.99, number / 100), f"downhill, step {number + 1}", change=length)
        if sigma == 0.0 and length <= _SHORTEST * size:
            return q, history, number + 1
    raise SolveError(
        f"Downhill part {part!r} moves on and on: nothing brings it to rest within {_STEPS} steps.",
        "Add what holds it, such as a stop or a spring, or start nearer to a stable equilibrium.",
    )
