"""Reader of MED files (.med, .mmed, .rmed) of Salome and code_aster.

Supported: the first mesh with its nodes, solid elements and groups: of volumes as element sets, of faces as surfaces
(if on the skin of solids) and node sets, of nodes as node sets. A mesh has no material: choose one for the body, or
import stiffness and mass.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.mirrored_elements import turned_right
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._blocks import MeshParts, sets_of_groups, surfaces_of_facets
from faying.fem.readers._hdf_files import HdfGroup, opened_hdf
from faying.progress import Progress

_SOLIDS = {
    "TE4": "tet4", "T10": "tet10", "PY5": "pyramid5", "P13": "pyramid13", "PE6": "wedge6", "P15": "wedge15",
    "HE8": "hex8_incompatible", "H20": "hex20",
}  # fmt: skip
_FACETS = {"TR3": 3, "TR6": 3, "QU4": 4, "QU8": 4}  # corners


@readers.register("med")
class MedReader(ModelReader):
    """Reads the first mesh with its groups; all else is listed as unread."""

    title = "MED mesh (Salome, code_aster)"
    extensions = (".med", ".mmed", ".rmed")

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a file; its elements have no material."""
        with opened_hdf(path) as file:
            if "ENS_MAA" not in file or not file.group("ENS_MAA").groups():
                raise ReadError(path, None, "there is no mesh in it.", "Choose a MED file with a mesh.")
            model = _Mesh(path, file).model()
        progress.report(1.0, f"{len(model.nodes)} nodes")
        return model


class _Mesh:
    """One mesh of an open file."""

    def __init__(self, path: Path, file: HdfGroup) -> None:
        self.path = path
        meshes = file.group("ENS_MAA").groups()
        self.name, *others = meshes
        self.unread = [(1, f"mesh {name}") for name in others]
        if "CHA" in file and file.group("CHA").names():
            self.unread.append((1, f"{len(file.group('CHA').names())} result fields"))
        group = meshes[self.name]
        # In newer versions a mesh has a group for each time step, which contains its parts.
        self.group = group if "NOE" in group else next(iter(group.groups().values()), group)
        families = file.group("FAS").groups().get(self.name) if "FAS" in file else None
        by_word = families.groups() if families is not None else {}
        self.groups = {
            word: _groups_of_families(by_word[word]) if word in by_word else {} for word in ("NOEUD", "ELEME")
        }

    def model(self) -> FeModel:
        points = self.group.group("NOE")
        # All x come first, then all y, then all z.
        components = self._table(points, "COO")
        if components.shape[1] > 3:
            raise ReadError(
                self.path, None, "its nodes have more than three coordinates.", "Save the mesh again."
            )
        count = len(components)
        nodes = np.zeros((count, 3))
        nodes[:, : components.shape[1]] = components
        parts = MeshParts()
        members: dict[str, list[np.ndarray]] = {}
        node_sets: dict[str, list[np.ndarray]] = {}
        for name, rows in self._in_groups(points, "NOEUD", np.arange(count)):
            node_sets.setdefault(name, []).append(rows)
        first = 1
        for shape, cells in self.group.group("MAI").groups().items():
            rows = self._table(cells, "NOD").astype(np.int64) - 1
            n_cells = len(rows)
            expected = element_kinds[_SOLIDS[shape]].n_nodes if shape in _SOLIDS else _FACETS.get(shape, 0)
            if rows.shape[1] < expected or (shape in _SOLIDS and rows.shape[1] > expected):
                raise ReadError(
                    self.path, None, f"cells of type {shape} have {rows.shape[1]} nodes, expected {expected}.",
                    "Save the mesh again.",
                )  # fmt: skip
            if rows.size and (rows.min() < 0 or rows.max() >= count):
                raise ReadError(
                    self.path, None, "a cell uses a node that does not exist.", "Save the mesh again."
                )
            ids = first + np.arange(n_cells)
            first += n_cells
            grouped = self._in_groups(cells, "ELEME", np.arange(n_cells))
            if shape in _SOLIDS:
                element = _SOLIDS[shape]
                parts.solids.append((element, ids, turned_right(element, rows, nodes), ""))
                for name, own in grouped:
                    members.setdefault(name, []).append(ids[own])
                continue
            if shape in _FACETS:
                for name, own in grouped:
                    parts.facets.setdefault(name, []).append(rows[own][:, : _FACETS[shape]])
            elif shape not in ("PO1", "SE2", "SE3"):
                self.unread.append((1, f"{n_cells} cells of type {shape}"))
            for name, own in grouped:
                node_sets.setdefault(name, []).append(rows[own].ravel())
        blocks = parts.blocks()
        if not blocks:
            raise ReadError(
                self.path, None, "the mesh has no solid elements.", "Mesh the volume and save it."
            )
        surfaces, lost = surfaces_of_facets(blocks, parts.facets)
        self.unread += [(1, f"{n} facets of {name}: no exterior face of a solid") for name, n in lost.items()]
        return FeModel(
            title=self.name,
            node_ids=np.arange(1, count + 1),
            nodes=nodes,
            blocks=blocks,
            node_sets={name: np.unique(np.concatenate(rows)) for name, rows in node_sets.items()},
            element_sets=sets_of_groups(blocks, members),
            surfaces=surfaces,
            unread=tuple(self.unread),
        )

    def _table(self, owner: HdfGroup, name: str) -> np.ndarray:
        """Return (n, k) an array stored column by column; its attribute NBR is n."""
        count, values = owner.count(name, "NBR"), owner.numbers(name, 1)
        if not count or not len(values) or len(values) % count:
            raise ReadError(
                self.path,
                None,
                f"{name} has {len(values)} numbers for {count} nodes or cells.",
                "Save the mesh again.",
            )
        return values.reshape(-1, count).T

    def _in_groups(self, cells: HdfGroup, word: str, positions: np.ndarray) -> list[tuple[str, np.ndarray]]:
        """Return (group, positions) of all groups of cells or nodes, from their families."""
        if "FAM" not in cells:
            return []
        families = cells.numbers("FAM", 1)
        if len(families) != len(positions):
            raise ReadError(
                self.path, None, f"{len(families)} families stand for {len(positions)} nodes or cells.",
                "Save the mesh again.",
            )  # fmt: skip
        return [
            (name, positions[families == family])
            for family, names in self.groups[word].items()
            if (families == family).any()
            for name in names
        ]


def _groups_of_families(families: HdfGroup) -> dict[int, list[str]]:
    """Return the names of the groups of each family."""
    found: dict[int, list[str]] = {}
    for family in families.groups().values():
        number = family.text_or_number("NUM")
        if "GRO" in family and isinstance(number, int):
            # Each name is a row of characters padded with zeros.
            rows = family.group("GRO").characters("NOM")
            found[number] = [row.split(b"\0")[0].decode("utf-8", "replace").strip() for row in rows]
    return found
