"""Findings on a terminal: printed by ``faying check``, and by a run before and after it computes."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from faying.cli.terminal import TerminalProgress
from faying.errors import FayingError, ModelError
from faying.progress import PartialProgress
from faying.project.checks import Finding, entity_text
from faying.project.findings import find_findings, find_run_findings
from faying.project.pipeline import OnStep, Pipeline
from faying.project.specs import Project
from faying.project.stage import Target
from faying.session import Session

SHARE = 0.05  # share of a run's progress bar for reading decks, finding contact pairs and checking
_DESPITE = "--despite-errors runs anyway"


def finding_line(project: Project, finding: Finding) -> str:
    """Return a finding as a line: severity, place, problem, advice."""
    place = entity_text(project, finding.entity)
    return f"{finding.severity:7} {place}: {finding.sentence} {finding.hint}".rstrip()


@contextmanager
def checked(
    session: Session,
    targets: Sequence[Target],
    progress: TerminalProgress,
    *,
    despite_errors: bool = False,
    on_step: OnStep | None = None,
) -> Iterator[None]:
    """Check the inputs of targets before the block computes them, and their results after it.

    Errors and warnings are written to stderr, each once; notes are left to ``faying check``. The checks compute decks
    and contact pairs that are missing; the block reuses them.

    Args:
        session: the project with its computed results.
        targets: targets that the block computes.
        progress: the checks take its first `SHARE`; its line is cleared before findings are written.
        despite_errors: let the block begin although there are errors.
        on_step: called with every computed step and its seconds.

    Raises:
        ModelError: when there are errors, unless all targets are there already.
    """
    project, store, base, pipeline = session.project, session.store, session.base, session.pipeline
    idle = bool(targets) and all(_is_there(session, target) for target in targets)
    found = find_findings(
        project, store, base, pipeline=pipeline, memory=session.memory, compute=True,
        progress=PartialProgress(progress, 0.0, SHARE), targets=targets, on_step=on_step,
    )  # fmt: skip
    errors = [finding for finding in found if finding.severity == "error"]
    refused = errors and not despite_errors and not idle
    # A single error is raised as the command's own, so it is not printed here as well.
    alone = errors if refused and len(errors) == 1 else []
    _tell(project, [finding for finding in found if finding not in alone], progress)
    if refused:
        raise _refusal(errors, pipeline)
    yield
    late = find_run_findings(project, store, base, pipeline, session.memory, targets)
    _tell(project, [finding for finding in late if finding not in found], progress)


def _is_there(session: Session, target: Target) -> bool:
    try:
        plan = session.pipeline.plan(session.project, target, session.store, session.base)
    except FayingError:  # the run reports why it cannot be planned
        return False
    return all(step.ready for step in plan)


def _tell(project: Project, findings: Iterable[Finding], progress: TerminalProgress) -> None:
    lines = [finding_line(project, finding) for finding in findings if finding.severity != "note"]
    if lines:
        progress.finish()
        print(*lines, sep="\n", file=sys.stderr)


def _refusal(errors: list[Finding], pipeline: Pipeline) -> ModelError:
    if len(errors) > 1:
        return ModelError(
            f"There are {len(errors)} errors, so the run was not begun.", f"Mend them; {_DESPITE}."
        )
    (error,) = errors
    if error.check in pipeline.stages:  # a stage failed: no run gets further
        return ModelError(error.sentence, error.hint)
    return ModelError(error.sentence, f"{error.hint} The run was not begun; {_DESPITE}.".strip())
