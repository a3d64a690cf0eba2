"""Mesh quality: unused and coincident nodes, inverted elements, loose parts, normals, shapes."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.fem.model_checks import CheckedModel, check_model
from faying.project.checks import CheckedProject, Finding, Remedy, checks, spoils

# Findings that other checks of the project report already.
_ELSEWHERE = ("unconnected_parts",)


@checks.register("mesh")
@spoils("matrices")
def mesh(checked: CheckedProject) -> Iterator[Finding]:
    """Check the meshes if requested, since this takes seconds for large models."""
    if not checked.with_meshes:
        return
    for path, body, model in checked.bodies():
        if model is None or body.model.is_reduced:
            continue
        joints = {}
        for joint in body.joints:
            sides = checked.surfaces(body, joint)
            master, slave = sides.get("master"), sides.get("slave")
            if not (
                isinstance(master, FayingError) or isinstance(slave, FayingError) or not master or not slave
            ):
                joints[joint.name] = (master, slave)
        try:
            skin = checked.skin(model)
        except FayingError as error:
            yield Finding("error", (*path, "model"), error.message, error.hint)
            continue
        for found in check_model(CheckedModel(model, skin, joints)):
            if found.check not in _ELSEWHERE:
                numbers = (
                    ("node", model.node_ids[found.nodes]),
                    ("element", model.element_ids[found.elements]),
                )
                details = tuple(f"{what} {number}" for what, own in numbers for number in own)
                place = (*path, "model")
                mended = Remedy("Turn them", (*place, found.remedy), True) if found.remedy else None
                yield Finding(
                    found.severity, place, found.sentence, found.hint, details=details, remedy=mended
                )
