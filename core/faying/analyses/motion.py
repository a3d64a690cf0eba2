"""Motion of a multibody system over time, with contact and friction in the joints of its flexible parts."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel, analyses
from faying.analyses.recording.frames import frames_within, state_within
from faying.analyses.recording.run_events import MotionEvents
from faying.analyses.recording.run_memory import MemoryOfRun
from faying.analyses.recording.spin_check import SpinCheck
from faying.analyses.recording.stability_check import StabilityCheck
from faying.analyses.recording.stored_state import stored_state, system_at
from faying.analyses.recording.system_records import SystemRecords
from faying.analyses.recording.true_fields import WithTrueFields
from faying.linalg.threads import one_thread
from faying.multibody.assembly import assemble
from faying.multibody.history import History
from faying.multibody.initial import assembled_velocity
from faying.multibody.linearized import Equilibrium, find_equilibrium
from faying.multibody.redundancy import Freedom
from faying.multibody.running_system import RunningSystem
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.results.interrupted import InterruptedRun, interrupted_run
from faying.solvers.balance import EnergyBalance
from faying.solvers.integrators import Recall, State, consistent_start, integrators
from faying.solvers.separation import SeparationCheck

_SAME = 1e-12  # of a time: frames nearer to each other are one


@analyses.register("motion")
class Motion(WithTrueFields, SystemAnalysis):
    """Time integration of a system from its assembled start; frames at a fixed interval, interpolated."""

    follows: ClassVar[tuple[str, ...]] = ("motion",)
    samples_joints: ClassVar[bool] = True
    has_events: ClassVar[bool] = True

    duration: float = parameter(1.0, title="Duration", quantity="time", gt=0.0, meaning="Simulated time.")
    frames: int = parameter(
        200, title="Frames", ge=1, le=1_000_000,
        meaning="Number of frames stored, evenly spaced, besides the first.",
    )  # fmt: skip
    from_equilibrium: bool = parameter(
        False, title="Start from equilibrium",
        meaning="Whether the system first finds its rest under preload, weight and the forces at time zero.",
    )  # fmt: skip
    start_from: str = parameter(
        "", title="Start from", choices="analysis",
        meaning="Another motion of the same system, from one of whose frames this one continues; empty for the "
        "assembled start.",
    )  # fmt: skip
    start_frame: int = parameter(
        -1, title="Frame to start from", ge=-1, meaning="Number of that frame, from 0; −1 for the last one."
    )
    integrator: member_of(integrators) = parameter(  # type: ignore[valid-type]
        {"kind": "hht"}, title="Integrator", meaning="The time integration scheme."
    )

    def predecessors(self) -> tuple[str, ...]:
        """Return the motion that this one starts from, if there is one."""
        return (self.start_from,) if self.start_from else ()

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Assemble, integrate, and stream frames; continue an interrupted run."""
        # Compiled code of the parts is kept for good; in the very first run it takes a minute or two.
        progress.report(0.0, "assembly; the very first run also makes machine code")
        with interrupted_run(target) as earlier:
            known = earlier.memory["start"] if earlier else None
            built, freedom, start = self.assembled(system, progress, known)
            built = RunningSystem(built) if system.spec.events else built
            separation = SeparationCheck(built, self.integrator.fast_coordinates(built, start.q))
            with _MotionRecords(self, system, built, start, separation, target, earlier) as records:
                if earlier is None:
                    records.moment(start, start.history, 0.0)
                end = start.time + self.duration
                with one_thread():
                    report = self.integrator.integrate(
                        getattr(built, "now", built), start, end, records.accepted, progress,
                        memory=records.memory.run, remember=records.remember,
                        **({} if records.events is None else {"events": records.events}),
                    )  # fmt: skip
                summary = {
                    "degrees_of_freedom": freedom.degrees,
                    "redundant_equations": list(freedom.names),
                    **report.summary(),
                    "start_warnings": [warning.sentence for warning in system.start.warnings]
                    if system.start
                    else [],
                    **records.summary(),
                    **(records.events.summary() if records.events is not None else {}),
                    "energy_balance": records.balance.summary(),
                    **separation.summary(),
                    **records.spins.summary(),
                    **records.memory.summary(),
                    **self.stability_of(system, built, start),
                }
                records.frames.close(summary)
        return summary

    def assembled(
        self,
        system: SystemModel,
        progress: Progress,
        start: State | None = None,
        *,
        at_rest: bool = False,
    ) -> tuple[MultibodySystem, Freedom, State]:
        """Return the system without redundant equations, its degrees of freedom, and its consistent state at the start.

        Args:
            system: as of `run`.
            progress: reports and cancels.
            start: the state at the start if it is known already; computed without it.
            at_rest: whether the velocities of an earlier motion's frame do not count.

        Raises:
            ModelError: for a system without parts, or a frame to start from that is not there.
            SolveError: when the parts cannot be put together, or no equilibrium is found.
        """
        at = assemble(system.spec, system.flexible_bodies())
        built, q, v, history, freedom = at.independent, at.position, at.velocity, at.history, at.freedom
        if start is not None:
            if system.start is not None:
                built, freedom = system_at(built, freedom, system.start, self.start_frame)
            return built, freedom, start
        history = with_angles(built, q, history)
        time, given = 0.0, at.given
        if system.start is not None:
            built, freedom = system_at(built, freedom, system.start, self.start_frame)
            time, q, v, history = stored_state(built, system.start, self.start_frame)
            v = np.zeros_like(v) if at_rest else v
            given = np.ones(built.n, dtype=bool)
        elif self.from_equilibrium:
            rest = first_rest(
                system.spec, built, q, history, PartialProgress(progress, 0.0, 0.0, "equilibrium")
            )
            q, history = rest.position, rest.history
        else:
            history = built.resting_history(q, history)
        v = assembled_velocity(built, q, v, history, time, given)
        if system.start is None:  # measures see the velocities for the first time
            history = built.followers.at(time, q, v, history, history)
        return built, freedom, consistent_start(built, time, q, v, history)

    def stability_of(self, system: SystemModel, built: MultibodySystem, start: State) -> dict[str, Any]:
        """Return the run report's entry on the stability of the start equilibrium; {} for another start.

        Args:
            system, built, start: as of `assembled`. A start with velocities is no equilibrium: a spinning top may be
                stable by its spin alone.
        """
        check = StabilityCheck(built)
        if self.from_equilibrium and system.start is None and not start.v.any():
            check.see(start)
        return check.summary()


def first_rest(
    spec: SystemSpec, system: MultibodySystem, q: np.ndarray, history: History, progress: Progress
) -> Equilibrium:
    """Return the equilibrium of a system near its assembled start, under preload, weight and forces at time zero.

    As in statics friction acts from the first load on, but not while bolts are tightened.

    Args:
        spec: decisions on the system.
        system: the system made of them.
        q, history: the assembled start.
        progress: reports and cancels.

    Raises:
        SolveError: when none is found.
    """
    mounted = any(getattr(part, "preloads", ()) for part in spec.parts)
    lying = history if mounted else system.resting_history(q, history)
    found = find_equilibrium(system, q, lying, progress)
    if not mounted:
        return found
    return replace(found, history=system.resting_history(found.position, found.history))


def with_angles(system: MultibodySystem, q: np.ndarray, history: History) -> History:
    """Return the history with the continuous angles of constraints and forces updated to position q (n,)."""
    return system.accepted(0.0, q, history)


class _MotionRecords(SystemRecords):
    """Writes a frame whenever a step passes an output time."""

    def __init__(
        self,
        settings: Motion,
        system: SystemModel,
        built: MultibodySystem,
        start: State,
        separation: SeparationCheck,
        target: Path,
        earlier: InterruptedRun | None,
    ) -> None:
        self._separation = separation
        self._settings, self._start = settings, start.time
        has_events = bool(system.spec.events)
        self.balance = EnergyBalance(built, start, events=has_events)
        more = (*self.balance.curves(), *separation.curves())
        frames = earlier.frames if earlier else None
        super().__init__(settings, system, built, start, target, frames, more)
        self.spins = SpinCheck(built)
        sums = self.sums | {
            "separation": separation, "energy balance": self.balance, "spins": self.spins,
        }  # fmt: skip
        self._extra = _Extra()
        self.events: MotionEvents | None = None
        if isinstance(built, RunningSystem):
            self.events = MotionEvents(
                system.spec.events, built, system.spec.measures, self._measures, start, self.begin_anew, self._saved,
                settings.integrator.fast_coordinates(built, start.q),
            )  # fmt: skip
            sums |= {"events": self.events, "extra frames": self._extra}
        self.memory = MemoryOfRun(start, earlier, sums)

    def remember(self, recall: Recall) -> None:
        """Write what an interrupted run needs to be continued."""
        self.frames.remember(lambda: self.memory.of(recall))

    def accepted(self, before: State, after: State) -> None:
        """Write the frames whose times lie in (before, after].

        Raises:
            SolveError: when the parts come apart where an equation was left out.
        """
        self.see(before, after)
        self.balance.see(before, after)
        self._separation.see(before, after)
        self.spins.see(before, after)
        count = self._settings.frames
        interval = self._settings.duration / count
        first = self.frames.n_frames - self._extra.count
        for time, q, v in frames_within(before, after, first, count, interval, self._start):
            shown, share = state_within(self.built, before, after, time, q, v)
            # Contact and friction go from the committed history to the frame's coordinates, as within a step.
            self.moment(shown, before.history, after.time - before.time, share)

    def begin_anew(self, before: State, after: State) -> None:
        """Take the state behind an event that changes the motion at once, and the one before it."""
        super().begin_anew(before, after)
        self.balance.begin_anew(after)

    def _saved(self, state: State) -> int:
        """Store the state at an event as a frame, unless there is one at that time; return its number."""
        if not abs(self._extra.last - state.time) <= _SAME * abs(state.time):
            self._extra.count += 1
            self.moment(state, state.history, 0.0)
        return self.frames.n_frames - 1

    def moment(self, state: State, history: History, step: float, share: float = 1.0) -> None:
        """Write one frame with energy balance and separation curves, at a fraction of the last step."""
        self.frame(state, history, step, share, self.balance.curves(share) | self._separation.curves())
        self._extra.last = state.time


class _Extra:
    """Frames besides those at fixed intervals: their number, and the time of the last one of all frames."""

    def __init__(self) -> None:
        self.count, self.last = 0, -np.inf

    def checkpoint(self) -> dict[str, Any]:
        """Return both."""
        return {"count": self.count, "last": self.last}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore what `checkpoint` returned."""
        self.count, self.last = checkpoint["count"], checkpoint["last"]
