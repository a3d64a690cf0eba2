"""Parts of a body that hang together through contact alone."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from faying.errors import FayingError
from faying.fem.connectivity import connected_parts
from faying.fem.model import FeModel
from faying.project.bodies import interface_row
from faying.project.checks import CheckSubject, Finding, checks


@checks.register("loose_parts")
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
        for part in range(count):
            if part not in held:
                yield Finding(
                    "error", path,
                    f"Body {body.name!r}: {_name(model, labels, part)} hangs on the rest by contact alone and has no "
                    "interface node, so it could fly away.",
                    "Join it by a beam or a coupling (a bolt, for instance), or add an interface node on it.",
                )  # fmt: skip


def _name(model: FeModel, labels: np.ndarray, part: int) -> str:
    """Return the part's size, and the smallest element set that holds all of it."""
    of_element = np.concatenate([labels[block.connectivity[:, 0]] for block in model.blocks])
    mine = np.flatnonzero(of_element == part)
    size = f"the part of {len(mine)} elements and {int((labels == part).sum())} nodes"
    fitting = [
        (len(elements), name)
        for name, elements in model.element_sets.items()
        if len(elements) < len(of_element) and np.isin(mine, elements).all()
    ]
    return f"{size} (element set {min(fitting)[1]})" if len(mine) and fitting else size
