"""From the equations of a body to the reduced body."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.joints.kinematics import gap_rows, slip_rows, sparse_rows
from faying.linalg.background import patiently
from faying.progress import Part, Progress
from faying.project.bodies import interface_rows
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import BodySpec, Project
from faying.project.stage import Context, Stage, Target
from faying.project.stages._subjects import (
    all_pairs,
    interface_words,
    nothing,
    pairs_of,
    preloads_of,
    same_body,
    with_preload,
)
from faying.reduction.basis import ReductionBasis
from faying.reduction.basis_quality import COMPARED_MODES, measure_basis
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.held_contact import FrictionlessJoint
from faying.reduction.preload import preload_modes
from faying.reduction.preload_loads import PreloadSubject
from faying.reduction.problem import JointModeProblem
from faying.reduction.quality import free_frequencies
from faying.solvers.equilibrium import solve_equilibrium

_COMMON = "joint modes"


def _component_modes(context: Context, progress: Progress) -> ReductionBasis:
    method = with_absolute_files(context.project.body(context.target.body).reduction, context.base)
    basis: ReductionBasis = method.build(context.needs("interior"), progress)
    return basis


def _preload(context: Context, progress: Progress) -> Any:
    body, model, interior = (
        with_absolute_files(context.project.body(context.target.body), context.base),
        context.needs("model"),
        context.needs("interior"),
    )
    dofs = interior.matrices.dofs
    joints = [
        FrictionlessJoint(joint.name, sparse_rows(pairs, dofs), joint.contact_law.loaded())
        for joint, pairs in zip(body.joints, all_pairs(context), strict=True)
    ]
    names = tuple(joint.name for joint in body.joints)
    subject = PreloadSubject(model, context.needs("skin"), dofs, interface_rows(body, model), names)
    return preload_modes(interior, body.preloads, subject, joints, solve_equilibrium, progress)


def _pose_joint_modes(context: Context, progress: Progress) -> JointModeProblem:
    interior, pairs = context.needs("interior"), all_pairs(context)
    body = context.project.body(context.target.body)
    rows = [gap_rows(p, interior.matrices.dofs) for p in pairs]
    return JointModeProblem(
        interior,
        context.needs("components"),
        sp.vstack(rows, format="csr"),
        np.concatenate([p.weights for p in pairs]),
        np.concatenate([p.initial_gaps for p in pairs]),
        preloads_of(context),
        with_preload_modes=body.preload_modes,
        free=not body.reduction.has_constraint_modes,
        joint_sizes=tuple(len(p) for p in pairs),
        slip_rows=sp.vstack([slip_rows(p, interior.matrices.dofs) for p in pairs], format="csr"),
    )


def _extend(context: Context, progress: Progress) -> Any:
    body, components = context.project.body(context.target.body), context.needs("components")
    preloads = preloads_of(context) if body.preload_modes else None
    if not body.joints and preloads is None:
        return components
    interior = context.needs("interior")
    joint_modes, values = np.zeros((interior.n_dofs, 0)), np.zeros(0)
    remarks: tuple[str, ...] = ()
    more = []
    if body.joints:
        interior.prepare(Part(progress, 0.0, 0.2, "factorisation"))
        problem = context.needs("joint_problem")
        groups = _joint_mode_groups(body)
        for i, (name, method, numbers) in enumerate(groups):
            part = problem.of_joints(numbers)
            share = Part(progress, 0.2 + 0.7 * i / len(groups), 0.2 + 0.7 * (i + 1) / len(groups), name)
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


def _joint_mode_groups(body: BodySpec) -> list[tuple[str, Any, list[int]]]:
    """Return name, method and joints (by number) of each group of joint modes: the common one first."""
    common = [i for i, joint in enumerate(body.joints) if joint.joint_modes is None]
    groups = [(_COMMON, body.joint_modes, common)] if common else []
    own = [(i, joint) for i, joint in enumerate(body.joints) if joint.joint_modes is not None]
    return [*groups, *((f"joint modes of {joint.name}", joint.joint_modes, [i]) for i, joint in own)]


def _joint_mode_words(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    own = {str(i): joint.joint_modes for i, joint in enumerate(body.joints) if joint.joint_modes is not None}
    return {"joint modes": body.joint_modes, **({"of joints": own} if own else {}), **_without(body)}


def _preload_mode_words(project: Project, target: Target, base: Path) -> Any:
    return _without(project.body(target.body)) or None


def _without(body: BodySpec) -> dict[str, bool]:
    """Return that preload modes are no trial vectors; that they are goes without saying."""
    return {} if body.preload_modes else {"preload modes": False}


def _full_modes(context: Context, progress: Progress) -> Any:
    interior = context.needs("interior")
    interior.prepare(Part(progress, 0.0, 0.3, "factorisation"))
    return free_frequencies(interior, COMPARED_MODES, Part(progress, 0.3, 1.0))


def _measure(context: Context, progress: Progress) -> Any:
    interior, basis, full = (context.needs(name) for name in ("interior", "basis", "full_modes"))
    return patiently(lambda: measure_basis(interior, basis, *full), progress, 0.0, "basis quality")


def _project(context: Context, progress: Progress) -> Any:
    body, model, matrices = (
        context.project.body(context.target.body),
        context.needs("model"),
        context.needs("matrices"),
    )
    joints = []
    for i, (joint, pairs) in enumerate(zip(body.joints, all_pairs(context), strict=True)):
        progress.report(0.5 * i / len(body.joints), f"joint {joint.name}")
        rows = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
        joints.append((joint.name, *rows, pairs.weights, pairs.initial_gaps))
    rows_by_name = interface_rows(body, model)
    basis, preloads = context.needs("basis"), preloads_of(context)
    return patiently(
        lambda: build_reduced_body(model.nodes, matrices, basis, rows_by_name, joints, preloads),
        progress, 0.5, "projection",
    )  # fmt: skip


def _basis_needs(project: Project, target: Target) -> dict[str, Target]:
    stages, body = ["components"], project.body(target.body)
    if body.joints:
        stages += ["interior", "joint_problem"]
    if body.preloads:
        stages += ["preload"] if body.joints else ["interior", "preload"]
    return dict(same_body(*stages)(project, target))


def _names(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    return {
        "interface nodes": [interface_words(i) for i in body.interfaces],
        "joints": [joint.name for joint in body.joints],
        **({"preload cases": [case.name for case in body.preloads]} if body.preloads else {}),
    }


def _preload_cases(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    return {
        "preload cases": [case.loads for case in body.preloads],
        "contact laws": [with_file_contents(joint.contact_law, base) for joint in body.joints],
        # What the loads may name.
        "interface nodes": [interface.name for interface in body.interfaces],
        "joints": [joint.name for joint in body.joints],
    }


REDUCTION_STAGES = (
    Stage(
        "components", "component modes", 1, "body", "artifact",
        lambda project, target, base: {
            "component modes": with_file_contents(project.body(target.body).reduction, base)
        },
        same_body("interior"), _component_modes, 4.7,
        travels=False,
    ),
    Stage(
        "preload", "preload modes", 1, "body", "artifact",
        _preload_cases, lambda project, target: {**same_body("model", "skin", "interior")(project, target),
                                                 **pairs_of(project, target)},
        _preload, 20.0,
        travels=False, applies=lambda project, target: bool(project.body(target.body).preloads),
    ),
    Stage(
        "joint_problem", "joint-mode problem", 1, "body", "memory",
        _preload_mode_words, with_preload("interior", "components"), _pose_joint_modes, 0.1,
    ),
    Stage(
        "basis", "reduction basis", 6, "body", "artifact",
        _joint_mode_words,
        _basis_needs, _extend, 6.5,
    ),
    Stage(
        "full_modes", "vibration modes of the full model", 1, "body", "artifact",
        nothing, same_body("interior"), _full_modes, 5.0,
        travels=False,
    ),
    Stage(
        "quality", "basis quality", 1, "body", "artifact",
        nothing, same_body("interior", "basis", "full_modes"), _measure, 0.5,
    ),
    Stage(
        "body", "reduced body", 2, "body", "artifact",
        _names, with_preload("model", "matrices", "basis"), _project, 0.8,
    ),
)  # fmt: skip
