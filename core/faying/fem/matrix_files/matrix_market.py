"""MatrixMarket files, by their first line; coordinate or array, general or symmetric."""

from pathlib import Path
from typing import ClassVar

import scipy.io

from faying.errors import ReadError
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, labelled, real_matrix
from faying.progress import Progress


@matrix_readers.register("matrix_market")
class MatrixMarketReader(MatrixReader):
    """A list of degrees of freedom has to come with it."""

    title: ClassVar[str] = "MatrixMarket (.mtx with a list of degrees of freedom)"
    labelled: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether the first line says so."""
        return head.lower().startswith(b"%%matrixmarket")

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix."""
        progress.report(0.0, f"reading {path.name}")
        try:
            matrix = scipy.io.mmread(path)
        except (ValueError, OverflowError, TypeError) as error:
            raise ReadError(
                path, None, f"the MatrixMarket file cannot be read: {error}.", "Write it again."
            ) from error
        progress.report(0.8, f"sorting {path.name}")
        return labelled(path, real_matrix(path, matrix), dofs)
