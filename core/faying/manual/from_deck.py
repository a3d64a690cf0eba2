"""The page from a deck or CAD file to a model, with what is read of each format, from the readers' declarations."""

from importlib.resources import files

from faying.fem.readers import readers
from faying.manual import reference_pages
from faying.manual._tables import table

_NAME = "from-deck-or-cad"


@reference_pages.register(_NAME)
def from_deck_page() -> str:
    """Return the page: what is written of it, then the tables of all formats."""
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
    return "\n\n".join(parts) + "\n"


def _code(cards: tuple[str, ...]) -> str:
    return ", ".join(f"`{card}`" for card in dict.fromkeys(cards))
