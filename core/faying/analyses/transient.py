"""Transient motion of a reduced body that is held at an interface node, with contact and friction."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.recording.curve_source import BodyState
from faying.analyses.recording.frames import frames_within
from faying.analyses.recording.recorded_bodies import recorded_body
from faying.analyses.recording.recorder import OfferedCurves, Recorder, joint_extremes
from faying.analyses.recording.run_memory import MemoryOfRun, Sums
from faying.analyses.recording.sampling_check import SamplingCheck
from faying.analyses.recording.true_fields import WithTrueFields
from faying.analyses.statics.displacements import ImposedDisplacements
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.reactions import ReactionBalance, contact_forces, held_node
from faying.analyses.statics.settings import DisplacedAnalysis
from faying.analyses.statics.step_loads import acting_temperatures
from faying.joints.sampled import ActingJoint, acting_joint
from faying.linalg.threads import one_thread
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress, Silent
from faying.reduction.body import ReducedBody
from faying.reduction.carried import Acting
from faying.reduction.load_modes import missed_share
from faying.results.curve_key import CurveKey
from faying.results.interrupted import InterruptedRun, interrupted_run
from faying.results.names import path_of
from faying.solvers.balance import EnergyBalance
from faying.solvers.clamped_body import ClampedBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.integrators import ConstrainedInertia, Recall, State, consistent_start, integrators
from faying.solvers.separation import SeparationCheck

_MOMENTS = 48  # number of times at which the loads are taken, for which sampled joints are made


@analyses.register("transient")
class Transient(WithTrueFields, DisplacedAnalysis):
    """Time integration from rest; frames at a fixed interval, interpolated between the steps.

    With preload cases the body rests mounted: it starts from static equilibrium under them. Surfaces that touch at the
    start rest on each other, as in statics: friction acts on what moves from there, in the first step too.

    Displaced nodes follow their load histories. Where these are not 0 at the start, the body rests displaced there;
    where they set off with a velocity, the body starts with the one that takes the least energy.
    """

    samples_joints: ClassVar[bool] = True

    duration: float = parameter(0.1, title="Duration", quantity="time", gt=0.0, meaning="Simulated time.")
    frames: int = parameter(
        200,
        title="Frames",
        ge=1,
        le=1_000_000,
        meaning="Number of frames stored, evenly spaced, besides the first.",
    )
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0,
        meaning="β of a damping matrix β K: material damping. 0 leaves friction and the integrator's damping.",
    )  # fmt: skip
    integrator: member_of(integrators) = parameter(  # type: ignore[valid-type]
        {"kind": "hht"}, title="Integrator", meaning="The time integration scheme."
    )

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the loads at full size, at which the body vibrates."""
        return tuple(replace(case, inertia=True) for case in super().load_cases())

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Integrate from rest and stream frames; continue an interrupted run."""
        held = self.clamped_body(needed(body.reduced))
        forces = self._joint_forces(body, held)
        driven = self.imposed(held.interfaces)
        with interrupted_run(target) as earlier:
            if earlier is None:
                mounted = self._mounted(held, forces, progress)
                system = self._system(held, forces, driven, mounted)
                start, history = self._start(held, system, forces, mounted, progress)
            else:
                start, history, mounted = earlier.memory["start"], None, earlier.memory["mounted"]
                system = self._system(held, forces, driven, mounted)
            separation = SeparationCheck(system, self.integrator.fast_coordinates(system, start.q))
            with _TransientRecorder(
                self, body, held, system, driven, separation, target, start, mounted, earlier
            ) as recorder:
                if earlier is None:
                    recorder.frame(0.0, start.q, start.v, start.a, system.reactions(start), history)
                with one_thread():
                    report = self.integrator.integrate(
                        system, start, self.duration, recorder.accepted, progress,
                        memory=recorder.memory.run, remember=recorder.remember,
                    )  # fmt: skip
                summary = {
                    **report.summary(),
                    "energy_balance": recorder.balance.summary(),
                    **recorder.reactions.summary(),
                    **separation.summary(),
                    **recorder.sampling.summary(),
                    "mounted_error": held.mounted_error(self.preloads),
                    "joints": joint_extremes(recorder.frames),
                    **recorder.frames.report(self.path_loads.applied(held.loads, self._most_factors)),
                    **self._load_error(held, recorder.frames),
                    **recorder.memory.summary(),
                }
                recorder.frames.close(summary)
        return summary

    def _mounted(self, held: ReducedBody, forces: list[ActingJoint], progress: Progress) -> np.ndarray:
        """Return (r,) coordinates at rest under the preload cases."""
        rest = np.zeros(held.n_coordinates)
        if not self.preloads:
            return rest
        return self._resting(held, forces, rest, PartialProgress(progress, 0.0, 0.0, "preload"))

    def _resting(
        self,
        held: ReducedBody,
        forces: list[ActingJoint],
        guess: np.ndarray,
        progress: Progress,
        **given: Any,
    ) -> np.ndarray:
        """Return (r,) the equilibrium without friction under the preload cases and given motions."""
        smooth = [force.without_friction() for force in forces]
        opened = [force.initial_history() for force in smooth]
        preload = held.preload_force(self.preloads)
        return solve_equilibrium(held.stiffness, preload, smooth, opened, guess, progress, **given)[0]

    def _start(
        self,
        held: ReducedBody,
        system: ClampedBody,
        forces: list[ActingJoint],
        mounted: np.ndarray,
        progress: Progress,
    ) -> tuple[State, Any]:
        """Return the initial state, mounted and displaced, and the joints' histories at rest there."""
        position = mounted
        left, rows = system.constraints(0.0, mounted, None)
        if left.any():
            part = PartialProgress(progress, 0.0, 0.0, "displaced")
            given = {"constraints": rows, "values": rows @ mounted - left}
            position = self._resting(held, forces, mounted, part, **given)
        history = system.resting_history(position)
        return consistent_start(system, 0.0, position, system.moving(0.0), history), history

    @property
    def _most_factors(self) -> np.ndarray:
        """(n_loads,) largest sizes of the factors of the loads at any frame."""
        times = np.linspace(0.0, self.duration, self.frames + 1)
        return np.asarray(np.abs([self.load_factors(float(time)) for time in times]).max(axis=0, initial=0.0))

    def _load_error(self, held: ReducedBody, frames: Recorder) -> dict[str, float]:
        """Return the error of the responses to loads of the body: largest factors over the largest elastic energy."""
        stored = 2.0 * float(frames.curve(CurveKey("elastic energy")).max(initial=0.0))
        if not self.body_loads:
            return {}
        amounts = self.path_loads.amounts(self._most_factors)
        return {"load_error": missed_share(held.loads, amounts, stored)}

    def load_path(self, held: ReducedBody) -> np.ndarray:
        """Return (r, k) generalised forces of the loads at evenly spaced times."""
        moments = np.linspace(0.0, self.duration, _MOMENTS + 1)[1:]
        factors = np.array([self.load_factors(float(time)) for time in moments])
        return np.asarray(self.load_columns(held) @ factors.T)

    def load_factors(self, value: float) -> np.ndarray:
        """Return (n_loads,) the factor of each load's history at a time."""
        histories = [load.time_history for load in self.loads] + [
            acting.time_history for acting in self.body_loads
        ]
        return np.array([history.factor(value) for history in histories])

    def accelerations(
        self, body: BodyModel
    ) -> Callable[[float, np.ndarray, np.ndarray, tuple[np.ndarray, ...]], np.ndarray]:
        """Return the accelerations (r,) by the equations of motion, as a function of the state of a stored frame.

        Its arguments are the time, coordinates and their rates (r,), and the committed friction histories of the
        joints.
        """
        held = self.clamped_body(needed(body.reduced))
        forces, driven = self._joint_forces(body, held), self.imposed(held.interfaces)
        # The mounted coordinates are needed only for the accelerations of displaced nodes.
        mounted = np.zeros(held.n_coordinates) if driven is None else self._mounted(held, forces, Silent())
        system = self._system(held, forces, driven, mounted)

        def at(time: float, q: np.ndarray, v: np.ndarray, histories: tuple[np.ndarray, ...]) -> np.ndarray:
            force = system.forces(time, q, v, histories, jacobian=False).force
            contact = system.contact(q, histories, 0.0, jacobian=False)
            inertia = ConstrainedInertia(held.mass, system.constraints(time, q, histories)[1])
            total = force if contact is None else force + contact.force
            return inertia.accelerations(total, -system.constraint_rates(time)[1])[0]

        return at

    def _joint_forces(self, body: BodyModel, held: ReducedBody) -> list[ActingJoint]:
        rows = {r.name: r for r in held.joints}
        return [acting_joint(rows[j.name], j.contact_law, j.friction_law, j.sample) for j in body.joints]

    def _system(
        self,
        held: ReducedBody,
        forces: list[ActingJoint],
        driven: ImposedDisplacements | None,
        mounted: np.ndarray,
    ) -> ClampedBody:
        vectors, preload = self.load_columns(held), held.preload_force(self.preloads)

        def load(time: float) -> np.ndarray:
            return np.asarray(preload + vectors @ self.load_factors(time))

        given = None if driven is None else driven.over_time(mounted, self.displacements)
        return ClampedBody(held, forces, load, self.stiffness_damping, given)


class _TransientRecorder:
    """Writes a frame whenever a step passes an output time."""

    def __init__(
        self,
        settings: Transient,
        body: BodyModel,
        held: ReducedBody,
        system: ClampedBody,
        driven: ImposedDisplacements | None,
        separation: SeparationCheck,
        target: Path,
        start: State,
        mounted: np.ndarray,
        earlier: InterruptedRun | None,
    ) -> None:
        self._mounted, self._displaced = mounted, () if driven is None else driven.components
        self._held_node = held_node(held, settings.support, in_motion=True)
        nodes = (
            held.held_nodes if held.damping is None else ()
        )  # of dampers of superelements nothing is known there
        self.reactions = ReactionBalance(self._held_node, held.supports, nodes, held.nodes, in_motion=True)
        self.balance = EnergyBalance(system, start)
        self._names = [joint.name for joint in body.joints]
        self.sampling = SamplingCheck(zip(self._names, system.joints, strict=True))
        sums: dict[str, Sums] = {
            "separation": separation, "energy balance": self.balance, "sampling": self.sampling,
            "reactions": self.reactions,
        }  # fmt: skip
        self.memory = MemoryOfRun(start, earlier, sums)
        self._settings, self._held, self._system = settings, held, system
        self._separation = separation
        histories = system.initial_history()
        self._remembering = [n for n, h in zip(self._names, histories, strict=True) if h.size]
        numbers = {**self.balance.curves(), **separation.curves(), **self.sampling.curves()}
        offered = OfferedCurves(recorded_body(
            held, self._names, [joint.friction_law for joint in body.joints], held=self._held_node.name,
            displaced=self._displaced, loads=settings.path_loads.names,
            run=("step size", "kinetic energy", "elastic energy", *numbers),
        ))  # fmt: skip
        self.frames = Recorder(
            target, offered, earlier.frames if earlier else None, axis="time", body=body.name,
            frame=settings.support, constants=acting_temperatures(settings.path_loads.names, held.loads),
            settings=settings.model_dump(mode="json"),
        )  # fmt: skip

    def __enter__(self) -> "_TransientRecorder":
        return self

    def __exit__(self, *error: Any) -> None:
        self.frames.__exit__(*error)

    def remember(self, recall: Recall) -> None:
        """Write what an interrupted run needs to be continued."""

        def memory() -> dict[str, Any] | None:
            found = self.memory.of(recall)
            return None if found is None else {**found, "mounted": self._mounted}

        self.frames.remember(memory)

    def accepted(self, before: State, after: State) -> None:
        """Write the frames whose times lie in (before, after]."""
        self.balance.see(before, after)
        self._separation.see(before, after)
        count = self._settings.frames
        interval = self._settings.duration / count
        for time, q, v in frames_within(before, after, self.frames.n_frames, count, interval):
            # Contact and friction go from the committed history to the frame's coordinates, as within a step.
            h = after.time - before.time
            share = min(1.0, (time - before.time) / h)
            reactions = [self._system.reactions(state) for state in (before, after)]
            between = (1.0 - share) * reactions[0] + share * reactions[1]
            a = (1.0 - share) * before.a + share * after.a
            self.frame(time, q, v, a, between, before.history, h, share)

    def frame(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        accelerations: np.ndarray,
        reactions: np.ndarray,
        history: Any,
        step: float = 0.0,
        share: float = 1.0,
    ) -> None:
        """Write one frame, at a fraction of the last step."""
        responses = self._system.respond(q, history, step, jacobian=self.sampling.needs_jacobians)
        kinetic, elastic = self._system.energies(q, v)
        settings = self._settings
        amounts, factors = settings.load_amounts(time), settings.load_factors(time)
        contact = contact_forces(self._names, responses, self._held.joints)
        acting = Acting(amounts, settings.preloads, contact, accelerations)
        strained = q + settings.stiffness_damping * v  # β K v acts as elastic forces do
        self.sampling.see([(self._held.stiffness, q, responses)])
        displaced = dict(zip(self._displaced, reactions.tolist(), strict=True))
        held_by = self._held_node.values(settings.loads, factors, amounts, displaced, accelerations)
        self.reactions.see(time, strained, acting, settings.loads, factors, displaced, held_by)
        numbers = {
            **self.balance.curves(share), **self._separation.curves(), **self.sampling.curves(),
            "step size": step, "kinetic energy": kinetic, "elastic energy": elastic,
        }  # fmt: skip
        shown = BodyState(
            q, responses, acting, strained, [bolt.tension(settings.preloads) for bolt in self._held.bolts],
            reaction=held_by, displaced=displaced, run=numbers,
        )  # fmt: skip
        data = {"coordinates": q, "velocities": v}
        # At the start pairs may touch without pressure: their history is that of the state itself.
        kept = [response.history for response in responses] if step else history
        for name, own in zip(self._names, kept, strict=True):
            if name in self._remembering:
                data[path_of("joints", name, "history")] = own
        self.frames.frame(time, (shown,), data)
