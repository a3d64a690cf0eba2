"""The reduction basis of a body: component modes, load modes, preload modes, joint modes and contact shapes."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.fem.surface import Surface
from faying.linalg.background import patiently
from faying.linalg.room import require_room
from faying.progress import PartialProgress, Progress
from faying.project.mounting import is_trained, preload_cases
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.contact_surfaces import ContactSurfaces, has_contact_shapes
from faying.project.stages.interior import Interior
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.load_modes import loaded_components, loaded_components_of, reads_of_relief
from faying.project.stages.preload import preload_of, preloads_of
from faying.project.stages.training import JointTraining, training_of
from faying.reduction.basis import ReductionBasis
from faying.reduction.contact_shapes import SurfaceProblem, bytes_of_shapes
from faying.reduction.contact_surfaces import GROUP
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes import JointModeMethod
from faying.reduction.training import TrainingError

_COMMON = "joint modes"


@stages.register("basis")
class Basis(Stage[ReductionBasis]):
    """Computes joint modes and contact shapes and makes all trial vectors linearly independent."""

    title = "reduction basis"
    order = 100
    version = 6
    weight = 6.5
    unreduced = True

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the methods, by number for joints that have their own, and whether preload modes are left out.

        Contact shapes are identified by number too, since a renamed surface does not change trial vectors.
        """
        body = project.body(target.body)
        own = {
            str(i): joint.joint_modes
            for i, joint in enumerate(body.contact_joints)
            if joint.joint_modes is not None
        }
        return {
            "joint modes": body.joint_modes,
            **({"of joints": own} if own else {}),
            **reads_of_relief(project, target.body),
            **({} if body.preload_modes else {"preload modes": False}),
            **(
                {"contact shapes": [each.shapes for each in body.contact_surfaces]}
                if has_contact_shapes(body)
                else {}
            ),
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return component and load modes, and the inputs of joint modes, preload modes and contact shapes."""
        body = project.body(target.body)
        # The preload first: it needs a separate factor, before that of the interior problem is in memory.
        needed = preload_of(project, target.body)
        needed |= loaded_components_of(project, target.body)
        if body.contact_joints or preload_cases(project, target.body) or has_contact_shapes(body):
            needed |= of_same_body(target, Interior)
        if has_contact_shapes(body):
            needed |= of_same_body(target, ContactSurfaces)
        if body.contact_joints:
            needed |= of_same_body(target, JointProblem) | training_of(project, target.body)
        return needed

    def compute(self, context: StageContext, progress: Progress) -> ReductionBasis:
        """Return the basis."""
        body = context.project.body(context.target.body)
        components = loaded_components(context, PartialProgress(progress, 0.0, 0.1))
        preloads = preloads_of(context) if body.preload_modes else None
        if not body.contact_joints and preloads is None and not has_contact_shapes(body):
            return components
        interior = context.get(Interior)
        if has_contact_shapes(body):
            _require_room(body, interior.n_dofs, context.get(ContactSurfaces))
        joint_modes, values = np.zeros((interior.n_dofs, 0)), np.zeros(0)
        remarks: tuple[str, ...] = ()
        trained: tuple[TrainingError, ...] = ()
        more = []
        if body.contact_joints or has_contact_shapes(body):
            interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        of_joints = 0.2 + 0.7 * _share_of_joints(body)
        if body.contact_joints:
            problem = context.get(JointProblem)
            if is_trained(body):
                problem = replace(problem, training=context.get(JointTraining), trained=())
            groups = _groups(body)
            for i, (name, method, numbers) in enumerate(groups):
                part = problem.of_joints(numbers)
                part.remarks = tuple[str, ...]()  # it stays in memory, including omitted directions
                found = method.build(part, _part(progress, 0.2, of_joints, i, len(groups), name))
                trained = (*trained, *part.trained)
                remarks = (*remarks, *(remark for remark in part.remarks if remark not in remarks))
                values = found[1] if i == 0 else values
                if name == _COMMON:
                    joint_modes = found[0]
                else:
                    more.append((name, found[0]))
        if has_contact_shapes(body):
            # Without constraint modes only shapes of the free body make statics on the surface exact.
            free, surfaces = not body.reduction.has_constraint_modes, context.get(ContactSurfaces)
            for i, (each, surface) in enumerate(zip(body.contact_surfaces, surfaces, strict=True)):
                name = f"{GROUP} {each.name}"
                share = _part(progress, of_joints, 0.9, i, len(surfaces), name)
                more.append((name, each.shapes.build(SurfaceProblem(interior, surface, free), share)))
        shapes = preloads.modes if preloads else None
        interior.spare_factor()  # last use for a long time; the following steps need the memory
        basis = patiently(
            lambda: extend_basis(interior, components, joint_modes, values, shapes, remarks, more),
            progress, 0.9, "orthogonalisation",
        )  # fmt: skip
        return replace(basis, trained=trained)


def _require_room(body: BodySpec, n_dofs: int, surfaces: tuple[Surface, ...]) -> None:
    """Refuse contact shapes that do not fit into memory, before computing any."""
    count = sum(
        each.shapes.shape_count(len(surface.nodes))
        for each, surface in zip(body.contact_surfaces, surfaces, strict=True)
    )
    require_room(
        bytes_of_shapes(n_dofs, count), f"Up to {count} contact shapes of body {body.name!r} need",
        "Choose a smaller surface, normal directions alone, or patches of pressure.",
    )  # fmt: skip


def _share_of_joints(body: BodySpec) -> float:
    """Return the joints' share in the work for trial vectors."""
    shaped = [each for each in body.contact_surfaces if each.shapes.shape_count(1)]
    return len(body.contact_joints) / max(len(body.contact_joints) + len(shaped), 1)


def _part(progress: Progress, start: float, stop: float, i: int, count: int, name: str) -> PartialProgress:
    """Return the progress of the i-th of several equal parts between two fractions of the whole."""
    size = (stop - start) / count
    return PartialProgress(progress, start + i * size, start + (i + 1) * size, name)


def _groups(body: BodySpec) -> list[tuple[str, JointModeMethod, list[int]]]:
    """Return name, method and joints (by number) of each group of joint modes: the common one first."""
    common = [i for i, joint in enumerate(body.contact_joints) if joint.joint_modes is None]
    groups = [(_COMMON, body.joint_modes, common)] if common else []
    own = [(joint.name, joint.joint_modes, i) for i, joint in enumerate(body.contact_joints)]
    return [
        *groups,
        *((f"joint modes of {name}", method, [i]) for name, method, i in own if method is not None),
    ]
