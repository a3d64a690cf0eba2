"""Parsing of integers, such as node and element numbers, up to the largest exact in double precision."""

from faying.errors import shortened
from faying.fem.model import LARGEST_ID


def whole_number(text: str) -> int:
    """Return the integer written in a text.

    Raises:
        ValueError: when the text is not an integer, or is too large to be exact in double precision.
    """
    words = text.strip()
    if (
        words.lstrip("+-").isdecimal()
        and words.isascii()
        and len(words) < 20
        and abs(int(words)) < LARGEST_ID
    ):
        return int(words)
    raise ValueError(f"found {shortened(words)!r}, expected a whole number")


def is_whole_number(text: str) -> bool:
    """Return whether a text consists of digits with an optional sign: a number rather than a name."""
    return text.isascii() and text.lstrip("+-").isdecimal()
