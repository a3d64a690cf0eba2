"""State-space models as FMUs (FMI 2) in C, for programs without Python: for co-simulation and for model exchange.

The C program is `faying_resources/fmu/linear.c`; each FMU adds its matrices as `model.h`. The source is in the FMU, and
next to it the library for this platform where a C compiler is found; other importers compile the source themselves.
"""

import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from faying.analyses.state_space import StateSpaceAnalysis
from faying.atomic import replacing
from faying.errors import FayingError, ModelError, there_are
from faying.exporters.state_spaces import stored_state_space
from faying.multibody.measures import dimensions
from faying.multibody.state_space import StateSpace
from faying.session.c_compiler import compiled_library
from faying.session.co_simulation import described_input
from faying.session.computed_project import ComputedProject
from faying.session.fmu_description import (
    FmuVariable,
    define_units,
    identifier,
    seconds,
    set_experiment,
    unit_name,
    variable_name,
)
from faying.version import __version__

_SOURCES = ("linear.c",)  # "model.h" is read by it
_STEPS = 20  # of the default experiment in a period of the highest frequency
_PERIODS = 100  # that it takes


@dataclass(frozen=True)
class LinearUnit:
    """What an FMU of a linear model consists of.

    Attributes:
        name: identifier in C.
        about: a sentence for people.
        model: in seconds, with balanced states.
        inputs, outputs: its variables; `name` is that of the model.
        units: unit system.
        step, duration: of the default experiment, in s.
    """

    name: str
    about: str
    model: StateSpace
    inputs: tuple[FmuVariable, ...]
    outputs: tuple[FmuVariable, ...]
    units: str
    step: float
    duration: float

    def header(self) -> str:
        """Return `model.h`: sizes and matrices. Numbers have all their digits."""
        model = self.model
        sizes = {"STATES": len(model.a), "INPUTS": len(self.inputs), "OUTPUTS": len(self.outputs)}
        lines = [f"#define {name} {size}" for name, size in sizes.items()]
        for letter in "abcd":
            numbers = ", ".join(map(repr, getattr(model, letter).ravel().tolist()))
            lines.append(f"static const double {letter.upper()}[] = {{{numbers}}};")
        return "\n".join([*lines, ""])

    @property
    def guid(self) -> str:
        """Identity of the content: importers take units with one GUID for the same."""
        content = [self.about, self.header(), *(each.variable for each in (*self.inputs, *self.outputs))]
        return f"{{{uuid.uuid5(uuid.NAMESPACE_URL, chr(10).join(content))}}}"

    def description(self) -> bytes:
        """Return `modelDescription.xml` (FMI 2.0.4, section 2.2)."""
        root = ElementTree.Element("fmiModelDescription", {
            "fmiVersion": "2.0", "modelName": self.name, "guid": self.guid, "description": self.about,
            "generationTool": f"Faying {__version__}", "variableNamingConvention": "structured",
            "numberOfEventIndicators": "0",
        })  # fmt: skip
        able = ("canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative")
        shared = {"modelIdentifier": self.name, **dict.fromkeys(able, "true")}
        stepped = ("canHandleVariableCommunicationStepSize", "canInterpolateInputs")
        for kind, more in (
            ("ModelExchange", {"completedIntegratorStepNotNeeded": "true"}),
            ("CoSimulation", dict.fromkeys(stepped, "true")),
        ):
            sources = ElementTree.SubElement(ElementTree.SubElement(root, kind, shared | more), "SourceFiles")
            for name in _SOURCES:
                ElementTree.SubElement(sources, "File", name=name)
        define_units(root, sorted({each.dimension for each in (*self.inputs, *self.outputs)}), self.units)
        variables = ElementTree.SubElement(root, "ModelVariables")
        for each in self.inputs:
            _add(variables, each, "input", self.units, start=repr(each.value))
        for each in self.outputs:
            _add(variables, each, "output", self.units, initial="calculated")
        states, first = len(self.model.a), len(variables) + 1
        for k in range(1, states + 1):
            state = FmuVariable(f"state[{k}]", "", 0.0, f"Amplitude {k} of the linear model.")
            _add(variables, state, "local", "", initial="exact", start="0.0")
        for k in range(1, states + 1):
            rate = FmuVariable(f"der(state[{k}])", "", 0.0, f"Rate of amplitude {k}, per second.")
            _add(variables, rate, "local", "", initial="calculated", derivative=str(first + k - 1))
        structure = ElementTree.SubElement(root, "ModelStructure")
        outputs = self._unknowns(len(self.inputs) + 1, self.model.c, self.model.d)
        rates = self._unknowns(first + states, self.model.a, self.model.b)
        for kind, unknowns in (
            ("Outputs", outputs),
            ("Derivatives", rates),
            ("InitialUnknowns", [*outputs, *rates]),
        ):
            parent = ElementTree.SubElement(structure, kind)
            for unknown in unknowns:
                ElementTree.SubElement(parent, "Unknown", unknown)
        set_experiment(root, 0.0, self.duration, self.step)
        return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True))

    def _unknowns(self, first: int, by_states: np.ndarray, by_inputs: np.ndarray) -> list[dict[str, str]]:
        """Return rows of the model's structure: which inputs and states each variable depends on."""
        i, o = len(self.inputs), len(self.outputs)
        found = []
        for row, (x, u) in enumerate(zip(by_states, by_inputs, strict=True)):
            on = [*(np.flatnonzero(u) + 1), *(np.flatnonzero(x) + 1 + i + o)]
            found.append({"index": str(first + row), "dependencies": " ".join(map(str, on))})
        return found


def write_linear_fmu(session: ComputedProject, analysis: str, path: Path, outputs: Sequence[str] = ()) -> str:
    """Write the model of a state space as an FMU that needs nothing but the C library.

    Its inputs are factors of loads, its outputs changes of measures, both from the state about which it is linear.

    Args:
        session: has the results of the analysis.
        analysis: its name.
        path: the file, ending in ``.fmu``.
        outputs: names of the outputs; all by default.

    Returns:
        Which platforms it runs on without being compiled, in a sentence.

    Raises:
        ModelError: for another analysis, or when there is no such output.
        FayingError: when there are no results, or the file cannot be written.
    """
    unit = linear_unit(session, analysis, outputs)
    program = files("faying_resources") / "fmu"
    with TemporaryDirectory(prefix="faying-fmu-") as place:
        folder = Path(place)
        sources = folder / "sources"
        sources.mkdir()
        for name in _SOURCES:
            (sources / name).write_bytes((program / name).read_bytes())
        header = f'#define GUID "{unit.guid}"\n{unit.header()}'
        (sources / "model.h").write_text(header, encoding="ascii")
        (folder / "modelDescription.xml").write_bytes(unit.description())
        library = compiled_library([sources / name for name in _SOURCES], folder / "binaries", unit.name)
        try:
            with replacing(path) as beside, ZipFile(beside, "w", ZIP_DEFLATED) as file:
                for part in sorted(each for each in folder.rglob("*") if each.is_file()):
                    file.write(part, part.relative_to(folder).as_posix())
        except OSError as error:
            raise FayingError(
                f"{path} cannot be written: {error.strerror}.", "Choose another place."
            ) from error
    return library.sentence


def linear_unit(session: ComputedProject, analysis: str, outputs: Sequence[str] = ()) -> LinearUnit:
    """Return what the FMU of a state space consists of; errors as of `write_linear_fmu`."""
    project = session.project
    spec = project.analysis(analysis)
    with closing(session.results(analysis)) as results:
        model = stored_state_space(results, analysis)
    assert isinstance(spec, StateSpaceAnalysis)
    for name in outputs:
        if name not in model.outputs:
            raise ModelError(f"Analysis {analysis!r} has no output {name!r}.", there_are(name, model.outputs))
    if not len(model.a):
        raise ModelError(
            f"The state space {analysis!r} has no states: its outputs follow from its inputs at once.",
            "Keep more states.",
        )
    shown = list(dict.fromkeys(outputs)) or list(model.outputs)
    rows = [model.outputs.index(name) for name in shown]
    model = replace(model, c=model.c[rows], d=model.d[rows], outputs=tuple(shown))
    known = dimensions(project.system(spec.system).scalars)
    names: set[str] = set()
    unit = seconds(project.units)
    step = unit / spec.highest_frequency / _STEPS
    return LinearUnit(
        name=identifier(project.name, analysis),
        about=f"Linear model {analysis!r} of system {spec.system!r}, in changes from the state about which it is "
        f"linear; units {project.units}, time in s.",
        model=_in_seconds(model, unit),
        inputs=tuple(
            FmuVariable(variable_name(name, names), name, 0.0, described_input(project, spec.system, name))
            for name in model.inputs
        ),
        outputs=tuple(
            FmuVariable(variable_name(name, names), name, 0.0, f"{name}: change of this measure.", known[name])
            for name in model.outputs
        ),
        units=project.units, step=step, duration=_PERIODS * _STEPS * step,
    )  # fmt: skip


def _in_seconds(model: StateSpace, unit: float) -> StateSpace:
    """Return a model whose time counts in s, with states scaled by powers of two so that A is balanced.

    Args:
        model: in the project's unit of time.
        unit: seconds in that.
    """
    from scipy.linalg import matrix_balance  # late: takes long to import

    a, b = model.a / unit, model.b / unit
    if not len(a):
        return replace(model, a=a, b=b)
    balanced, (scale, _) = matrix_balance(a, permute=False, separate=True)
    return replace(model, a=balanced, b=b / scale[:, None], c=model.c * scale)


def _add(
    variables: ElementTree.Element,
    each: FmuVariable,
    causality: str,
    units: str,
    *,
    initial: str = "",
    **real: str,
) -> None:
    """Add a variable, whose reference is its place; without a unit system it has no unit."""
    scalar = ElementTree.SubElement(variables, "ScalarVariable", {
        "name": each.variable, "valueReference": str(len(variables)), "description": each.description,
        "causality": causality, "variability": "continuous", **({"initial": initial} if initial else {}),
    })  # fmt: skip
    ElementTree.SubElement(
        scalar, "Real", ({"unit": unit_name(each.dimension, units)} if units else {}) | real
    )
