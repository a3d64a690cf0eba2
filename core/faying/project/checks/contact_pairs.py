"""Contact pairs: enough of them, and no initial penetration."""

from collections.abc import Iterator

import numpy as np

from faying.joints.pairs import REASONS, ContactPairs
from faying.project.checks import CheckedProject, Finding, checks
from faying.units import unit_text

ENOUGH = 0.5


@checks.register("contact_pairs")
def contact_pairs(checked: CheckedProject) -> Iterator[Finding]:
    """Check the contact pairs found by the search."""
    length = unit_text("length", checked.project.units)
    for path, body, joint, _ in checked.joints():
        pairs = checked.pairs.get((body.name, joint.name))
        if pairs is None:
            continue
        name = f"Joint {joint.name!r}"
        total = len(pairs) + pairs.n_unpaired
        if len(pairs) == 0:
            yield Finding(
                "error", path, f"{name} has no contact pair{_reason(pairs)}.",
                "See whether master and slave are the right surfaces, and raise the search distance.",
            )  # fmt: skip
        elif len(pairs) < ENOUGH * total:
            yield Finding(
                "warning", path,
                f"{name}: only {len(pairs)} of {total} {pairs.slave_word} have a pair{_reason(pairs)}.",
                "Swap master and slave if the slave is the larger one, or raise the search distance.",
            )  # fmt: skip
        penetrating = pairs.initial_gaps < 0.0
        if penetrating.any():
            deepest = -float(pairs.initial_gaps.min())
            yield Finding(
                "warning", path,
                f"{name}: {int(penetrating.sum())} contact pairs penetrate from the start, by up to "
                f"{deepest:.3g} {length}.",
                "Contact pressure will act in the undeformed state; correct the mesh if that is not meant.",
            )  # fmt: skip


def _reason(pairs: ContactPairs) -> str:
    if not len(pairs.unpaired_reasons):
        return ""
    reasons, counts = np.unique(pairs.unpaired_reasons, return_counts=True)
    return f" (most of the others: {REASONS[int(reasons[counts.argmax()])]})"
