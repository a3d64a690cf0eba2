"""The page from a deck or CAD file to a model, with what is read of each format, from the readers' declarations."""

from collections.abc import Iterator
from importlib.resources import files
from inspect import cleandoc

from faying.fem.elements import element_kinds
from faying.fem.readers import readers
from faying.manual import reference_pages
from faying.manual._tables import table

_NAME = "from-deck-or-cad"


@reference_pages.register(_NAME)
def from_deck_page() -> str:
    """Return the page: its text, then the tables of all formats."""
    written = files("faying_resources").joinpath("manual", f"{_NAME}.md").read_text(encoding="utf-8")
    parts = [written.rstrip()]
    for _, reader in readers.items():
        if reader.cards:
            rows = [("the model", _code(reader.cards))]
            rows += [("loads, supports, steps", _code(reader.case_cards))] if reader.case_cards else []
            endings = ", ".join(f"`{ending}`" for ending in reader.extensions)
            parts += [f"### {reader.title} ({endings})", table(("of", "taken over"), rows)]
    whole = [reader.title for _, reader in readers.items() if not reader.cards]
    parts.append(
        f"Files without cards are read whole: {', '.join(whole)} (see [file formats](reference-formats.md))."
    )
    parts += [
        "## What elements are computed as",
        "By the types of Abaqus and CalculiX that mean them; other formats have the one of the same shape, of eight "
        "nodes C3D8I. One name can mean two elements: **C3D8** has the mean volume change of the element, as in "
        "Abaqus, while CalculiX integrates it plainly, stiffer in bending by 3 and 5 % in two beams of its examples. "
        "Write `C3D8F` for its element, or better `C3D8I`.",
        table(("types", "element"), list(_elements())),
    ]
    return "\n\n".join(parts) + "\n"


def _elements() -> Iterator[tuple[str, str]]:
    """Yield types and description of each element that decks have."""
    for _, kind in element_kinds.items():
        if kind.labels:
            description = cleandoc(kind.__doc__ or "").split("\n\n")
            yield _code(kind.labels), " ".join(" ".join(description).split())


def _code(cards: tuple[str, ...]) -> str:
    return ", ".join(f"`{card}`" for card in dict.fromkeys(cards))
