"""What the stages of a body have in common: its joints, their pairs, what else of it a stage needs."""

from faying.errors import ModelError
from faying.project.specs import InterfaceSpec, JointSpec, Project
from faying.project.stage import Stage, Target
from faying.reduction.interior import ALL_COMPONENTS


def joint_of(project: Project, target: Target) -> JointSpec:
    """Return the joint that a target is of."""
    body = project.body(target.body)
    for joint in body.joints:
        if joint.name == target.item and body.is_tied(joint):
            raise ModelError(
                f"Joint {joint.name!r} of body {body.name!r} is tied and has no contact pairs.",
                "Treat it as a joint with contact.",
            )
        if joint.name == target.item:
            return joint
    raise ModelError(f"Body {target.body!r} has no joint called {target.item!r}.")


def of_same_body(target: Target, *needed: type[Stage[object]]) -> dict[str, Target]:
    """Return other stages of a target's body as needs, by their names."""
    return {stage.name: Target(stage.name, target.body) for stage in needed}


def interface_values(interface: InterfaceSpec, *without: str) -> dict[str, object]:
    """Return the decisions about an interface node as plain values; `components` only where they are not all."""
    implied = {"components"} if interface.components == ALL_COMPONENTS else set()
    return interface.model_dump(mode="json", exclude={*without, *implied})
