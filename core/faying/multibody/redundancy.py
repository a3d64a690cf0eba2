"""Constraint equations that follow from others: found, named, left out; and the degrees of freedom that remain."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.multibody.history import History
from faying.multibody.system import MultibodySystem

_RANK = 1e-8  # of the largest pivot; rows scaled to unit length


@dataclass(frozen=True)
class Freedom:
    """How a system can move in one position.

    Attributes:
        degrees: number of degrees of freedom.
        redundant: numbers of the constraints' equations that follow from others.
        names: their names, such as "hinge: rotation about y".
    """

    degrees: int
    redundant: tuple[int, ...]
    names: tuple[str, ...]


def find_freedom(system: MultibodySystem, q: np.ndarray, history: History, time: float = 0.0) -> Freedom:
    """Return degrees of freedom and redundant equations of a system built without leaving any out.

    The columns are scaled to lengths, so that rotations count like displacements. QR with column pivoting over
    the rows finds a largest independent set; rows of parts' unit Euler parameters never depend on others.

    Args:
        system: with all equations.
        q: an assembled position; at a dead point more equations are dependent than elsewhere.
        history: the angles to count from.
        time: of prescribed motions.
    """
    _, rows = system.constraints(time, q, history)
    if not len(rows):
        return Freedom(system.n, (), ())
    rows = rows / system.scales
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = rows / np.where(sizes > 0.0, sizes, 1.0)
    # Earlier equations first: a slight preference keeps a constraint that stood before a redundant one.
    count = len(scaled)
    preference = 1.0 - 1e-3 * np.arange(count) / count
    _, triangle, order = la.qr((scaled * preference[:, None]).T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(triangle))
    rank = int(np.count_nonzero(pivots > _RANK * pivots[0]))
    names = system.equation_names()
    redundant = tuple(sorted(int(i) for i in order[rank:] if i < len(names)))
    return Freedom(system.n - rank, redundant, tuple(names[i] for i in redundant))
