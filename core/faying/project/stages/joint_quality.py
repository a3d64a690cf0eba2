"""How stiff the joints of a reduced body are, stuck and sliding."""

from pathlib import Path

import numpy as np

from faying.progress import Progress
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.friction_laws import laws_of
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.basis import Basis
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.preload import preload_of
from faying.reduction.joint_quality import JointQuality, joint_quality
from faying.reduction.mounted_bodies import mounted_bodies
from faying.reduction.training import Training
from faying.solvers.friction_path import friction_path


@stages.register("joint_quality")
class OfJoints(Stage[JointQuality]):
    """Compares the frequencies of the body mounted by all of its preload cases, joints stuck and sliding."""

    title = "stiffness of the joints"
    order = 125
    weight = 6.0
    unreduced = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has joints in contact."""
        return bool(project.body(target.body).contact_joints)

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the laws of the joints."""
        joints = project.body(target.body).contact_joints
        return [
            [with_file_contents(law, base) for law in (joint.contact_law, joint.friction_law) if law]
            for joint in joints
        ]

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the joint-mode problem and the basis."""
        needed = of_same_body(target, Model, JointProblem, Basis) | preload_of(project, target.body)
        return needed | pairs_of(project, target.body)

    def compute(self, context: StageContext, progress: Progress) -> JointQuality:
        """Return frequencies of the FE model and of the basis; none where no pair touches."""
        body = with_absolute_files(context.project.body(context.target.body), context.base)
        problem = context.get(JointProblem)
        laws = laws_of(body.contact_joints, context.get(Model), all_pairs(context))
        nothing = np.zeros((problem.interior.n_dofs, 0))
        training = Training(problem.rows_of_joints, laws, (), nothing, (), friction_path)
        states = [state for mounted in mounted_bodies(problem, training) for state in mounted.states]
        return joint_quality(states, context.get(Basis).modes, progress)
