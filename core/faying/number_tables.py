"""Tables of numbers in CSV files: two columns, or columns with headings."""

import csv
import math
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from faying.errors import ReadError
from faying.input_files import content_of_file


def read_columns(path: Path, of: str, columns: str) -> list[tuple[float, float]]:
    """Return the rows of a CSV file with two columns (comma, semicolon, tab or blank); the first lines may be headings.

    Args:
        path: of the file.
        of: what the table belongs to, for errors: "a contact law".
        columns: names of the two columns, for errors: "gap, pressure".

    Raises:
        ReadError: when the file cannot be read, or has no two columns of numbers.
    """
    return [(row[0], row[1]) for row in read_rows(path, of, columns, (2,))]


def read_rows(path: Path, of: str, columns: str, counts: Collection[int]) -> list[tuple[float, ...]]:
    """Return the rows of a CSV file of numbers alone, all as long as the first one; the first lines may be headings.

    Args:
        path: of the file.
        of: what the table belongs to, for errors: "a curve".
        columns: names of the columns, for errors: "x, y, z".
        counts: how many numbers a row may have.

    Raises:
        ReadError: when the file cannot be read, or has no such rows.
    """
    text = _text_of(path, of)
    rows: list[tuple[float, ...]] = []
    most = {2: "two", 3: "three"}.get(max(counts), str(max(counts)))
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = _words(line)
            if not words:
                continue
            row = tuple(float(word) for word in words)
        except (ValueError, csv.Error):
            row = ()
        if len(row) not in counts or (rows and len(row) != len(rows[0])):
            if not rows:
                continue  # a heading
            asked = most if len(rows[0]) == max(counts) else str(len(rows[0]))
            raise ReadError(path, number, f"this line has no {asked} numbers.", f"Write {columns}.")
        rows.append(row)
    if not rows:
        raise ReadError(
            path, None, f"no line of the table has {most} numbers alone.", f"Write {columns} in each line."
        )
    return rows


@dataclass(frozen=True)
class HeadedColumn:
    """A column of a table: its heading, the unit in brackets behind the heading ("" for none), and its numbers.

    Cells without a number are NaN.
    """

    heading: str
    unit: str
    values: tuple[float, ...]


def read_headed_columns(path: Path, of: str) -> tuple[HeadedColumn, ...]:
    """Return the columns of a CSV file (comma, semicolon, tab or blank) with a line of headings.

    A heading may have a unit, "amplitude [um]". Between semicolons or tabs, numbers may have decimal commas. Headings
    are the last line above the numbers; other lines above, empty lines and lines that begin with # are left out.

    Args:
        path: of the file.
        of: what the table is, for errors: "measured points".

    Raises:
        ReadError: when the file cannot be read, has no headings, or a line has other than numbers.
    """
    heads: list[str] = []
    rows: list[list[float]] = []
    for number, line in enumerate(_text_of(path, of).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            words = _words(line)
        except csv.Error:
            words = []
        found = [_number(word) for word in words]
        if not rows and (len(found) < 2 or None in found):
            heads = words
            continue
        if not heads:
            raise ReadError(
                path, number, f"the columns of the {of} have no headings.",
                "Write them in a line above the numbers, with units: amplitude [um], frequency [Hz].",
            )  # fmt: skip
        if len(found) != len(heads) or None in found:
            raise ReadError(
                path, number, f"this line does not have a number below each of the {len(heads)} headings.",
                "Leave a cell empty where nothing was measured, and write no texts between the numbers.",
            )  # fmt: skip
        rows.append([math.nan if value is None else value for value in found])
    if not rows:
        raise ReadError(path, None, f"there are no {of} in it.", "Write numbers below a line of headings.")
    columns = zip(*rows, strict=True)
    return tuple(HeadedColumn(*_heading(head), values) for head, values in zip(heads, columns, strict=True))


def _heading(text: str) -> tuple[str, str]:
    """Return heading and unit of "amplitude [um]" or "amplitude (um)"."""
    for opening, closing in ("[]", "()"):
        if text.endswith(closing) and opening in text:
            name, _, unit = text[:-1].rpartition(opening)
            return name.strip(), unit.strip()
    return text, ""


def _number(word: str) -> float | None:
    """Return the number of a cell, NaN for an empty one, None for a text."""
    try:
        return float(word.replace(",", ".")) if word else math.nan
    except ValueError:
        return None


def _text_of(path: Path, of: str) -> str:
    try:
        return content_of_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not there" if isinstance(error, FileNotFoundError) else "cannot be read"
        raise ReadError(path, None, f"the table of {of} {reason}.", "Choose a CSV file.") from None


def _words(line: str) -> list[str]:
    for delimiter in ";\t,":
        if delimiter in line:
            return [word.strip() for word in next(csv.reader([line], delimiter=delimiter))]
    return line.split()
