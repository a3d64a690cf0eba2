"""Stages and targets: what can be computed for a project, as entries of a table."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from faying.analyses import Analysis
from faying.progress import Progress
from faying.project.specs import Project


@dataclass(frozen=True)
class Target:
    """Something that can be computed: a stage of a body; for some stages of one joint or analysis of it.

    Attributes:
        stage: name of the stage.
        body: name of the body, or of the multibody system.
        item: name of the joint or analysis; "" for a stage of the whole body.
    """

    stage: str
    body: str
    item: str = ""

    def __str__(self) -> str:
        return " of ".join(part for part in (self.stage, self.item, self.body) if part)


def target_of(analysis: Analysis) -> Target:
    """Return the target of an analysis."""
    return Target(analysis.stage, analysis.subject, analysis.name)


@dataclass(frozen=True)
class Context:
    """What a stage computes from.

    Attributes:
        project: frozen for the run.
        target: what is asked for.
        base: folder from which relative deck paths count.
        needs: gives the value of a need by its name; only what is asked for is loaded.
        results: file to which an analysis streams its results; None for other stages.
    """

    project: Project
    target: Target
    base: Path
    needs: Callable[[str], Any]
    results: Path | None = None


@dataclass(frozen=True)
class Stage:
    """One step of the way from a deck to results.

    Attributes:
        name: in targets, keys and on the command line.
        title: what it does, for progress: "contact pairs".
        version: raised when the same decisions would give another outcome than before.
        per: one artifact for each body, each joint of a body, or each analysis of a body or of a system.
        keeps: "artifact" stored as a record, "memory" held in memory only, "results" streamed to a file.
        reads: (project, target, base) -> the decisions it depends on, as plain words or specs.
        needs: (project, target) -> the targets that go into it, by the name `compute` uses.
        compute: (context, progress) -> the value; a report of plain words for "results".
        weight: usual seconds, only used to share out the progress.
        travels: whether its artifacts go into the project file; False for large ones that nobody looks at.
        applies: (project, target) -> whether there is anything to compute.
        company: (project, target) -> the name of what it is computed for, and in how many processes all targets of
            that name are computed beside each other; for "results" whose needs are the same.
        compute_company: as `compute` for such targets; yields the number of each when it is done.
    """

    name: str
    title: str
    version: int
    per: Literal["body", "joint", "analysis", "motion"]
    keeps: Literal["artifact", "memory", "results"]
    reads: Callable[[Project, Target, Path], Any]
    needs: Callable[[Project, Target], dict[str, Target]]
    compute: Callable[[Context, Progress], Any]
    weight: float = 1.0
    travels: bool = True
    applies: Callable[[Project, Target], bool] = lambda project, target: True
    company: Callable[[Project, Target], tuple[str, int]] = lambda project, target: ("", 1)
    compute_company: Callable[[Sequence[Context], int, Progress], Generator[int]] | None = None


@dataclass(frozen=True)
class Step:
    """One step of a plan: a target, its key, and whether its outcome is there already."""

    target: Target
    key: str
    title: str
    ready: bool
    weight: float


@dataclass(frozen=True)
class State:
    """How a target stands.

    Attributes:
        status: "ready", "partial" (results of an interrupted run), "stale" (there is an outcome, but of
            earlier decisions), "missing" (never computed), "blocked" (cannot be computed as it stands).
        why: for "stale" what changed since, for "blocked" what is wrong.
        key: of the present recipe; "" when blocked.
    """

    status: Literal["ready", "partial", "stale", "missing", "blocked"]
    why: tuple[str, ...] = ()
    key: str = ""
