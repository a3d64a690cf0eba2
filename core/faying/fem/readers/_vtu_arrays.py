"""Data arrays of a VTK XML file: text, base64 or appended, plain or compressed by zlib."""

import base64
import binascii
import itertools
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from faying.errors import ReadError
from faying.input_files import is_file

_TYPES = {
    "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
    "UInt64": "u8", "Float32": "f4", "Float64": "f8",
}  # fmt: skip


class VtkXml:
    """The element tree of a VTK XML file, with arrays decoded on demand.

    Args:
        path: of the file.

    Attributes:
        root: the element VTKFile.

    Raises:
        ReadError: when the file is missing or not VTK XML.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not is_file(path):
            raise ReadError(path, None, "there is no such file.", "Check the path.")
        content = path.read_bytes()
        # Appended data may be raw bytes, which are not XML: cut them out from the underscore on.
        self._appended = b""
        start = content.find(b"<AppendedData")
        if start >= 0:
            opened, end = content.find(b">", start) + 1, content.rfind(b"</AppendedData>")
            data = content.find(b"_", opened) + 1
            if not opened or not data or end < data:
                raise ReadError(
                    path, None, "the appended data are never closed.", "The file seems to be cut off."
                )
            self._appended = content[data:end]
            content = content[:opened] + content[end:]
        try:
            self.root = ElementTree.fromstring(content)
        except (
            ElementTree.ParseError,
            ValueError,
            LookupError,
        ) as error:  # also raised for an unknown encoding
            line = error.position[0] if isinstance(error, ElementTree.ParseError) else None
            raise ReadError(
                path, line, "this is no well-formed XML.", "Save the grid again as .vtu."
            ) from error
        if self.root.tag != "VTKFile":
            raise ReadError(
                path, None, f"found <{self.root.tag}>, expected <VTKFile>.", "Choose a .vtu file."
            )
        compressor = self.root.get("compressor", "")
        if compressor not in ("", "vtkZLibDataCompressor"):
            raise ReadError(
                path,
                None,
                f"its data are packed by {compressor}.",
                "Save it with ZLib or without compression.",
            )
        self._packed = bool(compressor)
        self._order = "<" if self.root.get("byte_order", "LittleEndian") == "LittleEndian" else ">"
        header = self.root.get("header_type", "UInt32")
        if header not in ("UInt32", "UInt64"):
            raise ReadError(path, None, f"its header_type is {header!r}.", "Save the grid again as .vtu.")
        self._header = np.dtype(self._order + _TYPES[header])
        appended = self.root.find("AppendedData")
        self._raw = appended is not None and appended.get("encoding") == "raw"

    def array(self, element: ElementTree.Element) -> np.ndarray:
        """Return the numbers of a DataArray, (n,) or (n, k) with k components.

        Raises:
            ReadError: for an unsupported type or format, or damaged data.
        """
        name, kind = element.get("Name", ""), element.get("type", "")
        if kind not in _TYPES:
            raise self._error(name, f"has the type {kind or '(none)'}")
        dtype = np.dtype(self._order + _TYPES[kind])
        try:
            match element.get("format"):
                case "ascii":
                    found = _from_text(element.text or "", dtype)
                case "binary":
                    found = np.frombuffer(self._encoded((element.text or "").strip().encode()), dtype)
                case "appended":
                    rest = self._appended[int(element.get("offset", "0")) :]
                    found = np.frombuffer(self._bytes(rest) if self._raw else self._encoded(rest), dtype)
                case other:
                    raise self._error(name, f"has the format {other}")
            components = int(element.get("NumberOfComponents") or "1")
            return np.asarray(found.reshape(-1, components) if components > 1 else found)
        except (ValueError, OverflowError, binascii.Error, zlib.error) as error:
            raise self._error(name, f"is damaged ({error})") from error

    def _error(self, name: str, problem: str) -> ReadError:
        return ReadError(self._path, None, f"the array {name!r} {problem}.", "Save the grid again as .vtu.")

    def _bytes(self, data: bytes) -> bytes:
        """Return the content of raw data, which begin with a header."""
        size = self._header.itemsize
        if not self._packed:
            length = self._first(data)
            return _piece(data, size, size + length)
        # Number of blocks, size of a block, size of the last block, then compressed sizes.
        count = self._first(data)
        sizes = np.frombuffer(_piece(data, 3 * size, (3 + count) * size), self._header).tolist()
        starts = itertools.accumulate(sizes, initial=(3 + count) * size)
        return b"".join(zlib.decompress(_piece(data, a, b)) for a, b in itertools.pairwise(starts))

    def _first(self, data: bytes) -> int:
        """Return the first number of a header: number of bytes or of compressed blocks."""
        return int(np.frombuffer(_piece(data, 0, self._header.itemsize), self._header)[0])

    def _encoded(self, data: bytes) -> bytes:
        """Return the content of base64 data; the header of compressed data is encoded separately."""
        size = self._header.itemsize
        if not self._packed:
            return self._bytes(_decoded(data, size + self._first(_decoded(data, size))))
        length = (3 + self._first(_decoded(data, size))) * size
        head = _piece(_decoded(data, length), 0, length)
        total = sum(np.frombuffer(head, self._header)[3:].tolist())
        return self._bytes(head + _decoded(data[4 * -(-length // 3) :], total))


def _decoded(data: bytes, length: int) -> bytes:
    """Return the first bytes of base64 data."""
    return base64.b64decode(data[: 4 * -(-length // 3)])[:length]


def _piece(data: bytes, start: int, stop: int) -> bytes:
    """Return a slice of data that must be complete."""
    if stop > len(data):
        raise ValueError("it ends too early")
    return data[start:stop]


def _from_text(text: str, dtype: np.dtype) -> np.ndarray:
    """Return the numbers in a text, integers exactly and only within the type's range."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.array(text.split(), float).astype(dtype)
    found = np.array([int(word) for word in text.split()], object)
    limits = np.iinfo(dtype)
    if len(found) and (found.min() < limits.min or found.max() > limits.max):
        raise ValueError(f"a number does not fit into {dtype.name}")
    return found.astype(dtype)
