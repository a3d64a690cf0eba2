"""The problem for computing the joint modes of a body."""

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from faying.joints.kinematics import gap_rows, slip_rows
from faying.progress import Progress
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.interior import Interior
from faying.project.stages.load_modes import loaded_components, loaded_components_of, reads_of_relief
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.preload import preload_of, preloads_of
from faying.reduction.problem import JointModeProblem


@stages.register("joint_problem")
class JointProblem(Stage[JointModeProblem]):
    """Combines component modes and the pairs of all joints."""

    title = "joint-mode problem"
    order = 90
    keeps = "memory"
    weight = 0.1
    unreduced = True

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return whether preload modes are excluded and inertia relief modes included."""
        # Only the exception is part of the key: by default preload modes are trial vectors.
        unsaid = {} if project.body(target.body).preload_modes else {"preload modes": False}
        return {**unsaid, **reads_of_relief(project, target.body)} or None

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return interior problem, component modes, contact pairs, and preload modes if there are cases."""
        needed = of_same_body(target, Interior) | loaded_components_of(project, target.body)
        return {**needed, **preload_of(project, target.body), **pairs_of(project, target.body)}

    def compute(self, context: StageContext, progress: Progress) -> JointModeProblem:
        """Return trial vectors, gaps of all pairs over them, and preload modes."""
        interior, pairs = context.get(Interior), all_pairs(context)
        body = context.project.body(context.target.body)
        rows = [gap_rows(p, interior.matrices.dofs) for p in pairs]
        return JointModeProblem(
            interior,
            loaded_components(context, progress),
            sp.vstack(rows, format="csr"),
            np.concatenate([p.weights for p in pairs]),
            np.concatenate([p.initial_gaps for p in pairs]),
            preloads_of(context),
            with_preload_modes=body.preload_modes,
            free=not body.reduction.has_constraint_modes,
            joint_sizes=tuple(len(p) for p in pairs),
            slip_rows=sp.vstack([slip_rows(p, interior.matrices.dofs) for p in pairs], format="csr"),
            node_areas=np.concatenate([p.node_areas for p in pairs]),
        )
