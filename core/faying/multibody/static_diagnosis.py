"""Diagnosis of static equilibrium: what holds a system, or that no force acts along its free motions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.multibody.assembly import Assembled
from faying.multibody.constraints import Constraint

_SMALL = 1e-9  # of the forces that act, and of the velocities that are given
_SAMPLES = 64  # at the load histories, evenly over the time of interest: a pulse may act anywhere
_MOST = 6  # constraints that are named


@dataclass(frozen=True)
class StaticDiagnosis:
    """A reason why a system stays where it is.

    Attributes:
        sentence: the reason.
        hint: advice if it should move.
    """

    sentence: str
    hint: str


def sampled_times(duration: float) -> np.ndarray:
    """Return the times (n,) at which load histories are sampled."""
    return np.linspace(0.0, duration, _SAMPLES)


def diagnose_rest(at: Assembled, duration: float = 1.0) -> StaticDiagnosis | None:
    """Return why the system stays at its start; None when it moves.

    A motion needs a degree of freedom along which something acts, an initial velocity, or a driven constraint.

    Args:
        at: the system at its start.
        duration: length of the examined time.

    Raises:
        SolveError: when a formula over time has no value within that.
    """
    system, q, times = at.system, at.position, sampled_times(duration)
    driven = any(any(member.rates(time)) for member in system.constraint_members for time in times)
    if driven:
        return None
    if at.freedom.degrees == 0:
        return StaticDiagnosis(
            f"it has no degree of freedom: {_named(system.constraint_members)} every part",
            "Take a constraint away, put one with fewer equations in its place, or prescribe a motion.",
        )
    # Motion is possible only in the null space of the constraints; in lengths, so that rotations count equally.
    # Redundant equations, which disagree with the others by round-off, would hold that as well.
    rows = system.without(at.freedom.redundant).unit_rows(0.0, q, at.history)
    free = la.null_space(rows) if len(rows) else np.eye(system.n)
    given = system.scales * at.velocity
    if np.abs(free.T @ given).max() > _SMALL * np.abs(given).max():
        return None
    forces = [system.forces(time, q, np.zeros(system.n), at.history, jacobian=False).force for time in times]
    largest = max(float(np.abs(force / system.scales).max()) for force in forces)
    if largest == 0.0:
        return StaticDiagnosis(
            "no force acts on it: there is no weight, no spring under load and no initial velocity",
            "Give it gravity, a force, an initial velocity or a prescribed motion.",
        )
    if max(float(np.abs(free.T @ (force / system.scales)).max()) for force in forces) < _SMALL * largest:
        return StaticDiagnosis(
            "the forces at its start are in balance along everything that is free to move (a rest or a dead point)",
            "Start it a little off that position, or with a velocity.",
        )
    return None


def _named(constraints: Sequence[Constraint]) -> str:
    """Return "the constraints 'a', 'b' hold"."""
    names = ", ".join(repr(member.name) for member in constraints[:_MOST])
    more = ", …" if len(constraints) > _MOST else ""
    return f"the constraint {names} holds" if len(constraints) == 1 else f"the constraints {names}{more} hold"
