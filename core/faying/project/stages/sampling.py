"""Sampled contact pairs that represent the joints of a moving body."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.analyses.statics.settings import HeldAnalysis
from faying.errors import ModelError
from faying.joints.sampled import JointSample
from faying.joints.ties import surface_stiffness
from faying.progress import PartialProgress, Progress
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.friction_laws import friction_law_of
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.basis import Basis
from faying.project.stages.body import Body
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.reduction.body import JointRows, ReducedBody
from faying.reduction.snapshot_loads import SHARES, SURFACE_SHARE, mounted_states, snapshot_loads
from faying.reduction.tvd import AMPLITUDES
from faying.solvers.joint_sampling import JointLaws, TrainingLoads, sample_joints, there_and_back

# Parameters that define the loads of an analysis; others are ignored.
_LOADS = ("support", "preloads", "loads", "body_loads", "duration")

Samples = tuple[JointSample | None, ...]


def sampling_of(project: Project, body: str) -> dict[str, Target]:
    """Return the sampled pairs of a body as needs; empty if all pairs of its joints are active."""
    sampled = any(joint.sampling.active for joint in project.body(body).contact_joints)
    return {Sampling.name: Target(Sampling.name, body)} if sampled else {}


def samples_of(context: StageContext, body: str = "") -> Samples:
    """Return the sampled pairs of a body, joint by joint; () if all pairs are active."""
    name = body or context.target.body
    return context.get(Sampling, body=name) if sampling_of(context.project, name) else ()


@stages.register("sampling")
class Sampling(Stage[Samples]):
    """Selects few weighted pairs of each sampled joint that reproduce its force in many states."""

    title = "sampled pairs"
    order = 135
    weight = 10.0
    unreduced = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether a joint of the body is sampled."""
        return bool(sampling_of(project, target.body))

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return laws and sampling of the joints by number, and the loads of analyses that they name."""
        joints: dict[str, object] = {
            str(number): [
                with_file_contents(joint.contact_law, base),
                with_file_contents(joint.friction_law, base),
                joint.sampling,
            ]
            for number, joint in enumerate(project.body(target.body).contact_joints)
        }
        named = [with_file_contents(each, base) for each in _named_analyses(project, target)]
        return joints | {
            "loads": [[getattr(each, name) for name in _LOADS if hasattr(each, name)] for each in named]
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the reduced body and the inputs of the loads."""
        return of_same_body(target, Model, Body, Basis, JointProblem) | pairs_of(project, target.body)

    def compute(self, context: StageContext, progress: Progress) -> Samples:
        """Return the sample of each joint in contact, None for joints with all pairs active."""
        body = with_absolute_files(context.project.body(context.target.body), context.base)
        joints = body.contact_joints
        laws = [
            JointLaws(
                joint.contact_law.loaded(),
                friction_law_of(joint, context.get(Model), each),
                joint.sampling.tolerance if joint.sampling.active else None,
            )
            for joint, each in zip(joints, all_pairs(context), strict=True)
        ]
        reduced, named = context.get(Body), _named_analyses(context.project, context.target)
        training = [_loads_of(analysis, reduced) for analysis in named] or self._of_all_kinds(context)
        return sample_joints(
            reduced.stiffness, laws, training, PartialProgress(progress, 0.0, 1.0, self.title)
        )

    def _of_all_kinds(self, context: StageContext) -> list[TrainingLoads]:
        """Return the loads of equilibrium snapshots on the body in each mounted state, if no analysis is named."""
        joints = context.project.body(context.target.body).contact_joints
        most = max(joint.sampling.combinations for joint in joints if joint.sampling.active)
        reduced, modes, problem = context.get(Body), context.get(Basis).modes, context.get(JointProblem)
        areas = problem.weights if problem.node_areas is None else problem.node_areas
        resists = surface_stiffness(problem.interior.matrices.stiffness, problem.gap_rows, areas)
        springs = SURFACE_SHARE * resists * problem.weights
        found = []
        for state in mounted_states(problem, springs):
            loads = snapshot_loads(problem, springs, state, most, AMPLITUDES, SHARES)
            over_modes = (modes.T @ loads.forces) @ loads.mixtures
            rows = _with_gaps(reduced, state.initial_gaps)
            found.append(TrainingLoads(modes.T @ state.force, rows, there_and_back(over_modes)))
        return found


def _loads_of(analysis: HeldAnalysis, reduced: ReducedBody) -> TrainingLoads:
    """Return the load path of an analysis, on the body as clamped and preloaded there."""
    held = analysis.clamped_body(reduced)
    return TrainingLoads(held.preload_force(analysis.preloads), held.joints, [analysis.load_path(held)])


def _with_gaps(body: ReducedBody, gaps: np.ndarray) -> list[JointRows]:
    """Return the rows of the joints, with concatenated initial gaps (n_pairs,)."""
    ends = np.cumsum([len(rows.weights) for rows in body.joints])[:-1]
    return [
        replace(rows, initial_gaps=own) for rows, own in zip(body.joints, np.split(gaps, ends), strict=True)
    ]


def _named_analyses(project: Project, target: Target) -> list[HeldAnalysis]:
    """Return the distinct analyses whose loads are used.

    Raises:
        ModelError: for an analysis without loads on this body.
    """
    joints = project.body(target.body).contact_joints
    named = [name for joint in joints if joint.sampling.active for name in joint.sampling.analyses]
    found = []
    for name in dict.fromkeys(named):
        analysis = project.analysis(name)
        if not isinstance(analysis, HeldAnalysis) or analysis.owner != target.body:
            raise ModelError(
                f"The sampled pairs of body {target.body!r} cannot be chosen by {name!r}.",
                "Choose static or transient analyses of this body.",
            )
        found.append(analysis)
    return found
