"""Data arrays of a VTK XML file: text, base64 or appended, plain or compressed by zlib."""

import base64
import binascii
import zlib
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from faying.errors import ReadError

_TYPES = {
    "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
    "UInt64": "u8", "Float32": "f4", "Float64": "f8",
}  # fmt: skip


class VtkXml:
    """The tree of a VTK XML file, and its arrays on demand.

    Args:
        path: of the file.

    Attributes:
        root: the element VTKFile.

    Raises:
        ReadError: when the file is missing or no VTK XML.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.is_file():
            raise ReadError(path, None, "there is no such file.", "Check the path.")
        content = path.read_bytes()
        # Appended data may be raw bytes, which are no XML: they are cut out, from their underscore on.
        self._appended = b""
        start = content.find(b"<AppendedData")
        if start >= 0:
            opened, end = content.index(b">", start) + 1, content.rfind(b"</AppendedData>")
            if end < 0:
                raise ReadError(
                    path, None, "the appended data are never closed.", "The file seems to be cut off."
                )
            self._appended = content[content.index(b"_", opened) + 1 : end]
            content = content[:opened] + content[end:]
        try:
            self.root = ElementTree.fromstring(content)
        except ElementTree.ParseError as error:
            raise ReadError(
                path, error.position[0], "this is no well-formed XML.", "Save the grid again as .vtu."
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
        self._header = np.dtype(self._order + _TYPES[self.root.get("header_type", "UInt32")])
        appended = self.root.find("AppendedData")
        self._raw = appended is not None and appended.get("encoding") == "raw"

    def array(self, element: ElementTree.Element) -> np.ndarray:
        """Return the numbers of a DataArray in one row, or (n, k) with k components.

        Raises:
            ReadError: for a type or form that is not known here, or damaged data.
        """
        name, kind = element.get("Name", ""), element.get("type", "")
        if kind not in _TYPES:
            raise self._error(name, f"has the type {kind or '(none)'}")
        dtype = np.dtype(self._order + _TYPES[kind])
        try:
            match element.get("format"):
                case "ascii":
                    found = np.array((element.text or "").split(), float).astype(dtype)
                case "binary":
                    found = np.frombuffer(self._encoded((element.text or "").strip().encode()), dtype)
                case "appended":
                    rest = self._appended[int(element.get("offset", "0")) :]
                    found = np.frombuffer(self._bytes(rest) if self._raw else self._encoded(rest), dtype)
                case other:
                    raise self._error(name, f"has the format {other}")
            components = int(element.get("NumberOfComponents") or "1")
            return np.asarray(found.reshape(-1, components) if components > 1 else found)
        except (ValueError, binascii.Error, zlib.error) as error:
            raise self._error(name, f"is damaged ({error})") from error

    def _error(self, name: str, problem: str) -> ReadError:
        return ReadError(self._path, None, f"the array {name!r} {problem}.", "Save the grid again as .vtu.")

    def _bytes(self, data: bytes) -> bytes:
        """Return the content of raw data that begin with their header."""
        size = self._header.itemsize
        if not self._packed:
            length = int(np.frombuffer(data[:size], self._header)[0])
            return data[size : size + length]
        # Number of blocks, size of a block, size of the last, then the packed sizes.
        count = int(np.frombuffer(data[:size], self._header)[0])
        sizes = np.frombuffer(data[3 * size : (3 + count) * size], self._header)
        starts = (3 + count) * size + np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        return b"".join(zlib.decompress(data[a:b]) for a, b in pairwise(starts))

    def _encoded(self, data: bytes) -> bytes:
        """Return the content of base64 data; the header of packed ones is encoded apart."""
        size = self._header.itemsize
        if not self._packed:
            head = _decoded(data, size)
            return self._bytes(_decoded(data, size + int(np.frombuffer(head[:size], self._header)[0])))
        count = int(np.frombuffer(_decoded(data, size)[:size], self._header)[0])
        length = (3 + count) * size
        head = _decoded(data, length)
        total = int(np.frombuffer(head, self._header)[3:].sum())
        return self._bytes(head + _decoded(data[4 * -(-length // 3) :], total))


def _decoded(data: bytes, length: int) -> bytes:
    """Return the first bytes of base64 data."""
    return base64.b64decode(data[: 4 * -(-length // 3)])[:length]
