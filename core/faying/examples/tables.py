"""Tables that examples and studies tell beside their expected numbers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of words and numbers under heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
