"""Sparse matrices of SciPy (.npz of `scipy.sparse.save_npz`).

The file may contain an additional array `dofs` (n, 2) of node numbers and components, as written by `write_matrix`.
"""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.atomic import replacing
from faying.errors import ReadError
from faying.fem.array_files import load_arrays
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._dof_lists import dof_list_of
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, labelled, real_matrix
from faying.progress import Progress

_MAX_NUMBERS = 2_000_000_000  # numbers in an array if no list of degrees of freedom limits them


def write_matrix(path: Path, matrix: sp.csr_matrix, dofs: DofList) -> None:
    """Write a sparse matrix with its degrees of freedom as .npz; `scipy.sparse.load_npz` reads it too."""
    csr = sp.csr_matrix(matrix)
    # Given a file name, numpy would append its own suffix.
    with replacing(path, durable=False) as beside, beside.open("wb") as stream:
        np.savez_compressed(
            stream,
            format=np.array(b"csr"),
            shape=np.array(csr.shape),
            data=csr.data,
            indices=csr.indices,
            indptr=csr.indptr,
            dofs=np.stack([dofs.nodes, dofs.components], axis=1),
        )


def constraints_beside(stiffness: Path) -> Path | None:
    """Return the file of constraints written together with a stiffness ("bar_constraints.npz"), or None."""
    found = stiffness.with_name(stiffness.name.replace("stiffness", "constraints"))
    return found if found.suffix == ".npz" and found.name != stiffness.name and found.is_file() else None


def read_constraints(path: Path) -> tuple[sp.csr_matrix, DofList]:
    """Return C (m, n) of C x = 0 and the degrees of freedom of its columns, as written by `write_matrix`.

    Raises:
        ReadError: when the file is of another kind.
    """
    try:
        arrays = load_arrays(path, _MAX_NUMBERS)
        matrix = _sparse(arrays)
        if "dofs" not in arrays:
            raise ValueError("it does not say which degrees of freedom its columns belong to")
    except ValueError as error:
        raise _no_matrix(path, error) from error
    constraints, dofs = real_matrix(path, matrix), dof_list_of(path, arrays["dofs"])
    if len(dofs) != constraints.shape[1] or not np.isfinite(constraints.data).all():
        raise ReadError(
            path, None,
            f"the constraints have {constraints.shape[1]} columns and {len(dofs)} degrees of freedom, or numbers "
            "that are not finite.",
            "Write the matrices again.",
        )  # fmt: skip
    return constraints, dofs


def _no_matrix(path: Path, error: ValueError) -> ReadError:
    return ReadError(
        path, None, f"this is no sparse matrix of SciPy: {error}.", "Write it with scipy.sparse.save_npz."
    )


@matrix_readers.register("scipy")
class ScipyMatrixReader(MatrixReader):
    """The list of degrees of freedom is in the file or in a separate one."""

    title: ClassVar[str] = "SciPy sparse matrix (.npz)"
    labelled: ClassVar[bool] = False

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return whether it is a zip archive."""
        return head.startswith(b"PK\x03\x04")

    @classmethod
    def read(cls, path: Path, dofs: DofList | None, progress: Progress) -> LabelledMatrix:
        """Return the matrix."""
        progress.report(0.0, f"reading {path.name}")
        try:
            arrays = load_arrays(path, _MAX_NUMBERS if dofs is None else max(len(dofs), 2) ** 2)
            own = arrays.get("dofs")
            matrix = _sparse(arrays)
        except ValueError as error:
            raise _no_matrix(path, error) from error
        if dofs is None and own is not None:
            dofs = dof_list_of(path, own)
        return labelled(path, real_matrix(path, matrix), dofs)


def _sparse(arrays: dict[str, np.ndarray]) -> Any:
    """Return the matrix from arrays with the names of `scipy.sparse.save_npz`.

    Raises:
        ValueError: when an array is missing, or indices exceed the matrix.
    """
    kind, shape = arrays.get("format"), arrays.get("shape")
    word = kind.item() if kind is not None and kind.ndim == 0 else ""
    word = word.decode("ascii", "replace") if isinstance(word, bytes) else word
    if shape is None or shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise ValueError("it does not say how large the matrix is")
    size = int(shape[0]), int(shape[1])
    if not 0 <= min(size) <= max(size) <= _MAX_NUMBERS:
        raise ValueError(f"it says that the matrix has {size[0]} rows and {size[1]} columns")
    needed = {"coo": ("data", "row", "col"), "dia": ("data", "offsets")}.get(word)
    needed = ("data", "indices", "indptr") if word in ("csr", "csc", "bsr") else needed
    if needed is None or not set(needed) <= set(arrays):
        raise ValueError(f"of a matrix of the format {str(word)[:20]!r} arrays are missing")
    data, *places = (arrays[name] for name in needed)
    if any(place.dtype.kind not in "iu" for place in places):
        raise ValueError("its indices are no whole numbers")
    if word == "coo":
        return sp.coo_matrix((data, (places[0], places[1])), shape=size)
    if word == "dia":
        return sp.dia_matrix((data, *places), shape=size)
    if word != "csc" and len(arrays["indptr"]) > size[0] + 1:
        raise ValueError("it has more rows than it says")
    make = {"csr": sp.csr_matrix, "csc": sp.csc_matrix, "bsr": sp.bsr_matrix}[word]
    matrix = make((data, *places), shape=size)
    matrix.check_format(full_check=True)
    return matrix
