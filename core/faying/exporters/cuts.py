"""Section planes in text form: "x=12mm", "z=50%, -y=3mm"."""

import re
from dataclasses import dataclass
from typing import Literal

from faying.errors import ModelError
from faying.units import UnitSystemName, read_quantity

Axis = Literal["x", "y", "z"]
_CUT = re.compile(r"([+-]?)\s*([xyz])\s*=\s*(.+)", re.IGNORECASE)
_HINT = "Write such as x=12mm, z=50% or -y=3mm (which leaves out the side of smaller y)."


@dataclass(frozen=True)
class Cut:
    """A plane across an axis.

    Attributes:
        axis: normal of the plane.
        at: position along the axis, in the project's length unit and the coordinates of the deck, or with `is_share` a
            share of the extent, 0 to 1.
        is_share: whether `at` is a share.
        away: the removed side, "+" or "-"; "" for the side of the camera.
    """

    axis: Axis
    at: float
    is_share: bool = False
    away: Literal["", "+", "-"] = ""


def read_cuts(text: str, units: UnitSystemName) -> tuple[Cut, ...]:
    """Return the sections of a text, separated by commas; none for "".

    Args:
        text: "x=12mm", "+z=50%", "x=0.1, y=3 mm": the sign gives the removed side.
        units: of lengths without a unit.

    Raises:
        ModelError: when the text is not a section.
    """
    return tuple(_read_cut(word.strip(), units) for word in text.split(",") if word.strip())


def _read_cut(word: str, units: UnitSystemName) -> Cut:
    words = _CUT.fullmatch(word)
    if words is None:
        raise ModelError(f"{word!r} is no section.", _HINT)
    away, axis, place = words[1], words[2].lower(), words[3].strip()
    is_share = place.endswith("%")
    try:
        at = float(place[:-1]) / 100.0 if is_share else read_quantity(place, "length", units)
    except ValueError:
        raise ModelError(f"{word!r} is no section: {place!r} is no place.", _HINT) from None
    if is_share and not 0.0 <= at <= 1.0:
        raise ModelError(f"{word!r} lies outside of what is shown.", "Shares go from 0% to 100%.")
    return Cut(axis, at, is_share, away)  # type: ignore[arg-type] # the pattern lets no other words through
