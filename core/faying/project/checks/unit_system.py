"""The project's unit system compared with the one suggested by the deck."""

from collections.abc import Iterator

from faying.fem.unit_guess import has_usual_size, likely_units, size_in_metres
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("unit_system")
def unit_system(checked: CheckedProject) -> Iterator[Finding]:
    """Compare the project's units with those that fit each body's materials and size."""
    units = checked.project.units
    for path, body, model in checked.bodies():
        if model is None:
            continue
        likely = likely_units(model)
        if likely and units not in likely:
            yield Finding(
                "warning", (*path, "model"),
                f"Body {body.name!r}: size and materials look as if written in {' or '.join(likely)}, "
                f"but the project counts in {units}.",
                "Change the project's units if the deck counts otherwise.",
            )  # fmt: skip
        elif not likely and not has_usual_size(model, units):
            yield Finding(
                "warning", (*path, "model"),
                f"Body {body.name!r} is {size_in_metres(model, units):.3g} m long in the project's units.",
                "See whether the deck is written in these units.",
            )  # fmt: skip
