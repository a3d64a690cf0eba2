"""Frames and final report entries that every run of a system has, whatever the analysis."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel
from faying.analyses.recording.contact_records import ContactTally, contact_frame
from faying.analyses.recording.measure_memory import MeasureMemory
from faying.analyses.recording.recorder import Recorder, joint_extremes
from faying.analyses.recording.run_memory import Sums
from faying.analyses.recording.sampling_check import SamplingCheck
from faying.analyses.recording.stored_state import active_members, counted_angles
from faying.analyses.recording.system_curves import SystemCurves
from faying.analyses.recording.table_ends import TableEnds
from faying.analyses.statics.step_loads import acting_temperatures
from faying.joints.interface import JointResponse
from faying.multibody.history import History
from faying.multibody.part import RIGID
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.redundancy import require_left_out, system_size
from faying.multibody.system import MultibodySystem
from faying.results.curve_key import CurveKey
from faying.results.names import path_of
from faying.results.results import Results
from faying.solvers.integrators import State


class _Missed:
    """The largest violation of a constraint at the end of any step."""

    def __init__(self, system: MultibodySystem) -> None:
        self._system, self._size = system, system_size(system)
        self._worst: dict[str, Any] = {}

    def see(self, after: State) -> None:
        """Take an accepted step."""
        name, length = self._system.missed(after.time, after.q, after.history)
        if length > self._worst.get("length", 0.0):
            self._worst = {"name": name, "time": after.time, "length": length, "size": self._size}

    def checkpoint(self) -> dict[str, Any]:
        """Return name, time and length of the worst violation, and the system's size; {} without any."""
        return self._worst

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the sums of an interrupted run."""
        self._worst = checkpoint


class SystemRecords:
    """Writes frames of a system: motions of its parts, joints, contacts, curves.

    Args:
        settings: of the analysis.
        system: the analysis' data of the system.
        built: the multibody system.
        start: its state at the start.
        target: the results file.
        earlier: frames of the interrupted run that this one continues.
        more: names of further numbers of the run that are curves, whose values `frame` is given.

    Attributes:
        sums: sums over the steps, by name.
        frames: the recorder of frames.
    """

    def __init__(
        self,
        settings: SystemAnalysis,
        system: SystemModel,
        built: MultibodySystem,
        start: State,
        target: Path,
        earlier: Results | None = None,
        more: Sequence[str] = (),
    ) -> None:
        self._system, self.built = system, built
        self._missed, self._tally = _Missed(built), ContactTally(built, start)
        self._measures = MeasureMemory(built, system.spec.scalars, start)
        self._tables = TableEnds(built)
        self._sampling = SamplingCheck(
            (f"{built.parts[k].name}: {getattr(joint.rows, 'name', '')}", joint)
            for k, joint in built.numbered_joints
        )
        self.sums: dict[str, Sums] = {
            "missed constraint": self._missed,
            "contacts": self._tally,
            "sampling": self._sampling,
            "measures": self._measures,
            "tables": self._tables,
        }
        self._curves = SystemCurves(
            system.spec,
            built,
            {n: b.reduced.bolts for n, b in system.bodies.items() if b.reduced is not None},
            start.q,
            ("impulse", *more, *self._sampling.curves()),
        )
        histories = list(built.initial_history().joints)
        self._joints: list[str] = []
        for part in built.parts:
            if not part.n:
                continue
            body = self._curves.body_of(part.name)
            for joint in system.bodies[body].joints[: len(part.joints)] if body else ():
                own = histories.pop(0)
                name = path_of("parts", part.name, "joints", joint.name, "history")
                self._joints.append(name if own.size else "")
        temperatures = {
            f"{path_of('parts', part.name)}/{path}": values
            for part in system.spec.parts
            if (body := self._curves.body_of(part.name))
            for path, values in acting_temperatures(
                [each.load for each in getattr(part, "body_loads", ())],
                getattr(system.bodies[body].reduced, "loads", None),
            ).items()
        }
        self.frames = Recorder(
            target, self._curves.offered, earlier, axis="time", system=system.spec.name, constants=temperatures,
            settings=settings.model_dump(mode="json"),
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.frames.__exit__(*error)

    def see(self, before: State, after: State) -> None:
        """Take an accepted step.

        Raises:
            SolveError: when the parts come apart where an equation was left out.
        """
        require_left_out(self.built, after.time, after.q, after.history)
        self._missed.see(after)
        self._tally.see(before, after)
        self._measures.see(before, after)
        self._tables.see(after)

    def begin_anew(self, before: State, after: State) -> None:
        """Take the state behind an event that changes the motion at once, and the one before it."""
        self._measures.see(before, after)

    def frame(
        self,
        state: State,
        history: History,
        step: float,
        share: float = 1.0,
        more: Mapping[str, float] | None = None,
    ) -> None:
        """Write one frame, at a fraction of the last step.

        Args:
            state: the state of the frame.
            history: committed history, from which contact and friction are evaluated.
            step: length of the step from there; zero for a state at rest.
            share: position of the frame within the step, 0 to 1.
            more: values of the further numbers.
        """
        built = self.built
        answers = built.respond(state.q, history, step, jacobian=self._sampling.needs_jacobians)
        named: dict[str, Any] = {}
        for part, at in zip(built.parts, built.ranges, strict=True):
            if part.n:
                path = path_of("parts", part.name)
                named |= {f"{path}/motion": state.q[at][:7], f"{path}/rates": state.v[at]}
                if part.n > 7:
                    named[f"{path}/coordinates"] = state.q[at][7:]
        # At the start pairs may touch without pressure: their history is that of the state itself.
        kept = [answer.history for answer in answers] if step else history.joints
        for name, own in zip(self._joints, kept, strict=True):
            if name:
                named[name] = own
        for where, known in counted_angles(built, state.history):
            named |= {path_of(where, member.name): angles for member, angles in known if len(angles)}
        if self._system.spec.events:
            named |= active_members(built)
        touched = built.contacts.respond(state.q, history.contacts, step)
        named |= contact_frame(built, state.q, touched, None if step else history)
        self._sampling.see(self._deformed(state.q, answers))
        numbers = {**(more or {}), **self._sampling.curves()}
        states = self._curves.states(
            state, history, answers, touched, step, self._tally, share, numbers, self._measures.before
        )
        self.frames.frame(state.time, states, named)

    def summary(self) -> dict[str, Any]:
        """Return the report's entries on constraints, energies, contacts, joints, bolts and ties."""
        energy = self.frames.curve(CurveKey("total energy"))
        return {
            "worst_constraint": float(self.frames.curve(CurveKey("constraint violation")).max()),
            "missed_constraint": self._missed.checkpoint(),
            "energy_drift": float(energy[-1] - energy[0]),
            **self._sampling.summary(),
            **self._tally.summary(),
            **self._tables.summary(),
            "mounted_error": self._system.mounted_error(),
            "joints": joint_extremes(self.frames),
            **self.frames.report(),
        }

    def _deformed(
        self, q: np.ndarray, answers: Sequence[JointResponse]
    ) -> Iterator[tuple[np.ndarray, np.ndarray, Sequence[JointResponse]]]:
        """Yield stiffness, coordinates and joints' answers of each flexible part."""
        rest = list(answers)
        for part, at in zip(self.built.parts, self.built.ranges, strict=True):
            own, rest = rest[: len(part.joints)], rest[len(part.joints) :]
            if isinstance(part, FlexiblePart):
                yield part.body.stiffness, q[at][RIGID:], own
