"""A motion that another program steps: it sets inputs, advances the time and reads outputs. FMUs are made of it."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

from faying.analyses import SystemModel
from faying.analyses.motion import Motion
from faying.analyses.recording.measure_memory import MeasureMemory
from faying.analyses.recording.system_curves import SystemCurves
from faying.errors import ModelError, there_are
from faying.load_histories.input import InputHistory
from faying.params import Spec
from faying.project.bodies import body_model
from faying.project.contact_friction import with_acting_friction
from faying.project.file_names import with_absolute_files
from faying.project.specs import Project
from faying.project.stage import Target
from faying.reduction.body import JointRows
from faying.results.curve_key import curve_texts
from faying.session.computed_project import ComputedProject
from faying.solvers.integrators import State


def inputs_of(project: Project, system: str) -> dict[str, float]:
    """Return the inputs from outside that loads and drives of a system have, and their values until they are set."""
    return {each.input: each.value for each in _input_histories(project.system(system))}


class CoSimulation:
    """A motion of a system that is advanced from outside, step by step.

    Args:
        session: has the motion; bodies are reduced if need be. Take a session for each co-simulation.
        analysis: name of the motion.

    Attributes:
        outputs: name and value of each output at the present time: the curves of the analysis, and of each joint the
            smallest gap and the largest pressure.

    Raises:
        ModelError: when there is no such motion.
        SolveError: when its parts cannot be put together.
    """

    def __init__(self, session: ComputedProject, analysis: str) -> None:
        motion = session.project.analysis(analysis)
        if not isinstance(motion, Motion):
            raise ModelError(f"Analysis {analysis!r} is no motion of a system.", "Name one that is.")
        spec = with_absolute_files(session.project.system(motion.system), session.base)
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
        self._motion, self._histories = motion, tuple(_input_histories(spec))
        with ExitStack() as opened:
            start = None
            if motion.predecessors():
                place = session.compute(Target("motion", motion.system, motion.start_from))
                start = opened.enter_context(closing(place.open()))
            self._system, _, state = motion.assembled(SystemModel(spec, bodies, start), session.progress)
        bolts = {n: b.reduced.bolts for n, b in bodies.items() if b.reduced is not None}
        self._curves = SystemCurves(spec, self._system, bolts)
        self._measures = MeasureMemory(self._system, spec.measures, state)
        self._names = curve_texts(self._curves.offered.keys)
        self._wanted = {history.input: history.value for history in self._histories}
        self._state = state
        self._run: Any = None
        self._before = state
        self.outputs = self._look(state, state)

    @property
    def time(self) -> float:
        """Present time of the motion, in the project's unit."""
        return float(self._state.time)

    @property
    def inputs(self) -> dict[str, float]:
        """Name and value of each input."""
        return dict(self._wanted)

    def set(self, name: str, value: float) -> None:
        """Set an input: at the start at once, later on a straight line to the end of the next step.

        Raises:
            ModelError: when no load or drive has an input of that name.
        """
        if name not in self._wanted:
            raise ModelError(f"There is no input called {name!r}.", there_are(name, self._wanted))
        self._wanted[name] = float(value)

    def advance(self, time: float) -> None:
        """Integrate up to a time, with the inputs on a straight line to the values that were set.

        Raises:
            SolveError: when no step can be taken.
        """
        if self._run is None:  # loads at the start are known now
            for history in self._histories:
                history.reach(self.time, self._wanted[history.input])
            self._run = self._motion.integrator.guided(self._system, self._state)
        else:
            self._see(self._state, self._state)
        for history in self._histories:
            history.reach(time, self._wanted[history.input])
        self._run.to(time, self._see)
        self._state = self._run.state
        self.outputs = self._look(self._before, self._state)

    def _see(self, before: State, after: State) -> None:
        self._before = before
        self._measures.see(before, after)

    def _look(self, before: State, state: State) -> dict[str, float]:
        step = state.time - before.time
        history = before.history
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
                    values[f"{name} smallest gap"] = float(answer.gap.min(initial=0.0) if not len(answer.gap)
                                                           else answer.gap.min())  # fmt: skip
                    values[f"{name} largest pressure"] = float(answer.pressure.max(initial=0.0))
        return values


def _input_histories(value: Any) -> Iterator[InputHistory]:
    """Yield all inputs from outside in a spec."""
    if isinstance(value, InputHistory):
        yield value
    elif isinstance(value, Spec):
        for name in type(value).model_fields:
            yield from _input_histories(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _input_histories(item)
