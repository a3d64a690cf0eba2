"""Large tables of numbers in text, read in bulk; what does not fit is looked for line by line."""

import io
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.io

from faying.errors import ReadError
from faying.progress import Progress

_CHUNK = 8_000_000  # bytes between two reports
_BLANKS_TO_LINES = bytes.maketrans(b" \t\r", b"\n\n\n")


def first_fields(head: bytes) -> list[str]:
    """Return the fields of the first line with numbers; comments and keywords begin with *, # or %."""
    for line in head.decode("ascii", "replace").splitlines():
        if line.strip() and line.lstrip()[0] not in "*#%":
            return line.replace(",", " ").split()
    return []


def read_table(path: Path, columns: int, what: str, progress: Progress) -> np.ndarray:
    """Return (n, columns) numbers, separated by blanks or commas; comments and blank lines are passed over.

    Args:
        path: of the text file.
        columns: numbers in each line.
        what: what a line holds, for the sentence: "a row, a column and a value".
        progress: reports and cancels.

    Raises:
        ReadError: naming the first line that is otherwise.
    """
    text = path.read_bytes()
    size, parts, line = max(len(text), 1), [], 1
    start = 0
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
        # Blanked, not cut out: the lines keep their numbers.
        chunk = re.sub(rb"(?m)^[ \t]*[*#%][^\n]*$", b"", chunk)
    text = chunk.replace(b",", b" ")
    if b"D" in text or b"d" in text:
        text = text.replace(b"D", b"E").replace(b"d", b"e")
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    numbers = quick_numbers(text, columns * lines)
    if numbers is None:
        lines = sum(1 for row in text.split(b"\n") if row.strip())
        numbers = _careful_numbers(text)
        if len(numbers) != columns * lines:
            raise _wrong_line(path, text, line, columns, what)
    return numbers.reshape(-1, columns)


def quick_numbers(text: bytes, count: int) -> np.ndarray | None:
    """Return (count,) numbers separated by blanks, or None when this is not plainly what the text holds.

    Five times as fast as numpy: the reader of MatrixMarket arrays, which overlooks what follows a number, so only
    plain numbers are given to it.
    """
    if text.translate(None, b"0123456789+-.eE \t\r\n") or _is_glued(text):
        return None
    head = b"%%%%MatrixMarket matrix array real general\n%d 1\n" % count
    try:
        numbers = scipy.io.mmread(io.BytesIO(head + text.translate(_BLANKS_TO_LINES)))
    except (ValueError, OverflowError):
        return None
    return np.asarray(numbers, float).ravel()


def _is_glued(text: bytes) -> bool:
    """Return whether a sign follows a digit, as in Fortran's 1.0-100 for 1.0E-100."""
    letters = np.frombuffer(text, np.uint8)
    signs = np.flatnonzero((letters[1:] == ord("+")) | (letters[1:] == ord("-")))
    before = letters[signs]
    return bool(((before == ord(".")) | ((before >= ord("0")) & (before <= ord("9")))).any())


def _careful_numbers(text: bytes) -> np.ndarray:
    with warnings.catch_warnings():
        # Text that is no number makes numpy warn or raise, by version.
        warnings.simplefilter("error")
        try:
            return np.fromstring(text, sep=" ")
        except (DeprecationWarning, ValueError):
            return np.zeros(0)


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
                word = field.decode("ascii", "replace")
                return ReadError(path, number, f"found {word!r}, expected a number ({what}).")
    return ReadError(path, line, f"the lines from here on are not {what}.")


def _rows(text: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    for offset, row in enumerate(text.split(b"\n")):
        if row.strip():
            yield line + offset, row


def as_indices(path: Path, numbers: np.ndarray, what: str) -> np.ndarray:
    """Return a column of a table as integers.

    Raises:
        ReadError: when one is none.
    """
    with np.errstate(invalid="ignore"):
        integers = numbers.astype(np.int64)
    wrong = np.flatnonzero(integers != numbers)
    if len(wrong):
        raise ReadError(path, None, f"entry {wrong[0] + 1}: found {numbers[wrong[0]]:g}, expected {what}.")
    return integers
