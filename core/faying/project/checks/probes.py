"""Probes: existing nodes and elements, and fields that can be evaluated there."""

from collections.abc import Iterator

from faying.errors import FayingError, ModelError
from faying.fem.model import FeModel
from faying.project.checks import CheckedProject, Finding, checks, spoils
from faying.results.formula import find_field
from faying.results.places import ProbeSpec, field_at_places


@checks.register("probes")
@spoils()
def probes(checked: CheckedProject) -> Iterator[Finding]:
    """Check the probes of each body."""
    for path, body, model in checked.bodies():
        for i, probe in enumerate(body.probes):
            problem = _problem(probe, model)
            if problem is not None:
                yield Finding(
                    "warning", (*path, "probes", i),
                    f"Body {body.name!r}, probe {probe.curve().name!r}: {problem.message}", problem.hint,
                )  # fmt: skip


def _problem(probe: ProbeSpec, model: FeModel | None) -> FayingError | None:
    try:
        field_at_places(find_field(probe.field))
        if model is not None:
            probe.curve().places(model)
    except ModelError as error:
        return error
    return None
