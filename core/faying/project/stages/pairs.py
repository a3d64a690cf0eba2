"""The contact pairs of a joint."""

from pathlib import Path

from faying.errors import ModelError
from faying.fem.shell_sides import facing_sides
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.progress import Progress
from faying.project.reduced_bodies import joint_in_file
from faying.project.specs import JointSpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.model import Model
from faying.project.stages.skin import OuterSkin


@stages.register("pairs")
class Pairs(Stage[ContactPairs]):
    """Selects both surfaces and projects the slave nodes or integration points."""

    title = "contact pairs"
    order = 40
    per = "joint"
    version = 3
    weight = 0.3

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return how surfaces are selected, and how pairs are searched."""
        joint = _joint_of(project, target)
        if project.body(target.body).model.is_reduced:
            return {"joint": joint.name}
        return {"master": joint.master, "slave": joint.slave, "search": joint.search}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and skin; only the model for a body read in reduced form, whose file contains the pairs."""
        reduced = project.body(target.body).model.is_reduced
        return of_same_body(target, Model) if reduced else of_same_body(target, Model, OuterSkin)

    def compute(self, context: StageContext, progress: Progress) -> ContactPairs:
        """Return the pairs."""
        joint = _joint_of(context.project, context.target)
        if context.project.body(context.target.body).model.is_reduced:
            return joint_in_file(context.project.body(context.target.body), joint.name, context.base).pairs
        model, skin = context.get(Model), context.get(OuterSkin)
        surfaces = []
        for role, selection in (("master", joint.master), ("slave", joint.slave)):
            try:
                surfaces.append(selection.select(model, skin))
            except ModelError as error:
                raise ModelError(
                    f"Joint {joint.name!r}, {role} surface: {error.message}", error.hint
                ) from None
        master, slave = facing_sides(model, *surfaces)
        try:
            return find_contact_pairs(model.nodes, master, slave, joint.search, progress, model.blocks)
        except ModelError as error:
            raise ModelError(f"Joint {joint.name!r}: {error.message}", error.hint) from None


def pairs_of(project: Project, body: str) -> dict[str, Target]:
    """Return the contact pairs of all joints of a body as needs.

    Numbered rather than named, so that renaming a joint does not make the basis stale.
    """
    joints = project.body(body).contact_joints
    return {f"pairs {i + 1}": Target(Pairs.name, body, joint.name) for i, joint in enumerate(joints)}


def all_pairs(context: StageContext, body: str = "") -> list[ContactPairs]:
    """Return the contact pairs of all joints of the target's body, or of a named one, in its order."""
    joints = context.project.body(body or context.target.body).contact_joints
    return [context.get(Pairs, joint.name, body) for joint in joints]


def _joint_of(project: Project, target: Target) -> JointSpec:
    """Return the joint of a target."""
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
