"""Mechanisms that friction locks: the friction in their joints grows faster with the reactions than any drive."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import scipy.linalg as la

from faying.multibody.history import History
from faying.solvers.integrators import ConstrainedInertia, DynamicSystem, constraint_drift

LOCKED_HINT = "Lower the friction, lengthen the bearings, or let the drive act nearer to what slides."

_STEP = 1e-6  # of the reactions, for the derivatives of normal forces
_SHARE = 0.05  # of the largest share, from which on a joint is named


class Rubbing(Protocol):
    """Friction in a joint at a state."""

    @property
    def name(self) -> str:
        """Its name."""

    def unit_force(self, time: float) -> np.ndarray:
        """Return (n,) the generalised force of its friction for a normal force of one."""

    def press(self, time: float, multipliers: np.ndarray) -> float:
        """Return the normal force for multipliers (m,) of the constraints."""


def locking_frictions(
    system: DynamicSystem,
    rubbing: Sequence[Rubbing],
    time: float,
    q: np.ndarray,
    v: np.ndarray,
    history: History,
    multipliers: np.ndarray | None = None,
) -> tuple[str, ...]:
    """Return the names of the frictions in joints that lock a mechanism at a state; () where it can slide.

    With f the friction forces of all joints at their limits, the normal forces are N = N₀ + G f/μ, and sliding asks for
    f = μ N: a solution of N = (1 − G)⁻¹ N₀ without a negative normal force exists only while the largest eigenvalue
    of G is below one. A column of G is the change of all normal forces with the friction of one joint.

    Args:
        system: without redundant equations.
        rubbing: the frictions in its joints at the state.
        time, q, v, history: an accepted state; friction acts against the slip that it remembers.
        multipliers: (m,) of the constraints there; those of the forces and speeds by default.
    """
    if not rubbing or not system.n_constraints:
        return ()
    _, rows = system.constraints(time, q, history)
    inertia = ConstrainedInertia(system.mass(q), rows)
    if multipliers is None:
        force = system.forces(time, q, v, history, jacobian=False).force
        multipliers = inertia.accelerations(force, constraint_drift(system, time, q, v, history))[1]
    step = _STEP * max(float(np.abs(multipliers).max(initial=0.0)), 1e-300)
    gains = np.zeros((len(rubbing), len(rubbing)))
    for k, each in enumerate(rubbing):
        _, change = inertia.accelerations(each.unit_force(time))
        size = float(np.abs(change).max(initial=0.0))
        if size == 0.0:
            continue
        for j, other in enumerate(rubbing):
            ahead, behind = (
                other.press(time, multipliers + side * step / size * change) for side in (1.0, -1.0)
            )
            gains[j, k] = (ahead - behind) * size / (2.0 * step)
    values, vectors = la.eig(gains)
    worst = int(np.argmax(values.real))
    if values[worst].real < 1.0:
        return ()
    shares = np.abs(vectors[:, worst])
    return tuple(
        each.name for each, share in zip(rubbing, shares, strict=True) if share > _SHARE * shares.max()
    )


def locked_clause(names: tuple[str, ...]) -> str:
    """Return the clause that says which frictions lock a mechanism."""
    named = " and ".join(map(repr, names))
    return f"no drive moves it: the friction of {named} takes up all, as its limit grows with the drive"
