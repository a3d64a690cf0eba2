"""Loads and supports of an Ansys coded database, as CDWRITE writes them: F, SFE pressures, ACEL and D.

The loads of a database form one load case, unless there are unsupported loads, supports or constraints. Pressures are
normal to a face and constant on it. Nodes with three displacements fixed at zero form the node set "D"; nodes displaced
by D follow separate nodes.
"""

from collections.abc import Iterator

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import DeckCase, DeckLoad, DeckSupport, DeckSurface, ElementBlock, element_numbers
from faying.fem.readers._ansys_blocks import AnsysFile
from faying.fem.readers._deck_supports import Held, shared_support
from faying.fem.readers._number_index import NumberIndex
from faying.fem.readers._text_files import FileLine
from faying.fem.whole_numbers import whole_number

LOAD_COMMANDS = {"F", "SFE", "ACEL", "D"}
# Beginnings of other commands that load, support or couple the body: temperatures, surface loads, blocks of forces and
# of displacements, equations between nodes, pretension, initial stresses. Motion commands matter only if nonzero.
_OTHERS = ("BF", "SF", "FBLOCK", "DBLOCK", "CE", "CP", "SLOAD", "INISTATE")
_MOTIONS = {
    "OMEGA": 1,
    "DOMEGA": 1,
    "CGOMGA": 1,
    "DCGOMG": 1,
    "IRLF": 1,
    "CMOMEGA": 2,
    "CMDOMEGA": 2,
    "CMACEL": 2,
}
_FORCES = {"FX": 0, "FY": 1, "FZ": 2, "MX": 3, "MY": 4, "MZ": 5}
_HELD = {
    "UX": (1,),
    "UY": (2,),
    "UZ": (3,),
    "ROTX": (4,),
    "ROTY": (5,),
    "ROTZ": (6,),
    "ALL": (1, 2, 3, 4, 5, 6),
}
# Corners of the faces 1 to 6 of a brick, in Ansys's node order I to P, and 1 to 4 of a tetrahedron.
_BRICK = ((1, 0, 3, 2), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7))
_TETRAHEDRON = ((1, 0, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_SUPPORT = "D"


class AnsysLoads:
    """Loads and supports of the database; unsupported input is in `remarks`.

    Attributes:
        loads: by name: "F", "SFE", "ACEL".
        surfaces: surfaces under pressure, by name.
        node_sets: rows of nodes with three displacements fixed at zero.
        support: held and displaced nodes; None if there are none.
        cases: the load case, if all of its input is supported.
        remarks: (line, what).
    """

    def __init__(self, file: AnsysFile, nodes: NumberIndex, blocks: tuple[ElementBlock, ...]) -> None:
        self._file, self._nodes, self._blocks = file, nodes, blocks
        self.remarks: list[tuple[int, str]] = []
        self._turned: dict[int, tuple[FileLine, list[str]]] = {}
        ids = element_numbers(blocks)
        self._elements, self._starts = NumberIndex.of(ids, 0), np.cumsum([0, *(len(b.ids) for b in blocks)])
        self.surfaces: dict[str, DeckSurface] = {}
        found = (self._forces(), self._pressures(), self._acceleration())
        self.loads = {load.name: load for load in found if not load.is_empty}
        held = self._held()
        rows = [row for row, component in held if component == 1]
        fixed = [row for row in rows if all(held.get((row, k)) == 0.0 for k in (1, 2, 3))]
        self.node_sets = {_SUPPORT: np.array(sorted(fixed), np.int64)} if fixed else {}
        others = list(self._others())
        shared = shared_support([held] if held else [], file.nodes)
        self.support: DeckSupport | None = shared.support
        displacements = shared.displacements[0] if held else None
        for reason in shared.reasons.values():
            place, words = next(self._having("D"))
            self._miss(place, words, reason)
        parts = tuple((name, 1.0) for name in self.loads)
        whole = displacements is not None and (parts or displacements) and not self.remarks and not others
        case = DeckCase("loads of the database", parts, displacements or ())
        self.cases = (case,) if whole else ()

    def _having(self, name: str) -> Iterator[tuple[FileLine, list[str]]]:
        return ((place, words) for place, words in self._file.commands if words[0] == name)

    def _others(self) -> Iterator[str]:
        """Yield the commands with unsupported loads, supports or constraints."""
        reference = [_real(place, words, 1) for place, words in self._having("TREF")]
        for place, words in self._file.commands:
            if words[0] in ("BFUNIF", "TUNIF"):
                # _TINY marks an undefined temperature.
                text = "".join(words[2:3] if words[0] == "BFUNIF" else words[1:2])
                if text not in ("", "_TINY") and not _is_number(text, reference[-1] if reference else 0.0):
                    self._miss(place, words, "a temperature other than that of TREF")
            elif words[0] in _MOTIONS:
                if not all(_is_number(text or "0", 0.0) for text in words[_MOTIONS[words[0]] :]):
                    yield words[0]
            elif words[0].startswith(_OTHERS) and words[0] not in LOAD_COMMANDS:
                yield words[0]

    def _miss(self, place: FileLine, words: list[str], why: str) -> None:
        text = f"{','.join(words[:3])}: {why}"
        if text not in (known for _, known in self.remarks):
            self.remarks.append((place.line, text))

    def _row(self, place: FileLine, words: list[str]) -> int | None:
        """Return the row of a command's node; None, with a remark, if it has a rotated coordinate system."""
        row = int(self._nodes.find(np.array([_integer(place, words, 1)]))[0])
        if row < 0:
            raise place.error(
                f"{words[0]} names node {words[1]}, which does not exist.", "Write the file again."
            )
        if row in self._file.turned_rows:
            self._miss(place, words, "a node with directions of its own")
            return None
        return row

    def _forces(self) -> DeckLoad:
        at: dict[int, np.ndarray] = {}
        for place, words in self._having("F"):
            label = words[2] if len(words) > 2 else ""
            if label not in _FORCES:
                self._miss(place, words, "no force or moment")
            elif (row := self._row(place, words)) is not None:
                at.setdefault(row, np.zeros(6))[_FORCES[label]] = _real(place, words, 3)
        at = {row: force for row, force in at.items() if force.any()}
        return _load("F", np.array([*at], np.int64), np.array([*at.values()], float).reshape(-1, 6))

    def _acceleration(self) -> DeckLoad:
        """Return the weight: ACEL accelerates the support, so the body force has the opposite sign."""
        gravity = np.zeros(3)
        for place, words in self._having("ACEL"):
            gravity = np.array([-_real(place, words, i) for i in (1, 2, 3)])
        return _load("ACEL", gravity=gravity)

    def _pressures(self) -> DeckLoad:
        rows = {row[4]: row[5:] for row in self._file.elements}
        by_size: dict[float, list[tuple[int, int]]] = {}
        for place, words, values in self._face_loads():
            if len(set(values)) > 1:
                self._miss(place, words, "a pressure that varies over the face")
                continue
            if not values[0]:
                continue
            element = _integer(place, words, 1)
            position = int(self._elements.find(np.array([element]))[0])
            face = None if position < 0 else self._face(position, rows[element], _integer(place, words, 2))
            if face is None:
                self._miss(place, words, "no face of a solid or shell that is taken over")
                continue
            by_size.setdefault(values[0], []).append((position, face))
        pressures = []
        for i, (size, own) in enumerate(by_size.items()):
            name = "SFE" + (f" {i + 1}" if len(by_size) > 1 else "")
            elements, faces = np.array(own, np.int64).T
            self.surfaces[name] = DeckSurface(name, elements, faces, np.zeros(0, np.int64))
            pressures.append((name, size))
        return _load("SFE", pressures=tuple(pressures))

    def _face_loads(self) -> Iterator[tuple[FileLine, list[str], list[float]]]:
        """Yield the pressures of SFE at the corners of a face; in format R5.0 they are in the next line."""
        commands = self._file.commands
        for at, (place, words) in enumerate(commands):
            if words[0] != "SFE":
                continue
            if len(words) < 5 or words[3] != "PRES":
                self._miss(place, words, "no pressure")
                continue
            if words[4] == "2":  # imaginary
                continue
            texts = [word for word in words[5:9] if word]
            if texts and texts[0].startswith("R"):
                below = commands[at + 1][1] if at + 1 < len(commands) else []
                texts = " ".join(below).split()
            try:
                values = [float(text) for text in texts[:4]]
            except ValueError as error:
                raise place.error(f"SFE is not as expected ({error}).", "Mend this line.") from None
            # Omitted values at other corners equal the first; for triangles the fourth is zero.
            if len(values) == 4 and not values[3] and len(set(values[:3])) == 1:
                values = values[:3]
            yield place, words, values or [0.0]

    def _face(self, position: int, nodes: list[int], number: int) -> int | None:
        """Return the face of an element by Ansys's number, None if it has no such face."""
        at = int(np.searchsorted(self._starts, position, side="right")) - 1
        block, row = self._blocks[at], position - int(self._starts[at])
        kind = element_kinds[block.element]
        if kind.is_shell:
            # Face 1 is the lower one, where pressure acts along the normal.
            return {1: 1, 2: 0}.get(number)
        shape = _TETRAHEDRON if len(nodes) in (4, 10) else _BRICK
        if not 1 <= number <= len(shape):
            return None
        wanted = set(self._nodes.find(np.array([nodes[i] for i in shape[number - 1]])).tolist())
        for face, (positions, facet) in enumerate(zip(kind.faces, kind.facets, strict=True)):
            if (
                set(block.connectivity[row, list(positions[: facet_kind(facet).n_corners])].tolist())
                == wanted
            ):
                return face
        return None

    def _held(self) -> Held:
        """Return the held or displaced components."""
        held: Held = {}
        for place, words in self._having("D"):
            label = words[2] if len(words) > 2 else ""
            if label not in _HELD:
                self._miss(place, words, "no displacement")
                continue
            row = int(self._nodes.find(np.array([_integer(place, words, 1)]))[0])
            if row < 0:
                raise place.error(f"D names node {words[1]}, which does not exist.", "Write the file again.")
            value = _real(place, words, 3)
            if row in self._file.turned_rows and (value or _HELD[label] != _HELD["ALL"]):
                self._turned.setdefault(row, (place, words))
            held |= {(row, component): value for component in _HELD[label]}
        for row, (place, words) in self._turned.items():
            # The coordinate system is irrelevant for nodes with all three displacements fixed.
            if any(held.get((row, component)) != 0.0 for component in (1, 2, 3)):
                self._miss(place, words, "a node with directions of its own")
        return held


def _load(
    name: str,
    nodes: np.ndarray | None = None,
    forces: np.ndarray | None = None,
    pressures: tuple[tuple[str, float], ...] = (),
    gravity: np.ndarray | None = None,
) -> DeckLoad:
    return DeckLoad(
        name,
        np.zeros(0, np.int64) if nodes is None else nodes,
        np.zeros((0, 6)) if forces is None else forces,
        pressures,
        np.zeros(3) if gravity is None else gravity,
        np.zeros(0),
    )


def _integer(place: FileLine, words: list[str], at: int) -> int:
    try:
        return whole_number(words[at])
    except (ValueError, IndexError):
        raise place.error(
            f"{','.join(words)} is not as expected: a number is missing.", "Mend this line."
        ) from None


def _is_number(text: str, wanted: float) -> bool:
    try:
        return float(text) == wanted
    except ValueError:
        return False


def _real(place: FileLine, words: list[str], at: int) -> float:
    text = words[at] if at < len(words) else ""
    try:
        value = float(text or 0.0)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise place.error(f"{words[0]} is not as expected: {text!r} is no number.", "Mend this line.")
    return value
