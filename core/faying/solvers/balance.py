"""Where the energy of a system comes from and goes to, step by step."""

from typing import Any, NamedTuple, Protocol

import numpy as np

from faying.solvers.integrators import State

_REMEMBERED = (
    "_work", "_before", "_largest", "_touching", "_supply", "_kinetic", "_stored", "_energy",
    "_last_energy", "_cancelling",
)  # fmt: skip
_ROUND_OFF = (
    1e-12  # of the energies and of the works of forces over whole coordinates: a smaller loss is round-off
)
_CONTACT, _FRICTION, _DRIVES, _FORCES, _DAMPING, _EVENTS = range(6)


class Supply(NamedTuple):
    """Power and forces that supply a system with energy at a state.

    Attributes:
        drives: power of prescribed motions.
        force: (n,) generalised external forces, with those of springs and dampers between parts.
    """

    drives: float
    force: np.ndarray


class Touching(NamedTuple):
    """What touches at a state: energy that contact laws store, and (n,) the generalised forces of friction."""

    stored: float
    friction: np.ndarray


class BalancedSystem(Protocol):
    """The methods of a system that the energy balance uses; nothing to inherit."""

    def touching(self, q: np.ndarray, history: Any, time_step: float) -> Touching:
        """Return the energy stored in contact and the friction forces at q (n,) after a step from a history."""

    def supply(self, state: State) -> Supply:
        """Return the power of prescribed motions, and the other forces, at a state."""

    def dissipation(self, rates: np.ndarray) -> float:
        """Return the power that damping of the bodies takes at rates (n,) of the coordinates."""

    def own_energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Return kinetic energy, and the potential energy of weight and elasticity of the bodies."""


class EnergyBalance:
    """Work since the start of a run, over its accepted steps.

    The work of contact is the change of its laws' stored energy, all other work by the trapezoidal rule. Energy stored
    in contact and friction springs (closed or sticking pairs) counts as work done on them.

    Args:
        system: the system in motion.
        start: its state there.
        events: whether events may take energy at once.
    """

    def __init__(self, system: BalancedSystem, start: State, *, events: bool = False) -> None:
        self._system, self._has_events = system, events
        self._work = self._before = self._largest = np.zeros(6)
        self._touching = system.touching(start.q, start.history, 0.0)
        self._supply = system.supply(start)
        self._supplied: State | None = start
        self._kinetic, stored = system.own_energies(start.q, start.v)
        self._stored = abs(stored)
        self._energy = self._last_energy = self._kinetic + stored
        self._cancelling = 0.0

    def see(self, before: State, after: State) -> None:
        """Add the work of an accepted step."""
        system, h = self._system, after.time - before.time
        touching, was = system.touching(after.q, before.history, h), self._touching
        # Forces may have jumped since the last step.
        last = self._supply if before is self._supplied else system.supply(before)
        supply, self._supplied = system.supply(after), after
        gained, change = np.zeros(6), after.q - before.q
        gained[_DRIVES] = 0.5 * h * (last.drives + supply.drives)
        gained[_FORCES] = 0.5 * (last.force + supply.force) @ change
        # Rates over the whole step: those at its ends have noise of fast components, whose square would count.
        gained[_DAMPING] = h * system.dissipation(change / h)
        gained[_CONTACT] = was.stored - touching.stored
        gained[_FRICTION] = 0.5 * (was.friction + touching.friction) @ change
        self._before, self._work = self._work, self._work + gained
        self._touching, self._supply = touching, supply
        kinetic, stored = system.own_energies(after.q, after.v)
        self._last_energy = kinetic + stored
        self._kinetic, self._stored = max(self._kinetic, kinetic), max(self._stored, abs(stored))
        self._largest = np.maximum(self._largest, np.abs(self._work))
        # Gaps are differences of whole coordinates, so their round-off is a share of these.
        self._cancelling = max(self._cancelling, float(np.abs(supply.force) @ np.abs(after.q)))

    def begin_anew(self, state: State) -> float:
        """Take the state behind an event, with the system as it is from now on; return the energy that was lost."""
        kinetic, stored = self._system.own_energies(state.q, state.v)
        lost, self._last_energy = self._last_energy - kinetic - stored, kinetic + stored
        self._work = self._work.copy()
        self._work[_EVENTS] -= lost
        self._largest = np.maximum(self._largest, np.abs(self._work))
        self._kinetic, self._stored = max(self._kinetic, kinetic), max(self._stored, abs(stored))
        self._touching = self._system.touching(state.q, state.history, 0.0)
        self._supply = self._system.supply(state)
        return lost

    def checkpoint(self) -> dict[str, Any]:
        """Return the work so far and the values at the last step, to resume an interrupted run."""
        return {name: getattr(self, name) for name in _REMEMBERED}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore a state returned by `checkpoint` in a run from the same start."""
        for name in _REMEMBERED:
            setattr(self, name, checkpoint[name])
        self._supply, self._touching = Supply(*checkpoint["_supply"]), Touching(*checkpoint["_touching"])
        self._supplied = None  # asked again

    def curves(self, share: float = 1.0) -> dict[str, float]:
        """Return the works since the start, interpolated at a share (0 to 1) of the last step.

        Work is positive where it adds to the energy of the system; that of friction and damping where it removes some.
        """
        work = (1.0 - share) * self._before + share * self._work
        return {
            "work of drives": float(work[_DRIVES]),
            "work of forces": float(work[_FORCES]),
            "work of contact": float(work[_CONTACT]),
            "friction work": float(-work[_FRICTION]),
            "damping work": float(work[_DAMPING]),
            **({"energy lost at events": float(-work[_EVENTS])} if self._has_events else {}),
        }

    def summary(self) -> dict[str, float]:
        """Return the balance at the end of the last step, with the energy that the time integration lost or gained.

        `turned over` is the scale to judge that by: the largest kinetic energy plus the largest size of each work. For
        a system at rest it is nearly zero, below the round-off of its potential energy.
        """
        found = self.curves()
        change = self._last_energy - self._energy
        taken = found["friction work"] + found["damping work"] + found.get("energy lost at events", 0.0)
        given = found["work of drives"] + found["work of forces"] + found["work of contact"]
        lost = given - taken - change
        known = _ROUND_OFF * (self._kinetic + self._stored + self._cancelling)
        return {
            "change of energy": change,
            **found,
            "taken by the integration": 0.0 if abs(lost) <= known else lost,
            "turned over": self._kinetic + float(self._largest.sum()),
        }
