"""Reader of Gmsh meshes (.msh, formats 1, 2 and 4.1, text and binary).

Supported: nodes, solid elements, and physical groups: of volumes as element sets, of surfaces as surfaces (if on the
skin of solids) and node sets, of curves and points as node sets. A mesh has no material: choose one for the body, or
import stiffness and mass.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._blocks import MeshParts, sets_of_groups, surfaces_of_facets
from faying.fem.readers._gmsh_sections import TAKEN, GmshFile, read_sections
from faying.fem.readers._number_index import NumberIndex
from faying.fem.whole_numbers import whole_number
from faying.progress import Progress

# By Gmsh's type number: dimension, corners, nodes, and for solids kind and Gmsh's position of each of our nodes.
_TYPES: dict[int, tuple[int, int, int, str, list[int]]] = {
    15: (0, 1, 1, "", []), 1: (1, 2, 2, "", []), 8: (1, 2, 3, "", []),
    2: (2, 3, 3, "", []), 9: (2, 3, 6, "", []), 3: (2, 4, 4, "", []), 16: (2, 4, 8, "", []), 10: (2, 4, 9, "", []),
    4: (3, 4, 4, "tet4", list(range(4))), 11: (3, 4, 10, "tet10", [*range(8), 9, 8]),
    5: (3, 8, 8, "hex8_incompatible", list(range(8))),
    17: (3, 8, 20, "hex20", [*range(8), 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15]),
    6: (3, 6, 6, "wedge6", list(range(6))), 18: (3, 6, 15, "wedge15", [*range(6), 6, 9, 7, 12, 14, 13, 8, 10, 11]),
    7: (3, 5, 5, "pyramid5", list(range(5))), 19: (3, 5, 13, "pyramid13", [*range(5), 5, 8, 10, 6, 7, 9, 11, 12]),
}  # fmt: skip


@readers.register("gmsh")
class GmshReader(ModelReader):
    """Reads meshes with their physical groups; all else is listed as unread."""

    title = "Gmsh mesh"
    extensions = (".msh",)
    cards = tuple(f"${name}" for name in TAKEN)

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a mesh file; its elements have no material."""
        progress.report(0.0, "reading sections")
        file = read_sections(path)
        progress.report(0.3, "reading nodes")
        ids, nodes = (_nodes_4 if file.version == 4 else _nodes_2)(file, path)
        table = NumberIndex.of(ids, 0)
        twice = table.duplicate()
        if twice is not None:
            raise ReadError(path, None, f"node {twice} is there twice.", "Save the mesh again in Gmsh.")
        progress.report(0.5, "reading elements")
        parts, unread = MeshParts(), list(file.unread)
        members: dict[str, list[np.ndarray]] = {}
        node_members: dict[str, list[np.ndarray]] = {}
        for kind, groups, numbers, tags in (_elements_4 if file.version == 4 else _elements_2)(file, path):
            if kind not in _TYPES:
                unread.append(
                    (file.needed("Elements", path).place.line, f"{len(numbers)} elements of type {kind}")
                )
                continue
            dimension, n_corners, _, solid, order = _TYPES[kind]
            rows = table.find(tags.ravel()).reshape(tags.shape)
            if (rows < 0).any():
                element, column = np.argwhere(rows < 0)[0]
                raise file.needed("Elements", path).place.error(
                    f"element {numbers[element]} uses node {tags[element, column]}, which does not exist.",
                    "Save the mesh again in Gmsh.",
                )
            names = [file.names.get((dimension, group), f"{_WORDS[dimension]} {group}") for group in groups]
            if solid:
                parts.solids.append((solid, numbers, rows[:, order], names[0] if names else ""))
            for name in names:
                (members if solid else node_members).setdefault(name, []).append(
                    numbers if solid else rows.ravel()
                )
                if dimension == 2:
                    parts.facets.setdefault(name, []).append(rows[:, :n_corners])
        blocks = parts.blocks()
        if not blocks:
            raise ReadError(
                path, None, "the mesh has no solid elements.", "Mesh the volume (Mesh 3D) and save it."
            )
        surfaces, lost = surfaces_of_facets(blocks, parts.facets)
        place = file.needed("Elements", path).place
        unread += [
            (place.line, f"{count} facets of {name}: no exterior face of a solid")
            for name, count in lost.items()
        ]
        progress.report(1.0, f"{len(nodes)} nodes")
        return FeModel(
            title=path.stem,
            node_ids=ids,
            nodes=nodes,
            blocks=blocks,
            node_sets={name: np.unique(np.concatenate(rows)) for name, rows in node_members.items()},
            element_sets=sets_of_groups(blocks, members),
            surfaces=surfaces,
            unread=tuple(sorted(unread)),
        )


_WORDS = ("Physical Point", "Physical Curve", "Physical Surface", "Physical Volume")
Runs = list[
    tuple[int, list[int], np.ndarray, np.ndarray]
]  # type, physical groups, element numbers, node numbers


def _nodes_2(file: GmshFile, path: Path) -> tuple[np.ndarray, np.ndarray]:
    section = file.needed("Nodes", path)
    what = "number, x, y, z of a node"
    count = section.counts(0, 1, "the number of nodes")[0]
    if not count:
        return np.zeros(0, np.int64), np.zeros((0, 3))
    section.numbers(1, 4, what)
    table = section.table(1, count, what)
    return section.whole(1, table[:, :1], what)[:, 0], table[:, 1:4].copy()


def _nodes_4(file: GmshFile, path: Path) -> tuple[np.ndarray, np.ndarray]:
    section = file.needed("Nodes", path)
    ids, nodes, at = [np.zeros(0, np.int64)], [np.zeros((0, 3))], 1
    for _ in range(section.counts(0, 4, "the numbers of node blocks and nodes")[0]):
        count = section.counts(at, 4, "dimension, entity, parametric, number of nodes")[3]
        if count:
            numbers = section.table(at + 1, count, "a node number")[:, :1]
            ids.append(section.whole(at + 1, numbers, "a node number")[:, 0])
            section.numbers(at + 1 + count, 3, "x, y, z of a node")
            nodes.append(section.table(at + 1 + count, count, "x, y, z of a node")[:, :3])
        at += 1 + 2 * count
    return np.concatenate(ids), np.concatenate(nodes)


def _elements_2(file: GmshFile, path: Path) -> Runs:
    section = file.needed("Elements", path)
    # This format repeats an element for each of its physical groups under a new number.
    elements: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
    for index in range(1, 1 + section.counts(0, 1, "the number of elements")[0]):
        row = section.counts(
            index, 5 if file.version == 1 else 4, "number, type, tags and nodes of an element"
        )
        if file.version == 1:  # number, type, group, entity, count of nodes, nodes
            row = [*row[:2], 2, *row[2:4], *row[5:]]
        n_tags = min(row[2], len(row) - 3)
        expected = _TYPES[row[1]][2] if row[1] in _TYPES else len(row) - 3 - n_tags
        if len(row) != 3 + n_tags + expected:
            raise section.line_place(index).error(
                f"element {row[0]} has {len(row) - 3 - n_tags} nodes, expected {expected}.",
                "Save the mesh again.",
            )
        # The first tag is the physical group (0 for none), the second the geometric entity.
        entity, nodes = (row[4] if n_tags > 1 else 0), row[3 + n_tags :]
        # In a group of reversed sides the nodes have a different order.
        key = (row[1], entity, *sorted(nodes))
        _, groups = elements.setdefault(key, ([row[0], *nodes], []))
        if n_tags and row[3] and row[3] not in groups:
            groups.append(row[3])
    found: dict[tuple[int, tuple[int, ...], int], list[list[int]]] = {}
    for (kind, *_), (numbers, groups) in elements.items():
        found.setdefault((kind, tuple(groups), len(numbers)), []).append(numbers)
    runs = []
    for (kind, group, _), rows in found.items():
        table = np.array(rows, np.int64)
        runs.append((kind, list(group), table[:, 0], table[:, 1:]))
    return runs


def _elements_4(file: GmshFile, path: Path) -> Runs:
    section, groups = file.needed("Elements", path), _groups_of_entities(file)
    runs: Runs = []
    at = 1
    for _ in range(section.counts(0, 4, "the numbers of element blocks and elements")[0]):
        head = section.counts(at, 4, "dimension, entity, type, number of elements")
        if head[3]:
            what = "number and nodes of an element"
            table = section.whole(at + 1, section.table(at + 1, head[3], what), what)
            expected = _TYPES[head[2]][2] if head[2] in _TYPES else table.shape[1] - 1
            if table.shape[1] != 1 + expected:
                raise section.line_place(at + 1).error(
                    f"element {table[0, 0]} has {table.shape[1] - 1} nodes, expected {expected}.",
                    "Save the mesh again.",
                )
            runs.append((head[2], groups.get((head[0], head[1]), []), table[:, 0], table[:, 1:]))
        at += 1 + head[3]
    return runs


def _groups_of_entities(file: GmshFile) -> dict[tuple[int, int], list[int]]:
    """Return the physical groups of each (dimension, entity)."""
    found: dict[tuple[int, int], list[int]] = {}
    if "Entities" not in file.sections:
        return found
    section = file.sections["Entities"]
    counts = section.counts(0, 4, "the numbers of points, curves, surfaces, volumes")[:4]
    at = 1
    for dimension, count in enumerate(counts):
        # Number, bounding box (coordinates only for a point), number of groups, groups, …
        first = 4 if dimension == 0 else 7
        for _ in range(count):
            section.numbers(at, first + 1, "an entity")
            try:
                words = section.lines[at].split()
                n_groups = whole_number(words[first])
                groups = [whole_number(word) for word in words[first + 1 :][: max(n_groups, 0)]]
                # A negative number means that the group contains the entity with reversed orientation.
                found[dimension, whole_number(words[0])] = list(dict.fromkeys(map(abs, groups)))
            except ValueError as error:
                raise section.line_place(at).error(f"{error} (an entity).", "Write the file again.") from None
            at += 1
    return found
