"""What the examples are held to."""

from faying.examples import examples
from faying.manual import reference_pages
from faying.manual._tables import table
from faying.units import unit_text


@reference_pages.register("verification")
def verification() -> str:
    """Return the page: every example's numbers, with reference, kind, tolerance and source."""
    parts = [
        "# Verification",
        "Every example is a test. `faying demo NAME` runs one and prints these numbers beside what it measured. The "
        "kind of each reference is named: *analytical* (a formula or theorem), *published*, *independent code* "
        "(another program's result for the same model), *unreduced model* (the same equations without reduction: "
        "it verifies the reduction alone) and *regression* (what this program gave before: no verification).",
    ]
    for name, kind in sorted(examples.items()):
        example = kind()
        units = example.build(quick=True).units
        rows = [
            (each.name.replace("_", " "), f"{each.reference:.6g} {unit_text(each.quantity, units)}".strip(),
             each.reference_kind, _tolerance(each.tolerance, each.reference), each.source)
            for each in example.expected
        ]  # fmt: skip
        parts += [f"## {name}", f"{example.title}. {example.summary}"]
        parts.append(table(("number", "reference", "kind", "tolerance", "source"), rows))
    return "\n\n".join(parts) + "\n"


def _tolerance(tolerance: float, reference: float) -> str:
    return f"{100 * tolerance:.3g} %" if reference else f"{tolerance:.3g}"
