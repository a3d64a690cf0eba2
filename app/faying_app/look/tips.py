"""Tooltips: plain text, broken into lines.

Every label of the window shows plain text (`faying.qss`), tooltips among them: names and messages come from decks and
studies by others, and rich text could load what it names from anywhere. Qt breaks lines of rich text alone.
"""

import textwrap
from functools import lru_cache

_WIDTH = 64  # characters


@lru_cache(4096)  # menus say theirs again after every change, a hundred at a time
def tip(*paragraphs: str) -> str:
    """Return paragraphs as a tooltip whose lines are not too long; empty ones are left out."""
    return "\n".join(textwrap.fill(text, _WIDTH) for text in paragraphs if text)
