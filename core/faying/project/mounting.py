"""Preload cases of a body: its own, and states after steps that tighten bolts, for training joint modes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from faying.analyses.statics.step_sequence import StepSequence
from faying.project.specs import BodySpec, Project
from faying.reduction.preload import PreloadSpec
from faying.reduction.preload_loads.bolt_force import BoltForce

_ALIKE = 0.05  # relative difference of bolt forces up to which a preload case represents a state


def is_trained(body: BodySpec) -> bool:
    """Return whether joint modes of some joint of the body are trained."""
    return any((joint.joint_modes or body.joint_modes).is_trained for joint in body.contact_joints)


def preload_cases(project: Project, body: str) -> tuple[PreloadSpec, ...]:
    """Return the preload cases of a body; if joint modes are trained, including those of bolts tightened in steps."""
    spec = project.body(body)
    found = list(spec.preloads)
    if is_trained(spec):
        for forces in _states(project, body):
            if case_of(forces, found) is None:
                loads = tuple(BoltForce(bolt=bolt, force=force) for bolt, force in forces.items())
                found.append(PreloadSpec(name=f"tightened: {', '.join(forces)}", loads=loads))
    return tuple(found)


def case_of(forces: Mapping[str, float], cases: Sequence[PreloadSpec]) -> str | None:
    """Return the name of the preload case with only these bolt forces, to within a tolerance; None without one."""
    for case in cases:
        if not all(isinstance(load, BoltForce) for load in case.loads):
            continue
        known = {load.bolt.upper(): load.force for load in cast(tuple[BoltForce, ...], case.loads)}
        if known.keys() == {bolt.upper() for bolt in forces} and all(
            abs(known[bolt.upper()] - force) <= _ALIKE * force for bolt, force in forces.items()
        ):
            return case.name
    return None


def _states(project: Project, body: str) -> Iterator[Mapping[str, float]]:
    for analysis in project.analyses:
        if isinstance(analysis, StepSequence) and analysis.body == body:
            yield from (forces for forces in analysis.bolt_forces() if forces)
