"""Matrices in MATLAB files: versions 5 to 7 (`mat5`), and 7.3, which is HDF5."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import scipy.sparse as sp

from faying.errors import ReadError
from faying.fem.condensed.mat5 import Mat5, sparse_of_columns
from faying.hdf_files import open_foreign_hdf, require_stored
from faying.input_files import is_file

Matrix = np.ndarray | sp.csr_matrix
_MAX_NUMBERS = 1 << 28  # numbers in a matrix
_HDF = b"\x89HDF"
_HDF_AT = 512  # MATLAB's own header comes first
_DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OSError, OverflowError, RuntimeError)


def matrix_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the names of a file's matrices with their shapes in MATLAB.

    Raises:
        ReadError: when it is missing, damaged, or of another kind.
    """
    if not is_file(path):
        raise ReadError(path, None, "there is no such file.", "Check the path.")
    try:
        if _is_hdf(path):
            with open_foreign_hdf(path) as file:
                return {name: _hdf_shape(node) for name, node in file.items() if not name.startswith("#")}
        return Mat5(path).shapes
    except _DAMAGE as error:
        raise _damaged(path) from error


def read_matrices(path: Path, names: Collection[str]) -> dict[str, Matrix]:
    """Return matrices of a file by name: floating-point arrays, or CSR for sparse ones.

    Raises:
        ReadError: when one is missing, too large, or not of finite real numbers.
    """
    shapes = matrix_shapes(path)
    for name in names:
        if name not in shapes:
            known = ", ".join(f"{each} ({_times(shape)})" for each, shape in shapes.items())
            raise ReadError(path, None, f"it has no matrix {name!r}.", f"It has: {known or 'none'}.")
        if np.prod([float(n) for n in shapes[name]]) > _MAX_NUMBERS:
            raise ReadError(path, None, f"the matrix {name} is {_times(shapes[name])}, which is too large.")
    try:
        found = _read_hdf(path, names) if _is_hdf(path) else _read_matlab(path, names)
    except _DAMAGE as error:
        raise _damaged(path) from error
    return {name: _numbers(path, name, value) for name, value in found.items()}


def _is_hdf(path: Path) -> bool:
    with path.open("rb") as stream:
        head = stream.read(_HDF_AT + len(_HDF))
    return head.startswith(_HDF) or head[_HDF_AT:] == _HDF


def _read_matlab(path: Path, names: Collection[str]) -> Mapping[str, Any]:
    file = Mat5(path)
    return {name: file.value(name) for name in names}


def _read_hdf(path: Path, names: Collection[str]) -> Mapping[str, Any]:
    with open_foreign_hdf(path) as file:
        return {name: _hdf_value(file[name]) for name in names}


def _hdf_shape(node: h5py.Group | h5py.Dataset) -> tuple[int, ...]:
    if isinstance(node, h5py.Dataset):
        return tuple(int(n) for n in reversed(node.shape))
    return int(node.attrs.get("MATLAB_sparse", 0)), max(len(node["jc"]) - 1, 0) if "jc" in node else 0


def _hdf_value(node: h5py.Group | h5py.Dataset) -> Any:
    """Return a matrix; MATLAB stores columns first, and sparse matrices as groups of compressed columns."""
    if isinstance(node, h5py.Dataset):
        return _values(node).T
    rows_of, columns_of = _hdf_shape(node)
    columns = np.asarray(_values(node["jc"]), np.int64)
    rows, numbers = (_values(node[part]) if part in node else np.zeros(0) for part in ("ir", "data"))
    return sparse_of_columns(numbers, rows, columns, (rows_of, columns_of))


def _values(node: h5py.Dataset) -> np.ndarray:
    require_stored(node)
    if node.size > _MAX_NUMBERS:
        raise ValueError(f"{node.name} has {node.size} numbers")
    return np.asarray(node[()])


def _numbers(path: Path, name: str, value: Any) -> Matrix:
    sparse = bool(sp.issparse(value))
    data = value.data if sparse else np.asarray(value)
    if data.dtype.kind not in "iufb" or not np.isfinite(data).all() or value.ndim != 2:
        raise ReadError(path, None, f"{name} is no matrix of finite real numbers.", "Write it again.")
    return sp.csr_matrix(value, dtype=float) if sparse else np.asarray(value, float)


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(str(n) for n in shape)


def _damaged(path: Path) -> ReadError:
    return ReadError(path, None, "this is no file of MATLAB's, or it is damaged.", "Save it again (-v7).")
