"""Stages and targets of computations for a project. A stage is one file in `faying.project.stages`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Literal, TypeVar, cast

from faying.analyses import Analysis
from faying.params import Spec
from faying.progress import Progress
from faying.project.specs import Project
from faying.project.store import ArtifactStore, ResultsPlace

T = TypeVar("T")
V = TypeVar("V", covariant=True)
Keeps = Literal["artifact", "memory", "results"]


@dataclass(frozen=True)
class Target:
    """A stage of a body, or of one of its joints or analyses, that can be computed.

    Attributes:
        stage: name of the stage.
        body: name of the body, or of the multibody system; "" for a sweep.
        item: name of the joint or analysis; "" for a stage of the whole body.
    """

    stage: str
    body: str
    item: str = ""

    def __str__(self) -> str:
        return " of ".join(part for part in (self.stage, self.item, self.body) if part)


def target_of(analysis: Analysis) -> Target:
    """Return the target of an analysis."""
    return Target(analysis.stage, analysis.owner, analysis.name)


@dataclass(frozen=True)
class StageContext:
    """Input of a stage.

    Attributes:
        project: frozen for the run.
        target: the requested target.
        base: folder of relative deck paths.
        value_of: returns the value of a target among the stage's needs, loaded on demand.
        results: file to which an analysis streams its results; None for other stages.
        store: store of the outcomes, for stages that compute further projects.
    """

    project: Project
    target: Target
    base: Path
    value_of: Callable[[Target], object]
    results: Path | None = None
    store: ArtifactStore | None = None

    def get(self, stage: "type[Stage[T]]", item: str = "", body: str = "") -> T:
        """Return the outcome of another stage for the same body, or for a named one.

        Raises:
            LookupError: when this is not among the stage's needs.
        """
        return cast(T, self.value_of(Target(stage.name, body or self.target.body, item)))

    @property
    def results_file(self) -> Path:
        """The results file, for stages that stream results."""
        assert self.results is not None
        return self.results


@dataclass(frozen=True)
class Without:
    """A spec without parameters that do not affect the outcome of a stage."""

    spec: Spec
    names: tuple[str, ...]


class Stage(ABC, Generic[V]):
    """One step from a deck to results, with an outcome of type `V`; has no state.

    The key of an outcome depends on the decisions that the stage reads, the keys of its needs, and the code of its
    module, of the modules used, and of family members among the decisions (`faying.project.code`).

    Attributes:
        name: its kind in the family, in targets, keys and on the command line; set by `register`.
        title: name for progress messages: "contact pairs".
        order: unique position among the stages, after those that it needs.
        per: scope of an artifact: a body, a joint of a body, an analysis of a body or of a system, or a sweep.
        keeps: "artifact" stored as a record, "memory" held in memory only, "results" streamed to a file.
        version: version of `reads`; raised when the meaning of the same decisions changes.
        weight: usual seconds (for the friction bar with 19 000 nodes on one core), to distribute the progress.
        unreduced: whether it needs the FE matrices, which a body read in reduced form does not have.
        travels: whether its artifacts go into the project file; False for large ones that are not displayed.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str]
    order: ClassVar[int]
    per: ClassVar[Literal["body", "joint", "analysis", "motion", "sweep"]] = "body"
    keeps: ClassVar[Keeps] = "artifact"
    version: ClassVar[int] = 1
    weight: ClassVar[float] = 1.0
    unreduced: ClassVar[bool] = False
    travels: ClassVar[bool] = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether there is anything to compute."""
        return True

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the decisions on which it depends: specs, `Without`, plain values, or tuples and dicts of these."""
        return None

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the input targets; their names are part of the key."""
        return {}

    def modules(self, project: Project, target: Target) -> Iterable[str]:
        """Return modules used in addition to those imported and those of the specs read."""
        return ()

    @abstractmethod
    def compute(self, context: StageContext, progress: Progress) -> V:
        """Return the outcome.

        Raises:
            FayingError: when there is none.
            Cancelled: when asked to stop.
        """


def of_same_body(target: Target, *needed: type[Stage[object]]) -> dict[str, Target]:
    """Return other stages of a target's body as needs, by their names."""
    return {stage.name: Target(stage.name, target.body) for stage in needed}


class ResultsStage(Stage[ResultsPlace]):
    """A stage that streams results to a file; dependent stages get the place of the results."""

    keeps = "results"

    def compute(self, context: StageContext, progress: Progress) -> ResultsPlace:
        """Return the place of the results."""
        self.run(context, progress)
        return ResultsPlace(context.results_file, "/", True)

    @abstractmethod
    def run(self, context: StageContext, progress: Progress) -> None:
        """Write the results to `context.results_file`; raises as `compute`."""

    def batch(self, project: Project, target: Target) -> tuple[str, int]:
        """Return the name of a target's batch, and the number of processes for the batch.

        Targets of a batch have equal needs and are computed in parallel. The name is "" for none.
        """
        return "", 1

    def run_batch(
        self, contexts: Sequence[StageContext], processes: int, progress: Progress
    ) -> Generator[int]:
        """Run the targets of a batch in parallel; yield the index of each in `contexts` when it is done."""
        for number, context in enumerate(contexts):
            self.run(context, progress)
            yield number


@dataclass(frozen=True)
class PipelineStep:
    """One step of a plan: a target, its key, and whether its outcome exists."""

    target: Target
    key: str
    title: str
    ready: bool
    weight: float


@dataclass(frozen=True)
class TargetState:
    """State of a target.

    Attributes:
        status: "ready", "partial" (results of an interrupted run), "stale" (the outcome is from earlier decisions or
            another program version), "missing" (never computed), "blocked" (cannot be computed at present).
        why: for "stale" the changes since, for "blocked" the error.
        key: key of the present recipe; "" if blocked.
        earlier: key of a stale outcome of an earlier program version; "" without one.
        warnings: sentences on why "ready" results are doubtful.
    """

    status: Literal["ready", "partial", "stale", "missing", "blocked"]
    why: tuple[str, ...] = ()
    key: str = ""
    earlier: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The displayed status: "doubtful" for ready results with warnings."""
        return "doubtful" if self.status == "ready" and self.warnings else self.status
