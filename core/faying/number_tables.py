"""Tables of two columns of numbers in CSV files."""

import csv
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
    try:
        text = content_of_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not there" if isinstance(error, FileNotFoundError) else "cannot be read"
        raise ReadError(path, None, f"the table of {of} {reason}.", "Choose a CSV file.") from None
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = _words(line)
            if not words:
                continue
            first, second = (float(word) for word in words)
        except (ValueError, csv.Error):
            if not rows:
                continue  # a heading
            raise ReadError(path, number, "this line has no two numbers.", f"Write {columns}.") from None
        rows.append((first, second))
    if not rows:
        raise ReadError(
            path, None, "no line of the table has two numbers alone.", f"Write {columns} in each line."
        )
    return rows


def _words(line: str) -> list[str]:
    for delimiter in ";\t,":
        if delimiter in line:
            return [word.strip() for word in next(csv.reader([line], delimiter=delimiter))]
    return line.split()
