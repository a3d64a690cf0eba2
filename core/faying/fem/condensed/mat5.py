"""Reader of MATLAB files of versions 5 to 7, since SciPy's reader crashes the process on some damaged files.

A file is a header of 128 bytes and a sequence of elements, each with type and length (*MAT-File Level 5 File Format*,
The MathWorks). The header of a matrix gives class, size and name; numbers follow in the smallest type that represents
them.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

_HEADER = 128
_MATRIX, _COMPRESSED = 14, 15
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_SPARSE, _DENSE = 5, range(6, 16)
_OBJECT = 17  # MATLAB's strings in double quotes, tables, times and other MATLAB classes
_COMPLEX = 0x0800
_HEAD = 4096  # bytes that contain the name of a matrix
_LARGEST = 1 << 31  # bytes of a matrix
Matrix = np.ndarray | sp.csr_matrix


class Mat5:
    """The matrices of a file; all methods raise ValueError for invalid files."""

    def __init__(self, path: Path) -> None:
        self._content = path.read_bytes()
        mark = self._content[126:128]
        if len(self._content) < _HEADER or mark not in (b"IM", b"MI"):
            raise ValueError("its header is not MATLAB's")
        self._order = "<" if mark == b"IM" else ">"
        self._found: dict[str, tuple[int, int, bool]] = {}  # place, length, compressed
        self.shapes: dict[str, tuple[int, ...]] = {}
        for place, length, compressed in self._elements():
            name, shape, _, _ = self._head(self._matrix(place, length, compressed, _HEAD))
            if not name:  # an object, or data shared by objects
                continue
            self._found[name], self.shapes[name] = (place, length, compressed), shape

    def value(self, name: str) -> Matrix:
        """Return a matrix of real numbers; CSR if it is sparse in the file."""
        data = self._matrix(*self._found[name], _LARGEST)
        _, shape, flags, at = self._head(data)
        kind = flags & 0xFF
        if len(shape) != 2 or flags & _COMPLEX or not (kind == _SPARSE or kind in _DENSE):
            raise ValueError(f"{name} is no matrix of real numbers")
        if kind != _SPARSE:
            numbers, _ = self._numbers(data, at)
            if len(numbers) != shape[0] * shape[1]:
                raise ValueError(f"{name} has {len(numbers)} numbers for {shape[0]} × {shape[1]}")
            return numbers.astype(float).reshape(shape, order="F")
        rows, at = self._numbers(data, at)
        columns, at = self._numbers(data, at)
        numbers, _ = self._numbers(data, at)
        return sparse_of_columns(numbers, rows, columns, (shape[0], shape[1]))

    def _elements(self) -> Iterator[tuple[int, int, bool]]:
        """Yield offset and length of each matrix's content, and whether it is compressed."""
        at = _HEADER
        while at < len(self._content):
            kind, length, start = self._tag(self._content, at)
            if start + length > len(self._content):
                raise ValueError("it ends in the middle of a matrix")
            if kind in (_MATRIX, _COMPRESSED):
                yield start, length, kind == _COMPRESSED
            at = start + length + (0 if kind == _COMPRESSED else -length % 8)

    def _matrix(self, place: int, length: int, compressed: bool, most: int) -> bytes:
        """Return the content of a matrix, or its beginning."""
        data = self._content[place : place + length]
        if not compressed:
            return data
        try:
            whole = zlib.decompressobj().decompress(data, most + 8)
        except zlib.error as error:
            raise ValueError(str(error)) from error
        kind, length, start = self._tag(whole, 0)
        if kind != _MATRIX or (most > _HEAD and len(whole) < start + length):
            raise ValueError("a compressed matrix is cut off")
        return whole[start : start + length]

    def _head(self, data: bytes) -> tuple[str, tuple[int, ...], int, int]:
        """Return name, shape, flags, and the offset of the numbers; no name for objects, which have no shape."""
        flags, at = self._numbers(data, 0)
        if len(flags) and int(flags[0]) & 0xFF == _OBJECT:
            return "", (), int(flags[0]), at
        sizes, at = self._numbers(data, at)
        name, at = self._numbers(data, at)
        if not len(flags) or len(sizes) < 2 or sizes.min() < 0:
            raise ValueError("a matrix has no size")
        return bytes(name.astype(np.uint8)).decode("latin-1"), tuple(int(n) for n in sizes), int(flags[0]), at

    def _numbers(self, data: bytes, at: int) -> tuple[np.ndarray, int]:
        """Return the numbers at an offset, and the offset of the next ones."""
        kind, length, start = self._tag(data, at)
        if kind not in _TYPES or start + length > len(data):
            raise ValueError("numbers are cut off, or of a type that there is not")
        dtype = np.dtype(self._order + _TYPES[kind])
        found = np.frombuffer(data, dtype, length // dtype.itemsize, start)
        return found, at + 8 if start == at + 4 else start + length + -length % 8

    def _tag(self, data: bytes, at: int) -> tuple[int, int, int]:
        """Return type, length, and offset of the content; up to four bytes are stored in the tag itself."""
        try:
            kind, length = struct.unpack_from(f"{self._order}II", data, at)
        except struct.error as error:
            raise ValueError("it ends in the middle of an element") from error
        if kind >> 16:
            return kind & 0xFFFF, min(kind >> 16, 4), at + 4
        return kind, length, at + 8


def sparse_of_columns(
    numbers: np.ndarray, rows: np.ndarray, starts: np.ndarray, shape: tuple[int, int]
) -> sp.csr_matrix:
    """Return a sparse matrix from compressed columns, after a check of the indices.

    Args:
        numbers: (n or more) values.
        rows: (n or more) their rows.
        starts: (columns + 1) index of each column's first value.
        shape: numbers of rows and columns.

    Raises:
        ValueError: when they are inconsistent.
    """
    rows, starts = rows.astype(np.int64), starts.astype(np.int64)
    n = int(starts[-1]) if len(starts) else -1
    steps = np.diff(starts)
    fits = (
        len(starts) == shape[1] + 1
        and starts[0] == 0
        and (steps >= 0).all()
        and n <= min(len(rows), len(numbers))
    )
    if not fits or (n and not 0 <= rows[:n].min() <= rows[:n].max() < shape[0]):
        raise ValueError("a sparse matrix has rows or columns beyond its size")
    columns = np.repeat(np.arange(shape[1]), steps)
    return sp.csr_matrix((numbers[:n].astype(float), (rows[:n], columns)), shape=shape)
