"""Stages and targets: what can be computed for a project. A stage is one file in `faying.project.stages`."""

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
    """Something that can be computed: a stage of a body; for some stages of one joint or analysis of it.

    Attributes:
        stage: name of the stage.
        body: name of the body, or of the multibody system; "" of a sweep.
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
    """What a stage computes from.

    Attributes:
        project: frozen for the run.
        target: what is asked for.
        base: folder from which relative deck paths count.
        value_of: gives the value of a target that the stage has said it needs; only what is asked for is loaded.
        results: file to which an analysis streams its results; None for other stages.
        store: where outcomes are kept; for a stage that computes further projects.
    """

    project: Project
    target: Target
    base: Path
    value_of: Callable[[Target], object]
    results: Path | None = None
    store: ArtifactStore | None = None

    def get(self, stage: "type[Stage[T]]", item: str = "", body: str = "") -> T:
        """Return what another stage has computed for the same body, or for a named one.

        Raises:
            LookupError: when the stage that computes has not said that it needs this.
        """
        return cast(T, self.value_of(Target(stage.name, body or self.target.body, item)))

    @property
    def results_file(self) -> Path:
        """The file of the results; for stages that stream them."""
        assert self.results is not None
        return self.results


@dataclass(frozen=True)
class Without:
    """A spec as a stage reads it when some of its parameters do not count for what is computed."""

    spec: Spec
    names: tuple[str, ...]


class Stage(ABC, Generic[V]):
    """One step of the way from a deck to results, whose outcome is a `V`; has no state.

    The key of an outcome holds what the stage reads, the keys of what it needs, and the code of its own module, of all
    that it uses, and of the members of families among what it reads (`faying.project.code`).

    Attributes:
        name: its kind in the family, in targets, keys and on the command line; set by `register`.
        title: what it does, for progress: "contact pairs".
        order: place among the stages, after all that it needs; no two stages have the same.
        per: one artifact for each body, each joint of a body, each analysis of a body or of a system, or each sweep.
        keeps: "artifact" stored as a record, "memory" held in memory only, "results" streamed to a file.
        version: of what `reads` returns; raised when the same decisions come to mean something else.
        weight: usual seconds (for the friction bar with 19 000 nodes on one core), to share out the progress.
        unreduced: whether it needs the FE matrices, which a body that was read reduced does not have.
        travels: whether its artifacts go into the project file; False for large ones that nobody looks at.
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
        """Return the decisions that it depends on: specs, `Without`, plain words, or tuples and dicts of these."""
        return None

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the targets that go into it; the names under which they do so count for its key."""
        return {}

    def modules(self, project: Project, target: Target) -> Iterable[str]:
        """Return modules that it computes with beyond those that it imports and those of the specs that it reads."""
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
    """A stage that streams results to a file; who needs it gets their place."""

    keeps = "results"

    def compute(self, context: StageContext, progress: Progress) -> ResultsPlace:
        """Return the place of the results."""
        self.run(context, progress)
        return ResultsPlace(context.results_file, "/", True)

    @abstractmethod
    def run(self, context: StageContext, progress: Progress) -> None:
        """Write the results to `context.results_file`; raises as `compute`."""

    def batch(self, project: Project, target: Target) -> tuple[str, int]:
        """Return the name of the batch that a target belongs to, and the number of processes for the batch.

        Targets of a batch are computed in parallel, and their needs are the same. The name is "" for none.
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
    """One step of a plan: a target, its key, and whether its outcome is there already."""

    target: Target
    key: str
    title: str
    ready: bool
    weight: float


@dataclass(frozen=True)
class TargetState:
    """How a target stands.

    Attributes:
        status: "ready", "partial" (results of an interrupted run), "stale" (there is an outcome, but of
            earlier decisions or of another version of the program), "missing" (never computed), "blocked" (cannot be
            computed as it stands).
        why: for "stale" what changed since, for "blocked" what is wrong.
        key: of the present recipe; "" when blocked.
        earlier: key of a stale outcome that an earlier version of the program left; "" when there is none.
        warnings: why results that are "ready" cannot be trusted, as sentences.
    """

    status: Literal["ready", "partial", "stale", "missing", "blocked"]
    why: tuple[str, ...] = ()
    key: str = ""
    earlier: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The status for people: "doubtful" for what is ready and cannot be trusted."""
        return "doubtful" if self.status == "ready" and self.warnings else self.status
