"""Motion that constraints and prescribed motions determine alone, and the forces that it takes.

Where the constraints leave no motion free, position, velocity and acceleration follow from C(q, t) = 0 and its two
derivatives; Newton's law M a + C_qᵀ λ = f then gives the reactions, those of the drives among them (inverse dynamics;
Nikravesh 1988, chapters 3 and 9). Flexible parts deform as they do under these forces and the inertia of the motion
(quasi-static deformation): their rates are left out.
"""

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.multibody.history import History
from faying.multibody.initial import assembled_velocity, smallest_change
from faying.multibody.linearized import bordered_solution, moved_on, tangent_at
from faying.multibody.part import RIGID
from faying.multibody.redundancy import system_size
from faying.multibody.self_locking import LOCKED_HINT, locked_clause, locking_frictions
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State, constraint_drift

_CORRECTIONS = 25
_OF_FRICTION = 80  # corrections where friction follows the reactions, and these the friction
_STALLED = 0.999  # ratio of corrections of reactions, above which friction locks
_SETTLED = 1e-9  # of the largest reaction: last change where friction follows the reactions
_TOLERANCE = 1e-11  # of the system's lengths
_RANK = 1e-8  # of the largest singular value of rows over lengths
_FAR = 0.2  # of the system's size: largest correction of a prediction that is accepted


def free_parts(
    system: MultibodySystem, time: float, q: np.ndarray, history: History
) -> tuple[int, list[str]]:
    """Return the number of rigid motions that constraints and drives leave free, and the parts that they move most.

    Args:
        system: without redundant equations.
        time, q, history: an assembled state.
    """
    rigid = _rigid(system)
    _, rows = system.constraints(time, q, history)
    free = la.null_space((rows / system.scales)[:, rigid], rcond=_RANK)
    names = [name for part, at in zip(system.parts, system.ranges, strict=True) if part.n
             for name in [part.name] * RIGID]  # fmt: skip
    most = np.argmax(np.abs(free), axis=0) if free.size else ()
    return free.shape[1], list(dict.fromkeys(names[int(k)] for k in most))


def require_driven(system: MultibodySystem, time: float, q: np.ndarray, history: History) -> None:
    """Refuse a system whose drives do not determine its motion.

    Raises:
        ModelError: names the number of free motions and the parts that have them.
    """
    count, parts = free_parts(system, time, q, history)
    if count:
        what = "one motion is" if count == 1 else f"{count} motions are"
        named = " and ".join(repr(name) for name in parts)
        raise ModelError(
            f"Constraints and prescribed motions do not determine how the system moves: {what} free, of {named}.",
            "Prescribe the motions that are left, or compute a motion over time instead.",
        )


def driven_state(
    system: MultibodySystem, time: float, q: np.ndarray, multipliers: np.ndarray, history: History
) -> State:
    """Return the state at a time near q (n,): position, velocity, acceleration and reactions.

    Newton's method on constraints and forces, whose velocities and accelerations follow from the constraints in each
    correction.

    Args:
        system: that `require_driven` accepts.
        time: of the prescribed motions.
        q, multipliers: (n,), (m,) near the solution.
        history: of the last accepted state.

    Raises:
        SolveError: where it does not converge, as at a dead point, or where friction locks it.
    """
    reach = max(system_size(system), float(np.abs(system.scales * q).max(initial=0.0)))
    start, last, before = q, np.inf, None
    for _ in range(_OF_FRICTION if system.rubs else _CORRECTIONS):
        v, a = _rates(system, time, q, history)
        tangent, force, values, rows = tangent_at(
            system, time, q, v, multipliers, history, a, pressing=multipliers
        )
        change = bordered_solution(tangent, rows, np.concatenate([force - system.mass(q) @ a, -values]))
        q, multipliers = q + change[: system.n], multipliers + change[system.n :]
        size = float(np.abs(system.scales * change[: system.n]).max(initial=0.0))
        if not np.isfinite(size) or np.abs(system.scales * (q - start)).max(initial=0.0) > _FAR * reach:
            break
        reactions = change[system.n :]
        follows = system.rubs and np.abs(reactions).max(initial=0.0) > _SETTLED * np.abs(multipliers).max(
            initial=0.0
        )
        if follows:
            # Corrections shrink by a ratio, that of friction to what presses it: their sum is extrapolated (Aitken).
            ratio = 0.0 if before is None else float(reactions @ before) / float(before @ before)
            if 0.0 < ratio < _STALLED:
                multipliers = multipliers + ratio / (1.0 - ratio) * reactions
            before = None if 0.0 < ratio < _STALLED else reactions
        if not follows and (size <= _TOLERANCE * reach or (size <= 1e-6 * reach and size >= last)):
            return _accepted(system, time, q, multipliers, history)
        last = size
    if system.rubs and np.isfinite(q).all() and np.isfinite(multipliers).all():
        v, _ = _rates(system, time, q, history)
        if locking := locking_frictions(
            system, list(system.rubbing(q, v, history)), time, q, v, history, multipliers
        ):
            raise SolveError(f"There {locked_clause(locking)}.", LOCKED_HINT)
    raise SolveError(
        "Drives and constraints do not determine a next position: the mechanism is near a dead point, or its "
        "prescribed motion leads to where it cannot go.",
        "Look at how far the drives can move it, or drive another part.",
    )


def ahead(system: MultibodySystem, state: State, step: float) -> np.ndarray:
    """Return the position (n,) after a step, at constant acceleration."""
    return moved_on(system, state.q, step * state.v + 0.5 * step**2 * state.a)


def _accepted(
    system: MultibodySystem, time: float, q: np.ndarray, multipliers: np.ndarray, history: History
) -> State:
    v, a = _rates(system, time, q, history)
    touched = system.contact(q, history, 0.0, jacobian=False)
    remembered = history if touched is None else touched.history
    return State(time, q, v, a, multipliers, system.accepted(time, q, remembered, v, multipliers))


def _rates(
    system: MultibodySystem, time: float, q: np.ndarray, history: History
) -> tuple[np.ndarray, np.ndarray]:
    """Return velocities and accelerations (n,) that the constraints and drives demand at q."""
    v = assembled_velocity(system, q, np.zeros(system.n), history, time)
    return v, smallest_change(system, q, history, time, constraint_drift(system, time, q, v, history))


def _rigid(system: MultibodySystem) -> np.ndarray:
    """Return the numbers of the coordinates of the parts' frames."""
    starts = [at.start for at in system.ranges if at.stop > at.start]
    return np.concatenate([np.arange(k, k + RIGID) for k in starts])
