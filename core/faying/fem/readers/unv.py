"""Reader of universal files (.unv) of I-DEAS, Salome and test systems.

Supported: nodes (datasets 15, 781, 2411), solid elements (780, 2412), groups (2417, 2429, 2430, 2432, 2435, 2452,
2467, 2477): of solids as element sets, of faces as surfaces (if on the skin of solids), of nodes as node sets.
Everything else is listed in `FeModel.unread`. A mesh has no material: choose one for the body, or import stiffness and
mass.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.mirrored_elements import turned_right
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._blocks import MeshParts, sets_of_groups, surfaces_of_facets
from faying.fem.readers._number_index import NumberIndex
from faying.fem.readers._text_files import FileLine, read_text
from faying.fem.universal_elements import BEAMS, FACETS, SOLIDS
from faying.fem.whole_numbers import is_whole_number, whole_number
from faying.progress import Progress

_NODES, _ELEMENTS = (15, 781, 2411), (780, 2412)
_GROUPS = {2417: 2, 2429: 2, 2430: 2, 2432: 2, 2435: 4, 2452: 4, 2467: 4, 2477: 4}  # numbers for each member


@readers.register("unv")
class UniversalReader(ModelReader):
    """Reads the mesh with its groups; all else is listed as unread."""

    title = "Universal file"
    extensions = (".unv", ".uff")
    cards = tuple(f"dataset {number}" for number in (*_NODES, *_ELEMENTS, *_GROUPS))

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a file; its elements have no material."""
        file = _UniversalFile(path)
        progress.report(0.3, "reading datasets")
        model = file.model()
        progress.report(1.0, f"{len(model.nodes)} nodes")
        return model


class _UniversalFile:
    """The mesh of a file, dataset by dataset."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ids: list[int] = []
        self.points: list[list[float]] = []
        self.elements: dict[int, list[list[int]]] = {}  # number and nodes, by descriptor
        self.groups: dict[str, list[tuple[int, int]]] = {}  # (7 for a node or 8 for an element, number)
        self.unread: list[tuple[int, str]] = []
        lines = read_text(path).splitlines()
        fences = [i for i, line in enumerate(lines) if line.strip() == "-1"]
        if len(fences) < 2:
            raise ReadError(
                path, None, "there is no dataset between lines of -1.", "Choose a universal file."
            )
        at = 0
        while at + 1 < len(fences):
            start, stop = fences[at], fences[at + 1]
            if stop == start + 1:
                at += 1
                continue
            self._read(lines, start + 1, stop)
            at += 2

    def _read(self, lines: list[str], start: int, stop: int) -> None:
        body, first = lines[start + 1 : stop], start + 2
        word = "".join(lines[start].split()[:1])
        number = int(word) if is_whole_number(word) and len(word) < 9 else 0
        try:
            if number in _NODES[1:]:
                self._nodes(body)
            elif number in _NODES:
                for line in body:
                    words = line.split()
                    self._node(words[0], words[4:7])
            elif number in _ELEMENTS:
                self._elements(body, 7 if number == 780 else 5)
            elif number in _GROUPS:
                self._groups(body, _GROUPS[number])
            elif number == 164:
                self.unread.append((first, f"units of the file: {body[0].strip() if body else 'none'}"))
            elif number not in (151, 0):
                self.unread.append((first - 1, f"dataset {number} ({len(body)} lines)"))
        except (ValueError, IndexError) as error:
            raise FileLine(self.path, first).error(
                f"the dataset {number} that begins here is not as expected ({error}).",
                "Write the file again.",
            ) from error

    def _nodes(self, body: list[str]) -> None:
        for head, line in zip(body[::2], body[1::2], strict=True):
            self._node(head[:10], line.split())

    def _node(self, number: str, words: list[str]) -> None:
        self.ids.append(whole_number(number))
        x, y, z = (_real(word) for word in words)
        self.points.append([x, y, z])

    def _elements(self, body: list[str], n_nodes: int) -> None:
        """Read elements whose first lines have the number of nodes at position `n_nodes`, from 0."""
        at = 0
        while at < len(body):
            head = [whole_number(word) for word in body[at].split()]
            at += 2 if head[1] in BEAMS else 1
            nodes: list[int] = []
            while len(nodes) < head[n_nodes]:
                nodes += [whole_number(word) for word in body[at].split()]
                at += 1
            order = SOLIDS[head[1]][1] if head[1] in SOLIDS else FACETS.get(head[1], [])
            if (head[1] in SOLIDS and len(nodes) != len(order)) or len(nodes) <= max(order, default=-1):
                raise ValueError(f"element {head[0]} has {len(nodes)} nodes, expected {max(order) + 1}")
            self.elements.setdefault(head[1], []).append([head[0], *nodes])

    def _groups(self, body: list[str], width: int) -> None:
        at = 0
        while at < len(body):
            count, name = whole_number(body[at].split()[-1]), body[at + 1].strip()
            at += 2
            numbers: list[int] = []
            while len(numbers) < width * count:
                numbers += [whole_number(word) for word in body[at].split()]
                at += 1
            members = zip(numbers[::width], numbers[1::width], strict=True)
            self.groups.setdefault(name, []).extend(members)

    def model(self) -> FeModel:
        """Return the model.

        Raises:
            ReadError: for duplicate or missing nodes, or no solid elements.
        """
        nodes, table = (
            np.array(self.points, float).reshape(-1, 3),
            NumberIndex.of(np.array(self.ids, np.int64), 0),
        )
        twice = table.duplicate()
        if twice is not None:
            raise ReadError(self.path, None, f"node {twice} is there twice.", "Write the file again.")
        parts = MeshParts()
        loose: dict[int, np.ndarray] = {}
        known: set[int] = set()
        for descriptor, rows in self.elements.items():
            if descriptor not in SOLIDS and descriptor not in FACETS:
                if descriptor not in BEAMS:
                    self.unread.append((1, f"{len(rows)} elements of descriptor {descriptor}"))
                continue
            # Node lists of facets may differ in length; truncated to the shortest, they still contain the corners.
            width = min(len(row) for row in rows)
            numbers = np.array([row[:width] for row in rows], np.int64)
            found = table.find(numbers[:, 1:].ravel()).reshape(len(numbers), -1)
            if (found < 0).any():
                element, column = np.argwhere(found < 0)[0]
                raise ReadError(
                    self.path, None,
                    f"element {numbers[element, 0]} uses node {numbers[element, 1 + column]}, which does not exist.",
                    "Write the file again.",
                )  # fmt: skip
            if descriptor in SOLIDS:
                kind, order = SOLIDS[descriptor]
                parts.solids.append((kind, numbers[:, 0], turned_right(kind, found[:, order], nodes), ""))
                known.update(numbers[:, 0].tolist())
            else:
                corners = found[:, FACETS[descriptor]]
                loose.update(zip(numbers[:, 0].tolist(), corners, strict=True))
        blocks = parts.blocks()
        if not blocks:
            raise ReadError(
                self.path, None, "the file has no solid elements.", "Write the mesh of the volume."
            )
        members: dict[str, list[np.ndarray]] = {}
        node_sets: dict[str, np.ndarray] = {}
        for name, group in self.groups.items():
            own = table.find(np.array([n for kind, n in group if kind == 7], np.int64))
            solids = [n for kind, n in group if kind == 8 and n in known]
            facets = [loose[n] for kind, n in group if kind == 8 and n in loose]
            if (own >= 0).any():
                node_sets[name] = np.unique(own[own >= 0])
            if solids:
                members[name] = [np.array(solids, np.int64)]
            for count in (3, 4):
                same = [facet for facet in facets if len(facet) == count]
                if same:
                    parts.facets.setdefault(name, []).append(np.array(same))
        surfaces, lost = surfaces_of_facets(blocks, parts.facets)
        self.unread += [(1, f"{n} facets of {name}: no exterior face of a solid") for name, n in lost.items()]
        return FeModel(
            title=self.path.stem,
            node_ids=np.array(self.ids, np.int64),
            nodes=nodes,
            blocks=blocks,
            node_sets=node_sets,
            element_sets=sets_of_groups(blocks, members),
            surfaces=surfaces,
            unread=tuple(self.unread),
        )


def _real(word: str) -> float:
    return float(word.upper().replace("D", "E"))
