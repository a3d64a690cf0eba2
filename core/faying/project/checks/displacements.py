"""Imposed displacements: their interface nodes, and conflicting conditions."""

from collections.abc import Iterator

from faying.analyses import Analysis
from faying.analyses.statics.displacements import COMPONENTS, DisplacementSpec, at_support, given_twice
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.statics.settings import SupportedAnalysis
from faying.analyses.statics.step_sequence import StepSequence
from faying.errors import there_are
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils

_Moved = tuple[EntityPath, str, tuple[DisplacementSpec, ...], tuple[LoadSpec, ...]]


@checks.register("displacements")
@spoils("analysis")
def displacements(checked: CheckedProject) -> Iterator[Finding]:
    """Check that displaced nodes exist, are neither supported nor displaced twice, nor loaded in the same direction."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        body = bodies.get(analysis.owner)
        if body is None:
            continue
        known = [interface.name for interface in body.interfaces]
        for path, name, moved, loads in _displaced(analysis, ("analyses", i)):
            support = getattr(analysis, "support", "")
            yield from _of_one(path, name, moved, loads, support, known)


def _displaced(analysis: Analysis, path: EntityPath) -> Iterator[_Moved]:
    """Yield simultaneous displacements of an analysis, with path, description, and the loads that act too."""
    name = f"Analysis {analysis.name!r}"
    if isinstance(analysis, StepSequence):
        for j, step in enumerate(analysis.steps):
            yield (*path, "steps", j), f"{name}, step {j + 1}", step.own_displacements, step.own_loads
    elif isinstance(analysis, SupportedAnalysis):
        yield path, name, getattr(analysis, "displacements", ()), getattr(analysis, "loads", ())


def _of_one(
    path: EntityPath,
    name: str,
    moved: tuple[DisplacementSpec, ...],
    loads: tuple[LoadSpec, ...],
    support: str,
    known: list[str],
) -> Iterator[Finding]:
    seen = set[tuple[str, int]]()
    for j, each in enumerate(moved):
        place: EntityPath = (*path, "displacements", j)
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
        if not support:
            yield Finding(
                "error", place,
                f"{name}: {node!r} is displaced, but the body is held nowhere, and displacements count from the "
                "support.",
                "Choose an interface node that holds the body.",
            )  # fmt: skip
        if node == support:
            error = at_support(node)
            yield Finding("error", place, f"{name}: {error.message}", error.hint)
        for k in each.given:
            if (node, k) in seen:
                error = given_twice(node, COMPONENTS[k])
                yield Finding("error", place, f"{name}: {error.message}", error.hint)
            seen.add((node, k))
    for j, load in enumerate(loads if seen else ()):
        against = [
            COMPONENTS[k]
            for k, value in enumerate((*load.force, *load.moment))
            if value and (load.interface, k) in seen
        ]
        if against:
            yield Finding(
                "warning", (*path, "loads", j),
                f"{name}: a load acts on {load.interface!r} along {' and '.join(against)}, where its displacement "
                "is given.",
                "It changes the reaction there alone; leave the component free, or remove the load.",
            )  # fmt: skip
