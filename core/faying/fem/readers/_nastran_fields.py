"""Fields of Nastran cards as numbers, lists of numbers and components."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from faying.errors import shortened
from faying.fem.readers._abaqus_numbers import as_integers, bulk_numbers
from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._number_index import NumberIndex
from faying.fem.readers._text_files import FileLine
from faying.fem.whole_numbers import is_whole_number, whole_number

_EXPONENT_WITHOUT_E = re.compile(r"([+-]?\d*\.?\d*)([+-]\d+)")  # 7.85-9 means 7.85e-9
_SIGN_INSIDE = re.compile(r"(?<=[\d.])(?=[+-])")


def real(card: BulkCard, index: int, what: str, default: float = 0.0) -> float:
    """Return a field as a number, the default if blank.

    Raises:
        ReadError: when it is no finite number.
    """
    text = card.text(index)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        match = _EXPONENT_WITHOUT_E.fullmatch(text)
        written = f"{match[1]}E{match[2]}" if match else text.upper().replace("D", "E")
        try:
            value = float(written)
        except ValueError:
            value = np.nan
    if not np.isfinite(value):
        raise card.place.error(f"found {shortened(text)!r}, expected a number ({what}).", "Mend this line.")
    return value


def differs(card: BulkCard, index: int, other: int) -> bool:
    """Return whether a field is given and differs from another field, which is zero if blank.

    Raises:
        ReadError: when one of them is not a finite number.
    """
    return bool(card.text(index)) and real(card, index, "a number") != real(card, other, "a number")


def integer(card: BulkCard, index: int, what: str, default: int | None = None) -> int:
    """Return a field as an integer, the default if blank and there is one.

    Raises:
        ReadError: when it is none.
    """
    text = card.text(index)
    if not text and default is not None:
        return default
    try:
        return whole_number(text)
    except ValueError:
        raise card.place.error(
            f"found {shortened(text)!r} in field {index + 2} of {card.name}, expected {what}.",
            "Mend this line.",
        ) from None


def reals(cards: list[BulkCard], indices: range, what: str) -> np.ndarray:
    """Return (n, k) the same fields of several cards as numbers, zero if blank.

    Raises:
        ReadError: for the first field that is not a finite number.
    """
    texts = _SIGN_INSIDE.sub("E", ",".join(_texts(cards, indices)))
    found = bulk_numbers([texts]) if cards else np.zeros(0)
    if found is None or len(found) != len(cards) * len(indices):
        found = np.array([[real(card, i, what) for i in indices] for card in cards])
    return found.reshape(len(cards), len(indices))


def integers(cards: list[BulkCard], indices: range, what: str, default: int | None = None) -> np.ndarray:
    """Return (n, k) the same fields of several cards as integers, the default if blank and there is one.

    Raises:
        ReadError: for the first that is none.
    """
    texts = _texts(cards, indices, "" if default is None else str(default))
    # A real such as 3.0 is not an integer, so the fast conversion accepts only digits.
    values = bulk_numbers([",".join(texts)]) if all(map(is_whole_number, texts)) else None
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
        ReadError: when it contains anything else.
    """
    text = card.text(index)
    if not text or set(text) - set("123456"):
        raise card.place.error(
            f"found {text!r} in field {index + 2} of {card.name}, expected some of the components 1 to 6.",
            "Mend this line.",
        )
    return tuple(sorted({int(digit) for digit in text}))


@dataclass(frozen=True)
class NumberList:
    """A list such as 1, 2, 5 THRU 900000, EXCEPT 7; ranges are kept as such, however long.

    Attributes:
        runs: (first, last) of single numbers and ranges.
        left_out: members after EXCEPT.
    """

    runs: tuple[tuple[int, int], ...]
    left_out: frozenset[int]

    def find(self, table: NumberIndex) -> np.ndarray:
        """Return (m,) the indices of existing members, in the order of the list."""
        found = [table.between(first, last) for first, last in self.runs]
        rows = np.concatenate([np.zeros(0, np.int64), *found])
        left_out = table.find(np.array(sorted(self.left_out), np.int64))
        return np.asarray(rows[~np.isin(rows, left_out)])

    def first_missing(self, table: NumberIndex) -> int | None:
        """Return the first member that does not exist, or None."""
        for first, last in self.runs:
            if len(table.between(first, last)) == last - first + 1:
                continue
            start, stop = np.searchsorted(table.numbers, [first, last + 1])
            before = first - 1
            for known in (*table.numbers[start:stop].tolist(), last + 1):
                gap = range(before + 1, known)
                missing = next((number for number in gap if number not in self.left_out), None)
                if missing is not None:
                    return missing
                before = known
        return None


def numbers(texts: Iterable[str], place: FileLine) -> NumberList:
    """Return a list of numbers and ranges; blank entries are skipped.

    Raises:
        ReadError: for an entry that is neither, or a range without end.
    """
    runs: list[tuple[int, int]] = []
    left_out: set[int] = set()
    words = [text for text in texts if text]
    at, excepting = 0, False
    while at < len(words):
        word = words[at].upper()
        try:
            if word == "THRU" and runs and at + 1 < len(words):
                runs.append((runs[-1][1] + 1, whole_number(words[at + 1])))
                at += 1
            elif word == "EXCEPT":
                excepting = True
            else:
                number = whole_number(word)
                # Numbers after EXCEPT belong to it as long as they lie within the preceding range.
                excepting = excepting and bool(runs) and number <= runs[-1][1]
                if excepting:
                    left_out.add(number)
                else:
                    runs.append((number, number))
        except ValueError:
            raise place.error(
                f"found {shortened(words[at])!r}, expected a number, THRU or EXCEPT.", "Mend this list."
            ) from None
        at += 1
    return NumberList(tuple(runs), frozenset(left_out))
