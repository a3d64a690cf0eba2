"""Sparse matrices of SciPy (.npz of `scipy.sparse.save_npz`).

The file may hold a further array `dofs` (n, 2) of node numbers and components; `write_matrix` writes it so.
"""

import zipfile
from pathlib import Path
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from faying.atomic import replacing
from faying.errors import ReadError
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.fem.matrix_files._dof_lists import dof_list_of
from faying.fem.matrix_files._labelled import DofList, LabelledMatrix, labelled, real_matrix
from faying.progress import Progress


def write_matrix(path: Path, matrix: sp.csr_matrix, dofs: DofList) -> None:
    """Write a sparse matrix with its degrees of freedom as .npz; `scipy.sparse.load_npz` reads it too."""
    csr = sp.csr_matrix(matrix)
    # Given a name, numpy would add its own ending.
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


@matrix_readers.register("scipy")
class ScipyMatrixReader(MatrixReader):
    """The list of degrees of freedom stands in the file or beside it."""

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
            matrix = sp.load_npz(path)
            with np.load(path, allow_pickle=False) as arrays:
                own = arrays.get("dofs")
        except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
            raise ReadError(
                path,
                None,
                f"this is no sparse matrix of SciPy: {error}.",
                "Write it with scipy.sparse.save_npz.",
            ) from error
        if dofs is None and own is not None:
            dofs = dof_list_of(path, own)
        return labelled(path, real_matrix(path, matrix), dofs)
