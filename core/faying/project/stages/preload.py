"""The preload modes of a body: its nonlinear static shapes under each preload case."""

from dataclasses import replace
from pathlib import Path

from faying.joints.kinematics import sparse_rows
from faying.progress import Progress
from faying.project.bodies import interface_rows
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.mounting import preload_cases
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.interior import Interior
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.skin import OuterSkin
from faying.reduction.held_contact import FrictionlessJoint
from faying.reduction.preload import PreloadModes, preload_modes
from faying.reduction.preload_loads import PreloadedBody
from faying.solvers.equilibrium import solve_equilibrium


@stages.register("preload")
class Preload(Stage[PreloadModes]):
    """Solves the contact of the full model under each preload case."""

    title = "preload modes"
    order = 80
    weight = 20.0
    unreduced = True
    travels = False

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has preload cases."""
        return bool(preload_cases(project, target.body))

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the cases, the contact laws, and possible targets of loads."""
        body = project.body(target.body)
        return {
            "preload cases": [case.loads for case in preload_cases(project, target.body)],
            "contact laws": [with_file_contents(joint.contact_law, base) for joint in body.contact_joints],
            "interface nodes": [interface.name for interface in body.interfaces],
            "joints": [joint.name for joint in body.contact_joints],
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model, skin, interior problem and contact pairs."""
        return {**of_same_body(target, Model, OuterSkin, Interior), **pairs_of(project, target.body)}

    def compute(self, context: StageContext, progress: Progress) -> PreloadModes:
        """Return the modes, with the forces of their cases."""
        body = with_absolute_files(context.project.body(context.target.body), context.base)
        model, interior = context.get(Model), context.get(Interior)
        dofs = interior.matrices.dofs
        joints = [
            FrictionlessJoint(joint.name, sparse_rows(pairs, dofs), joint.contact_law.loaded())
            for joint, pairs in zip(body.contact_joints, all_pairs(context), strict=True)
        ]
        names = tuple(joint.name for joint in body.contact_joints)
        cases = [
            with_absolute_files(case, context.base) for case in preload_cases(context.project, body.name)
        ]
        preloaded = PreloadedBody(model, context.get(OuterSkin), dofs, interface_rows(body, model), names)
        return preload_modes(
            interior, cases, preloaded, joints, solve_equilibrium, progress,
            elements=not body.model.imports_matrices,
        )  # fmt: skip


def preload_of(project: Project, body: str) -> dict[str, Target]:
    """Return the preload modes of a body as a need; none for a body without preload cases."""
    return {Preload.name: Target(Preload.name, body)} if preload_cases(project, body) else {}


def preloads_of(context: StageContext) -> PreloadModes | None:
    """Return the preload modes of the target's body; None for a body without preload cases."""
    cases = preload_cases(context.project, context.target.body)
    # Names are not part of the key: cases may have had other names when the modes were computed.
    return replace(context.get(Preload), names=tuple(case.name for case in cases)) if cases else None
