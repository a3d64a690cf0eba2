"""Binary Gmsh files (formats 2 and 4.1), converted section by section to the lines of a text file.

Layout: Gmsh reference manual, "MSH file format". Numbers have the byte order of the writing machine, which the integer
1 below $MeshFormat reveals.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from faying.errors import ReadError

# Nodes of an element by Gmsh's type number.
N_NODES = {
    1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 12: 27, 13: 18, 14: 14, 15: 1, 16: 8, 17: 20,
    18: 15, 19: 13, 20: 9, 21: 10, 22: 12, 23: 15, 24: 15, 25: 21, 26: 4, 27: 5, 28: 6, 29: 20, 30: 35, 31: 56, 36: 16,
    92: 64, 93: 125,
}  # fmt: skip
_SECTION = re.compile(rb"^\$(?!End)(\w+)[ \t]*\r?\n", re.MULTILINE)
_TEXT = ("MeshFormat", "PhysicalNames", "Comments")


def is_binary(path: Path) -> bool:
    """Return whether a file's header declares a binary Gmsh mesh."""
    with path.open("rb") as stream:
        return re.search(rb"\$MeshFormat\s+[0-9.]+\s+1\s+\d+", stream.read(256)) is not None


def lines_of_binary(path: Path) -> list[str]:
    """Return the lines of the equivalent text file; unsupported sections have none.

    Raises:
        ReadError: when the file is truncated, damaged, or of an unsupported kind.
    """
    content = path.read_bytes()
    head = re.search(rb"\$MeshFormat\s+([0-9.]+)\s+1\s+(\d+)[ \t]*\r?\n", content)
    if head is None or head[2] != b"8" or len(content) < head.end() + 4:
        raise ReadError(path, 2, "this binary file is of a kind that is not known here.", "Save it as text.")
    order = "<" if content[head.end() : head.end() + 4] == b"\1\0\0\0" else ">"
    version = float(head[1])
    lines = ["$MeshFormat", f"{version:g} 0 8", "$EndMeshFormat"]
    at = content.find(b"$EndMeshFormat", head.end())
    readers = _SECTIONS_4 if version >= 4.0 else _SECTIONS_2
    while at >= 0 and (found := _SECTION.search(content, at)):
        name = found[1].decode("ascii", "replace")
        numbers = _Numbers(path, content, found.end(), order, name)
        if name in readers:
            own = list(readers[name](numbers))
        elif name in _TEXT:
            stop = content.find(f"$End{name}".encode(), found.end())
            own = content[found.end() : max(stop, found.end())].decode("utf-8", "replace").splitlines()
            numbers.at = max(stop, found.end())
        else:
            own = []
        lines += [f"${name}", *own, f"$End{name}"]
        at = content.find(f"$End{name}".encode(), numbers.at)
        if at < 0:
            raise ReadError(
                path, None, f"the section ${name} is never closed.",
                "The file seems to be cut off; save it again.",
            )  # fmt: skip
    return lines


class _Numbers:
    """Sequential reader of a section's numbers."""

    def __init__(self, path: Path, content: bytes, at: int, order: str, name: str) -> None:
        self.path, self._content, self.at, self._order, self._name = path, content, at, order, name

    def take(self, kind: str, count: int) -> np.ndarray:
        """Return the next numbers, of type "i4", "u8" or "f8"."""
        dtype = np.dtype(self._order + kind)
        if not 0 <= count <= (len(self._content) - self.at) // dtype.itemsize:
            raise ReadError(
                self.path, None, f"the section ${self._name} ends too early.", "Save the mesh again in Gmsh."
            )
        found = np.frombuffer(self._content, dtype, count, self.at)
        self.at += found.nbytes
        return found

    def whole(self, kind: str, count: int) -> list[int]:
        return [int(value) for value in self.take(kind, count)]

    def rows(self, fields: list[tuple[str, str]], count: int) -> np.ndarray:
        """Return a structured array of rows with fields (name, kind)."""
        dtype = np.dtype(fields).newbyteorder("<" if self._order == "<" else ">")
        if not 0 <= count <= (len(self._content) - self.at) // dtype.itemsize:
            self.take("u1", -1)
        found = np.frombuffer(self._content, dtype, count, self.at)
        self.at += found.nbytes
        return found

    def text_number(self) -> int:
        """Return the number on a separate text line."""
        end = self._content.find(b"\n", self.at)
        word = self._content[self.at : max(end, self.at)].strip()
        if not word.isdigit():
            raise ReadError(
                self.path,
                None,
                f"the section ${self._name} does not say how many it has.",
                "Save the mesh again.",
            )
        self.at = end + 1
        return int(word)

    def nodes_of(self, kind: int) -> int:
        if kind not in N_NODES:
            raise ReadError(
                self.path, None, f"elements of type {kind} are not known here.", "Save the mesh as text."
            )
        return N_NODES[kind]


def _entities_4(numbers: _Numbers) -> Iterator[str]:
    counts = numbers.whole("u8", 4)
    yield _words(counts)
    for dimension, count in enumerate(counts):
        for _ in range(count):
            tag = numbers.whole("i4", 1)
            box = numbers.take("f8", 3 if dimension == 0 else 6).tolist()
            groups = numbers.whole("i4", numbers.whole("u8", 1)[0])
            yield _words([*tag, *box, len(groups), *groups])
            if dimension:
                numbers.take("i4", numbers.whole("u8", 1)[0])  # bounding entities


def _nodes_4(numbers: _Numbers) -> Iterator[str]:
    head = numbers.whole("u8", 4)
    yield _words(head)
    for _ in range(head[0]):
        dimension, tag, parametric = numbers.whole("i4", 3)
        count = numbers.whole("u8", 1)[0]
        yield _words([dimension, tag, parametric, count])
        yield from map(str, numbers.whole("u8", count))
        width = 3 + (max(dimension, 0) if parametric else 0)
        for row in numbers.take("f8", count * width).reshape(count, width).tolist():
            yield _words(row)


def _elements_4(numbers: _Numbers) -> Iterator[str]:
    head = numbers.whole("u8", 4)
    yield _words(head)
    for _ in range(head[0]):
        dimension, tag, kind = numbers.whole("i4", 3)
        count = numbers.whole("u8", 1)[0]
        yield _words([dimension, tag, kind, count])
        width = 1 + numbers.nodes_of(kind)
        for row in numbers.take("u8", count * width).reshape(count, width).tolist():
            yield _words(row)


def _nodes_2(numbers: _Numbers) -> Iterator[str]:
    count = numbers.text_number()
    yield str(count)
    rows = numbers.rows([("tag", "i4"), ("place", "3f8")], count)
    for tag, place in zip(rows["tag"].tolist(), rows["place"].tolist(), strict=True):
        yield _words([tag, *place])


def _elements_2(numbers: _Numbers) -> Iterator[str]:
    count = numbers.text_number()
    yield str(count)
    done = 0
    while done < count:
        kind, follow, n_tags = numbers.whole("i4", 3)
        if follow < 1 or n_tags < 0:
            numbers.take("u1", -1)
        width = 1 + n_tags + numbers.nodes_of(kind)
        for row in numbers.take("i4", follow * width).reshape(follow, width).tolist():
            yield _words([row[0], kind, n_tags, *row[1:]])
        done += follow


def _words(values: list[int] | list[float] | list[int | float]) -> str:
    return " ".join(map(repr, values))


_Section = dict[str, Callable[[_Numbers], Iterator[str]]]
_SECTIONS_4: _Section = {"Entities": _entities_4, "Nodes": _nodes_4, "Elements": _elements_4}
_SECTIONS_2: _Section = {"Nodes": _nodes_2, "Elements": _elements_2}
