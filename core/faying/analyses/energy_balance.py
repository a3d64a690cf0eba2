"""Where the energy of a system comes from and goes to, step by step."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.joints.interface import JointResponse
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State

_REMEMBERED = ("_work", "_before", "_contact", "_friction", "_powers", "_energy", "_last_energy")
_JOINTS, _FRICTION, _DRIVES, _FORCES, _DAMPING = range(5)


class EnergyBalance:
    """Work since the start of a run, by the trapezoidal rule over its accepted steps.

    What contact and friction keep as springs, closed or sticking, counts as work that was given to them.

    Args:
        system: what moves.
        start: its state there.
    """

    def __init__(self, system: MultibodySystem, start: State) -> None:
        self._system = system
        self._work = self._before = np.zeros(5)
        answers = system.respond(start.q, start.history, 0.0)
        self._contact = [answer.force for answer in answers]
        self._friction = self._frictions(answers)
        self._powers = self._powers_at(start)
        self._energy = self._last_energy = self._energy_at(start)

    def see(self, before: State, after: State) -> None:
        """Take an accepted step."""
        system, h = self._system, after.time - before.time
        answers, powers = system.respond(after.q, before.history, h), self._powers_at(after)
        friction = self._frictions(answers)
        gained = np.zeros(5)
        gained[_DRIVES:] = 0.5 * h * (self._powers + powers)
        change = after.q - before.q
        for k, (number, _) in enumerate(system.numbered_joints):
            at = slice(system.ranges[number].start + RIGID, system.ranges[number].stop)
            gained[_JOINTS] += 0.5 * (self._contact[k] + answers[k].force) @ change[at]
            gained[_FRICTION] += 0.5 * (self._friction[k] + friction[k]) @ change[at]
        self._before, self._work = self._work, self._work + gained
        self._contact, self._friction, self._powers = [a.force for a in answers], friction, powers
        self._last_energy = self._energy_at(after)

    def memory(self) -> dict[str, Any]:
        """Return the work so far, and what the next step goes on from."""
        return {name: getattr(self, name) for name in _REMEMBERED}

    def recall(self, memory: dict[str, Any]) -> None:
        """Take up the work of a run from the same start."""
        for name in _REMEMBERED:
            setattr(self, name, memory[name])

    def curves(self, share: float = 1.0) -> dict[str, float]:
        """Return the work since the start, at a share of the last step.

        Works are positive where they add to the energy of the system, but for friction and damping, which take it.
        """
        work = (1.0 - share) * self._before + share * self._work
        return {
            "work of drives": float(work[_DRIVES]),
            "work of forces": float(work[_FORCES]),
            "work of contact": float(work[_JOINTS] - work[_FRICTION]),
            "friction work": float(-work[_FRICTION]),
            "damping work": float(work[_DAMPING]),
        }

    def summary(self) -> dict[str, float]:
        """Return the balance at the end of the last step, and what the time integration took or gave."""
        found = self.curves()
        change = self._last_energy - self._energy
        taken = found["friction work"] + found["damping work"]
        given = found["work of drives"] + found["work of forces"] + found["work of contact"]
        return {"change of energy": change, **found, "taken by the integration": given - taken - change}

    def _frictions(self, answers: Sequence[JointResponse]) -> list[np.ndarray]:
        joints = self._system.numbered_joints
        return [joint.friction_force(answer) for (_, joint), answer in zip(joints, answers, strict=True)]

    def _powers_at(self, state: State) -> np.ndarray:
        powers = self._system.powers(state.time, state.q, state.v, state.all_multipliers)
        return np.array(powers)

    def _energy_at(self, state: State) -> float:
        return sum(self._system.energies(state.q, state.v)) - self._system.potential_of_forces(state.q)
