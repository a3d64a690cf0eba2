"""Constraint equations that follow from others: found, named, left out; and the degrees of freedom that remain.

What follows from others in one position need not do so in another (a dead point), nor does a prescribed motion
agree with another one: both are watched for.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.units import amount

_RANK = 1e-8  # of the largest pivot; rows scaled to unit length
_SHARE = 1e-6  # least coefficient with which an equation counts among those that a redundant one follows from
_MISSED = 1e-3  # of the system's size: largest violation of an equation that was left out
_RATE = 1e-6  # of the largest rate; rates by differences are uncertain by 1e-9 of the system's size


@dataclass(frozen=True)
class Freedom:
    """How a system can move in one position.

    Attributes:
        degrees: number of degrees of freedom.
        redundant: numbers of the constraints' equations that follow from others.
        names: their names, such as "hinge: rotation about y".
        sources: of each, the constraints that it follows from.
        dead: the names of those that follow from others in that position alone: a dead point.
    """

    degrees: int
    redundant: tuple[int, ...]
    names: tuple[str, ...]
    sources: tuple[tuple[str, ...], ...] = ()
    dead: tuple[str, ...] = ()

    def reasons(self) -> list[str]:
        """Return a clause for each constraint with redundant equations: which, and which constraints imply them.

        What follows from others at a dead point alone is left aside.
        """
        found: dict[str, tuple[list[str], dict[str, None]]] = {}
        for name, sources in zip(self.names, self.sources, strict=True):
            if name in self.dead:
                continue
            constraint, equation = name.rsplit(": ", 1)
            equations, others = found.setdefault(constraint, ([], {}))
            equations.append(equation)
            others.update(dict.fromkeys(sources))
        return [
            f"{', '.join(equations)} of {constraint!r} follow{'s' if len(equations) == 1 else ''} from "
            + " and ".join(map(repr, others))
            for constraint, (equations, others) in found.items()
        ]


def find_freedom(system: MultibodySystem, q: np.ndarray, history: History, time: float = 0.0) -> Freedom:
    """Return degrees of freedom and redundant equations of a system built without leaving any out.

    The columns are scaled to lengths, so that rotations count like displacements. QR with column pivoting over
    the rows finds a largest independent set; rows of parts' unit Euler parameters never depend on others.

    Args:
        system: with all equations of its active constraints.
        q: an assembled position; at a dead point more equations are dependent than elsewhere.
        history: the angles to count from.
        time: of prescribed motions.
    """
    scaled = system.unit_rows(time, q, history)
    if not len(scaled):
        return Freedom(system.n, (), ())
    # Earlier equations first: a slight preference keeps a constraint that was before a redundant one.
    count = len(scaled)
    preference = 1.0 - 1e-3 * np.arange(count) / count
    _, triangle, order = la.qr((scaled * preference[:, None]).T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(triangle))
    rank = int(np.count_nonzero(pivots > _RANK * pivots[0]))
    names, numbers = system.equation_names(), system.kept_equations
    left = np.sort([i for i in order[rank:] if numbers[i] < len(names)]).astype(np.int64)
    kept = np.sort(order[:rank])
    parts = la.lstsq(scaled[kept].T, scaled[left].T)[0].T if len(left) else ()
    sources = tuple(system.constraints_of(numbers[kept[np.abs(shares) > _SHARE]]) for shares in parts)
    redundant = tuple(int(i) for i in numbers[left])
    return Freedom(system.n - rank, redundant, tuple(names[i] for i in redundant), sources)


def require_agreement(
    system: MultibodySystem, q: np.ndarray, history: History, freedom: Freedom, time: float = 0.0
) -> None:
    """Refuse redundant equations whose prescribed motion is not the one that the others allow.

    Args:
        system: with all equations of its active constraints.
        q, history: its assembled start.
        freedom: there.
        time: of prescribed motions.

    Raises:
        SolveError: names the equation and the constraints that it contradicts.
    """
    rates, _ = system.constraint_rates(time)
    if not freedom.redundant or not rates.any():
        return
    _, rows = system.constraints(time, q, history)
    rows = rows / system.scales
    left = np.searchsorted(system.kept_equations, freedom.redundant)
    kept = np.setdiff1d(np.arange(len(rows)), left)
    wrong = np.abs(rows[left] @ la.lstsq(rows[kept], -rates[kept])[0] + rates[left])
    worst = int(np.argmax(wrong))
    if wrong[worst] > _RATE * (np.abs(rates).max() + 0.1 * system_size(system)):
        against = ", ".join(map(repr, freedom.sources[worst]))
        raise SolveError(
            f"The system cannot start to move as prescribed: {freedom.names[worst]!r} contradicts {against}.",
            "Take one of two prescribed motions away, or start away from the dead point of what is driven.",
        )


def require_left_out(system: MultibodySystem, time: float, q: np.ndarray, history: History) -> None:
    """Refuse a position in which an equation that was left out as redundant is not met any more.

    Raises:
        SolveError: names it and the time.
    """
    name, missed = system.departed(time, q, history)
    if missed > _MISSED * system_size(system):
        raise SolveError(
            f"At t = {amount(time, 'time', 6)} the parts come apart: {name!r} followed from other constraints "
            "at the start, but not any more; the system started at a dead point, or two constraints prescribe "
            "different motions.",
            "Start it a little off the dead point, or take one of the prescribed motions away.",
        )


def system_size(system: MultibodySystem) -> float:
    """Return the system's size: the largest length by which the rotation of a part is scaled."""
    return max(float(system.scales[at][3:RIGID].max(initial=0.0)) for at in system.ranges)
