"""Blocks and commands of an Ansys coded database (.cdb): NBLOCK, EBLOCK, CMBLOCK, RLBLOCK, and commands."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.readers._text_files import FileLine, read_text
from faying.fem.whole_numbers import is_whole_number, whole_number

_FORMAT = re.compile(r"(\d+)([iegIEG])(\d+)")
_LONGEST = 2000  # characters of a line


@dataclass
class AnsysFile:
    """What a file holds, in Ansys' own terms.

    Attributes:
        path: of the file, for error messages.
        title: of the model.
        node_ids: (n,), `nodes` (n, 3), and `turned_rows`: of the nodes that have directions of their own.
        elements: rows of (material, type, real, section, number, nodes…).
        components: (place, name, "NODE" or "ELEM", numbers, of which a negative one ends a range).
        reals: real constants by number of their set (RLBLOCK).
        commands: (place, words in capitals) of all other lines, in order.
    """

    path: Path
    title: str = ""
    node_ids: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    nodes: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    turned_rows: set[int] = field(default_factory=set)
    elements: list[list[int]] = field(default_factory=list)
    components: list[tuple[FileLine, str, str, list[int]]] = field(default_factory=list)
    reals: dict[int, list[float]] = field(default_factory=dict)
    commands: list[tuple[FileLine, list[str]]] = field(default_factory=list)


def read_file(path: Path) -> AnsysFile:
    """Return the blocks and commands of a file.

    Raises:
        ReadError: when the file is missing, or a block is not as its format says.
    """
    lines, found = read_text(path).splitlines(), AnsysFile(path)
    at = 0
    while at < len(lines):
        text = lines[at].split("!")[0].strip()
        place = FileLine(path, at + 1)
        at += 1
        if not text or text.startswith("/COM"):
            continue
        words = [word.strip() for word in text.upper().split(",")]
        try:
            match words[0]:
                case "NBLOCK":
                    at = _nodes(lines, at, found)
                case "EBLOCK":
                    at = _elements(lines, at, words, found)
                case "CMBLOCK":
                    at = _component(lines, at, place, text, found)
                case "/TITLE":
                    found.title = text.partition(",")[2].strip()
                case "RLBLOCK":
                    at = _real_constants(lines, at, whole_number(words[1]), found)
                case _:
                    found.commands.append((place, words))
        except (ValueError, IndexError) as error:
            raise place.error(
                f"the {words[0]} that begins here is not as its format says ({error}).",
                "Write the file again.",
            ) from error
    return found


def _nodes(lines: list[str], at: int, found: AnsysFile) -> int:
    (head, whole), (count, wide) = _widths(lines[at])
    start = head * whole
    ids, points, known = [], [], len(found.node_ids)
    for index in range(at + 1, len(lines)):
        line = lines[index]
        number = line[:whole].strip()
        if not is_whole_number(number) or number.startswith("-"):
            # "N,R5.3,LOC, -1," or "-1"
            break
        at = index
        ids.append(whole_number(number))
        fields = [line[start + k * wide : start + (k + 1) * wide].strip() for k in range(count)]
        # Coordinates of zero at the end are left out.
        points.append([float(text) if text else 0.0 for text in fields[:3]])
        if any(text and float(text) != 0.0 for text in fields[3:]):
            found.turned_rows.add(known + len(ids) - 1)
    found.node_ids = np.concatenate([found.node_ids, np.array(ids, np.int64)])
    found.nodes = np.concatenate([found.nodes, np.array(points).reshape(-1, 3)])
    return at + 2  # behind the line that ends the block


def _widths(line: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (count, width) of the integers and of the reals of a format such as (3i9,6e21.13e3)."""
    whole, real = _FORMAT.findall(line)[:2]
    return _sizes(whole), _sizes(real)


def _sizes(found: tuple[str, str, str]) -> tuple[int, int]:
    """Return (count, width) of numbers in a line of at most `_LONGEST` characters."""
    count, width = whole_number(found[0]), whole_number(found[2])
    if not (width and count * width <= _LONGEST):
        raise ValueError(f"found the format {found[0]}{found[1]}{found[2]}")
    return count, width


def _elements(lines: list[str], at: int, words: list[str], found: AnsysFile) -> int:
    _, width = _sizes(_FORMAT.findall(lines[at])[0])
    solid = len(words) > 2 and words[2] == "SOLID"
    index = at + 1
    while index < len(lines):
        row = _integers(lines[index], width)
        index += 1
        if not row or row[0] == -1:
            break
        if solid:
            # Material, type, real, section, system, death, solid model, shape, nodes, -, number.
            count = row[8]
            while len(row) < 11 + count:
                row += _integers(lines[index], width)
                index += 1
            found.elements.append([row[0], row[1], row[2], row[3], row[10], *row[11 : 11 + count]])
        else:
            # Number, section (or type), real, material, system, nodes.
            found.elements.append([row[3], row[1], row[2], row[1], row[0], *row[5:]])
    return index


def _integers(line: str, width: int) -> list[int]:
    return [whole_number(line[k : k + width]) for k in range(0, len(line.rstrip()), width)]


def _component(lines: list[str], at: int, place: FileLine, text: str, found: AnsysFile) -> int:
    _, name, what, count = [word.strip() for word in text.split(",")[:4]]
    _, width = _sizes(_FORMAT.findall(lines[at])[0])
    numbers: list[int] = []
    index = at + 1
    while len(numbers) < whole_number(count):
        numbers += _integers(lines[index], width)
        index += 1
    found.components.append((place, name.upper(), what.upper()[:4], numbers))
    return index


def _real_constants(lines: list[str], at: int, count: int, found: AnsysFile) -> int:
    (head, whole), (_, wide) = _widths(lines[at])
    index = at + 2  # the second format is of the lines that go on
    for _ in range(count):
        line = lines[index]
        number, expected = whole_number(line[:whole]), whole_number(line[whole : 2 * whole])
        values = _reals(line[head * whole :], wide)
        index += 1
        while len(values) < expected:
            values += _reals(lines[index], wide)
            index += 1
        found.reals[number] = values
    return index


def _reals(line: str, width: int) -> list[float]:
    return [float(line[k : k + width]) for k in range(0, len(line.rstrip()), width)]


def material_constants(file: AnsysFile) -> dict[int, dict[str, float]]:
    """Return the first value of each property (EX, NUXY, PRXY, DENS, …) by material, of MP and MPDATA."""
    found: dict[int, dict[str, float]] = {}
    for place, words in file.commands:
        try:
            if words[0] == "MPDATA":
                # MPDATA,R5.0,count,label,material,first,values… (blocked) or MPDATA,label,material,first,values…
                first = 3 if len(words) > 3 and words[3].isalpha() else 1
                label, number, values = words[first], whole_number(words[first + 1]), words[first + 3 :]
            elif words[0] == "MP":
                label, number, values = words[1], whole_number(words[2]), words[3:]
            else:
                continue
            if values and values[0]:
                found.setdefault(number, {}).setdefault(label, float(values[0]))
        except (ValueError, IndexError) as error:
            raise ReadError(
                place.path, place.line, f"{words[0]} is not as expected ({error}).", "Mend this line."
            ) from error
    return found
