"""Motions as FMUs: functional mock-up units for co-simulation (FMI 2), in which Faying moves the system.

An FMU holds the decisions on the system, its bodies reduced, and a few lines of Python. Who runs it needs Python with
Faying; PythonFMU (MIT, an extra of this program) brings the library that calls it, for Linux and Windows.
"""

import importlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from faying.analyses.motion import Motion
from faying.analyses.state_space import StateSpaceAnalysis
from faying.atomic import replacing
from faying.errors import FayingError, MissingDependencyError, ModelError, there_are
from faying.project.file_names import with_absolute_files, with_file_names
from faying.project.outputs import writing
from faying.project.reduced_bodies import as_body_of_file
from faying.project.specs import Project
from faying.project.study import write_study
from faying.reduction.body_file import write_body_file
from faying.session.bodies import reduced_body_file
from faying.session.co_simulation import CoSimulation, described_input, inputs_of
from faying.session.computed_project import ComputedProject
from faying.session.fmu_description import (
    FmuVariable,
    complete_description,
    described,
    identifier,
    seconds,
    variable_name,
)
from faying.version import __version__

# Names are user input: the script contains them as literals, which cannot become code.
_SLAVE = """{about!r}

from pathlib import Path

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real
from pythonfmu.enums import Fmi2Status

INPUTS = {inputs!r}
OUTPUTS = {outputs!r}
SECONDS = {seconds!r}  # in a unit of time of the motion


class {name}(Fmi2Slave):
    author = "Faying"
    description = {description!r}

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._motion, self._session, self._start = None, None, 0.0  # seconds, as all times of an FMU
        self._set = {{name: value for name, value in INPUTS.values()}}
        self._seen = {{name: value for name, value in OUTPUTS.values()}}
        for variable, (name, _) in INPUTS.items():
            self._variable(variable, Fmi2Causality.input, self._set, name)
        for variable, (name, _) in OUTPUTS.items():
            self._variable(variable, Fmi2Causality.output, self._seen, name)

    def _variable(self, variable, causality, values, name):
        self.register_variable(Real(
            variable, causality=causality, variability=Fmi2Variability.continuous, description=name,
            getter=lambda: values[name], setter=lambda value: values.__setitem__(name, float(value)),
        ), nested=False)

    def setup_experiment(self, start_time, stop_time, tolerance):
        self._start = start_time

    def enter_initialization_mode(self):
        try:
            import faying
            from faying.session.co_simulation import CoSimulation
        except ImportError as error:
            import sys

            text = f"The Python {{sys.version.split()[0]}} that runs this FMU has no Faying: {{error}}."
            self.log(f"{{text}} Install it there: pip install faying", Fmi2Status.fatal)
            raise
        self._session = faying.read(Path(self.resources) / "study.toml")
        self._motion = CoSimulation(self._session, {analysis!r})
        self._begun = self._motion.time
        self._look()

    def exit_initialization_mode(self):
        if not self._moved(self._motion.begin):
            raise RuntimeError("the motion cannot begin")

    def do_step(self, current_time, step_size):
        reached = (current_time - self._start + step_size) / SECONDS
        return self._moved(lambda: self._motion.advance(self._begun + reached))

    def _moved(self, move):
        from faying.errors import FayingError

        try:
            for name, value in self._set.items():
                self._motion.set(name, value)
            move()
        except FayingError as error:
            self.log(str(error), Fmi2Status.error)
            return False
        self._look()
        return True

    def terminate(self):
        if self._session is not None:
            self._session.close()

    def _look(self):
        for name in self._seen:
            self._seen[name] = self._motion.outputs[name]
"""


def write_fmu(
    session: ComputedProject, analysis: str, path: Path, outputs: Sequence[str] = (), *, replace: bool
) -> str:
    """Write the motion of a system as an FMU, reducing its bodies if need be; or the model of a state space.

    Inputs are those that loads and drives of the system take from outside (load history "input").

    Args:
        session: has the analysis.
        analysis: its name: a motion, or a state space, whose FMU needs no Faying (`write_linear_fmu`).
        path: the file, ending in ``.fmu``.
        outputs: names of the outputs; all that there are by default.
        replace: whether to replace files that Faying did not write or that have changed since.

    Returns:
        What the machine that runs it needs, in a sentence.

    Raises:
        MissingDependencyError: for a motion without PythonFMU.
        FayingError: when there is no such analysis or output, or the file must not or cannot be written.
    """
    if isinstance(session.project.analysis(analysis), StateSpaceAnalysis):
        with writing(path, endings=(".fmu",), reads=session.reads(), replace=replace):
            from faying.session.linear_fmu import write_linear_fmu  # the first window has no use for it

            return write_linear_fmu(session, analysis, path, outputs)
    builder = _builder()
    with writing(path, endings=(".fmu",), reads=session.reads(), replace=replace):
        motion = CoSimulation(session, analysis)
        for name in outputs:
            if name not in motion.outputs:
                raise ModelError(
                    f"Motion {analysis!r} has no output {name!r}.", there_are(name, motion.outputs)
                )
        names: set[str] = set()
        keys, system = motion.keys, session.project.analysis(analysis).system
        inputs = [
            FmuVariable(
                variable_name(name, names), name, value, described_input(session.project, system, name)
            )
            for name, value in motion.inputs.items()
        ]
        shown = [
            FmuVariable(
                variable_name(name, names),
                name,
                motion.outputs[name],
                described(name, keys[name]),
                keys[name].dimension,
            )
            for name in dict.fromkeys(outputs or motion.outputs)
        ]
        with tempfile.TemporaryDirectory(prefix="faying-fmu-") as folder:
            files = _resources(session, analysis, Path(folder))
            project = session.project
            name = identifier(project.name, analysis)
            motion_of = f"Motion {analysis!r} of system {project.analysis(analysis).system!r}"
            script = Path(folder) / f"{name.lower()}_slave.py"
            script.write_text(
                _SLAVE.format(
                    about=f"{motion_of}, moved by Faying.", analysis=analysis, name=name,
                    description=f"{motion_of}; units {project.units}. Needs Python with Faying {__version__} or newer.",
                    inputs={each.variable: (each.name, each.value) for each in inputs},
                    outputs={each.variable: (each.name, each.value) for each in shown},
                    seconds=seconds(project.units),
                ),
                encoding="utf-8",
            )  # fmt: skip
            made = Path(folder) / "made" / f"{name}.fmu"
            made.parent.mkdir()
            with _imports_as_they_were():
                builder.FmuBuilder.build_FMU(script, dest=made, project_files=files)
            run = project.analysis(analysis)
            assert isinstance(run, Motion)
            start, duration = (seconds(project.units) * time for time in (motion.time, run.duration))
            complete_description(
                made, [*inputs, *shown], project.units, start, duration, duration / run.frames
            )
            try:
                with replacing(path) as beside:
                    shutil.copyfile(made, beside)
            except OSError as error:
                raise FayingError(
                    f"{path} cannot be written: {error.strerror}.", "Choose another place."
                ) from error
    return f"Whoever runs it needs Python with Faying {__version__} or newer."


def _builder() -> Any:
    try:
        return importlib.import_module("pythonfmu.builder")
    except ImportError as error:
        raise MissingDependencyError(
            "FMUs are built with PythonFMU, which is not installed.", 'Install it: pip install "faying[fmi]"'
        ) from error


def _resources(session: ComputedProject, analysis: str, folder: Path) -> list[Path]:
    """Write the resources of the FMU into a folder; return the files."""
    project = session.project
    motion = project.analysis(analysis)
    assert isinstance(motion, Motion)
    if motion.predecessors():
        raise ModelError(
            f"Motion {analysis!r} continues from {motion.start_from!r}, but an FMU does not contain its results.",
            "Let it start from its assembled start or from equilibrium.",
        )
    system, bodies, files = project.system(motion.system), [], []
    for number, name in enumerate(system.body_names(), 1):
        body = with_absolute_files(project.body(name), session.base)
        file = folder / f"body_{number}.npz"
        write_body_file(file, reduced_body_file(project, project.body(name), session.compute))
        bodies.append(as_body_of_file(body, file))
        files.append(file)

    def beside(name: str) -> str:
        target = folder / f"file_{len(files) + 1}{Path(name).suffix}"
        shutil.copyfile(name, target)
        files.append(target)
        return str(target)

    try:
        system = with_file_names(with_absolute_files(system, session.base), beside)
    except OSError as error:
        raise FayingError(
            f"A file of system {system.name!r} cannot be read: {error}.", "Choose it again."
        ) from error
    own: Project = project.with_(bodies=tuple(bodies), systems=(system,), analyses=(motion,))
    study = folder / "study.toml"
    write_study(own, study, folder)
    return [*files, study]


def why_no_inputs(project: Project, analysis: str) -> str:
    """Return a sentence when a motion takes nothing from outside, so that its FMU can only be watched; "" otherwise."""
    motion = project.analysis(analysis)
    if not isinstance(motion, Motion) or inputs_of(project, motion.system):
        return ""
    return (
        f"The FMU of motion {analysis!r} has no inputs: another program can read its outputs, and set nothing. "
        'For an input, give a load or drive of the system the load history "Input from outside" (kind = "input").'
    )


@contextmanager
def _imports_as_they_were() -> Iterator[None]:
    """Undo imports and changes of the search path made in the block by the builder, which imports its script."""
    path, modules = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if name.endswith("_slave"):
                del sys.modules[name]
