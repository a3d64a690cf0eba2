"""Parts of a body connected only by contact."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from faying.errors import FayingError
from faying.fem.connectivity import connected_parts, held_parts, part_names
from faying.fem.surface import Surface
from faying.joints.ties import AS_NEEDED
from faying.project.bodies import interface_row
from faying.project.checks import CheckedProject, Finding, checks, spoils
from faying.project.specs import BodySpec


@checks.register("loose_parts")
@spoils("interior")
def loose_parts(checked: CheckedProject) -> Iterator[Finding]:
    """Check that every part connected by elements and couplings has an interface node, or is tied weakly.

    The interior problem holds the body at its interface nodes; a part without one has rigid body motions, since contact
    is not part of the stiffness matrix.
    """
    for path, body, model in checked.bodies():
        if model is None or body.model.is_reduced:
            continue
        labels, count = connected_parts(model)
        if count < 2:
            continue
        held_nodes = []
        for interface in body.held_interfaces:
            with suppress(FayingError):  # the check of interface nodes reports missing ones
                held_nodes.append(interface_row(interface, model))
        held = held_parts(labels, held_nodes)
        share = AS_NEEDED if body.weak_ties is None else body.weak_ties
        touched = _parts_of_joints(checked, body, labels)
        carried: str | None = None  # the same for all parts
        for part, name in enumerate(part_names(model, labels)):
            if part in held:
                continue
            if share and part in touched:
                carried = _carried(checked, body, share) if carried is None else carried
                yield Finding(
                    "note", path,
                    f"Body {body.name!r}: {name} hangs on the rest by contact and "
                    f"by weak ties of {share:.3g} of the stiffness of the joint's surfaces.{carried}",
                    "See how much they change: results with half and with twice of it (weak_ties of the body) should "
                    "agree.",
                )  # fmt: skip
            else:
                tie = "or tie it weakly (weak_ties = 1e-5 of the body)" if part in touched else (
                    "or make a joint with what it touches, whose weak ties then hold it"
                )  # fmt: skip
                yield Finding(
                    "error", path,
                    f"Body {body.name!r}: {name} hangs on the rest by contact alone and "
                    "has no interface node, so it could fly away.",
                    f"Join it by a beam or a coupling (a bolt, for instance), add an interface node on it, {tie}.",
                )  # fmt: skip


def _parts_of_joints(checked: CheckedProject, body: BodySpec, labels: np.ndarray) -> set[int]:
    """Return the parts with joints of a body."""
    found: set[int] = set()
    for joint in body.contact_joints:
        for surface in checked.surfaces(body, joint).values():
            if isinstance(surface, Surface):
                found |= set(labels[surface.nodes].tolist())
    return found


def _carried(checked: CheckedProject, body: BodySpec, share: float) -> str:
    """Return a sentence with the weak ties' share of the force in closed joints (springs parallel to the law)."""
    largest = 0.0
    for joint in body.contact_joints:
        proposal = checked.stiffness_proposal(body, joint)
        with suppress(FayingError):  # the check of the contact stiffness reports errors of a law
            if proposal is not None:
                softness = checked.penetration(joint.contact_law, proposal) / proposal.penetration
                largest = max(largest, share * softness / (1.0 + share * softness))
    return (
        f" Where a joint is closed they carry about {100.0 * largest:.2g} % of its force." if largest else ""
    )
