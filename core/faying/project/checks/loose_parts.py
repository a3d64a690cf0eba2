"""Parts of a body that hang together through contact alone."""

from collections.abc import Iterator
from contextlib import suppress

from faying.errors import FayingError
from faying.fem.connectivity import connected_parts, part_names
from faying.project.bodies import interface_row
from faying.project.checks import CheckSubject, Finding, checks, spoils


@checks.register("loose_parts")
@spoils("interior")
def loose_parts(subject: CheckSubject) -> Iterator[Finding]:
    """Check that every part that elements and couplings keep together has an interface node.

    The interior problem holds the body at its interface nodes; a part without one could fly away, since
    contact is not part of the stiffness matrix.
    """
    for path, body, model in subject.bodies():
        if model is None or not body.interfaces:
            continue
        labels, count = connected_parts(model)
        if count < 2:
            continue
        held = set()
        for interface in body.interfaces:
            with suppress(FayingError):  # the check of interface nodes names those that are not there
                held.add(int(labels[interface_row(interface, model)]))
        for part, name in enumerate(part_names(model, labels)):
            if part in held:
                continue
            if body.weak_ties:
                yield Finding(
                    "note", path,
                    f"Body {body.name!r}: {name} hangs on the rest by contact and "
                    f"by weak ties of {body.weak_ties:.3g} of the stiffness of the joint's surfaces.",
                    "See how much they change: results with half and with twice of it should agree.",
                )  # fmt: skip
            else:
                yield Finding(
                    "error", path,
                    f"Body {body.name!r}: {name} hangs on the rest by contact alone and "
                    "has no interface node, so it could fly away.",
                    "Join it by a beam or a coupling (a bolt, for instance), add an interface node on it, or tie "
                    "it weakly.",
                )  # fmt: skip
