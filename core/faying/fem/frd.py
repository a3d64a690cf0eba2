"""Results of CalculiX in its .frd files (text): the mesh's nodes, and nodal values, block by block.

Layout: CalculiX GraphiX user's manual, "Result Format". Columns have fixed widths, and numbers six digits.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.input_files import content_of_file

_HEAD = slice(12, 24), slice(24, 36), slice(56, 58), slice(58, 63), slice(73, 75)
_WIDTH = 12  # characters of a value
_COLUMN = {"0": 8, "1": 13}  # column of the first value after the node number, by format
_AGAIN = "Write it again with CalculiX, as text."


@dataclass(frozen=True, eq=False)
class FrdBlock:
    """Values of one kind at one time, load or frequency.

    Attributes:
        name: "DISP", "STRESS", …
        components: "D1", "D2", …, without those that a viewer computes.
        value: time, load factor or frequency.
        kind: 0 static, 1 time step, 2 frequency, 3 load step, 4 defined by a user.
        step: number given in the file.
        nodes: (n,) node numbers.
        values: (n, components).
    """

    name: str
    components: tuple[str, ...]
    value: float
    kind: int
    step: int
    nodes: np.ndarray
    values: np.ndarray


def read_frd(path: Path, *wanted: str) -> tuple[FrdBlock, ...]:
    """Return the blocks of results in a file, in its order.

    Args:
        path: of the file.
        wanted: names of the blocks to read; all by default.

    Raises:
        ReadError: when the file is missing, binary, truncated, or of another kind.
    """
    lines, found, at = _lines(path), list[FrdBlock](), 0
    while at < len(lines):
        if not lines[at].startswith("  100C"):
            at += 1
            continue
        end = _end(path, lines, at)
        block = _block(path, lines, at, end, wanted)
        found += [] if block is None else [block]
        at = end + 1
    return tuple(found)


def read_frd_nodes(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers (n,) and coordinates (n, 3) of the result mesh's nodes.

    Raises:
        ReadError: when the file is missing, binary, truncated, of another kind, or has no nodes.
    """
    lines = _lines(path)
    at = next((i for i, line in enumerate(lines) if line.startswith("    2C")), None)
    if at is None:
        raise ReadError(path, None, "it has no nodes of a mesh.", _AGAIN)
    layout = lines[at].ljust(80)[_HEAD[4]].strip() or "0"
    if layout not in ("0", "1"):
        raise ReadError(path, at + 1, "the nodes are binary.", _AGAIN)
    column, end = _COLUMN[layout], _end(path, lines, at)
    try:
        rows = [line for line in lines[at + 1 : end] if line[:3] == " -1"]
        ids = np.array([int(row[3:column]) for row in rows], np.int64)
        places = [[float(row[column + _WIDTH * i :][:_WIDTH]) for i in range(3)] for row in rows]
    except ValueError as error:
        raise ReadError(path, at + 1, "the block that begins here is damaged.", _AGAIN) from error
    return ids, np.array(places, float).reshape(-1, 3)


def _lines(path: Path) -> list[str]:
    try:
        content = content_of_file(path)
    except OSError as error:
        raise ReadError(
            path, None, f"the file cannot be read ({error.strerror}).", "Choose it again."
        ) from error
    lines = content.decode("latin-1").splitlines()
    if not lines or not lines[0].startswith("    1C"):
        raise ReadError(path, 1, "this is no results file of CalculiX.", "Choose a .frd file.")
    return lines


def _end(path: Path, lines: list[str], at: int) -> int:
    """Return the line that ends the block that begins at a line."""
    for end in range(at + 1, len(lines)):
        if lines[end][:3] == " -3":
            return end
    raise ReadError(path, at + 1, "the block that begins here never ends: the file is cut off.", _AGAIN)


def _block(path: Path, lines: list[str], at: int, end: int, wanted: tuple[str, ...]) -> FrdBlock | None:
    """Return the block between two lines; None when it is not wanted."""
    head = lines[at].ljust(80)
    try:
        value = float(head[_HEAD[0]])
        count, kind, step, layout = (int(head[part].strip() or 0) for part in _HEAD[1:])
        name = lines[at + 1][5:13].strip()
        if wanted and name not in wanted:
            return None
        if layout not in (0, 1):
            raise ReadError(path, at + 1, "the results are binary.", _AGAIN)
        first, components = at + 2, list[str]()
        while lines[first][:3] == " -5":
            # The last number marks components that a viewer computes, such as the magnitude of a displacement.
            if lines[first].ljust(40)[33:38].strip() != "1":
                components.append(lines[first][5:13].strip())
            first += 1
        column = _COLUMN[str(layout)]
        nodes, rows = list[int](), list[str]()
        for line in lines[first:end]:
            if line[:3] == " -1":
                nodes.append(int(line[3:column]))
                rows.append(line[column:].rstrip())
            elif line[:3] == " -2":
                rows[-1] += line[column:].rstrip()
        width = _WIDTH * len(components)
        table = [
            [float(row[i : i + _WIDTH]) for i in range(0, width, _WIDTH)]
            for row in (r.ljust(width) for r in rows)
        ]
    except (ValueError, IndexError) as error:
        raise ReadError(path, at + 1, "the block that begins here is damaged.", _AGAIN) from error
    if len(nodes) != count:
        raise ReadError(path, at + 1, f"the block has {len(nodes)} nodes, but its head says {count}.", _AGAIN)
    values = np.array(table, float).reshape(len(nodes), len(components))
    return FrdBlock(name, tuple(components), value, kind, step, np.array(nodes, np.int64), values)
