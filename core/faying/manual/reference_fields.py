"""Fields and file formats."""

from faying.exporters import exporters
from faying.exporters.plots import plot_writers
from faying.fem.matrix_files import matrix_readers
from faying.fem.readers import readers
from faying.fem.writers import writers
from faying.manual import reference_pages
from faying.manual._tables import UNITS, about, table
from faying.results.fields import fields
from faying.units import unit_text


@reference_pages.register("reference-fields")
def field_page() -> str:
    """Return the page of all fields."""
    rows = [
        (f"`{kind}`", each.title, each.location, unit_text(each.quantity, UNITS) or "–", about(each))
        for kind, each in fields.items()
    ]
    return "\n\n".join([
        "# Fields",
        "What can be shown, probed and exported at every frame. At a *joint*: one number per contact pair; at a "
        f"*body*: one per node. Units in {UNITS}. A positive gap is open; pressure is positive.",
        table(("name", "title", "at", "unit", "what it is"), rows),
    ]) + "\n"  # fmt: skip


@reference_pages.register("reference-formats")
def format_page() -> str:
    """Return the page of all formats that are read and written."""
    parts = ["# File formats"]
    for heading, family in (
        ("FE models, read", readers),
        ("FE models, written", writers),
        ("Matrices, read", matrix_readers),
        ("Results, written", exporters),
        ("Curves, written", plot_writers),
    ):
        rows = []
        for kind, each in family.items():  # type: ignore[attr-defined]
            endings = getattr(each, "extensions", ()) or getattr(each, "endings", ()) or (f".{kind}",)
            rows.append((each.title, ", ".join(f"`{ending}`" for ending in endings), about(each)))
        parts += [f"## {heading}", table(("format", "endings", "what"), rows)]
    return "\n\n".join(parts) + "\n"
