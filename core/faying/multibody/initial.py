"""Initial conditions: positions and velocities that meet the constraints, as near as possible to those given."""

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem

_TOLERANCE = 1e-12  # of the system's lengths
_ITERATIONS = 50
_DEFORMING = 1e5  # a deformation counts as so many times the displacement that it is


def assembled_position(
    system: MultibodySystem, q: np.ndarray, history: History, time: float = 0.0
) -> np.ndarray:
    """Return the position (n,) nearest to q that meets the constraints.

    Each correction is the smallest one, in lengths, that meets the linearised constraints; parts are moved rather
    than deformed.

    Raises:
        SolveError: when the constraints cannot be met from there; names the worst one.
    """
    q = q.copy()
    if not system.n_constraints:
        return q
    costs = _costs(system)
    for _ in range(_ITERATIONS):
        values, rows = system.constraints(time, q, history)
        change = -la.lstsq(rows / costs, values, lapack_driver="gelsy")[0] / costs
        q = q + change
        largest = float(np.abs(system.scales * change).max())
        if largest <= _TOLERANCE * max(1.0, float(np.abs(system.scales * q).max())):
            break
    values, _ = system.constraints(time, q, history)
    if float(np.abs(values).max()) > 1e-6 * max(1.0, float(system.scales.max())):
        raise SolveError(
            f"The parts cannot be put together: {_worst(system, values)} stays violated.",
            "Move the parts nearer to where they belong, or look at the markers and lengths of that constraint.",
        )
    return q


def assembled_velocity(
    system: MultibodySystem, q: np.ndarray, v: np.ndarray, history: History, time: float = 0.0
) -> np.ndarray:
    """Return the velocities (n,) nearest to v that the constraints and prescribed motions allow at q."""
    if not system.n_constraints:
        return v.copy()
    _, rows = system.constraints(time, q, history)
    rates, _ = system.constraint_rates(time)
    wrong, costs = rows @ v + rates, _costs(system)
    change: np.ndarray = la.lstsq(rows / costs, wrong, lapack_driver="gelsy")[0] / costs
    return np.asarray(v - change)


def _costs(system: MultibodySystem) -> np.ndarray:
    """Return (n,) what a change of each coordinate counts: a length, for a deformation many times over."""
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
