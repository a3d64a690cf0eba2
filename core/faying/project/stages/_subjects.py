"""What the stages of a body have in common: its joints, their pairs, what else of it a stage needs."""

from pathlib import Path
from typing import Any

from faying.errors import ModelError
from faying.joints.pairs import ContactPairs
from faying.project.specs import InterfaceSpec, JointSpec, Project
from faying.project.stage import Context, Target
from faying.reduction.interior import ALL_COMPONENTS


def joint_of(project: Project, target: Target) -> JointSpec:
    for joint in project.body(target.body).joints:
        if joint.name == target.item:
            return joint
    raise ModelError(f"Body {target.body!r} has no joint called {target.item!r}.")


def same_body(*stages: str) -> Any:
    """Return a `needs` that asks for other stages of the same body, by their names."""
    return lambda project, target: {stage: Target(stage, target.body) for stage in stages}


def pairs_of(project: Project, target: Target) -> dict[str, Target]:
    # Numbered, not named: a joint's new name must not make the basis stale.
    joints = project.body(target.body).joints
    return {f"pairs {i + 1}": Target("pairs", target.body, joint.name) for i, joint in enumerate(joints)}


def all_pairs(context: Context) -> list[ContactPairs]:
    """Return the contact pairs of all joints of the body, in its order."""
    count = len(context.project.body(context.target.body).joints)
    return [context.needs(f"pairs {i + 1}") for i in range(count)]


def preloads_of(context: Context) -> Any:
    """Return the preload modes; None for a body without preload cases."""
    return context.needs("preload") if context.project.body(context.target.body).preloads else None


def with_preload(*stages: str) -> Any:
    """Return a `needs` of stages of the same body, contact pairs, and the preload modes if there are cases."""

    def needs(project: Project, target: Target) -> dict[str, Target]:
        more = ["preload"] if project.body(target.body).preloads else []
        found: dict[str, Target] = same_body(*stages, *more)(project, target)
        return {**found, **pairs_of(project, target)}

    return needs


def nothing(project: Project, target: Target, base: Path) -> None:
    return None


def interface_words(interface: InterfaceSpec, *without: str) -> dict[str, Any]:
    """Return the words of an interface node; all components go without saying."""
    implied = {"components"} if interface.components == ALL_COMPONENTS else set()
    return interface.model_dump(mode="json", exclude={*without, *implied})
