"""The overview of the reference, and a page for each family that decisions choose from."""

from faying.manual import REFERENCE, reference_pages
from faying.manual._families import families, introduction, page_of


@reference_pages.register(REFERENCE)
def overview() -> str:
    """Return the page that leads to all others of the reference."""
    lines = [
        f"- [{family.family[0].upper()}{family.family[1:]}](reference-{name}.md): {introduction(family)}"
        for name, family in families().items()
    ]
    return "\n\n".join([
        "# Reference",
        "Made from the declarations that the program itself reads: it is never out of date.",
        "- [Decisions](reference-decisions.md): all that a study file and the forms can say\n"
        "- [Fields](reference-fields.md), [file formats](reference-formats.md), [commands](reference-commands.md), "
        "[Python](reference-python.md)",
        "What decisions choose from, by its `kind`:",
        "\n".join(lines),
    ]) + "\n"  # fmt: skip


for _name, _family in families().items():
    reference_pages.register(f"reference-{_name}")(page_of(_family))
