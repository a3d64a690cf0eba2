"""Row, column and value in each line: .sti and .mas files of CalculiX, FORMAT=COORDINATE of Abaqus.

CalculiX writes them with `*FREQUENCY, SOLVER=MATRIXSTORAGE`, together with the list .dof; rows are numbered from 1, and
one triangle is stored.
"""

from pathlib import Path
from typing import ClassVar

import scipy.sparse as sp

from faying.errors import ReadError
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, check_size, labelled
from faying.fem.matrix_files._text import as_indices, first_fields, read_table
from faying.progress import PartialProgress, Progress


@matrix_readers.register("coordinates")
class CoordinateMatrixReader(MatrixReader):
    """Three numbers per line: row and column, from 1, and the value."""

    title: ClassVar[str] = "CalculiX matrix storage (.sti, .mas with .dof) or Abaqus coordinate format"
    labelled: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether the first line with numbers has three."""
        return not head.startswith(b"%%") and b"\0" not in head and len(first_fields(head)) == 3

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix; its size is that of the list, else the largest row."""
        table = read_table(path, 3, "a row, a column and a value", PartialProgress(progress, 0.0, 0.8))
        row = as_indices(path, table[:, 0], "a row number") - 1
        column = as_indices(path, table[:, 1], "a column number") - 1
        size = int(max(row.max(), column.max())) + 1
        if min(row.min(), column.min()) < 0:
            raise ReadError(path, None, "found row or column 0, expected numbers from 1.")
        if dofs is not None and size < len(dofs):
            # A mass matrix may be smaller than its list if the last degrees of freedom have no mass; if it has only
            # half the size, the list is wrong.
            last = dofs.name(size)
            if size < 0.5 * len(dofs):
                raise ReadError(
                    path, None, f"the matrix ends before {last}, after {size} of {len(dofs)} rows.",
                    "Take the list of degrees of freedom that was written together with the matrix.",
                )  # fmt: skip
            size = len(dofs)
        check_size(path, (size, size), dofs)
        progress.report(0.8, f"sorting {path.name}")
        matrix = sp.csr_matrix((table[:, 2], (row, column)), shape=(size, size))
        return labelled(path, matrix, dofs)
