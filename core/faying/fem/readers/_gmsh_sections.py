"""Sections of a Gmsh file (formats 1, 2 and 4.1): physical names, entities, nodes, elements."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from faying.errors import ReadError, shortened
from faying.fem.model import LARGEST_ID
from faying.fem.readers._gmsh_binary import is_binary, lines_of_binary
from faying.fem.readers._text_files import FileLine, read_text
from faying.fem.whole_numbers import whole_number
from faying.input_files import is_file


@dataclass
class GmshSection:
    """The lines between $Name and $EndName.

    Attributes:
        place: of the line with the name.
        lines: lines without trailing empty ones.
    """

    place: FileLine
    lines: list[str]

    def line_place(self, index: int) -> FileLine:
        """Return the place of a line of the section."""
        return FileLine(self.place.path, self.place.line + 1 + index)

    def numbers(self, index: int, least: int, what: str) -> list[float]:
        """Return the numbers of a line.

        Raises:
            ReadError: when the line is missing, holds less, or something else.
        """
        if index >= len(self.lines):
            raise self.place.error(f"the section ends too early, expected {what}.", "Write the file again.")
        try:
            found = [float(word) for word in self.lines[index].split()]
        except ValueError:
            found = []
        if len(found) < least:
            raise self.line_place(index).error(
                f"found {shortened(self.lines[index])!r}, expected {what}.", "Write the file again."
            )
        return found

    def integers(self, index: int, least: int, what: str) -> list[int]:
        """Return the whole numbers of a line.

        Raises:
            ReadError: when the line is missing, holds less, or something else.
        """
        self.numbers(index, least, what)
        try:
            return [whole_number(word) for word in self.lines[index].split()]
        except ValueError as error:
            raise self.line_place(index).error(f"{error} ({what}).", "Write the file again.") from None

    def counts(self, index: int, least: int, what: str) -> list[int]:
        """Return the non-negative integers of a line.

        Raises:
            ReadError: as `integers`.
        """
        found = self.integers(index, least, what)
        if min(found) < 0:
            raise self.line_place(index).error(
                f"found {min(found)}, expected {what}.", "Write the file again."
            )
        return found

    def whole(self, start: int, found: np.ndarray, what: str) -> np.ndarray:
        """Return a table as integers; its rows are on the lines from `start` on.

        Raises:
            ReadError: for a number that is not an integer.
        """
        wrong = np.argwhere(~(np.abs(found) < LARGEST_ID) | (found != np.rint(found)))
        if len(wrong):
            raise self.line_place(start + int(wrong[0, 0])).error(
                f"found {found[tuple(wrong[0])]:g}, expected {what}.", "Write the file again."
            )
        return found.astype(np.int64)

    def table(self, start: int, count: int, what: str) -> np.ndarray:
        """Return (count, k) the numbers of lines of equal length.

        Raises:
            ReadError: for the first line of another length or with other content.
        """
        lines = self.lines[start : start + count]
        try:
            found = np.array(" ".join(lines).split(), float)
        except ValueError:
            found = np.zeros(0)
        if count and len(lines) == count:
            width = len(lines[0].split())
            if len(found) == width * count and all(len(line.split()) == width for line in lines):
                return np.asarray(found.reshape(count, width))
        elif not count:
            return np.zeros((0, 0))
        width = len(self.numbers(start, 1, what))
        for index in range(start, start + count):
            self.numbers(index, width, what)
            if len(self.lines[index].split()) != width:
                raise self.line_place(index).error(f"found too many numbers, expected {what}.", "")
        raise self.place.error(f"these lines do not make a table of {what}.", "Write the file again.")


@dataclass
class GmshFile:
    """Contents of a Gmsh file of any format.

    Attributes:
        version: 1, 2 or 4.
        names: of the physical groups by (dimension, number).
        sections: by name.
        unread: (line, name) of unsupported sections.
    """

    version: int
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    sections: dict[str, GmshSection] = field(default_factory=dict)
    unread: list[tuple[int, str]] = field(default_factory=list)

    def needed(self, name: str, path: Path) -> GmshSection:
        """Return a required section.

        Raises:
            ReadError: when it is missing.
        """
        if name not in self.sections:
            raise ReadError(path, None, f"there is no section ${name}.", "Save the mesh again in Gmsh.")
        return self.sections[name]


_FIRST_FORMAT = {"$NOD": "Nodes", "$ELM": "Elements"}
TAKEN = ("MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements")


def read_sections(path: Path) -> GmshFile:
    """Return the sections of a file.

    Raises:
        ReadError: for an unsupported format or version, or a section without end.
    """
    binary = is_file(path) and is_binary(path)
    lines = lines_of_binary(path) if binary else read_text(path).splitlines()
    # Section names may be surrounded by blanks.
    lines = [line.strip() if "$" in line else line for line in lines]
    sections: dict[str, GmshSection] = {}
    unread = []
    at = 0
    while at < len(lines):
        word = lines[at]
        if word.startswith("$") and not word.startswith(("$End", "$END")):
            place = FileLine(path, at + 1)
            closing = f"$END{word[1:]}" if word in _FIRST_FORMAT else f"$End{word[1:]}"
            try:
                end = lines.index(closing, at)
            except ValueError:
                raise place.error(
                    f"the section {word} is never closed.", "The file seems to be cut off; save it again."
                ) from None
            sections.setdefault(word[1:], GmshSection(place, lines[at + 1 : end]))
            if word[1:] not in TAKEN and word != "$Comments":
                unread.append((at + 1, f"section {word}"))
            at = end
        at += 1
    if first := [name for name in sections if f"${name}" in _FIRST_FORMAT]:
        # Before 2.0 sections had other names and no format, and elements had only group and entity as tags.
        unread = [(line, text) for line, text in unread if text.removeprefix("section ") not in _FIRST_FORMAT]
        return GmshFile(1, {}, {_FIRST_FORMAT[f"${name}"]: sections[name] for name in first}, unread)
    if "MeshFormat" not in sections:
        raise ReadError(path, None, "there is no $MeshFormat.", "Choose a mesh that Gmsh saved.")
    version, kind = sections["MeshFormat"].numbers(0, 2, "version and kind of the format")[:2]
    if kind:
        raise ReadError(path, 2, "this is a binary file.", "Save it as text (Mesh.Binary = 0).")
    if not (2.0 <= version < 3.0 or version == 4.1):
        raise ReadError(
            path, 2, f"the format {version:g} is not known here.", "Save it as version 4.1 or 2.2."
        )
    found = GmshFile(int(version), {}, sections, unread)
    if "PhysicalNames" in sections:
        found.names.update(_physical_names(sections["PhysicalNames"]))
    return found


def _physical_names(section: GmshSection) -> Iterator[tuple[tuple[int, int], str]]:
    for index, line in enumerate(section.lines[1:], 1):
        try:
            dimension, number, name = line.split(maxsplit=2)
            yield (whole_number(dimension), whole_number(number)), name.strip().strip('"')
        except ValueError:
            raise section.line_place(index).error(
                f"found {shortened(line)!r}, expected dimension, number and name of a physical group.",
                "Write the file again.",
            ) from None
