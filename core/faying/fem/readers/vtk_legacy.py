"""Reader of VTK's legacy files (.vtk, text or binary, versions 2 to 5) with an unstructured grid.

Points, solid cells and groups of cells are read as from a .vtu grid (see `vtu`).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faying.errors import ReadError, shortened
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._vtk_grid import model_of_grid
from faying.input_files import is_file
from faying.progress import Progress

_TYPES = {
    "char": "i1", "unsigned_char": "u1", "short": "i2", "unsigned_short": "u2", "int": "i4", "unsigned_int": "u4",
    "long": "i8", "unsigned_long": "u8", "vtktypeint64": "i8", "vtkidtype": "i8", "float": "f4", "double": "f8",
}  # fmt: skip


@readers.register("vtk_legacy")
class VtkLegacyReader(ModelReader):
    """Reads the grid with its groups of cells; all else is listed as unread."""

    title = "VTK legacy grid"
    extensions = (".vtk",)

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a grid; nodes and elements are numbered from 1."""
        file = _Words.of(path)
        arrays: dict[str, np.ndarray] = {}
        cell_data: dict[str, np.ndarray] = {}
        unread: list[tuple[int, str]] = []
        where, count = "", 0
        while words := file.words():
            line = _Line(path, words)
            match words[0].upper():
                case "DATASET":
                    if line.text(1).upper() != "UNSTRUCTURED_GRID":
                        raise ReadError(
                            path, None, f"found a {line.text(1).lower()}, expected an unstructured grid.",
                            "Save the mesh as an unstructured grid.",
                        )  # fmt: skip
                case "POINTS":
                    arrays["points"] = file.numbers(3 * line.count(1), line.text(2)).reshape(-1, 3)
                case "CELLS":
                    arrays |= _cells(file, line.count(1), line.count(2))
                case "CELL_TYPES":
                    arrays["types"] = file.numbers(line.count(1), "int")
                case "CELL_DATA" | "POINT_DATA":
                    where, count = words[0].upper(), line.count(1)
                case "SCALARS":
                    parts = line.count(3) if len(words) > 3 else 1
                    file.words()  # LOOKUP_TABLE
                    values = file.numbers(parts * count, line.text(2))
                    if where == "CELL_DATA" and parts == 1:
                        cell_data[line.text(1)] = values
                    else:
                        unread.append((1, f"scalars {line.text(1)}"))
                case "VECTORS" | "NORMALS":
                    file.numbers(3 * count, line.text(2))
                    unread.append((1, f"{words[0].lower()} {line.text(1)}"))
                case "FIELD":
                    for _ in range(line.count(2)):
                        array = _Line(path, file.words())
                        values = file.numbers(array.count(1) * array.count(2), array.text(3))
                        if where == "CELL_DATA" and array.count(1) == 1:
                            cell_data[array.text(0)] = values
                        else:
                            unread.append((1, f"field {array.text(0)}"))
                case other:
                    unread.append((1, f"{other} and what follows"))
                    break
        if not {"points", "offsets", "types"} <= set(arrays):
            raise ReadError(path, None, "points or cells are missing.", "Save the grid again as .vtk.")
        model = model_of_grid(
            path, arrays["points"].astype(float), arrays["connectivity"], arrays["offsets"], arrays["types"],
            cell_data, unread,
        )  # fmt: skip
        progress.report(1.0, f"{len(model.nodes)} nodes")
        return model


def _cells(file: "_Words", first: int, second: int) -> dict[str, np.ndarray]:
    """Return connectivity and offsets: two arrays since version 5, earlier one array with counts before cells."""
    place = file.position
    words = file.words()
    if words and words[0].upper() == "OFFSETS":
        offsets = file.numbers(first, _Line(file.path, words).text(1))
        return {
            "offsets": offsets,
            "connectivity": file.numbers(second, _Line(file.path, file.words()).text(1)),
        }
    file.position = place
    table = file.numbers(second, "int")
    starts = [0]
    for _ in range(first):
        at = starts[-1]
        if at >= len(table) or table[at] < 0:
            raise ReadError(file.path, None, "its cells do not fit together.", "Save the grid again.")
        starts.append(at + int(table[at]) + 1)
    if starts[-1] != len(table):
        raise ReadError(file.path, None, "its cells do not fit together.", "Save the grid again.")
    counts = np.ones(len(table), bool)
    counts[starts[:-1]] = False
    return {"offsets": np.array(starts) - np.arange(first + 1), "connectivity": table[counts]}


@dataclass(frozen=True)
class _Line:
    """The words of a line; access to a missing word raises a `ReadError`."""

    path: Path
    words: list[str]

    def text(self, index: int) -> str:
        """Return a word.

        Raises:
            ReadError: when the line has fewer.
        """
        if index >= len(self.words):
            found = shortened(" ".join(self.words)) or "nothing"
            raise ReadError(self.path, None, f"found {found!r}, expected more words.", "Save the grid again.")
        return self.words[index]

    def count(self, index: int) -> int:
        """Return a word as a count.

        Raises:
            ReadError: when it is none.
        """
        text = self.text(index)
        if not text.isascii() or not text.isdecimal() or len(text) > 18:
            raise ReadError(
                self.path, None, f"found {shortened(text)!r} behind {shortened(self.words[0])}, expected a number.",
                "Save the grid again.",
            )  # fmt: skip
        return int(text)


@dataclass
class _Words:
    """Content of a file, read line by line or array by array from `position` on."""

    path: Path
    content: bytes
    is_binary: bool
    position: int = 0

    @classmethod
    def of(cls, path: Path) -> "_Words":
        """Return the content of a file after its header.

        Raises:
            ReadError: when it is missing or not a legacy file.
        """
        if not is_file(path):
            raise ReadError(path, None, "there is no such file.", "Check the path.")
        file = cls(path, path.read_bytes(), False)
        if not file.content.startswith(b"# vtk DataFile"):
            raise ReadError(path, 1, "expected '# vtk DataFile Version'.", "Choose a VTK file.")
        header = [file.line() for _ in range(3)]  # version, title, BINARY or ASCII
        file.is_binary = (header[2] or "").strip().upper() == "BINARY"
        return file

    def line(self) -> str | None:
        """Return the next line, None at the end."""
        if self.position >= len(self.content):
            return None
        end = self.content.find(b"\n", self.position)
        end = len(self.content) if end < 0 else end
        line = self.content[self.position : end].decode("latin-1")
        self.position = end + 1
        return line

    def words(self) -> list[str]:
        """Return the words of the next non-blank line; none at the end.

        METADATA blocks, such as component names, which may follow any array up to a blank line, are skipped.
        """
        while (line := self.line()) is not None:
            if line.strip().upper() == "METADATA":
                while (self.line() or "").strip():
                    pass
            elif line.strip():
                return line.split()
        return []

    def numbers(self, count: int, kind: str) -> np.ndarray:
        """Return the next numbers.

        Raises:
            ReadError: for an unknown type, or when the file ends early.
        """
        if kind.lower() not in _TYPES:
            raise ReadError(self.path, None, f"found numbers of type {kind!r}.", "Save the grid again.")
        dtype = np.dtype(">" + _TYPES[kind.lower()])
        if self.is_binary:
            data = self.content[self.position : self.position + count * dtype.itemsize]
            self.position += len(data)
            found = np.frombuffer(data, dtype) if len(data) == count * dtype.itemsize else np.zeros(0)
        else:
            found = self._text(count, dtype)
        if len(found) != count:
            raise ReadError(self.path, None, "the file ends too early.", "Save the grid again.")
        with np.errstate(over="ignore"):
            return np.asarray(found.astype(dtype.newbyteorder("=")))

    def _text(self, count: int, dtype: np.dtype) -> np.ndarray:
        lines: list[str] = []
        words = 0
        while words < count and (line := self.line()) is not None:
            lines.append(line)
            words += len(line.split())
        try:
            found = np.array(" ".join(lines).split(), float if dtype.kind == "f" else np.int64)
        except (ValueError, OverflowError) as error:
            raise ReadError(
                self.path, None, f"{shortened(str(error), 100)}: expected numbers.", "Save the grid again."
            ) from error
        if dtype.kind != "f" and not np.array_equal(found, found.astype(dtype)):
            raise ReadError(
                self.path, None, f"a number does not fit into {dtype.name}.", "Save the grid again."
            )
        return found
