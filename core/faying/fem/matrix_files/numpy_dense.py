"""Dense matrices of NumPy (.npy) with a list of degrees of freedom."""

from pathlib import Path
from typing import ClassVar

from faying.errors import ReadError
from faying.fem.array_files import load_array
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, check_size, labelled, real_matrix
from faying.progress import Progress


@matrix_readers.register("numpy")
class NumpyMatrixReader(MatrixReader):
    """A dense array, with the list of degrees of freedom in a separate file."""

    title: ClassVar[str] = "NumPy array (.npy with a list of degrees of freedom)"
    labelled: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether it begins like a NumPy array."""
        return head.startswith(b"\x93NUMPY")

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix."""
        progress.report(0.0, f"reading {path.name}")
        try:
            array = load_array(path)
        except ValueError as error:
            raise ReadError(
                path, None, f"this is no array of numbers: {error}.", "Write it again."
            ) from error
        if array.ndim != 2:
            raise ReadError(path, None, f"found an array of shape {array.shape}, expected a square matrix.")
        check_size(path, array.shape, dofs)
        return labelled(path, real_matrix(path, array), dofs)
