"""Initial conditions: positions and velocities that meet the constraints, as near as possible to those given."""

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.redundancy import system_size
from faying.multibody.system import MultibodySystem

_TOLERANCE = 1e-12  # of the system's lengths
_ITERATIONS = 50
_APART = 1e-6  # of the system's size: violation by parts that cannot be assembled
_MET = 1e-9  # of the system's lengths: violation of constraints that a time step leaves anyway
_ROUNDS = 20
_RANK = 1e-10  # of equations over lengths
_DEFORMING = 1e5  # cost of a deformation relative to a rigid motion of the same displacement


def assembled_position(
    system: MultibodySystem,
    q: np.ndarray,
    history: History,
    time: float = 0.0,
    given: np.ndarray | None = None,
) -> np.ndarray:
    """Return a position (n,) near q that meets the constraints, and keeps given coordinates as well as they allow.

    Each correction is the smallest one, in lengths, that meets the linearised constraints; parts are moved rather
    than deformed. Then the given coordinates are moved back towards q as far as possible; all others follow.

    Args:
        system: with its constraints.
        q, history: where the parts are placed.
        time: of prescribed motions.
        given: (n,) which coordinates the user gave; all of them by default.

    Raises:
        SolveError: when the constraints cannot be met from there; names the worst one.
    """
    if not system.n_constraints:
        return q.copy()
    met = _met(system, q, history, time)
    if given is None or given.all() or np.abs(system.scales * (met - q)).max() <= _MET * system_size(system):
        return met
    return _kept(system, q, met, history, time, given)


def _met(system: MultibodySystem, q: np.ndarray, history: History, time: float) -> np.ndarray:
    """Return the position that meets the constraints by the smallest corrections, one after the other."""
    costs = _costs(system)
    for _ in range(_ITERATIONS):
        values, rows = system.constraints(time, q, history)
        change = -la.lstsq(rows / costs, values, cond=_RANK, lapack_driver="gelsy")[0] / costs
        q = q + change
        largest = float(np.abs(system.scales * change).max())
        if largest <= _TOLERANCE * _reach(system, q):
            break
    values, rows = system.constraints(time, q, history)
    if _violation(system, values, rows) > _APART * system_size(system):
        raise SolveError(
            f"The parts cannot be put together: {_worst(system, values)} stays violated.",
            "Move the parts nearer to where they belong, or look at the markers and lengths of that constraint.",
        )
    return q


def _kept(
    system: MultibodySystem, q: np.ndarray, met: np.ndarray, history: History, time: float, given: np.ndarray
) -> np.ndarray:
    """Return the position that meets the constraints with the given coordinates nearest to q, starting from `met`.

    Sequential quadratic programming on the change from q as a whole, without the curvature of the constraints: where
    q is farther away than their radius of curvature full steps swing to and fro, and shorter ones do not. `met` is
    returned if nothing better is found.
    """
    costs, found, reach = _costs(system), met, 0.2 * system_size(system)
    share, before = 1.0, np.zeros(system.n)

    def lost(at: np.ndarray) -> float:
        return float(np.linalg.norm((costs * (at - q))[given]))

    for _ in range(_ITERATIONS):
        values, rows = system.constraints(time, found, history)
        step = q + _smallest(rows, rows @ (found - q) - values, costs, given) - found
        size = float(np.abs(system.scales * step).max())
        if (system.scales**2 * step) @ before < 0.0:
            share *= 0.5
        found, before = found + share * reach / max(size, reach) * step, step
        if size <= _MET * reach:
            break
    try:
        found = _met(system, found, history, time)
    except SolveError:
        return met
    return found if lost(found) < lost(met) else met


def _smallest(rows: np.ndarray, wanted: np.ndarray, costs: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return x (n,) with rows x = wanted: smallest in its given coordinates first, then in all others."""
    scaled, x = rows / costs, np.zeros(rows.shape[1])
    free = scaled[:, ~given]
    left, values, _ = la.svd(free)
    rank = int(np.count_nonzero(values > _RANK * max(values.max(initial=0.0), 1.0)))
    outside = left[:, rank:].T  # combinations of equations that the free coordinates cannot meet
    if len(outside) and given.any():
        x[given] = la.lstsq(outside @ scaled[:, given], outside @ wanted, cond=_RANK)[0]
    if not given.all():
        x[~given] = la.lstsq(free, wanted - scaled[:, given] @ x[given], cond=_RANK)[0]
    return np.asarray(x / costs)


def assembled_velocity(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    history: History,
    time: float = 0.0,
    given: np.ndarray | None = None,
) -> np.ndarray:
    """Return the velocities (n,) near v that the constraints and prescribed motions allow at q.

    Those that were `given` (all by default) change as little as possible; all others follow.
    """
    if not system.n_constraints:
        return v.copy()
    _, rows = system.constraints(time, q, history)
    rates, _ = system.constraint_rates(time)
    kept = np.ones(system.n, dtype=bool) if given is None else given
    return np.asarray(v - _smallest(rows, rows @ v + rates, _costs(system), kept))


def smallest_change(
    system: MultibodySystem, q: np.ndarray, history: History, time: float, wanted: np.ndarray
) -> np.ndarray:
    """Return x (n,) with C_q x = wanted (m,) at q: the smallest one, that moves parts rather than deforms them."""
    if not system.n_constraints:
        return np.zeros(system.n)
    _, rows = system.constraints(time, q, history)
    return _smallest(rows, wanted, _costs(system), np.ones(system.n, dtype=bool))


def put_right(
    system: MultibodySystem, time: float, q: np.ndarray, v: np.ndarray, history: History
) -> tuple[np.ndarray, np.ndarray]:
    """Return position and velocities (n,) interpolated between two steps, corrected to meet the constraints.

    A curve through the ends of a step meets the constraints at its ends alone: on a quarter turn it cuts the corner by
    a tenth of the radius. Where corrections do not bring them nearer, at a dead point, everything stays.
    """
    if not system.n_constraints:
        return q, v
    costs, found = _costs(system), q
    values, rows = system.constraints(time, q, history)
    first = last = _violation(system, values, rows)
    for _ in range(_ROUNDS):
        if last <= _MET * _reach(system, found):
            break
        found = found - la.lstsq(rows / costs, values, cond=_RANK, lapack_driver="gelsy")[0] / costs
        values, rows = system.constraints(time, found, history)
        last = _violation(system, values, rows)
    if not last <= first:
        return q, v
    return (q, v) if found is q else (found, assembled_velocity(system, found, v, history, time))


def _reach(system: MultibodySystem, q: np.ndarray) -> float:
    """Return the largest length in a position (n,), the size of a part at least."""
    return max(system_size(system), float(np.abs(system.scales * q).max()))


def _violation(system: MultibodySystem, values: np.ndarray, rows: np.ndarray) -> float:
    """Return the largest violation of constraints (m,) as a length, with C_q (m, n)."""
    sizes = np.linalg.norm(rows / system.scales, axis=1)
    return float((np.abs(values) / np.where(sizes > 0.0, sizes, 1.0)).max())


def _costs(system: MultibodySystem) -> np.ndarray:
    """Return (n,) the costs of a change of each coordinate: its scale as a length, for deformations many times over."""
    costs = system.scales.copy()
    for at in system.ranges:
        costs[at.start + RIGID : at.stop] *= _DEFORMING
    return costs


def _worst(system: MultibodySystem, values: np.ndarray) -> str:
    spread, names = np.abs(system.spread(values)), system.equation_names()
    own = spread[: len(names)]
    # Euler parameters of a length other than one only follow from constraints that pull at them.
    if len(own) and own.max() > 1e-3 * spread.max():
        return f"{names[int(np.argmax(own))]!r}"
    return "the length of a part's Euler parameters"
