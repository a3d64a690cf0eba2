"""Large tables of numbers in text, read in bulk; errors are located line by line."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.progress import Progress

_CHUNK = 8_000_000  # bytes between progress reports
_LARGEST_LABEL = 2.0**53  # beyond it floats do not represent every integer
_BLANKS_TO_LINES = bytes.maketrans(b" \t\r", b"\n\n\n")


def first_fields(head: bytes) -> list[str]:
    """Return the fields of the first line with numbers; comments and keywords begin with *, # or %."""
    for line in head.decode("ascii", "replace").splitlines():
        if line.strip() and line.lstrip()[0] not in "*#%":
            return line.replace(",", " ").split()
    return []


def read_table(path: Path, columns: int, what: str, progress: Progress, start: int = 0) -> np.ndarray:
    """Return (n, columns) numbers, separated by blanks or commas; comments and blank lines are skipped.

    Args:
        path: of the text file.
        columns: numbers in each line.
        what: expected content of a line, for the error message: "a row, a column and a value".
        progress: reports and cancels.
        start: number of bytes to skip at the beginning.

    Raises:
        ReadError: naming the first invalid line.
    """
    text = path.read_bytes()
    size, parts, line = max(len(text), 1), [], 1 + text.count(b"\n", 0, start)
    while start < len(text):
        end = text.find(b"\n", min(start + _CHUNK, len(text))) + 1 or len(text)
        chunk = text[start:end]
        parts.append(_numbers(path, chunk, line, columns, what))
        line += chunk.count(b"\n")
        start = end
        progress.report(start / size, f"reading {path.name}")
    table = np.concatenate(parts) if parts else np.zeros((0, columns))
    if not len(table):
        raise ReadError(path, None, f"there is no line with {what}.", "Choose a matrix file.")
    return table


def _numbers(path: Path, chunk: bytes, line: int, columns: int, what: str) -> np.ndarray:
    if b"*" in chunk or b"#" in chunk or b"%" in chunk:
        # Blanked rather than removed, so that lines keep their numbers.
        chunk = re.sub(rb"(?m)^[ \t]*[*#%][^\n]*$", b"", chunk)
    text = chunk.replace(b",", b" ")
    if b"D" in text or b"d" in text:
        text = text.replace(b"D", b"E").replace(b"d", b"e")
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    numbers = quick_numbers(text, columns * lines)
    if numbers is None:
        lines = sum(1 for row in text.split(b"\n") if row.strip())
        numbers = _careful_numbers(text)
    if len(numbers) != columns * lines or not has_columns(text, columns):
        raise _wrong_line(path, text, line, columns, what)
    return numbers.reshape(-1, columns)


def quick_numbers(text: bytes, count: int) -> np.ndarray | None:
    """Return (count,) numbers separated by blanks, or None if the text contains anything else or another count.

    Uses scipy's reader of MatrixMarket arrays, which is five times as fast as numpy. That reader ignores characters
    after a number and crashes the process at an exponent without digits, so it gets only texts that `_is_plain`
    accepts.
    """
    import scipy.io  # late: takes long to import

    if not _is_plain(text):
        return None
    head = b"%%%%MatrixMarket matrix array real general\n%d 1\n" % count
    try:
        numbers = scipy.io.mmread(io.BytesIO(head + text.translate(_BLANKS_TO_LINES)))
    except (ValueError, OverflowError):
        return None
    found = np.asarray(numbers, float).ravel()
    return found if len(found) == count else None


_BLANK, _DIGIT, _POINT, _SIGN, _EXPONENT, _OTHER = range(6)
_KINDS = np.full(256, _OTHER, np.uint8)
for _kind, _letters in enumerate((b" \t\r\n", b"0123456789", b".", b"+-", b"eE")):
    _KINDS[list(_letters)] = _kind
_FOLLOWS = np.zeros((6, 6), bool)  # allowed successions of character classes in plain numbers
_FOLLOWS[_BLANK, [_BLANK, _DIGIT, _POINT, _SIGN]] = True
_FOLLOWS[_DIGIT, [_BLANK, _DIGIT, _POINT, _EXPONENT]] = True
_FOLLOWS[_POINT, [_BLANK, _DIGIT, _EXPONENT]] = True
_FOLLOWS[_SIGN, [_DIGIT, _POINT]] = True
_FOLLOWS[_EXPONENT, [_DIGIT, _SIGN]] = True
_PARTS = np.ones((6, 6), bool)  # the same without digits and signs: one point, then one exponent
_PARTS[_POINT, _POINT] = _PARTS[_EXPONENT, _POINT] = _PARTS[_EXPONENT, _EXPONENT] = False


def _is_plain(text: bytes) -> bool:
    """Return whether a text contains only blanks and complete decimal numbers such as -1.5e-3.

    It rejects, for instance, 1.0-100 (Fortran's 1.0E-100), 1.5.5, "1.5e" in a truncated file, and nan.
    """
    kinds = _KINDS[np.frombuffer(b"\n" + text + b"\n", np.uint8)]
    if not _FOLLOWS[kinds[:-1], kinds[1:]].all():
        return False
    parts = kinds[(kinds == _BLANK) | (kinds == _POINT) | (kinds == _EXPONENT)]
    points = np.flatnonzero(kinds == _POINT)
    has_digits = (kinds[points - 1] == _DIGIT) | (kinds[points + 1] == _DIGIT)
    return bool(_PARTS[parts[:-1], parts[1:]].all() and has_digits.all())


def _careful_numbers(text: bytes) -> np.ndarray:
    try:
        return np.array(text.split(), float)
    except ValueError:
        return np.zeros(0)


def has_columns(text: bytes, columns: int) -> bool:
    """Return whether every non-blank line of a text has a given number of fields."""
    letters = np.frombuffer(b"\n" + text + b"\n", np.uint8)
    blank = _KINDS[letters] == _BLANK
    starts = np.flatnonzero(blank[:-1] & ~blank[1:])
    before_line_ends = np.searchsorted(starts, np.flatnonzero(letters == ord("\n")))
    return bool(np.isin(np.diff(before_line_ends), (0, columns)).all())


def _wrong_line(path: Path, text: bytes, line: int, columns: int, what: str) -> ReadError:
    for number, row in _rows(text, line):
        fields = row.split()
        if len(fields) != columns:
            return ReadError(
                path, number, f"found {len(fields)} fields, expected {columns}: {what}.",
                "Write the file again; it may be cut off or mixed with something else.",
            )  # fmt: skip
        for field in fields:
            try:
                float(field)
            except ValueError:
                word = field[:40].decode("ascii", "replace")
                return ReadError(path, number, f"found {word!r}, expected a number ({what}).")
    return ReadError(path, line, f"the lines from here on are not {what}.")


def _rows(text: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    for offset, row in enumerate(text.split(b"\n")):
        if row.strip():
            yield line + offset, row


def as_indices(path: Path, numbers: np.ndarray, what: str) -> np.ndarray:
    """Return a column of a table (n,) as integers.

    Raises:
        ReadError: when one is not an integer.
    """
    with np.errstate(invalid="ignore"):
        integers = numbers.astype(np.int64)
    wrong = np.flatnonzero((integers != numbers) | ~(np.abs(numbers) < _LARGEST_LABEL))
    if len(wrong):
        raise ReadError(path, None, f"entry {wrong[0] + 1}: found {numbers[wrong[0]]:g}, expected {what}.")
    return integers
