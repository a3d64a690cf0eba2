"""Numbers in data lines: converted in bulk if the lines are regular, else line by line to locate errors.

The fast conversion joins all lines of a card; input that it cannot convert (blank fields, names, mistakes) is parsed
line by line, with errors that name the line.
"""

import math
import warnings

import numpy as np

from faying.errors import shortened
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._text_files import FileLine
from faying.fem.whole_numbers import is_whole_number, whole_number

INTEGER_LIMIT = 2.0**53  # beyond it floats do not represent every integer


def bulk_numbers(lines: list[str]) -> np.ndarray | None:
    """Return (n,) all numbers of the lines in one array, or None if the fast conversion fails."""
    text = ",".join(lines)
    if "D" in text or "d" in text:
        text = text.replace("D", "E").replace("d", "e")
    with warnings.catch_warnings():
        # For text that is not a number numpy warns or raises, depending on its version; both mean line by line.
        warnings.simplefilter("error")
        try:
            numbers = np.fromstring(text, sep=",")
        except (DeprecationWarning, ValueError):
            return None
    # Hexadecimal, "nan" and "inf" would be accepted; the number of commas reveals skipped fields.
    if len(numbers) != text.count(",") + 1 or not np.isfinite(numbers).all():
        return None
    return numbers


def as_integers(numbers: np.ndarray) -> np.ndarray | None:
    """Return (n,) numbers as integers, or None if one is not an integer."""
    if len(numbers) and (np.abs(numbers).max() >= INTEGER_LIMIT or (numbers != np.rint(numbers)).any()):
        return None
    return numbers.astype(np.int64)


def bulk_integers(lines: list[str]) -> np.ndarray | None:
    """Return (n,) all numbers of the lines as integers in one array, or None; trailing commas are allowed."""
    if any(line.rstrip().endswith(",") for line in lines):
        lines = [line.rstrip(", \t") for line in lines]
    numbers = bulk_numbers(lines)
    return None if numbers is None else as_integers(numbers)


def real(text: str, place: FileLine, what: str) -> float:
    """Return a field as a number; a blank field is zero, Fortran's D is an exponent.

    Args:
        text: the field.
        place: its line.
        what: what the field is, for the error message: "a coordinate".

    Raises:
        ReadError: when it is not a finite number.
    """
    if not text:
        return 0.0
    try:
        value = float(text.replace("D", "E").replace("d", "e"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        raise place.error(f"found {shortened(text)!r}, expected a number ({what}).", "Mend this line.")
    return value


def integer(text: str, place: FileLine, what: str) -> int:
    """Return a field as an integer; `what` names the expected field in the error message.

    Raises:
        ReadError: when it is not an integer.
    """
    try:
        return whole_number(text)
    except ValueError:
        raise place.error(f"found {shortened(text)!r}, expected {what}.", "Mend this line.") from None


def is_integer(text: str) -> bool:
    """Return whether a field is an integer rather than a name."""
    return is_whole_number(text)


def reals(card: Card, what: str) -> list[tuple[FileLine, list[float]]]:
    """Return the numbers of each data line of a short card; lines of commas only are skipped."""
    rows = [(place, fields) for place, fields in card.rows() if any(fields)]
    return [(place, [real(text, place, what) for text in fields]) for place, fields in rows]
