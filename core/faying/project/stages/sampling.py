"""The pairs that stand for the joints of a body where it moves."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

from faying.analyses.stored_joints import stored_joints
from faying.errors import ModelError
from faying.joints.interface import JointResponse
from faying.joints.sampled import JointSample
from faying.joints.ties import surface_stiffness
from faying.progress import PartialProgress, Progress
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, target_of
from faying.project.stages import stages
from faying.project.stages._targets import of_same_body
from faying.project.stages.basis import Basis
from faying.project.stages.body import Body
from faying.project.stages.joint_problem import JointProblem
from faying.project.store import ResultsPlace
from faying.reduction.snapshot_loads import SHARES, SURFACE_SHARE, mounted_states, snapshot_loads
from faying.reduction.tvd import AMPLITUDES
from faying.solvers.joint_sampling import JointLaws, TrainingLoads, sample_joints

Samples = tuple[JointSample | None, ...]


def sampling_of(project: Project, body: str) -> dict[str, Target]:
    """Return the sampled pairs of a body as needs; empty where all pairs of its joints act."""
    sampled = any(joint.sampling.active for joint in project.body(body).contact_joints)
    return {Sampling.name: Target(Sampling.name, body)} if sampled else {}


def samples_of(context: StageContext, body: str = "") -> Samples:
    """Return the sampled pairs of a body that is computed with, joint by joint; () where all pairs act."""
    name = body or context.target.body
    return context.get(Sampling, body=name) if sampling_of(context.project, name) else ()


@stages.register("sampling")
class Sampling(Stage[Samples]):
    """Finds few pairs of each sampled joint, with weights, that give its force in many states."""

    name = "sampling"
    title = "sampled pairs"
    order = 140
    weight = 10.0
    unreduced = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether a joint of the body is sampled."""
        return bool(sampling_of(project, target.body))

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return laws and sampling of the joints by number; which analyses count follows from what it needs."""
        return {
            str(number): [
                with_file_contents(joint.contact_law, base),
                with_file_contents(joint.friction_law, base),
                joint.sampling,
            ]
            for number, joint in enumerate(project.body(target.body).contact_joints)
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the reduced body, what the loads are made of, and analyses whose states count.

        Raises:
            ModelError: for an analysis that is no static one of the body.
        """
        needed = of_same_body(target, Body, Basis, JointProblem)
        for i, name in enumerate(_named_analyses(project, target)):
            analysis = project.analysis(name)
            if analysis.kind != "static" or analysis.owner != target.body:
                raise ModelError(
                    f"The sampled pairs of body {target.body!r} cannot be chosen by {name!r}.",
                    "Choose static analyses of this body; all pairs act in them.",
                )
            needed[f"analysis {i + 1}"] = target_of(analysis)
        return needed

    def compute(self, context: StageContext, progress: Progress) -> Samples:
        """Return the sample of each joint in contact, None for joints whose pairs all act."""
        body = with_absolute_files(context.project.body(context.target.body), context.base)
        joints = body.contact_joints
        laws = [
            JointLaws(
                joint.contact_law.loaded(),
                joint.friction_law,
                joint.sampling.tolerance if joint.sampling.active else None,
            )
            for joint in joints
        ]
        most = max(joint.sampling.combinations for joint in joints if joint.sampling.active)
        reduced, modes, problem = context.get(Body), context.get(Basis).modes, context.get(JointProblem)
        areas = problem.weights if problem.node_areas is None else problem.node_areas
        resists = surface_stiffness(problem.interior.matrices.stiffness, problem.gap_rows, areas)
        springs = SURFACE_SHARE * resists * problem.weights
        training = []
        for state in mounted_states(problem, springs):
            loads = snapshot_loads(problem, springs, state, most, AMPLITUDES, SHARES)
            over_modes = (modes.T @ loads.forces) @ loads.mixtures
            training.append(TrainingLoads(modes.T @ state.force, state.initial_gaps, over_modes))
        analysed = [
            cast(ResultsPlace, context.value_of(target_of(context.project.analysis(name))))
            for name in _named_analyses(context.project, context.target)
        ]

        of_joints = [(law.contact_law, law.friction_law) for law in laws]

        def more() -> Iterator[list[JointResponse]]:
            for place in analysed:
                with closing(place.open()) as results:
                    for frame in range(results.n_frames):
                        yield [answer for answer, _ in stored_joints(reduced, of_joints, results, frame)]

        return sample_joints(reduced, laws, training, PartialProgress(progress, 0.0, 1.0, self.title), more())


def _named_analyses(project: Project, target: Target) -> list[str]:
    """Return the analyses whose states count, each once."""
    joints = project.body(target.body).contact_joints
    named = [name for joint in joints if joint.sampling.active for name in joint.sampling.analyses]
    return list(dict.fromkeys(named))
