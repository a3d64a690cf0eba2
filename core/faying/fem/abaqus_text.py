"""Numbers and names as written in Abaqus and CalculiX decks."""

from collections.abc import Iterable, Iterator

_PER_LINE = 12


def lines(numbers: Iterable[int]) -> Iterator[str]:
    """Yield lines of numbers; all but the last end in a comma."""
    texts = [str(number) for number in numbers]
    for i in range(0, len(texts), _PER_LINE):
        end = "," if i + _PER_LINE < len(texts) else ""
        yield ", ".join(texts[i : i + _PER_LINE]) + end


def real(value: float) -> str:
    """Return a number in at most twenty characters."""
    return f"{value:.12e}" if value != int(value) or abs(value) > 1e9 else f"{int(value)}."


def name_of(name: str) -> str:
    """Return a name that is valid in a deck: quoted if it contains blanks or commas, and without dots (instance names).

    Line ends and quotation marks become underscores, so that a name cannot add keywords to a deck.
    """
    plain = "".join("_" if c in '."' or not c.isprintable() else c for c in name)
    return f'"{plain}"' if any(c in plain for c in " ,=*") else plain


def line_of(text: str) -> str:
    """Return a text as one line that is neither a keyword nor a comment."""
    return "".join(c if c.isprintable() else " " for c in text).lstrip(" *")
