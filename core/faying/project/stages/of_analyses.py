"""From reduced bodies to results."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

from faying.analyses import Analysis, BodyAnalysis, BodyModel, SystemModel, analyses
from faying.errors import ModelError
from faying.linalg.threads import physical_cores
from faying.progress import Part, Progress
from faying.project.bodies import body_model
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import Project
from faying.project.stage import Context, Stage, Target
from faying.project.stages._subjects import all_pairs, interface_words, pairs_of, preloads_of, same_body
from faying.results.results import Results
from faying.side_by_side import side_by_side


def _analyse(context: Context, progress: Progress) -> dict[str, Any]:
    analysis = _analysis_of(context.project, context.target)
    assert context.results is not None
    with ExitStack() as opened:
        places = [context.needs(name) for name in _reference_names(analysis)]
        references = tuple(opened.enter_context(closing(place.open())) for place in places)
        start = (
            opened.enter_context(closing(context.needs("start").open())) if analysis.predecessor() else None
        )
        seen = _seen_by(analysis, context, references, start)
        return dict(analysis.run(seen, context.results, progress))


def _analyse_references(contexts: Sequence[Context], processes: int, progress: Progress) -> Generator[int]:
    """Run analyses that see the same of their body and build on no results; yield the number of each that is done."""
    each = [_analysis_of(context.project, context.target) for context in contexts]
    if not each:
        return
    seen = _seen_by(each[0], contexts[0])
    pieces = [(analysis, context.results) for analysis, context in zip(each, contexts, strict=True)]
    with closing(side_by_side(_run_piece, seen, pieces, processes, progress, physical_cores())) as found:
        yield from (number for number, _ in found)


def _run_piece(
    body: BodyModel, piece: tuple[BodyAnalysis, Path], progress: Progress
) -> Iterator[dict[str, Any]]:
    analysis, target = piece
    yield analysis.run(body, target, Part(progress, 0.0, 1.0, analysis.name))


def _seen_by(
    analysis: BodyAnalysis,
    context: Context,
    references: tuple[Results, ...] = (),
    start: Results | None = None,
) -> BodyModel:
    """Return of the body what an analysis needs."""
    body = with_absolute_files(context.project.body(context.target.body), context.base)
    pairs = {joint.name: found for joint, found in zip(body.joints, all_pairs(context), strict=True)}
    reduced = context.needs("body") if analysis.needs_reduced else None
    matrices = context.needs("matrices") if analysis.needs_matrices else None
    model = context.needs("model")
    preloads = preloads_of(context) if analysis.needs_matrices else None
    problem = context.needs("joint_problem") if analysis.needs_joint_problem and body.joints else None
    basis = context.needs("basis") if analysis.needs_basis else None
    return body_model(body, reduced, model, pairs, matrices, preloads, problem, references, basis, start)


def _move(context: Context, progress: Progress) -> dict[str, Any]:
    project = context.project
    analysis, system = project.analysis(context.target.item), project.system(context.target.body)
    bodies = {}
    for name in system.body_names():
        body = project.body(name)
        pairs = {joint.name: context.needs(f"pairs {i + 1} of {name}") for i, joint in enumerate(body.joints)}
        reduced, model = context.needs(f"body {name}"), context.needs(f"model {name}")
        bodies[name] = body_model(body, reduced, model, pairs)
    assert context.results is not None
    if not analysis.predecessor():
        return dict(analysis.run(SystemModel(system, bodies), context.results, progress))
    with closing(context.needs("start").open()) as start:
        return dict(analysis.run(SystemModel(system, bodies, start), context.results, progress))


def _analysis_of(project: Project, target: Target) -> BodyAnalysis:
    """Return the analysis of a target: one of the project, or one that another compares with."""
    given = [a for a in project.analyses if isinstance(a, BodyAnalysis) and a.body == target.body]
    found = [a for each in given for a in (each, *each.references()) if a.name == target.item]
    if len(found) > 1:
        raise ModelError(f"There are two analyses called {target.item!r}.", "Give one of them another name.")
    return found[0] if found else cast(BodyAnalysis, project.analysis(target.item))


def _company_of(project: Project, target: Target) -> tuple[str, int]:
    """Return the analysis that compares with a target, and in how many processes its references are computed."""
    for analysis in project.analyses:
        if not isinstance(analysis, BodyAnalysis) or analysis.body != target.body:
            continue
        if target.item in [reference.name for reference in analysis.references()]:
            return analysis.name, analysis.n_processes
    return "", 1


def _reference_names(analysis: BodyAnalysis) -> list[str]:
    """Return under which names the references of an analysis go into it; the names of analyses do not count."""
    return [f"reference {i + 1}" for i in range(len(analysis.references()))]


def _analysis_needs(project: Project, target: Target) -> dict[str, Target]:
    analysis, body = _analysis_of(project, target), project.body(target.body)
    stages = ["model"]
    if analysis.needs_reduced:
        stages.append("body")
    if analysis.needs_matrices:
        stages += ["matrices", "preload"] if body.preloads else ["matrices"]
    if analysis.needs_joint_problem and body.joints:
        stages.append("joint_problem")
    if analysis.needs_basis:
        stages.append("basis")
    names = [reference.name for reference in analysis.references()]
    references = {
        needed: Target(target.stage, target.body, name)
        for needed, name in zip(_reference_names(analysis), names, strict=True)
    }
    needs = {**same_body(*stages)(project, target), **pairs_of(project, target), **references}
    return needs | _start_of(project, target, analysis)


def _motion_needs(project: Project, target: Target) -> dict[str, Target]:
    needs: dict[str, Target] = {}
    for name in project.system(target.body).body_names():
        of_body = Target("body", name)
        needs |= {f"model {name}": Target("model", name), f"body {name}": of_body}
        needs |= {f"{pairs} of {name}": found for pairs, found in pairs_of(project, of_body).items()}
    return needs | _start_of(project, target, project.analysis(target.item))


def _start_of(project: Project, target: Target, first: Analysis) -> dict[str, Target]:
    """Return the analysis on whose results another one builds, as a need; empty for none.

    Raises:
        ModelError: when there is none of that name, it is of another kind, body or system, or it builds on this one
            itself.
    """
    analysis, seen = first, []
    while name := analysis.predecessor():
        seen.append(analysis.name)
        kinds, analysis = analysis.follows, project.analysis(name)
        if analysis.kind not in kinds or analysis.subject != target.body or name in seen:
            titles = " or ".join(analyses[kind].title.lower() for kind in first.follows)
            raise ModelError(
                f"Analysis {first.name!r} cannot start from {name!r}.",
                f"Choose an analysis of {target.body!r} of the kind {titles}, one that does not start from this one.",
            )
    return {"start": Target(target.stage, target.body, first.predecessor())} if seen else {}


def _analysis_and_laws(project: Project, target: Target, base: Path) -> Any:
    # The names of the analysis and its body are mere labels: a new name makes no result stale. Nor does the number of
    # processes.
    analysis, body = _analysis_of(project, target), project.body(target.body)
    words = analysis.model_dump(mode="json", exclude={"name", "body", "corrects", "processes"})
    if not words.get("preloads", True):
        del words["preloads"]  # goes without saying
    of_joint = ("contact_law", "friction_law") if analysis.has_friction else ("contact_law",)
    laws = {
        joint.name: {law: with_file_contents(getattr(joint, law), base) for law in of_joint}
        for joint in body.joints
    }
    found: dict[str, Any] = {"analysis": words, "joints": laws}
    if not analysis.needs_reduced:
        # Its own business then; what of a node is held in the basis is not.
        found["interface nodes"] = [interface_words(i, "components") for i in body.interfaces]
    return found


def _motion_and_laws(project: Project, target: Target, base: Path) -> Any:
    system = project.system(target.body)
    words = project.analysis(target.item).model_dump(mode="json", exclude={"name", "system", "start_from"})
    laws = {
        name: [
            [
                joint.name,
                with_file_contents(joint.contact_law, base),
                with_file_contents(joint.friction_law, base),
            ]
            for joint in project.body(name).joints
        ]
        for name in system.body_names()
    }
    return {"analysis": words, "system": system.model_dump(mode="json", exclude={"name"}), "joints": laws}


ANALYSIS_STAGES = (
    Stage(
        "analysis", "analysis", 1, "analysis", "results",
        _analysis_and_laws, _analysis_needs, _analyse, 15.0,
        company=_company_of, compute_company=_analyse_references,
    ),
    Stage(
        "motion", "motion", 1, "motion", "results",
        _motion_and_laws, _motion_needs, _move, 15.0,
    ),
)  # fmt: skip
