"""Nastran DMIG: columns of a matrix between grid points, in small-field, large-field (punch files) or free format.

A file may contain several matrices; K… (KAAX, K2GG) is the stiffness, M… the mass, B… the damping; P… has a
column for each load. Scalar points have component 0.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ReadError, shortened
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import (
    DofList,
    LabelledMatrix,
    check_components,
    labelled_from_entries,
)
from faying.fem.whole_numbers import whole_number
from faying.progress import Progress

_SQUARE, _SYMMETRIC = 1, 6
_REAL = (1, 2)  # single and double precision
_LINES = 100_000  # between progress reports
_BARE_EXPONENT = re.compile(r"(?<=[0-9.])([+-])")  # 1.5-3 is 1.5E-3
_FIRST_LETTERS = {"stiffness": "K", "mass": "M", "damping": "B", "loads": "P"}


@matrix_readers.register("nastran")
class NastranMatrixReader(MatrixReader):
    """Every entry names its grid points and components."""

    title: ClassVar[str] = "Nastran DMIG (.pch, .dmig, .bdf)"
    labelled: ClassVar[bool] = True

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether the file contains a DMIG card or begins like bulk data."""
        lines = [line for line in head.splitlines() if line.strip()]
        return any(line.upper().startswith(b"DMIG") for line in lines) or (
            bool(lines) and lines[0].startswith(b"$") and b"DMIG" in path.read_bytes().upper()
        )

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the only matrix, or the stiffness; it needs no list of degrees of freedom."""
        return cls.read_one(path, dofs, progress, "stiffness")

    @classmethod
    def read_one(cls, path: Path, dofs: DofList | None, progress: Progress, wanted: str) -> LabelledMatrix:
        """Return the requested matrix."""
        form, rows, columns, values = _entries(path, progress, wanted)
        if form not in (_SQUARE, _SYMMETRIC):
            raise ReadError(path, None, f"the {wanted} matrix is rectangular, expected a square one.")
        return labelled_from_entries(path, rows, columns, values, is_whole=form == _SQUARE)


def read_columns(path: Path, progress: Progress) -> tuple[DofList, np.ndarray]:
    """Return degrees of freedom (n,) and (n, k) load vectors of P…, in the order of column numbers.

    Raises:
        ReadError: when there is no such matrix, or a card is invalid.
    """
    _, rows, columns, values = _entries(path, progress, "loads")
    check_components(path, rows)
    labels, at = np.unique(rows.labels, return_inverse=True)
    numbers, column = np.unique(columns.labels, return_inverse=True)
    found = np.zeros((len(labels), len(numbers)))
    np.add.at(found, (at, column), values)
    return DofList.of_labels(labels), found


def _entries(path: Path, progress: Progress, wanted: str) -> tuple[int, DofList, DofList, np.ndarray]:
    """Return form, rows, columns and numbers of the requested matrix's entries."""
    found: dict[str, list[tuple[int, int, int, int, float]]] = {}
    forms: dict[str, int] = {}
    for number, fields in _cards(path, progress):
        try:
            name = fields[1].upper()
            if whole_number(fields[2]) == 0:  # the head: form and type
                forms[name] = whole_number(fields[3])
                if whole_number(fields[4]) not in _REAL:
                    raise ReadError(path, number, f"the matrix {name} is complex, expected a real one.")
                continue
            column = whole_number(fields[2]), whole_number(fields[3] or "0")
            entries = found.setdefault(name, [])
            for i in range(5, len(fields), 4):
                if not any(fields[i : i + 3]):
                    continue
                row = whole_number(fields[i]), whole_number(fields[i + 1] or "0")
                entries.append((*row, *column, _real(fields[i + 2])))
        except (ValueError, IndexError):
            raise ReadError(
                path, number, f"found {shortened(', '.join(fields[1:6]))!r}, expected a column of DMIG: name, "
                "point and component, then points, components and numbers.",
            ) from None  # fmt: skip
    name = _chosen(path, [name for name, entries in found.items() if entries], wanted)
    table = np.array([entry[:4] for entry in found[name]], np.int64)
    values = np.array([entry[4] for entry in found[name]])
    rows, columns = (DofList(table[:, i], table[:, i + 1]) for i in (0, 2))
    return forms.get(name, _SYMMETRIC), rows, columns, values


def _chosen(path: Path, names: list[str], wanted: str) -> str:
    """Return the name of the requested matrix: the only one, or the one with its first letter."""
    if not names:
        raise ReadError(path, None, "there is no DMIG matrix with entries.", "Choose a matrix file.")
    letter = _FIRST_LETTERS.get(wanted, "")
    fitting = names if len(names) == 1 else [name for name in names if name.startswith(letter)]
    if len(fitting) != 1:
        raise ReadError(
            path, None, f"none of the matrices {', '.join(names)} is plainly the {wanted}." if not fitting
            else f"the matrices {', '.join(fitting)} may each be the {wanted}.",
            f"Leave one whose name begins with {letter} in the file.",
        )  # fmt: skip
    return fitting[0]


def _cards(path: Path, progress: Progress) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) of each DMIG card, its continuations joined."""
    card: list[str] = []
    begun = 0
    with path.open(encoding="ascii", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            if number % _LINES == 0:
                progress.report(0.5, f"reading {path.name}, line {number}")
            text = line.rstrip("\r\n")
            if not text.strip() or text.startswith("$"):
                continue
            fields = _fields(text)
            if fields[0].strip("*+") and not fields[0].startswith(("*", "+")):
                if card:
                    yield begun, card
                card, begun = ([*fields], number) if fields[0].upper().rstrip("*") == "DMIG" else ([], 0)
            elif card:
                card += fields[1:]
    if card:
        yield begun, card


def _fields(line: str) -> list[str]:
    """Return name and fields of a line, without the continuation mark; a column card's entries begin at index 5."""
    if "," in line:
        fields = [field.strip() for field in line.split(",")]
        return fields[:9] + [""] * (9 - len(fields))
    first = line[:8].strip()
    width, count = (16, 4) if first.endswith("*") or first == "*" else (8, 8)
    return [first, *(line[8 + i * width : 8 + (i + 1) * width].strip() for i in range(count))]


def _real(field: str) -> float:
    text = field.upper().replace("D", "E")
    try:
        return float(text)
    except ValueError:
        return float(_BARE_EXPONENT.sub(r"E\1", text))
