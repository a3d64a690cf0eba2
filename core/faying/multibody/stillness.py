"""Why a system does not move: what holds it, or that nothing acts along what is free."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.multibody.assembly import Assembled

_SMALL = 1e-9  # of the forces that act
_TIMES = (0.0, 1e-3, 1.0)  # when courses are looked at: most start from zero


@dataclass(frozen=True)
class Stillness:
    """A reason why a system stays where it is.

    Attributes:
        sentence: the reason.
        hint: what to do when it should move.
    """

    sentence: str
    hint: str


def why_still(at: Assembled) -> Stillness | None:
    """Return why the system stays at its start; None when it moves.

    A motion needs a degree of freedom along which something acts, an initial velocity, or a driven constraint.
    """
    system, q = at.system, at.position
    _, rows = system.constraints(0.0, q, at.history)
    driven = any(any(member.rates(time)) for member in system.constraint_members for time in _TIMES)
    if driven:
        return None
    if at.freedom.degrees == 0:
        return Stillness(
            "it has no degree of freedom: the constraints hold every part",
            "Take a constraint away, or put one with fewer equations in its place.",
        )
    # Only along the null space of the constraints can anything move; in lengths, so that turns count alike.
    free = la.null_space(rows / system.scales) if len(rows) else np.eye(system.n)
    if np.abs(free.T @ (system.scales * at.velocity)).max() > 0.0:
        return None
    forces = [system.forces(time, q, np.zeros(system.n), jacobian=False).force for time in _TIMES]
    largest = max(float(np.abs(force / system.scales).max()) for force in forces)
    if largest == 0.0:
        return Stillness(
            "no force acts on it: there is no weight, no spring under load and no initial velocity",
            "Give it gravity, a force, an initial velocity or a prescribed motion.",
        )
    if max(float(np.abs(free.T @ (force / system.scales)).max()) for force in forces) < _SMALL * largest:
        return Stillness(
            "the forces at its start are in balance along everything that is free to move (a rest or a dead point)",
            "Start it a little off that position, or with a velocity.",
        )
    return None
