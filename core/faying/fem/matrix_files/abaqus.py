"""Abaqus `*MATRIX OUTPUT` in the formats MATRIX INPUT and LABELS: every entry names its nodes.

A line contains row node, row component, column node, column component, value; the lower triangle for symmetric
matrices. Internal nodes of Abaqus have negative numbers; the diagonal of fixed components is 1e36.
"""

from pathlib import Path
from typing import ClassVar

from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, labelled_from_entries
from faying.fem.matrix_files._text import as_indices, first_fields, read_table
from faying.progress import PartialProgress, Progress


@matrix_readers.register("abaqus")
class AbaqusMatrixReader(MatrixReader):
    """Five numbers per line: node, component, node, component, value."""

    title: ClassVar[str] = "Abaqus matrix output (.mtx, matrix input or labels)"
    labelled: ClassVar[bool] = True

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether the first line with numbers has five."""
        return not head.startswith(b"%%") and b"\0" not in head and len(first_fields(head)) == 5

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix; it needs no list of degrees of freedom."""
        what = "row node and component, column node and component, and a value"
        table = read_table(path, 5, what, PartialProgress(progress, 0.0, 0.8))
        nodes_and_components = [as_indices(path, table[:, i], "a whole number") for i in range(4)]
        row, row_component, column, column_component = nodes_and_components
        progress.report(0.8, f"sorting {path.name}")
        return labelled_from_entries(
            path, DofList(row, row_component), DofList(column, column_component), table[:, 4]
        )
