"""The reduction basis of a body: component modes, preload modes and joint modes."""

from pathlib import Path

import numpy as np

from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target
from faying.project.stages import stages
from faying.project.stages._targets import of_same_body
from faying.project.stages.components import ComponentModes
from faying.project.stages.interior import Interior
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.preload import preload_of, preloads_of
from faying.reduction.basis import ReductionBasis
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes import JointModeMethod

_COMMON = "joint modes"


@stages.register("basis")
class Basis(Stage[ReductionBasis]):
    """Finds the joint modes of each group of joints and makes all trial vectors independent."""

    name = "basis"
    title = "reduction basis"
    order = 100
    version = 6
    weight = 6.5

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the methods, by number for joints that have their own, and whether preload modes are left out."""
        body = project.body(target.body)
        own = {
            str(i): joint.joint_modes for i, joint in enumerate(body.joints) if joint.joint_modes is not None
        }
        return {
            "joint modes": body.joint_modes,
            **({"of joints": own} if own else {}),
            **({} if body.preload_modes else {"preload modes": False}),
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the component modes, and what joint and preload modes come from."""
        body = project.body(target.body)
        needed = of_same_body(target, ComponentModes)
        if body.joints or body.preloads:
            needed |= of_same_body(target, Interior)
        if body.joints:
            needed |= of_same_body(target, JointProblem)
        return {**needed, **preload_of(project, target.body)}

    def compute(self, context: StageContext, progress: Progress) -> ReductionBasis:
        """Return the basis."""
        body, components = context.project.body(context.target.body), context.get(ComponentModes)
        preloads = preloads_of(context) if body.preload_modes else None
        if not body.joints and preloads is None:
            return components
        interior = context.get(Interior)
        joint_modes, values = np.zeros((interior.n_dofs, 0)), np.zeros(0)
        remarks: tuple[str, ...] = ()
        more = []
        if body.joints:
            interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
            problem = context.get(JointProblem)
            groups = _groups(body)
            for i, (name, method, numbers) in enumerate(groups):
                part = problem.of_joints(numbers)
                share = PartialProgress(
                    progress, 0.2 + 0.7 * i / len(groups), 0.2 + 0.7 * (i + 1) / len(groups), name
                )
                found = method.build(part, share)
                remarks = (*remarks, *(remark for remark in part.remarks if remark not in remarks))
                values = found[1] if i == 0 else values
                if name == _COMMON:
                    joint_modes = found[0]
                else:
                    more.append((name, found[0]))
        shapes = preloads.modes if preloads else None
        return patiently(
            lambda: extend_basis(interior, components, joint_modes, values, shapes, remarks, more),
            progress, 0.9, "orthogonalisation",
        )  # fmt: skip


def _groups(body: BodySpec) -> list[tuple[str, JointModeMethod, list[int]]]:
    """Return name, method and joints (by number) of each group of joint modes: the common one first."""
    common = [i for i, joint in enumerate(body.joints) if joint.joint_modes is None]
    groups = [(_COMMON, body.joint_modes, common)] if common else []
    own = [(joint.name, joint.joint_modes, i) for i, joint in enumerate(body.joints)]
    return [
        *groups,
        *((f"joint modes of {name}", method, [i]) for name, method, i in own if method is not None),
    ]
