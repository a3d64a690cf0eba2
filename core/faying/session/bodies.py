"""A reduced body of a project with all data that are written for other programs and for Faying itself."""

from collections.abc import Callable
from typing import Any

import numpy as np

from faying.analyses import BodyAnalysis, SystemAnalysis
from faying.errors import ModelError
from faying.fem.shell_sides import facing_sides
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.project.specs import BodySpec, JointSpec, Project
from faying.project.stage import Target
from faying.reduction.body import ReducedBody
from faying.reduction.body_file import BodyFile, body_file


def reduced_body_file(
    project: Project, body: BodySpec, value_of: Callable[[Target], Any], damping_of: str = ""
) -> BodyFile:
    """Return all data of a body that are written: matrices, skin, contact pairs and surfaces, laws' numbers, damping.

    Args:
        project: the decisions.
        body: one of its bodies.
        value_of: returns the value of a target, computed if necessary.
        damping_of: analysis whose damping of the body is written; without it that of superelements alone.

    Raises:
        FayingError: when a value cannot be computed, or the analysis has no damping of the body.
    """
    reduced, model, skin = (value_of(Target(stage, body.name)) for stage in ("body", "model", "skin"))
    joints = body.contact_joints
    return body_file(
        body.name,
        project.units,
        model,
        skin.surface,
        reduced,
        {j.name: value_of(Target("pairs", body.name, j.name)) for j in joints},
        {
            j.name: facing_sides(model, j.master.select(model, skin), j.slave.select(model, skin))
            for j in joints
        },
        {j.name: _law_numbers(j) for j in joints},
        _damping(project, body.name, reduced, damping_of) if damping_of else reduced.damping,
    )


def _law_numbers(joint: JointSpec) -> tuple[float, float]:
    stiffness = joint.contact_law.stiffness if isinstance(joint.contact_law, LinearPenalty) else 0.0
    return float(stiffness), float(getattr(joint.friction_law, "friction_coefficient", 0.0))


def _damping(project: Project, body: str, reduced: ReducedBody, name: str) -> np.ndarray:
    """Return (r, r) the damping matrix that an analysis gives a body.

    Raises:
        ModelError: when there is no such analysis, or it has none for the body.
    """
    analysis = project.analysis(name)
    if isinstance(analysis, SystemAnalysis):
        for part in project.system(analysis.system).parts:
            if isinstance(part, FlexiblePartSpec) and part.body == body:
                return part.damping_matrix(reduced)
    elif isinstance(analysis, BodyAnalysis) and analysis.body == body and hasattr(analysis, "duration"):
        own = 0.0 if reduced.damping is None else reduced.damping
        return np.asarray(getattr(analysis, "stiffness_damping", 0.0) * reduced.stiffness + own)
    raise ModelError(
        f"Analysis {name!r} has no damping matrix of body {body!r}.",
        "Name a transient analysis of the body, or a motion of a system with it.",
    )
