"""Readers of structural matrices from other programs. A member is one file with one `MatrixReader`.

The format is detected from a file's content, not its suffix: ".mtx" is used by both Abaqus and MatrixMarket.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from faying.errors import ReadError
from faying.fem.matrix_files._dof_lists import dof_list_beside, dof_list_of, read_dof_list
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix
from faying.input_files import check_regular
from faying.progress import Progress, Silent
from faying.registry import Registry

__all__ = [
    "DofList",
    "LabelledMatrix",
    "MatrixReader",
    "dof_list_beside",
    "dof_list_of",
    "files_of_matrix",
    "matrix_readers",
    "read_dof_list",
    "read_matrix",
]

matrix_readers: Registry[type["MatrixReader"]] = Registry("matrix reader", __name__)

_HEAD = 4096


class MatrixReader(ABC):
    """Reads one format of a symmetric matrix; has no state.

    Attributes:
        title: what a user calls the format.
        labelled: whether the file itself names node and component of each row; otherwise a list of degrees of freedom
            is required.
    """

    title: ClassVar[str]
    labelled: ClassVar[bool]

    @classmethod
    @abstractmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether a file has this format, judged by its first bytes."""

    @classmethod
    def read_one(cls, path: Path, dofs: DofList | None, progress: Progress, wanted: str) -> LabelledMatrix:
        """Return the "stiffness", "mass" or "damping" of a file that may contain several; otherwise as `read`."""
        return cls.read(path, dofs, progress)

    @classmethod
    @abstractmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix, both triangles, with the node and component of each row.

        Args:
            path: of the file.
            dofs: the list of degrees of freedom; None if there is none.
            progress: reports and cancels.

        Raises:
            ReadError: one sentence with file, line and what was expected.
        """


def read_matrix(
    path: str | Path,
    dof_file: str | Path | None = None,
    progress: Progress | None = None,
    wanted: str = "stiffness",
) -> LabelledMatrix:
    """Return the symmetric matrix in a file with the node and component of each row.

    Args:
        path: of the matrix.
        dof_file: the list of degrees of freedom; by default one in the same folder, such as "job.dof" or "job_dofs.csv"
            for "job.sti". Ignored for formats that name the nodes themselves.
        progress: reports and cancels.
        wanted: "stiffness", "mass" or "damping", for a file that contains several.

    Raises:
        ReadError: when the file is missing, of an unknown format, invalid or not symmetric, or when the list of degrees
            of freedom is missing or has another size.
        Cancelled: when the user asked to stop.
    """
    path, progress = Path(path), progress or Silent()
    reader = _reader_of(path)
    dofs = None
    if not reader.labelled:
        listed = Path(dof_file) if dof_file else dof_list_beside(path)
        dofs = None if listed is None else read_dof_list(listed)
    return reader.read_one(path, dofs, progress, wanted)


def files_of_matrix(path: str | Path, dof_file: str | Path | None = None) -> tuple[Path, ...]:
    """Return the files that `read_matrix` would read: the matrix, and its list of degrees of freedom.

    Raises:
        ReadError: when the matrix is missing or of an unknown format.
    """
    path = Path(path)
    if _reader_of(path).labelled:
        return (path,)
    listed = Path(dof_file) if dof_file else dof_list_beside(path)
    return (path,) if listed is None else (path, listed)


def head_of(path: Path, wanted: str) -> bytes:
    """Return the first bytes of a file, for detecting its format.

    Args:
        path: of the file.
        wanted: expected kind of file for messages, such as "a matrix file".

    Raises:
        ReadError: when the file is missing or cannot be read.
    """
    try:
        check_regular(path)
        with path.open("rb") as stream:
            return stream.read(_HEAD)
    except FileNotFoundError:
        raise ReadError(path, None, f"the file is not there: {path}.", "Choose the file again.") from None
    except OSError as error:
        raise ReadError(path, None, f"cannot be read: {error.strerror}.", f"Choose {wanted}.") from error


def _reader_of(path: Path) -> type[MatrixReader]:
    head = head_of(path, "a matrix file")
    for _, reader in matrix_readers.items():
        if reader.recognises(path, head):
            return reader
    known = "; ".join(reader.title for _, reader in matrix_readers.items())
    raise ReadError(path, None, "this is none of the matrix formats known here.", f"Known are: {known}.")
