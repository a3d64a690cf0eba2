"""The page of the numbers that every example must give, with the measured ones."""

import json
from importlib.resources import files

from faying.examples import examples
from faying.manual import reference_pages
from faying.manual._tables import table
from faying.units import UnitSystemName, unit_text


@reference_pages.register("verification")
def verification() -> str:
    """Return the page: every example's numbers, with reference, kind, tolerance and source."""
    parts = [
        "# Verification",
        "Every [example](examples.md) is a test. `faying demo NAME` runs one and prints these numbers next to those "
        "that it measured. The kind of each reference is named: *analytical* (a formula or theorem), *published*, "
        "*independent code* (another program's result for the same model), *unreduced model* (the same equations "
        "without reduction: it verifies the reduction alone) and *regression* (what this program gave before: no "
        "verification). "
        "Tolerances are shares of the reference, and absolute where that is zero. With friction, contact or "
        "flexibility switched off (whichever an example is about), some of its numbers must be missed; a test checks "
        "this for every example.",
        "*Measured* are the numbers of the last complete runs for this page; examples without them have only been run "
        "by tests, most of them shorter. `faying demo` measures again.",
    ]
    values = measured()
    for name, kind in sorted(examples.items()):
        example = kind()
        units = example.build(quick=True).units
        given = values.get(name, {})
        rows = [
            (each.name.replace("_", " "), _with_unit(each.reference, each.quantity, units), each.reference_kind,
             _tolerance(each.tolerance, each.reference),
             _with_unit(given[each.name], each.quantity, units) if each.name in given else "–", each.source)
            for each in example.expected
        ]  # fmt: skip
        parts.append(f"## {name}")
        parts.append(table(("number", "reference", "kind", "tolerance", "measured", "source"), rows))
    return "\n\n".join(parts) + "\n"


def measured() -> dict[str, dict[str, float]]:
    """Return the numbers measured in full runs by example and name; ``tests/measured.py`` collects them."""
    text = files("faying_resources").joinpath("manual", "measured.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


def _with_unit(value: float, quantity: str, units: UnitSystemName) -> str:
    return f"{value:.6g} {unit_text(quantity, units)}".strip()


def _tolerance(tolerance: float, reference: float) -> str:
    return f"{100 * tolerance:.3g} %" if reference else f"{tolerance:.3g}"
