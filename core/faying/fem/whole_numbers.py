"""Whole numbers in texts: of nodes, elements and things counted, none beyond what a double holds exactly."""

from faying.errors import shortened
from faying.fem.model import LARGEST_ID


def whole_number(text: str) -> int:
    """Return a text as an integer.

    Raises:
        ValueError: when it is none, or so large that it numbers nothing.
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
    """Return whether a text is digits with or without a sign: a number rather than a name."""
    return text.isascii() and text.lstrip("+-").isdecimal()
