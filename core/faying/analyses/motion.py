"""Motion of a multibody system over time, with contact and friction in the joints of its flexible parts."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel, analyses
from faying.analyses.bolt_curves import told_bolts
from faying.analyses.contact_records import (
    ContactTally,
    contact_curves,
    contact_frame,
    contact_sizes,
    momentum_curves,
)
from faying.analyses.curves import joint_extremes
from faying.analyses.frames import frames_within
from faying.analyses.run_memory import MemoryOfRun, Sums
from faying.analyses.stored_state import counted_angles, stored_state
from faying.analyses.system_curves import SystemCurves
from faying.analyses.tie_forces import tie_shares
from faying.linalg.threads import one_thread
from faying.multibody.assembly import assemble
from faying.multibody.history import History
from faying.multibody.initial import assembled_velocity, put_right
from faying.multibody.linearized import find_equilibrium
from faying.multibody.redundancy import Freedom, require_left_out, system_size
from faying.multibody.system import MultibodySystem
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.results.interrupted import InterruptedRun, interrupted_run
from faying.results.names import curves_by_path, path_of
from faying.results.writer import ResultsWriter
from faying.solvers.balance import EnergyBalance
from faying.solvers.integrators import Recall, State, consistent_start, integrators
from faying.solvers.separation import SeparationCheck


@analyses.register("motion")
class Motion(SystemAnalysis):
    """Time integration of a system from its assembled start; frames at a fixed interval, interpolated."""

    follows: ClassVar[tuple[str, ...]] = ("motion",)

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
        meaning="Another motion of the same system, from one of whose frames this one goes on; empty for the assembled "
        "start.",
    )  # fmt: skip
    start_frame: int = parameter(
        -1, title="Frame to start from", ge=-1, meaning="Number of that frame; −1 for the last one."
    )
    integrator: member_of(integrators) = parameter(  # type: ignore[valid-type]
        {"kind": "hht"}, title="Integrator", meaning="The time integration scheme."
    )

    def predecessors(self) -> tuple[str, ...]:
        """Return the motion that this one starts from, if there is one."""
        return (self.start_from,) if self.start_from else ()

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Assemble, integrate, and stream frames; go on from those of an interrupted run."""
        # Compiled code of the parts is kept for good; in the very first run it takes a minute or two.
        progress.report(0.0, "assembly; the very first run also makes machine code")
        with interrupted_run(target) as earlier:
            known = earlier.memory["start"] if earlier else None
            built, freedom, start = self.assembled(system, progress, known)
            separation = SeparationCheck(built, self.integrator.fast_coordinates(built, start.q))
            with _MotionRecorder(self, system, built, start, separation, target, earlier) as recorder:
                if earlier is None:
                    recorder.frame(start, start.history, 0.0)
                end = start.time + self.duration
                with one_thread():
                    report = self.integrator.integrate(
                        built, start, end, recorder.accepted, progress,
                        memory=recorder.memory.run, remember=recorder.remember,
                    )  # fmt: skip
                energy = recorder.writer.curve("total energy")
                summary = {
                    "degrees_of_freedom": freedom.degrees,
                    "redundant_equations": list(freedom.names),
                    **report.summary(),
                    "worst_constraint": float(recorder.writer.curve("constraint violation").max()),
                    "missed_constraint": recorder.missed.memory(),
                    "start_doubts": [doubt.sentence for doubt in system.start.doubts] if system.start else [],
                    "energy_drift": float(energy[-1] - energy[0]),
                    "energy_balance": recorder.balance.summary(),
                    **separation.summary(),
                    **recorder.tally.summary(),
                    "mounted_error": system.mounted_error(),
                    "joints": joint_extremes(recorder.writer),
                    **told_bolts(recorder.writer),
                    "tie_shares": tie_shares(recorder.writer),
                    **recorder.memory.summary(),
                }
                recorder.writer.close(summary)
        return summary

    def assembled(
        self, system: SystemModel, progress: Progress, start: State | None = None
    ) -> tuple[MultibodySystem, Freedom, State]:
        """Return the system without redundant equations, how free it is, and its consistent state at the start.

        Args:
            system: as `run` sees it.
            progress: reports and cancels.
            start: the state at the start, where it is known already; it is searched for otherwise.

        Raises:
            ModelError: for a system without parts, or a frame to start from that is not there.
            SolveError: when the parts cannot be put together, or no equilibrium is found.
        """
        at = assemble(system.spec, system.flexible_bodies())
        full, q, v, history, freedom = at.system, at.position, at.velocity, at.history, at.freedom
        built = full.without(freedom.redundant) if freedom.redundant else full
        if start is not None:
            return built, freedom, start
        history = with_angles(built, q, history)
        time, given = 0.0, at.given
        if system.start is not None:
            time, q, v, history = stored_state(built, system.start, self.start_frame)
            given = np.ones(built.n, dtype=bool)
        elif self.from_equilibrium:
            # As in statics: friction acts from the first load on, but not while bolts are tightened.
            mounted = any(getattr(part, "preloads", ()) for part in system.spec.parts)
            lying = history if mounted else built.resting_history(q, history)
            found = find_equilibrium(built, q, lying, PartialProgress(progress, 0.0, 0.0, "equilibrium"))
            q, history = found.position, found.history
            history = built.resting_history(q, history) if mounted else history
        else:
            history = built.resting_history(q, history)
        v = assembled_velocity(built, q, v, history, time, given)
        return built, freedom, consistent_start(built, time, q, v, history)


def with_angles(system: MultibodySystem, q: np.ndarray, history: History) -> History:
    """Return the history with the angles of the constraints at a position."""
    return system.accepted(0.0, q, history)


class _Missed:
    """By how much constraints are missed at the ends of steps, at most."""

    def __init__(self, system: MultibodySystem) -> None:
        self._system, self._size = system, system_size(system)
        self._worst: dict[str, Any] = {}

    def see(self, after: State) -> None:
        """Take an accepted step."""
        name, length = self._system.missed(after.time, after.q, after.history)
        if length > self._worst.get("length", 0.0):
            self._worst = {"name": name, "time": after.time, "length": length, "size": self._size}

    def memory(self) -> dict[str, Any]:
        """Return name, time, length and the system's size; nothing without constraints."""
        return self._worst

    def recall(self, memory: dict[str, Any]) -> None:
        """Take up what an earlier part of the run has seen."""
        self._worst = memory


class _MotionRecorder:
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
        self._settings, self._built, self._start = settings, built, start.time
        self.balance = EnergyBalance(built, start)
        self.missed = _Missed(built)
        self.tally = ContactTally(built, start)
        sums: dict[str, Sums] = {
            "separation": separation,
            "energy balance": self.balance,
            "missed constraint": self.missed,
            "contacts": self.tally,
        }
        self.memory = MemoryOfRun(start, earlier, sums)
        self._curves = SystemCurves(
            system.spec,
            built,
            {n: b.reduced.bolts for n, b in system.bodies.items() if b.reduced is not None},
        )
        sizes: dict[str, int | tuple[int, ...]] = {}
        histories = list(built.initial_history().joints)
        self._joints: list[str] = []
        for part in built.parts:
            if not part.n:
                continue
            path = path_of("parts", part.name)
            sizes |= {f"{path}/motion": 7, f"{path}/rates": part.n}
            if part.n > 7:
                sizes[f"{path}/coordinates"] = part.n - 7
            body = self._curves.body_of(part.name)
            for joint in system.bodies[body].joints[: len(part.joints)] if body else ():
                own = histories.pop(0)
                name = path_of("parts", part.name, "joints", joint.name, "history")
                self._joints.append(name if own.size else "")
                if own.size:
                    sizes[name] = own.shape
        sizes |= contact_sizes(built)
        for where, known in counted_angles(built, start.history):
            sizes |= {path_of(where, member.name): len(angles) for member, angles in known if len(angles)}
        touched = built.contacts.respond(start.q, start.history.contacts, 0.0)
        of_contacts = contact_curves(built, start.q, touched) | self.tally.curves()
        of_contacts |= momentum_curves(built, start.q, start.v)
        self.writer = ResultsWriter(
            target, axis="time", system=system.spec.name, sizes=sizes, joints={},
            curves=(*self._curves.names, *of_contacts, *self.balance.curves(), *separation.curves()),
            settings=settings.model_dump(mode="json"), after=earlier.frames if earlier else None,
        )  # fmt: skip

    def __enter__(self) -> "_MotionRecorder":
        return self

    def __exit__(self, *error: Any) -> None:
        self.writer.__exit__(*error)

    def remember(self, recall: Recall) -> None:
        """Bring to disk what the run needs to go on."""
        self.writer.remember(lambda: self.memory.of(recall))

    def accepted(self, before: State, after: State) -> None:
        """Write the frames whose times lie in (before, after].

        Raises:
            SolveError: when the parts come apart where an equation was left out.
        """
        require_left_out(self._built, after.time, after.q, after.history)
        self.missed.see(after)
        self.balance.see(before, after)
        self._separation.see(before, after)
        self.tally.see(before, after)
        count = self._settings.frames
        interval = self._settings.duration / count
        for time, q, v in frames_within(before, after, self.writer.n_frames, count, interval, self._start):
            q, v = put_right(self._built, time, q, v, before.history)
            # Reactions lie between those of the steps; a step is longer than they take to change.
            share = (min(time, after.time) - before.time) / (after.time - before.time)
            reactions = (1.0 - share) * before.all_multipliers + share * after.all_multipliers
            # Friction moves from the committed state to the frame's coordinates, as within a step.
            self.frame(
                State(time, q, v, after.a, reactions, after.history), before.history, after.time - before.time,
                share,
            )  # fmt: skip

    def frame(self, state: State, history: History, step: float, share: float = 1.0) -> None:
        """Write one frame, at a share of the last step."""
        answers = self._built.respond(state.q, history, step)
        named: dict[str, Any] = {}
        for part, at in zip(self._built.parts, self._built.ranges, strict=True):
            if part.n:
                path = path_of("parts", part.name)
                named |= {f"{path}/motion": state.q[at][:7], f"{path}/rates": state.v[at]}
                if part.n > 7:
                    named[f"{path}/coordinates"] = state.q[at][7:]
        # At the start pairs may touch that no pressure holds closed.
        kept = [answer.history for answer in answers] if step else history.joints
        for name, own in zip(self._joints, kept, strict=True):
            if name:
                named[name] = own
        for where, known in counted_angles(self._built, state.history):
            named |= {path_of(where, member.name): angles for member, angles in known if len(angles)}
        touched = self._built.contacts.respond(state.q, history.contacts, step)
        named |= contact_frame(self._built, state.q, touched, None if step else history)
        curves = self._curves.values(state, history, answers, step) | self.balance.curves(share)
        curves |= contact_curves(self._built, state.q, touched) | self.tally.curves(share)
        curves |= momentum_curves(self._built, state.q, state.v) | self._separation.curves()
        self.writer.append(state.time, named | curves_by_path(curves))
