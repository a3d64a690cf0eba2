"""Stiffness of the joints of a reduced body, sticking and sliding."""

from pathlib import Path

from faying.progress import Progress
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.basis import Basis
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.training import JointTraining
from faying.reduction.joint_quality import JointQuality, joint_quality
from faying.reduction.mounted_bodies import mounted_bodies


@stages.register("joint_quality")
class OfJoints(Stage[JointQuality]):
    """Compares frequencies with sticking and sliding joints, under the preload cases that close most pairs."""

    title = "stiffness of the joints"
    order = 125
    weight = 6.0
    unreduced = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has joints in contact."""
        return bool(project.body(target.body).contact_joints)

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return nothing, since its needs cover all decisions."""
        return None

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the joint-mode problem, the laws of the joints with the loads of analyses, and the basis."""
        return of_same_body(target, JointProblem, JointTraining, Basis)

    def compute(self, context: StageContext, progress: Progress) -> JointQuality:
        """Return frequencies of the FE model and of the basis; none if no pair is closed."""
        mounted = mounted_bodies(context.get(JointProblem), context.get(JointTraining))
        most = max(mounted, key=lambda body: (body.preloads.any(), body.n_closed))
        return joint_quality(most.states, context.get(Basis).modes, progress)
