"""Fields of Nastran cards as numbers, lists of numbers and components."""

import re
from collections.abc import Iterable

import numpy as np

from faying.fem.readers._abaqus_numbers import as_integers, bulk_numbers
from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._text_files import Place

_SHORT = re.compile(r"([+-]?\d*\.?\d*)([+-]\d+)")  # 7.85-9 means 7.85e-9
_SIGN_INSIDE = re.compile(r"(?<=[\d.])(?=[+-])")


def real(card: BulkCard, index: int, what: str, default: float = 0.0) -> float:
    """Return a field as a number; a blank one is the default.

    Raises:
        ReadError: when it is no finite number.
    """
    text = card.text(index)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        match = _SHORT.fullmatch(text)
        written = f"{match[1]}E{match[2]}" if match else text.upper().replace("D", "E")
        try:
            value = float(written)
        except ValueError:
            value = np.nan
    if not np.isfinite(value):
        raise card.place.error(f"found {text!r}, expected a number ({what}).", "Mend this line.")
    return value


def integer(card: BulkCard, index: int, what: str, default: int | None = None) -> int:
    """Return a field as an integer; a blank one is the default if there is one.

    Raises:
        ReadError: when it is none.
    """
    text = card.text(index)
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError:
        raise card.place.error(
            f"found {text!r} in field {index + 2} of {card.name}, expected {what}.", "Mend this line."
        ) from None


def reals(cards: list[BulkCard], indices: range, what: str) -> np.ndarray:
    """Return (n, k) the same fields of many cards as numbers; blank ones are zero.

    Raises:
        ReadError: for the first that is no finite number.
    """
    texts = _SIGN_INSIDE.sub("E", ",".join(_texts(cards, indices)))
    found = bulk_numbers([texts]) if cards else np.zeros(0)
    if found is None or len(found) != len(cards) * len(indices):
        found = np.array([[real(card, i, what) for i in indices] for card in cards])
    return found.reshape(len(cards), len(indices))


def integers(cards: list[BulkCard], indices: range, what: str, default: int | None = None) -> np.ndarray:
    """Return (n, k) the same fields of many cards as integers; blank ones are the default if there is one.

    Raises:
        ReadError: for the first that is none.
    """
    texts = _texts(cards, indices, "" if default is None else str(default))
    # A real such as 3.0 is no integer, so only digits take the quick way.
    values = bulk_numbers([",".join(texts)]) if all(text.isdigit() for text in texts) else None
    found = None if values is None else as_integers(values)
    if found is None:
        rows = [[integer(card, i, what, default) for i in indices] for card in cards]
        found = np.array(rows, np.int64)
    return found.reshape(len(cards), len(indices))


def _texts(cards: list[BulkCard], indices: range, blank: str = "0") -> list[str]:
    stop = indices.stop
    return [
        text or blank
        for _, fields, _, _ in cards
        for text in (fields if len(fields) >= stop else [*fields, *[""] * (stop - len(fields))])[
            indices.start : stop
        ]
    ]


def components(card: BulkCard, index: int) -> tuple[int, ...]:
    """Return the components 1 to 6 of a field such as 123456.

    Raises:
        ReadError: when it holds anything else.
    """
    text = card.text(index)
    if not text or set(text) - set("123456"):
        raise card.place.error(
            f"found {text!r} in field {index + 2} of {card.name}, expected some of the components 1 to 6.",
            "Mend this line.",
        )
    return tuple(sorted({int(digit) for digit in text}))


def numbers(texts: Iterable[str], place: Place) -> np.ndarray:
    """Return the numbers of a list such as 1, 2, 5 THRU 9, EXCEPT 7; blank entries are passed over.

    Raises:
        ReadError: for an entry that is neither, or a range without an end.
    """
    found: list[int] = []
    left_out: set[int] = set()
    words = [text for text in texts if text]
    at, excepting = 0, False
    while at < len(words):
        word = words[at].upper()
        if word == "THRU" and found and at + 1 < len(words) and words[at + 1].isdigit():
            found += range(found[-1] + 1, int(words[at + 1]) + 1)
            at += 1
        elif word == "EXCEPT":
            excepting = True
        elif word.isdigit():
            number = int(word)
            # What follows EXCEPT counts as long as it lies within the range before.
            excepting = excepting and number <= found[-1]
            if excepting:
                left_out.add(number)
            else:
                found.append(number)
        else:
            raise place.error(f"found {words[at]!r}, expected a number, THRU or EXCEPT.", "Mend this list.")
        at += 1
    return np.array([number for number in found if number not in left_out], np.int64)
