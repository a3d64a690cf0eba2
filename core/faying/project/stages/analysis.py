"""Analyses of one body, and other analyses on whose results they build."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from faying.analyses import Analysis, BodyAnalysis, BodyModel, SystemAnalysis, analyses
from faying.analyses.combination import Combination
from faying.analyses.envelope import Envelope
from faying.errors import ModelError
from faying.linalg.threads import physical_cores
from faying.parallel import run_parallel, where_computed
from faying.progress import PartialProgress, Progress
from faying.project.bodies import body_model
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.mounting import preload_cases
from faying.project.specs import BodySpec, Project
from faying.project.stage import ResultsStage, StageContext, Target, Without, of_same_body, target_of
from faying.project.stages import stages
from faying.project.stages._systems import system_model, system_needs
from faying.project.stages.basis import Basis
from faying.project.stages.body import Body
from faying.project.stages.interior import Interior
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.load_modes import load_modes_of, loads_of
from faying.project.stages.matrices import Matrices
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.preload import preload_of, preloads_of
from faying.project.stages.sampling import samples_of, sampling_of
from faying.project.store import ResultsPlace
from faying.results.results import Results

# Labels, inputs covered elsewhere or used after the run, and the number of processes do not make results stale.
_LABELS = ("name", "body", "corrects", "processes", "true_fields")


@stages.register("analysis")
class OfBody(ResultsStage):
    """Runs an analysis of a body with the inputs that it requests."""

    title = "analysis"
    order = 140
    per = "analysis"
    weight = 15.0

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the analysis, the laws of the joints, and without a reduced body the names that it would have."""
        analysis, body = _analysis_of(project, target), project.body(target.body)
        lists = ("preloads", "body_loads", "displacements")
        unsaid = tuple(name for name in lists if not getattr(analysis, name, True))
        # Friction is covered by the acting laws.
        laws = {
            joint.name: {
                law: with_file_contents(getattr(joint, law), base)
                for law in ("contact_law", "friction_law")
                if law == "contact_law" or (analysis.sees_friction and joint.friction_law is not None)
            }
            for joint in body.contact_joints
        }
        found: dict[str, object] = {
            "analysis": Without(with_file_contents(analysis, base), (*_LABELS, *unsaid, "friction")),
            "joints": laws,
        }
        if analysis.knows_units:
            found["units"] = project.units
        if not analysis.needs_reduced:
            # It uses these nodes itself then; which of their components have constraint modes does not matter to it.
            found["interface nodes"] = [i.values("components") for i in body.interfaces]
            # Pairs and preload modes are numbered among the needs; the reduced body maps names to numbers.
            found["joint names"] = [joint.name for joint in body.contact_joints]
            cases = preload_cases(project, target.body)
            if cases and _needs_matrices(analysis, body):
                found["preload cases"] = [case.name for case in cases]
            if body.tied_joints:
                found["tied joints"] = [joint.name for joint in body.tied_joints]
        return found

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the inputs requested by the analysis."""
        analysis, body = _analysis_of(project, target), project.body(target.body)
        needed = of_same_body(target, Model)
        if analysis.needs_reduced:
            needed |= of_same_body(target, Body)
        if _needs_matrices(analysis, body):
            needed |= {**of_same_body(target, Matrices), **preload_of(project, target.body)}
            if _applies_loads(project, analysis):
                needed |= load_modes_of(project, target.body)
        if analysis.needs_joint_problem and body.contact_joints:
            needed |= of_same_body(target, JointProblem)
        if _needs_basis(analysis, body):
            needed |= of_same_body(target, Basis)
        if analysis.needs_interior:
            needed |= of_same_body(target, Interior)
        if analysis.needs_system and (moves := moved_system(project, analysis)):
            needed |= system_needs(project, moves.owner, sampled=moves.samples_joints)
        needed |= pairs_of(project, target.body)
        if _samples_joints(project, analysis):
            needed |= sampling_of(project, target.body)
        # Numbered: the names of analyses do not count.
        for i, reference in enumerate(analysis.references()):
            needed[f"reference {i + 1}"] = Target(target.stage, target.body, reference.name)
        return needed | start_of(project, target, analysis)

    def run(self, context: StageContext, progress: Progress) -> None:
        """Run the analysis, which streams its frames to the results file."""
        analysis = _analysis_of(context.project, context.target)
        with ExitStack() as opened:
            places = [context.get(OfBody, reference.name) for reference in analysis.references()]
            references = tuple(opened.enter_context(closing(place.open())) for place in places)
            before = [target_of(context.project.analysis(name)) for name in analysis.predecessors()]
            places = [cast(ResultsPlace, context.value_of(each)) for each in before]
            starts = tuple(opened.enter_context(closing(place.open())) for place in places)
            seen = _seen_by(analysis, context, references, starts)
            with_absolute_files(analysis, context.base).run(seen, context.results_file, progress)

    def batch(self, project: Project, target: Target) -> tuple[str, int]:
        """Return the analysis to which a reference target belongs, and the number of processes for references.

        Likewise the combination or envelope of a load case, if further cases have the same needs.
        """
        for analysis in project.analyses:
            if not isinstance(analysis, BodyAnalysis) or analysis.body != target.body:
                continue
            if target.item in [reference.name for reference in analysis.references()]:
                return analysis.name, analysis.n_processes
            if isinstance(analysis, (Combination, Envelope)) and target.item in analysis.predecessors():
                alike = self._that_need_the_same(project, target, analysis.predecessors())
                if len(alike) > 1:
                    return f"{analysis.name}, cases such as {alike[0]}", analysis.n_processes
        return "", 1

    def _that_need_the_same(self, project: Project, target: Target, names: Sequence[str]) -> list[str]:
        """Return the load cases with the same needs as a target; none if it builds on other results."""
        needed = self.needs(project, target)
        if any(need.stage == self.name for need in needed.values()):
            return []
        return [
            name for name in names if self.needs(project, Target(target.stage, target.body, name)) == needed
        ]

    def run_batch(
        self, contexts: Sequence[StageContext], processes: int, progress: Progress
    ) -> Generator[int]:
        """Run analyses in parallel that have the same needs and build on no other results."""
        each = [_analysis_of(context.project, context.target) for context in contexts]
        if not each:
            return
        seen = _seen_by(each[0], contexts[0])
        places = [context.results_file for context in contexts]
        if where_computed():
            away = run_parallel(_run_away, seen, each, processes, progress)
            with closing(away) as results:
                for number, content in results:
                    places[number].write_bytes(content)
                    yield number
            return
        tasks = list(zip(each, places, strict=True))
        with closing(run_parallel(_run_task, seen, tasks, processes, progress, physical_cores())) as found:
            yield from (number for number, _ in found)


def _run_task(
    body: BodyModel, task: tuple[BodyAnalysis, Path], progress: Progress
) -> Iterator[dict[str, object]]:
    analysis, target = task
    yield analysis.run(body, target, PartialProgress(progress, 0.0, 1.0, analysis.name))


def _run_away(body: BodyModel, analysis: BodyAnalysis, progress: Progress) -> Iterator[bytes]:
    """Yield the file of the results, where the folder of the store need not be reached."""
    with TemporaryDirectory(prefix="faying-") as folder:
        target = Path(folder) / "results.h5"
        analysis.run(body, target, PartialProgress(progress, 0.0, 1.0, analysis.name))
        yield target.read_bytes()


def _seen_by(
    analysis: BodyAnalysis,
    context: StageContext,
    references: tuple[Results, ...] = (),
    starts: tuple[Results, ...] = (),
) -> BodyModel:
    """Return the data of its body that an analysis needs."""
    body = with_absolute_files(context.project.body(context.target.body), context.base)
    pairs = {joint.name: found for joint, found in zip(body.contact_joints, all_pairs(context), strict=True)}
    reduced = context.get(Body) if analysis.needs_reduced else None
    matrices = context.get(Matrices) if _needs_matrices(analysis, body) else None
    model = context.get(Model)
    preloads = preloads_of(context) if _needs_matrices(analysis, body) else None
    problem = context.get(JointProblem) if analysis.needs_joint_problem and body.contact_joints else None
    basis = context.get(Basis) if _needs_basis(analysis, body) else None
    interior = context.get(Interior) if analysis.needs_interior else None
    acting = _needs_matrices(analysis, body) and _applies_loads(context.project, analysis)
    loads = loads_of(context) if acting else None
    samples = samples_of(context) if _samples_joints(context.project, analysis) else ()
    moves = moved_system(context.project, analysis) if analysis.needs_system else None
    moving = None
    if moves is not None:
        moving = system_model(context, moves.owner, sampled=moves.samples_joints)
    found = body_model(
        body,
        reduced,
        model,
        pairs,
        matrices,
        preloads,
        problem,
        references,
        basis,
        starts,
        interior,
        loads,
        samples,
        analysis.needs_model,
        moving,
    )
    return replace(found, units=context.project.units)


def _applies_loads(project: Project, analysis: BodyAnalysis) -> bool:
    """Return whether loads of the body act on the FE model, also where another analysis is corrected."""
    corrected = [a for a in project.analyses if a.name in analysis.predecessors()]
    if (moves := moved_system(project, analysis)) is not None:
        corrected += [part for part in project.system(moves.owner).parts if part.body_name() == analysis.body]
    return any(getattr(each, "body_loads", ()) for each in (analysis, *corrected))


def _samples_joints(project: Project, analysis: BodyAnalysis) -> bool:
    """Return whether sampled pairs act in an analysis, or acted in the motion whose frames it corrects."""
    corrected = [a for a in project.analyses if a.name == getattr(analysis, "corrects", "")]
    return any(each.samples_joints for each in (analysis, *corrected))


def _needs_matrices(analysis: BodyAnalysis, body: BodySpec) -> bool:
    uses = analysis.uses_matrices and not body.model.is_reduced
    return analysis.needs_matrices or uses or _estimates_error(analysis, body)


def _estimates_error(analysis: BodyAnalysis, body: BodySpec) -> bool:
    return analysis.estimates_error and bool(body.contact_joints) and not body.model.is_reduced


def _needs_basis(analysis: BodyAnalysis, body: BodySpec) -> bool:
    return analysis.needs_basis or _estimates_error(analysis, body)


def _analysis_of(project: Project, target: Target) -> BodyAnalysis:
    """Return the analysis of a target: one of the project, or a reference of another one."""
    given = [a for a in project.analyses if isinstance(a, BodyAnalysis) and a.body == target.body]
    found = [a for each in given for a in (each, *each.references()) if a.name == target.item]
    if len(found) > 1:
        raise ModelError(f"There are two analyses called {target.item!r}.", "Give one of them another name.")
    if found:
        return found[0]
    other = project.analysis(target.item)
    if not isinstance(other, BodyAnalysis):
        raise ModelError(f"Analysis {target.item!r} is not one of a body.", "Choose another analysis.")
    return other


def start_of(project: Project, target: Target, first: Analysis) -> dict[str, Target]:
    """Return the analyses on whose results another one builds, as needs; empty for none.

    Raises:
        ModelError: when it does not exist, has another kind, body or system, or depends on this one.
    """
    waiting: list[tuple[Analysis, str, tuple[str, ...]]] = []
    waiting += [(first, name, (first.name,)) for name in first.predecessors()]
    while waiting:
        analysis, name, seen = waiting.pop()
        before = project.analysis(name)
        if not project.can_follow(analysis, before) or name in seen:
            titles = " or ".join(analyses[kind].title.lower() for kind in first.follows)
            raise ModelError(
                f"Analysis {first.name!r} cannot start from {name!r}.",
                f"Choose an analysis of {target.body!r} of the kind {titles}, one that does not start from this one.",
            )
        waiting += [(before, further, (*seen, name)) for further in before.predecessors()]
    # Numbered, since names are not part of keys. The first has no number, for compatibility.
    return {
        f"start {i + 1}" if i else "start": target_of(project.analysis(name))
        for i, name in enumerate(first.predecessors())
    }


def moved_system(project: Project, analysis: Analysis) -> SystemAnalysis | None:
    """Return the motion on which an analysis of a body builds; None without one."""
    found = [project.analysis(name) for name in analysis.predecessors()]
    return next((each for each in found if isinstance(each, SystemAnalysis)), None)
