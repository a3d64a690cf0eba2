"""Interface nodes without constraint modes, and the compliance that is lost there."""

from collections.abc import Iterator

import numpy as np

from faying.project.checks import CheckedProject, Finding, Remedy, checks
from faying.reduction.interior import ALL_COMPONENTS
from faying.results.verdicts import percent

_FELT = 0.02


@checks.register("marker_compliance")
def marker_compliance(checked: CheckedProject) -> Iterator[Finding]:
    """Check how much softer the FE model is than its reduced body at these nodes."""
    for number, body in enumerate(checked.project.bodies):
        reduced = checked.reduced.get(body.name)
        for at, interface in enumerate(body.interfaces):
            lost = reduced.lost_compliances.get(interface.name) if reduced else None
            if lost is None or interface.components == ALL_COMPONENTS:
                continue
            worst = [
                f"{what} {'xyz'[int(np.argmax(shares))]} finds {percent(shares.max())} less compliance"
                for what, shares in (("a force along", lost[:3]), ("a moment about", lost[3:]))
                if shares.max(initial=0.0) > _FELT
            ]
            if not worst:
                continue
            yield Finding(
                "warning", ("bodies", number, "interfaces", at),
                f"At {interface.name!r} of body {body.name!r} {' and '.join(worst)} than in the FE model, "
                "since it has no constraint modes there.",
                "Give the node constraint modes for all its motions where a force or a constraint acts on it; for what "
                "is only measured there it may stay.",
                remedy=Remedy(
                    "Give it constraint modes", ("bodies", number, "interfaces", at, "components"), ALL_COMPONENTS
                ),
            )  # fmt: skip
