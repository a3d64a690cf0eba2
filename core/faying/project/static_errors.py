"""Errors of the reduced statics of a body for every load also solved with the unreduced model."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from faying.analyses.convergence_study import ConvergenceStudy
from faying.analyses.static import Static
from faying.analyses.statics.settings import DisplacedAnalysis, HeldAnalysis
from faying.analyses.unreduced_static import UnreducedStatic
from faying.project.specs import Project
from faying.reduction.quality import static_error
from faying.results.fields import FieldContext, fields

FramesOf = Callable[[str], FieldContext | None]


@dataclass(frozen=True)
class StaticError:
    """Errors of the reduced statics under one load.

    Attributes:
        load: description of the load.
        source: names of the compared analyses.
        displacement: ‖u_reduced − u_full‖ / ‖u_full‖ over all nodes.
        gap: the same for the gaps of all contact pairs; NaN without joints.
    """

    load: str
    source: str
    displacement: float
    gap: float


def find_static_errors(project: Project, body: str, frames_of: FramesOf) -> tuple[StaticError, ...]:
    """Return the errors of the body's present basis.

    Static analyses are compared with unreduced ones of the same load, and so are points of convergence studies with the
    body's joint-mode method and number of modes.

    Args:
        project: the decisions.
        body: name of the body.
        frames_of: returns the frames of an analysis by name; None unless they are complete and up to date.
    """
    held = [a for a in project.analyses if a.owner == body and isinstance(a, HeldAnalysis)]
    found: list[StaticError] = []
    for reduced in held:
        if isinstance(reduced, Static):
            found += _of_static(project, reduced, held, frames_of)
        elif isinstance(reduced, ConvergenceStudy) and reduced.unreduced:
            found += _of_study(project, reduced, frames_of)
    return tuple(found)


def _of_static(
    project: Project, reduced: Static, others: list[HeldAnalysis], frames_of: FramesOf
) -> Iterator[StaticError]:
    """Compare the full load of a static analysis with every unreduced analysis of it with the same load steps."""
    rough = any(joint.friction_law is not None for joint in project.body(reduced.body).contact_joints)
    for full in others:
        if not isinstance(full, UnreducedStatic) or _case(full) != _case(reduced):
            continue
        if rough and (full.friction, full.load_steps) != (reduced.friction, reduced.load_steps):
            continue
        first, second = frames_of(reduced.name), frames_of(full.name)
        if first is not None and second is not None:
            words = [load.text(project.units) for load in reduced.loads]
            words += [acting.text() for acting in reduced.body_loads]
            words += [displacement.text(project.units) for displacement in reduced.displacements]
            load = " and ".join(words) or "preload alone"
            source = f"{reduced.name}, {full.name}"
            yield _error(load, source, _fields(first, -1), _fields(second, -1))


def _of_study(project: Project, study: ConvergenceStudy, frames_of: FramesOf) -> Iterator[StaticError]:
    """Compare the points of the chosen method and number of modes with those of the unreduced model."""
    body = project.body(study.body)
    if any(joint.joint_modes is not None for joint in body.contact_joints):
        return  # a study has one method for all joints
    frames = frames_of(study.name)
    if frames is None:
        return
    points = study.points()
    full = {point.load: i for i, point in enumerate(points) if point.method < 0}
    for i, point in enumerate(points):
        if point.method < 0 or study.methods[point.method].with_count(point.count) != body.joint_modes:
            continue
        load = study.cases()[point.load].text(project.units)
        yield _error(load, study.name, _fields(frames, i), _fields(frames, full[point.load]))


def _case(analysis: HeldAnalysis) -> tuple[object, ...]:
    """Return the decisions that must be equal for two analyses to have the same solution."""
    loads: tuple[object, ...] = tuple((load.interface, load.force, load.moment) for load in analysis.loads)
    loads += tuple((acting.load, acting.factor) for acting in analysis.body_loads)
    loads += analysis.displacements if isinstance(analysis, DisplacedAnalysis) else ()
    return analysis.support, loads, frozenset(analysis.preloads)


def _fields(context: FieldContext, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return displacements and gaps of a frame, counted from the end if negative."""
    at = frame % context.frames.n_frames
    displacement, gap = fields["displacement"](), fields["gap"]()
    gaps = [gap.evaluate(context, joint.name, at) for joint in context.body.joints]
    return displacement.evaluate(context, "", at).ravel(), np.concatenate(gaps or [np.zeros(0)])


def _error(
    load: str, source: str, reduced: tuple[np.ndarray, np.ndarray], full: tuple[np.ndarray, np.ndarray]
) -> StaticError:
    errors = [static_error(a, b) if b.any() else float("nan") for a, b in zip(reduced, full, strict=True)]
    return StaticError(load, source, errors[0], errors[1])
