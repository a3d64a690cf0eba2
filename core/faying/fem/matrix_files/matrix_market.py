"""MatrixMarket files, coordinate or array, general or symmetric."""

from pathlib import Path
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from faying.errors import ReadError, shortened
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, check_size, labelled
from faying.fem.matrix_files._text import as_indices, read_table
from faying.fem.whole_numbers import whole_number
from faying.progress import PartialProgress, Progress

_STORAGES = ("coordinate", "array")
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_SYMMETRIES = ("general", "symmetric")
_LONGEST = 10_000  # characters of a line


@matrix_readers.register("matrix_market")
class MatrixMarketReader(MatrixReader):
    """Requires a list of degrees of freedom."""

    title: ClassVar[str] = "MatrixMarket (.mtx with a list of degrees of freedom)"
    labelled: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether it begins with %%MatrixMarket."""
        return head.lower().startswith(b"%%matrixmarket")

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix."""
        storage, field, symmetry, start = _head(path)
        columns = 1 if storage == "array" else 2 if field == "pattern" else 3
        what = {1: "a value", 2: "a row and a column", 3: "a row, a column and a value"}[columns]
        sizes, start = _sizes(path, start, 2 if storage == "array" else 3)
        rows = sizes[0]
        check_size(path, (rows, sizes[1]), dofs)
        lower = symmetry == "symmetric"
        expected = sizes[2] if storage == "coordinate" else rows * (rows + 1) // 2 if lower else rows * rows
        part = PartialProgress(progress, 0.0, 0.8)
        table = read_table(path, columns, what, part, start) if expected else np.zeros((0, columns))
        if len(table) != expected:
            raise ReadError(
                path, None, f"it says that it holds {expected} entries, but {len(table)} are there.",
                "Write it again; it may be cut off.",
            )  # fmt: skip
        progress.report(0.8, f"sorting {path.name}")
        if storage == "array":
            # Column by column; symmetric ones from the diagonal down.
            column, row = np.triu_indices(rows) if lower else np.divmod(np.arange(rows * rows), rows)
        else:
            row, column = (
                as_indices(path, table[:, i], "a number from 1 to the last row") - 1 for i in (0, 1)
            )
            if expected and (min(row.min(), column.min()) < 0 or max(row.max(), column.max()) >= rows):
                raise ReadError(
                    path, None, f"found a row or column outside of 1 to {rows}.", "Write it again."
                )
        values = np.ones(len(table)) if field == "pattern" else table[:, -1]
        matrix = sp.csr_matrix((values, (row, column)), shape=(rows, rows))
        return labelled(path, matrix, dofs, is_whole=not lower)


def _head(path: Path) -> tuple[str, str, str, int]:
    """Return storage, field and symmetry from the first line, and the offset of the next line."""
    with path.open("rb") as stream:
        line = stream.readline(_LONGEST)
        words = line.decode("ascii", "replace").lower().split()
        if len(words) == 5 and words[2] in _STORAGES and words[3] in _FIELDS and words[4] in _SYMMETRIES:
            return words[2], words[3], words[4], len(line)
    raise ReadError(
        path, 1, f"found {shortened(' '.join(words[2:]))!r}, expected coordinate or array, {', '.join(_FIELDS)}, "
        f"{' or '.join(_SYMMETRIES)}.", "Write a real, symmetric matrix.",
    )  # fmt: skip


def _sizes(path: Path, start: int, count: int) -> tuple[list[int], int]:
    """Return the sizes after the comments, and the offset of the entries."""
    with path.open("rb") as stream:
        stream.seek(start)
        while line := stream.readline(_LONGEST):
            start += len(line)
            text = line.decode("ascii", "replace").strip()
            if not text or text.startswith("%"):
                continue
            try:
                sizes = [whole_number(word) for word in text.split()]
            except ValueError:
                sizes = []
            if len(sizes) == count and min(sizes) >= 0:
                return sizes, start
            break
    raise ReadError(path, None, "it does not say how many rows and columns there are.", "Write it again.")
