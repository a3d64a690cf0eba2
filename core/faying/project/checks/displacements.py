"""Imposed displacements: the interface nodes that they name, and what stands against them."""

from collections.abc import Iterator

from faying.analyses.displacements import COMPONENTS, at_support, given_twice
from faying.analyses.held import HeldStatics
from faying.errors import there_are
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils


@checks.register("displacements")
@spoils("analysis")
def displacements(checked: CheckedProject) -> Iterator[Finding]:
    """Check that displaced nodes are there, apart from the support, moved once, and not loaded that way besides."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        body = bodies.get(analysis.owner)
        if not isinstance(analysis, HeldStatics) or body is None:
            continue
        name, seen = f"Analysis {analysis.name!r}", set[tuple[str, int]]()
        known = [interface.name for interface in body.interfaces]
        for j, each in enumerate(analysis.displacements):
            place: EntityPath = ("analyses", i, "displacements", j)
            node = each.interface
            if node not in known:
                yield Finding(
                    "error", place, f"{name}: a displacement is imposed on {node!r}, which is no interface node.",
                    there_are(node, known),
                )  # fmt: skip
                continue
            if not each.given:
                yield Finding(
                    "warning", place, f"{name}: the displacement of {node!r} leaves every component free.",
                    "Give one of them a value, or remove the displacement.",
                )  # fmt: skip
                continue
            if not analysis.support:
                yield Finding(
                    "error", place,
                    f"{name}: {node!r} is displaced, but the body is held nowhere, and displacements count from the "
                    "support.",
                    "Choose an interface node that holds the body.",
                )  # fmt: skip
            if node == analysis.support:
                error = at_support(node)
                yield Finding("error", place, f"{name}: {error.message}", error.hint)
            for k in each.given:
                if (node, k) in seen:
                    error = given_twice(node, COMPONENTS[k])
                    yield Finding("error", place, f"{name}: {error.message}", error.hint)
                seen.add((node, k))
        for j, load in enumerate(analysis.loads):
            against = [
                COMPONENTS[k]
                for k, value in enumerate((*load.force, *load.moment))
                if value and (load.interface, k) in seen
            ]
            if against:
                yield Finding(
                    "warning", ("analyses", i, "loads", j),
                    f"{name}: a load acts on {load.interface!r} along {' and '.join(against)}, where its displacement "
                    "is given.",
                    "It changes the reaction there alone; leave the component free, or remove the load.",
                )  # fmt: skip
