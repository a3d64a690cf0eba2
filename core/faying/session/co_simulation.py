"""A motion that another program drives: it sets inputs, advances the time and reads outputs. FMUs use it."""

from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from faying.analyses import SystemModel
from faying.analyses.motion import Motion
from faying.analyses.recording.frames import state_within
from faying.analyses.recording.measure_memory import MeasureMemory
from faying.analyses.recording.system_curves import SystemCurves
from faying.errors import ModelError, there_are
from faying.load_histories.input import input_histories
from faying.multibody.system import MultibodySystem
from faying.project.bodies import body_model
from faying.project.contact_friction import with_acting_friction
from faying.project.file_names import with_absolute_files
from faying.project.specs import Project
from faying.project.stage import Target
from faying.reduction.body import JointRows
from faying.results.curve_key import CurveKey, curve_texts
from faying.session.computed_project import ComputedProject
from faying.solvers.integrators import State, interpolate

_EXTREMES = {
    "smallest gap": "length",
    "largest pressure": "stress",
}  # of each joint, in addition to its curves


def inputs_of(project: Project, system: str) -> dict[str, float]:
    """Return the external inputs of a system's loads and drives, with their values until they are set."""
    return {each.input: each.value for each in input_histories(project.system(system))}


def owners_of_input(project: Project, system: str, name: str) -> list[str]:
    """Return the names, in quotes, of the loads and drives that an input scales."""
    spec = project.system(system)
    lists = (getattr(spec, field) for field in type(spec).model_fields)
    members = [each for value in lists if isinstance(value, tuple) for each in value]
    return [
        repr(each.name) for each in members
        if any(history.input == name for history in input_histories(each))
    ]  # fmt: skip


def described_input(project: Project, system: str, name: str) -> str:
    """Return the loads and drives that an input is the factor of, in a sentence."""
    owners = ", ".join(owners_of_input(project, system, name))
    return f"{name}: factor of {owners}." if owners else f"{name}: factor of a load history."


class CoSimulation:
    """A motion of a system that another program advances step by step.

    Args:
        session: contains the motion; bodies are reduced if necessary. Use one session per co-simulation.
        analysis: name of the motion.

    Attributes:
        outputs: name and value of each output at the present time: the curves of the analysis, and of each joint the
            smallest gap and the largest pressure.

    Raises:
        ModelError: when there is no such motion, or its system has events.
        SolveError: when its parts cannot be assembled.
    """

    _system: MultibodySystem
    _before: State
    _state: State
    _time: float

    def __init__(self, session: ComputedProject, analysis: str) -> None:
        motion = session.project.analysis(analysis)
        if not isinstance(motion, Motion):
            raise ModelError(f"Analysis {analysis!r} is no motion of a system.", "Name one that is.")
        spec = with_absolute_files(session.project.system(motion.system), session.base)
        if spec.events:
            raise ModelError(
                f"System {spec.name!r} has events, which do not happen in co-simulation.",
                "Take them out of the system, or of a copy of it for the co-simulation.",
            )
        bodies, models = {}, {}
        for name in spec.body_names():
            body = with_absolute_files(session.project.body(name), session.base)
            pairs = {
                joint.name: session.compute(Target("pairs", name, joint.name))
                for joint in body.contact_joints
            }
            reduced, model = (session.compute(Target(stage, name)) for stage in ("body", "model"))
            bodies[name], models[name] = body_model(body, reduced, model, pairs), model
        spec = with_acting_friction(spec, session.project, models, session.base)
        self._motion, self._histories = motion, tuple(input_histories(spec))
        self._model = SystemModel(spec, bodies)
        self._progress = session.progress
        with ExitStack() as opened:
            model = self._model
            if motion.predecessors():
                place = session.compute(Target("motion", motion.system, motion.start_from))
                model = replace(model, start=opened.enter_context(closing(place.open())))
            self._assemble(model)
        self._wanted = {history.input: history.value for history in self._histories}
        self._set: dict[str, float] | None = None  # the inputs of the step before; None before the first
        self._run: Any = None
        # As long as no input changes, steps are those of a run, whose frames lie within them.
        self._cut = False
        self.outputs = self._look()

    @property
    def time(self) -> float:
        """Present time of the motion, in the project's unit."""
        return float(self._time)

    @property
    def inputs(self) -> dict[str, float]:
        """Name and value of each input."""
        return dict(self._wanted)

    @property
    def keys(self) -> dict[str, CurveKey]:
        """Key of each output by its name."""
        known = {name: key for key, name in self._names.items()}
        for part in self._system.parts:
            for joint in part.joints:
                if isinstance(joint.rows, JointRows):
                    own = joint.rows.name
                    for quantity, dimension in _EXTREMES.items():
                        key = CurveKey(quantity, dimension, "joint", own, part=part.name)
                        known[f"{part.name}: {own} {quantity}"] = key
        return known

    def set(self, name: str, value: float) -> None:
        """Set an input: at the start at once, later on a straight line to the end of the next step.

        Raises:
            ModelError: when no load or drive has an input of that name.
        """
        if name not in self._wanted:
            raise ModelError(f"There is no input called {name!r}.", there_are(name, self._wanted))
        self._wanted[name] = float(value)

    def begin(self) -> None:
        """Apply the inputs set so far at the start; `outputs` are those under them.

        The first `advance` calls it if necessary.

        Raises:
            SolveError: when the parts cannot be assembled under them.
        """
        for history in self._histories:
            history.reach(self._time, self._wanted[history.input])
        set_otherwise = any(self._wanted[each.input] != each.value for each in self._histories)
        if set_otherwise and not self._motion.predecessors():
            self._assemble(self._model)  # drives have other positions and speeds
        self._run = self._motion.integrator.guided(self._system, self._state)
        self._before = self._state = self._run.state
        self._set = dict(self._wanted)
        self.outputs = self._look()

    def advance(self, time: float) -> None:
        """Integrate up to a time, with the inputs on a straight line to the values that were set.

        As long as no input changes, the steps are those of a run, and outputs are interpolated within them as its
        frames are: the values are those of a run. From the first change on each call ends a step.

        Raises:
            SolveError: when no step can be taken.
        """
        if self._run is None:
            self.begin()
        if not self._cut and self._wanted != self._set:
            self._cut = True
            if self._state.time > self._time * (1 + 1e-12):  # the step has passed it, as if no input changed
                self._run.take_back()
                self._measures.take_back()
                self._run.to(self._time, self._see)
        for history in self._histories:
            history.reach(time, self._wanted[history.input])
        self._set = dict(self._wanted)
        (self._run.to if self._cut else self._run.past)(time, self._see)
        self._time = time if not self._cut else self._state.time
        self.outputs = self._look()

    def _assemble(self, model: SystemModel) -> None:
        self._system, _, self._state = self._motion.assembled(model, self._progress)
        bolts = {n: b.reduced.bolts for n, b in self._model.bodies.items() if b.reduced is not None}
        self._curves = SystemCurves(self._model.spec, self._system, bolts)
        self._names = curve_texts(self._curves.offered.keys)
        self._measures = MeasureMemory(self._system, self._model.spec.scalars, self._state)
        self._before, self._time = self._state, self._state.time

    def _see(self, before: State, after: State) -> None:
        self._before, self._state = before, after
        self._measures.see(before, after)

    def _look(self) -> dict[str, float]:
        """Return the outputs at the present time, within the last step."""
        before, state = self._before, self._state
        step, history = state.time - before.time, before.history
        if step:
            at = min(self._time, state.time)
            state, _ = state_within(self._system, before, state, at, *interpolate(before, state, at))
        answers = self._system.respond(state.q, history, step)
        touched = self._system.contacts.respond(state.q, history.contacts, step)
        states = self._curves.states(state, history, answers, touched, step, remembered=self._measures.before)
        found = self._curves.offered.values(*states)
        values = {self._names[key]: value for key, value in found.items()}
        rest = list(answers)
        for part in self._system.parts:
            for joint in part.joints:
                answer = rest.pop(0)
                if isinstance(joint.rows, JointRows):
                    name = f"{part.name}: {joint.rows.name}"
                    values[f"{name} smallest gap"] = float(answer.gap.min()) if len(answer.gap) else 0.0
                    values[f"{name} largest pressure"] = float(answer.pressure.max(initial=0.0))
        return values
