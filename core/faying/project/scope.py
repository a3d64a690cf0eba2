"""The scope of a computation: the bodies, joints, analyses and systems on which its targets depend."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from faying.errors import FayingError
from faying.project.checks import EntityPath, Finding
from faying.project.execution import Stages
from faying.project.specs import Project
from faying.project.stage import Target, target_of


@dataclass(frozen=True)
class Scope:
    """Dependencies of targets.

    Attributes:
        targets: the targets and all their inputs.
        entities: paths of bodies, joints, analyses and systems among these.
        stages: (number of a body, stage) for all inputs of bodies.
    """

    targets: frozenset[Target]
    entities: frozenset[EntityPath]
    stages: frozenset[tuple[int, str]]

    def concerns(self, finding: Finding) -> bool:
        """Return whether a finding concerns the scope; findings about the project always do.

        A finding that spoils certain stages of a body concerns a scope only if one of these is in it.
        """
        path = finding.entity
        of_body = path[:1] == ("bodies",) and len(path) > 1
        if (
            of_body
            and finding.stages
            and not any((path[1], stage) in self.stages for stage in finding.stages)
        ):
            return False
        if path[2:3] == ("joints",):
            return path[:4] in self.entities
        return not path or path[:2] in self.entities


def scope_of(project: Project, stages: Stages, targets: Iterable[Target]) -> Scope:
    """Return the scope of targets; inputs of targets that cannot be computed are left out."""
    found, todo = set[Target](), list(targets)
    while todo:
        target = todo.pop()
        if target in found:
            continue
        found.add(target)
        with suppress(FayingError):
            if stages[target.stage].per == "sweep":  # has no needs, since its points are separate projects
                todo.append(target_of(project.analysis(project.analysis(target.item).analysis)))
            todo += stages[target.stage].needs(project, target).values()
    of_bodies = {target.body for target in found if stages[target.stage].per != "motion"}
    of_systems = {target.body for target in found if stages[target.stage].per == "motion"}
    of_joints = {(target.body, target.item) for target in found if stages[target.stage].per == "joint"}
    entities: set[EntityPath] = set()
    for i, body in enumerate(project.bodies):
        if body.name in of_bodies:
            entities.add(("bodies", i))
        for j, joint in enumerate(body.joints):
            if (body.name, joint.name) in of_joints or (body.is_tied(joint) and body.name in of_bodies):
                entities.add(("bodies", i, "joints", j))
    entities |= {("systems", i) for i, system in enumerate(project.systems) if system.name in of_systems}
    computed = {target.item for target in found if target.item}
    entities |= {
        ("analyses", i)
        for i, one in enumerate(project.analyses)
        if target_of(one) in found or any(each.name in computed for each in project.corrections_of(one))
    }
    numbers = {body.name: i for i, body in enumerate(project.bodies)}
    of_stages = {
        (numbers[target.body], target.stage) for target in found if target.body in of_bodies & {*numbers}
    }
    return Scope(frozenset(found), frozenset(entities), frozenset(of_stages))
