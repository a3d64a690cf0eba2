"""Tied joints: whether nodes are tied, which are left out, and which are prescribed by other conditions."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from faying.errors import FayingError
from faying.fem.model import FeModel, Tie
from faying.project.bodies import interface_row
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.specs import BodySpec
from faying.units import unit_text

_FEW = 0.5  # relative to the number of nodes of the slave surface
_NAMED = 5


@checks.register("ties")
@spoils("matrices")
def ties(checked: CheckedProject) -> Iterator[Finding]:
    """Check each tied joint."""
    length = unit_text("length", checked.project.units)
    for path, body, model in checked.bodies():
        if model is None:
            continue
        taken = np.zeros(len(model.nodes), bool)
        for joint, tie in zip(body.tied_joints, model.ties, strict=False):
            at, name = (*path, "joints", body.joints.index(joint)), f"Joint {joint.name!r}, which is tied"
            if tie.problem:
                yield Finding("error", at, f"{name}: {tie.problem}", tie.hint)
                continue
            count = len(tie.nodes) + len(tie.left_out)
            if len(tie.left_out):
                few = len(tie.nodes) < _FEW * count
                yield Finding(
                    "warning" if few else "note", at,
                    f"{name}: {len(tie.left_out)} of {count} nodes of its slave surface stay loose, as they do not lie "
                    f"within {tie.distance:.4g} {length} over the master surface: {_numbers(model, tie.left_out)}.",
                    "Raise the distance within which nodes are tied, or swap master and slave if the slave is the "
                    "larger one.",
                    details=tuple(f"node {number}" for number in model.node_ids[tie.left_out]),
                )  # fmt: skip
            twice = tie.nodes[taken[tie.nodes]]
            taken[tie.nodes] = True
            yield from _moved_by_others(body, model, tie, at, name, twice)


def _moved_by_others(
    body: BodySpec, model: FeModel, tie: Tie, at: EntityPath, name: str, twice: np.ndarray
) -> Iterator[Finding]:
    """Report over-constrained tied nodes, and the condition that takes precedence."""
    for coupling in model.couplings:
        both = np.intersect1d(coupling.nodes, tie.nodes) if coupling.kind == "kinematic" else twice[:0]
        if len(both):
            yield Finding(
                "error" if len(both) == len(tie.nodes) else "warning", at,
                f"{name}: {len(both)} of its {len(tie.nodes)} tied nodes are moved by the coupling {coupling.name!r} "
                f"too, which counts for them: {_numbers(model, both)}.",
                "Couple a surface next to the joint, or swap master and slave: nodes of the master surface may be "
                "coupled.",
                details=tuple(f"node {number}" for number in model.node_ids[both]),
            )  # fmt: skip
    if len(twice):
        yield Finding(
            "warning", at,
            f"{name}: {len(twice)} of its {len(tie.nodes)} tied nodes are tied by an earlier joint, which counts for "
            f"them: {_numbers(model, twice)}.",
            "Take them out of one of the slave surfaces, or make one of these the master.",
            details=tuple(f"node {number}" for number in model.node_ids[twice]),
        )  # fmt: skip
    for interface in body.interfaces:
        row = None
        with suppress(FayingError):  # the check of interface nodes reports missing ones
            row = interface_row(interface, model)
        if row is not None and row in tie.nodes:
            yield Finding(
                "error", at,
                f"{name}: the interface node {interface.name!r} is one of its tied nodes, and follows the master.",
                "Hold and load the body at a node of the master surface, or next to the joint.",
            )  # fmt: skip


def _numbers(model: FeModel, rows: np.ndarray) -> str:
    """Return the first node numbers as text: "nodes 4, 7 and 12 more"."""
    first = ", ".join(str(number) for number in model.node_ids[rows[:_NAMED]])
    more = len(rows) - _NAMED
    return f"node{'s'[: len(rows) > 1]} {first}" + (f" and {more} more" if more > 0 else "")
