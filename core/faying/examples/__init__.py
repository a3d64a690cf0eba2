"""Examples: complete projects with numbers that somebody can look up. A member is one file with a class.

Every example is a test. The kind of each reference is named: "analytical" (a formula or a theorem),
"published" (printed in the literature), "independent code" (another program's result for the same model),
"unreduced model" (this program's own solution of the same equations without reduction: it verifies the
reduction, and nothing else) or "regression" (what this program gave before; never a verification).
"""

from abc import ABC, abstractmethod
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

from faying.errors import FayingError
from faying.examples.tables import Table
from faying.plot import Axis, Plot, Series
from faying.progress import Progress
from faying.project.specs import Project
from faying.project.stage import PipelineStep, Target, target_of
from faying.project.store import ArtifactStore
from faying.registry import Registry
from faying.results.results import Results
from faying.session import Session
from faying.units import UnitSystemName, unit_text

ReferenceKind = Literal["analytical", "published", "independent code", "unreduced model", "regression"]

examples: Registry[type["Example"]] = Registry("example", __name__)

# What examples are about, in the order in which the start page tells them.
GROUPS = ("Joints with contact and friction", "Systems in motion", "Reduction bases")


@dataclass(frozen=True)
class Expected:
    """A number that an example must give.

    Attributes:
        name: of the quantity, in the summary and on the screen.
        quantity: its physical dimension (`faying.units.QUANTITIES`), "" for none.
        reference: the number to be met.
        reference_kind: where it is from.
        tolerance: largest deviation as a part of the reference; absolute where the reference is zero.
        source: where to look it up, in one sentence.
    """

    name: str
    quantity: str
    reference: float
    reference_kind: ReferenceKind
    tolerance: float
    source: str

    def holds(self, value: float) -> bool:
        """Return whether a value meets the reference; False for NaN."""
        return bool(
            abs(value - self.reference) <= self.tolerance * (abs(self.reference) or 1.0)
        )  # of NumPy's too


@dataclass(frozen=True)
class CurvePlot:
    """Curves of an analysis over time, to be drawn: `quantity` is what they have in common."""

    name: str
    analysis: str
    title: str
    quantity: str
    curves: tuple[str, ...]

    def draw(self, run: "ExampleRun") -> Plot:
        """Return the plot of the run's results."""
        units = run.project.units
        time = Axis("Time", unit_text("time", units))
        return Plot(self.title, time, Axis(self.title, unit_text(self.quantity, units)), self.series(run))

    def series(self, run: "ExampleRun") -> tuple[Series, ...]:
        """Return the curves."""
        with closing(run.results(self.analysis)) as results:
            return tuple(
                Series(name, results.values, results.curve(name), style)
                for style, name in enumerate(self.curves)
            )


class Example(ABC):
    """One example; has no state.

    Attributes:
        title: for menus and listings.
        group: one of `GROUPS`, under which the start page lists it.
        summary: one sentence on what it shows.
        expected: the numbers that `measure` must give.
        picture, film: (analysis, field) to be shown in a picture of the last frame and in a film, if any; of rigid
            parts, which have no fields, field "".
        plots: curves to be drawn over time.
        takes_long: whether even a quick run is longer than one waits for; its test is a slow one.
        sizes: names of the sizes that it comes in, the first that of `build`; most examples have but one.
    """

    title: ClassVar[str]
    group: ClassVar[str] = GROUPS[0]
    summary: ClassVar[str]
    expected: ClassVar[tuple[Expected, ...]]
    picture: ClassVar[tuple[str, str] | None] = None
    film: ClassVar[tuple[str, str] | None] = None
    plots: ClassVar[tuple[CurvePlot, ...]] = ()
    takes_long: ClassVar[bool] = False
    sizes: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer frames, a shorter time or a coarser mesh, but runs every stage."""

    def of_size(self, size: str, quick: bool = False) -> Project:
        """Return the project in one of the `sizes`.

        Raises:
            FayingError: when the example does not come in that size.
        """
        raise FayingError(f"The example comes in one size only, not in {size!r}.", "Leave the size out.")

    @abstractmethod
    def measure(self, run: "ExampleRun") -> dict[str, float]:
        """Return the value of every expected quantity by name, computing what is still missing.

        A quick run that ends too soon for a quantity leaves it out.
        """

    @abstractmethod
    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without what the example is about, by what is switched off: "contact", "friction", …

        Each of them has to miss some expected number of a quick run: numbers that hold all the same show nothing.
        """

    def tables(self, run: "ExampleRun") -> dict[str, Table]:
        """Return tables to be told beside the expected quantities, by name; most examples have none."""
        return {}


class ExampleRun:
    """A run of an example: what has been computed, and how long each stage took.

    Args:
        project: the example's project.
        store: where artifacts are found and put.
        progress: reports and cancels.
    """

    def __init__(self, project: Project, store: ArtifactStore, progress: Progress | None = None) -> None:
        self.session = Session(project, store, progress=progress)
        self.project, self.store = project, store
        self.seconds: dict[str, float] = {}

    def run_analyses(self) -> None:
        """Run all analyses of the project, and before them whatever they need."""
        self.session.compute_all(self.session.targets(), on_step=self.count_time)

    def value(self, stage: str, item: str = "", project: Project | None = None, body: str = "") -> Any:
        """Return the artifact of a stage of a body, by default the first, of the project or of a variant of it."""
        chosen = project or self.project
        return self._run(chosen, Target(stage, body or chosen.bodies[0].name, item))

    def results(self, analysis: str, project: Project | None = None) -> Results:
        """Return the opened results of an analysis of the project or of a variant of it."""
        chosen = project or self.project
        target = target_of(chosen.analysis(analysis))
        opened: Results = self._run(chosen, target).open()
        return opened

    def counts(self) -> dict[str, int]:
        """Return the sizes of the systems, and of the (first) body's model and basis."""
        found: dict[str, int] = {}
        for system in self.project.systems:
            for name in ("parts", "constraints", "forces"):
                found[name] = found.get(name, 0) + len(getattr(system, name))
        return {**found, **self._body_counts()} if self.project.bodies else found

    def _body_counts(self) -> dict[str, int]:
        body = self.project.bodies[0]
        model, reduced = self.value("model"), self.value("body")
        if body.model.is_reduced:
            return {
                "nodes": len(model.nodes),
                "contact_pairs": sum(len(joint.weights) for joint in reduced.joints),
                "interface_nodes": len(body.interfaces),
                "flexible_coordinates": reduced.n_coordinates,
            }
        columns, start = {}, 0
        for name, stop in reduced.groups:
            columns[name.replace(" ", "_").replace("-", "_")] = stop - start
            start = stop
        return {
            "nodes": len(model.nodes),
            "elements": len(model.element_ids),
            "dofs": self.value("matrices").dofs.n_dofs,
            "contact_pairs": sum(len(self.value("pairs", joint.name)) for joint in body.contact_joints),
            "interface_nodes": len(body.interfaces),
            "vibration_modes": getattr(body.reduction, "vibration_modes", 0),
            "joint_modes": columns.get("joint_modes", 0),
            "flexible_coordinates": reduced.n_coordinates,
        }

    def count_time(self, step: PipelineStep, seconds: float, whose: str = "") -> None:
        """Add the time of a computed step to that of its stage."""
        of_analysis = step.target.stage in ("analysis", "motion")
        words = (step.target.stage, step.target.item if of_analysis else "", whose)
        label = " ".join(w for w in words if w)
        self.seconds[label] = self.seconds.get(label, 0.0) + seconds

    def _run(self, project: Project, target: Target) -> Any:
        session = self.session
        count_time = partial(self.count_time, whose="" if project is self.project else "of a variant")
        return session.pipeline.run(
            project, target, self.store, session.base, session.progress, session.memory, on_step=count_time
        )


def quantities_of(
    kind: str, expected: tuple[Expected, ...], values: dict[str, float], units: UnitSystemName
) -> list[dict[str, Any]]:
    """Return every quantity with its value, unit, reference and whether it holds, as plain words.

    Raises:
        ValueError: when other quantities were measured than are expected.
    """
    if set(values) != {e.name for e in expected}:
        raise ValueError(f"example {kind} measures {sorted(values)}, which is not what it expects")
    return [
        {
            "name": e.name,
            "value": values[e.name],
            "unit": unit_text(e.quantity, units),
            "reference": e.reference,
            "reference_kind": e.reference_kind,
            "tolerance": e.tolerance,
            "passed": e.holds(values[e.name]),
        }
        for e in expected
    ]


def summary_of(
    kind: str, run: ExampleRun, values: dict[str, float], tables: dict[str, Table], quick: bool = False
) -> dict[str, Any]:
    """Return what ``summary.json`` holds: every quantity with its reference, stage times, counts and tables.

    Raises:
        ValueError: when the example measured other quantities than it expects.
    """
    seconds = {stage: round(spent, 3) for stage, spent in run.seconds.items()}
    expected = tuple(e for e in examples[kind].expected if not quick or e.name in values)
    return {
        "example": kind,
        "units": run.project.units,
        "quantities": quantities_of(kind, expected, values, run.project.units),
        "seconds": seconds,
        "counts": run.counts(),
        "tables": {name: [table.heads, *table.rows] for name, table in tables.items()},
    }
