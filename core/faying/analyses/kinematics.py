"""Kinematics and inverse dynamics: motion that drives determine, and the forces and torques that it takes."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel, analyses
from faying.analyses.motion import with_angles
from faying.analyses.recording.system_records import SystemRecords
from faying.errors import SolveError
from faying.linalg.threads import one_thread
from faying.multibody.assembly import assemble
from faying.multibody.kinematics import ahead, driven_state, require_driven
from faying.multibody.self_locking import LOCKED_HINT, locked_clause, locking_frictions
from faying.multibody.system import MultibodySystem
from faying.params import parameter
from faying.progress import Progress
from faying.results.interrupted import interrupted_run
from faying.solvers.balance import EnergyBalance
from faying.solvers.integrators import State
from faying.units import amount

_LEAST = 1.0 / 1024.0  # of the way from one frame to the next, as the shortest step


@analyses.register("kinematics")
class Kinematics(SystemAnalysis):
    """Motion of a mechanism whose drives leave nothing free, and what each drive has to do for it.

    Positions, velocities and accelerations follow from the constraints, without a time integration and its errors;
    reactions of constraints and the force, moment and power of drives from Newton's law (inverse dynamics). Flexible
    parts deform as their loads and the inertia of the motion demand, and do not vibrate.
    """

    title: ClassVar[str] = "Kinematics and inverse dynamics"

    duration: float = parameter(
        1.0, title="Duration", quantity="time", gt=0.0, meaning="How long prescribed motions are followed."
    )
    frames: int = parameter(
        200, title="Frames", ge=1, le=1_000_000,
        meaning="Number of positions stored, evenly spaced, besides the first.",
    )  # fmt: skip

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Assemble, follow the drives from frame to frame, and stream the frames; continue an interrupted run."""
        progress.report(0.0, "assembly; the very first run also makes machine code")
        at = assemble(system.spec, system.flexible_bodies())
        freedom = at.freedom
        built = at.independent
        with interrupted_run(target) as earlier, one_thread():
            if earlier is None:
                history = with_angles(built, at.position, at.history)
                history = built.resting_history(at.position, history)
                require_driven(built, 0.0, at.position, history)
                last = start = _started(built, at.position, history)
            else:
                start, last = earlier.memory["start"], earlier.memory["last"]
            balance = EnergyBalance(built, start)
            frames = earlier.frames if earlier else None
            with SystemRecords(
                self, system, built, start, target, frames, tuple(balance.curves())
            ) as records:
                records.sums["energy balance"] = balance
                if earlier is None:
                    records.frame(start, start.history, 0.0, more=balance.curves())
                else:
                    for name, sums in records.sums.items():
                        sums.restore(earlier.memory[name])
                while (number := records.frames.n_frames) <= self.frames:
                    progress.report((number - 1) / self.frames, f"frame {number} of {self.frames}")
                    for state in _followed(built, last, self.duration * number / self.frames):
                        records.see(last, state)
                        balance.see(last, state)
                        last = state
                    records.frame(last, last.history, 0.0, more=balance.curves())
                    known: dict[str, Any] = {"start": start, "last": last}
                    known |= {name: sums.checkpoint() for name, sums in records.sums.items()}
                    records.frames.remember(partial(dict, known))
                summary = {
                    "degrees_of_freedom": freedom.degrees,
                    "redundant_equations": list(freedom.names),
                    **records.summary(),
                }
                records.frames.close(summary)
        return summary


def _started(system: MultibodySystem, q: np.ndarray, history: Any) -> State:
    """Return the state at time zero, with the reactions that press friction in constraints."""
    try:
        return driven_state(system, 0.0, q, np.zeros(system.n_constraints), history)
    except SolveError as error:
        raise SolveError(f"At the start: {error.message}", error.hint) from error


def _followed(system: MultibodySystem, last: State, time: float) -> Iterator[State]:
    """Yield the states up to a time, in shorter steps where Newton's method does not converge.

    Raises:
        SolveError: with the time at which the drives can go no further, and the drive whose reaction is largest, or
            the frictions that lock the mechanism.
    """
    whole = step = time - last.time
    while last.time < time:
        step = min(step, time - last.time)
        end = time if time - last.time - step <= 1e-9 * whole else last.time + step
        try:
            last = driven_state(
                system, end, ahead(system, last, end - last.time), last.multipliers, last.history
            )
        except SolveError as error:
            step *= 0.5
            if step < _LEAST * whole:
                powers = system.drive_powers(last.time, last.multipliers)
                driven = max(powers, key=lambda name: abs(powers[name]), default="")
                why = f" The reaction of {driven!r} grows without bound there." if driven else ""
                raise SolveError(
                    f"At t = {amount(end, 'time', 6)}: {error.message}{why}", error.hint
                ) from error
            continue
        rubbing = list(system.rubbing(last.q, last.v, last.history))
        locking = locking_frictions(
            system, rubbing, last.time, last.q, last.v, last.history, last.multipliers
        )
        if locking:
            raise SolveError(f"At t = {amount(last.time, 'time', 6)} {locked_clause(locking)}.", LOCKED_HINT)
        yield last
        step *= 2.0
