"""Interface nodes: existing, single, and not part of a joint."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.project.bodies import interface_row
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.specs import BodySpec, InterfaceSpec


@checks.register("interface_nodes")
@spoils("interior")
def interface_nodes(checked: CheckedProject) -> Iterator[Finding]:
    """Check that interfaces are single, distinct nodes outside the joints' surfaces."""
    for path, body, model in checked.bodies():
        if not body.interfaces:
            yield Finding(
                "note", path,
                f"Body {body.name!r} has no interface node: it is free, and can be held and loaded nowhere.",
                "Add nodes where it is held and loaded, unless it is to fly freely. Its component modes need vibration "
                "modes then; Guyan's method has none.",
            )  # fmt: skip
        if model is None:
            continue
        users: dict[int, list[str]] = defaultdict(list)
        for i, interface in enumerate(body.interfaces):
            place: EntityPath = (*path, "interfaces", i)
            try:
                row = interface_row(interface, model, body.name)
            except FayingError as problem:
                yield Finding("error", place, problem.message, problem.hint)
                continue
            users[row].append(interface.name)
            if interface.components:  # a marker alone holds nothing
                yield from _inside_joint(checked, body, model, interface, place, row)
        for names in users.values():
            if len(names) > 1:
                both = " and ".join(repr(name) for name in names)
                yield Finding(
                    "error", path, f"The interface nodes {both} are the same node.", "Remove one of them."
                )


def _inside_joint(
    checked: CheckedProject,
    body: BodySpec,
    model: FeModel,
    interface: InterfaceSpec,
    place: EntityPath,
    row: int,
) -> Iterator[Finding]:
    """A held interface node, or one coupled to joint nodes, forces zero slip on the joint there."""
    # A sliding support holds only one direction.
    ruled = [
        c.nodes
        for c in model.couplings
        if c.reference == row and c.kind == "kinematic" and {1, 2, 3} <= set(c.components)
    ]
    moved = np.unique(np.concatenate([[row], *ruled]))
    for joint in body.contact_joints:
        for side, surface in checked.surfaces(body, joint).items():
            if not isinstance(surface, Surface):
                continue
            inside = np.intersect1d(moved, surface.nodes)
            if row in inside:
                yield Finding(
                    "error", place,
                    f"Interface node {interface.name!r} lies on the {side} surface of joint {joint.name!r}.",
                    "Hold and load the body away from the joint, or at a reference node next to it.",
                )  # fmt: skip
            elif len(inside) > 0.1 * len(surface.nodes):
                yield Finding(
                    "warning", place,
                    f"Interface node {interface.name!r} makes {len(inside)} of the {len(surface.nodes)} nodes of the "
                    f"{side} surface of joint {joint.name!r} rigid.",
                    "Couple it to nodes outside of the joint.",
                )  # fmt: skip
