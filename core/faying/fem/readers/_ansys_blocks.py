"""Blocks and commands of an Ansys coded database (.cdb): NBLOCK, EBLOCK, CMBLOCK, RLBLOCK, ETBLOCK, and commands."""

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
    """Contents of a file in Ansys terms.

    Attributes:
        path: of the file, for error messages.
        title: of the model.
        node_ids: (n,) numbers, `nodes` (n, 3), and `turned_rows`: rows of nodes with rotated nodal coordinate systems.
        elements: rows of (material, type, real, section, number, nodes…), and `systems`: coordinate system of each.
        components: (place, name, "NODE" or "ELEM", numbers); a negative number ends a range.
        reals: real constants by number of their set (RLBLOCK).
        commands: (place, words in capitals) of all other lines, in order; the types of an ETBLOCK as ET and KEYOPT.
    """

    path: Path
    title: str = ""
    node_ids: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    nodes: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    turned_rows: set[int] = field(default_factory=set)
    elements: list[list[int]] = field(default_factory=list)
    systems: list[int] = field(default_factory=list)
    components: list[tuple[FileLine, str, str, list[int]]] = field(default_factory=list)
    reals: dict[int, list[float]] = field(default_factory=dict)
    commands: list[tuple[FileLine, list[str]]] = field(default_factory=list)


def read_file(path: Path) -> AnsysFile:
    """Return the blocks and commands of a file.

    Raises:
        ReadError: when the file is missing, or a block does not match its format.
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
                case "ETBLOCK":
                    at = _types(lines, at, place, found)
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
        # Trailing zero coordinates are omitted.
        points.append([float(text) if text else 0.0 for text in fields[:3]])
        if any(text and float(text) != 0.0 for text in fields[3:]):
            found.turned_rows.add(known + len(ids) - 1)
    found.node_ids = np.concatenate([found.node_ids, np.array(ids, np.int64)])
    found.nodes = np.concatenate([found.nodes, np.array(points).reshape(-1, 3)])
    return at + 2  # after the line that ends the block


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
            found.systems.append(row[4])
        else:
            # Number, section (or type), real, material, system, nodes.
            found.elements.append([row[3], row[1], row[2], row[1], row[0], *row[5:]])
            found.systems.append(row[4])
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
    index = at + 2  # the second format is for continuation lines
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


def _types(lines: list[str], at: int, place: FileLine, found: AnsysFile) -> int:
    """Add the ET and KEYOPT commands of a block, whose lines are: number, element, KEYOPT 1, 2, …"""
    _, width = _sizes(_FORMAT.findall(lines[at])[0])
    index = at + 1
    while index < len(lines):
        line = lines[index].rstrip()
        number, *words = [line[k : k + width].strip() for k in range(0, len(line), width)] or [""]
        index += 1
        if number in ("-1", ""):
            break
        found.commands.append((place, ["ET", number, words[0]]))
        for key, value in enumerate(words[1:], 1):
            if value not in ("", "0"):
                found.commands.append((place, ["KEYOPT", number, str(key), value]))
    return index


def real_constants(file: AnsysFile) -> dict[int, list[float]]:
    """Return the real constants of R and RLBLOCK by set number.

    Raises:
        ReadError: for text instead of a number.
    """
    found = dict(file.reals)
    for place, words in file.commands:
        if words[0] == "R" and len(words) > 2:
            try:
                found[whole_number(words[1])] = [float(word or 0.0) for word in words[2:]]
            except ValueError as error:
                raise place.error(f"R is not as expected ({error}).", "Mend this line.") from error
    return found


_TAKEN = (
    "EX", "EY", "EZ", "GXY", "GYZ", "GXZ", "PRXY", "PRYZ", "PRXZ", "NUXY", "NUYZ", "NUXZ", "DENS",
    "ALPX", "ALPY", "ALPZ", "CTEX", "CTEY", "CTEZ",
)  # fmt: skip


def material_constants(file: AnsysFile) -> tuple[dict[int, dict[str, float]], list[tuple[int, str]]]:
    """Return the first value of each property (EX, NUXY, PRXY, DENS, …) by material, and the unread input.

    Values at further temperatures and other properties are not read.
    """
    found: dict[int, dict[str, float]] = {}
    notes: dict[str, int] = {}
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
                own = found.setdefault(number, {})
                # A table may continue in further commands; a polynomial replaces an earlier one.
                own[label] = own.get(label, float(values[0])) if words[0] == "MPDATA" else float(values[0])
            if label not in _TAKEN:
                notes.setdefault(f"{label} of material {number}", place.line)
                continue
            # MP gives a polynomial of the temperature, MPDATA a table of values.
            first_value = 0.0 if words[0] == "MP" else found.get(number, {}).get(label)
            others = values[1:] if words[0] == "MP" else values
            if any(text and float(text) != first_value for text in others):
                notes.setdefault(f"{label} of material {number} at other temperatures", place.line)
        except (ValueError, IndexError) as error:
            raise ReadError(
                place.path, place.line, f"{words[0]} is not as expected ({error}).", "Mend this line."
            ) from error
    return found, [(line, text) for text, line in notes.items()]
