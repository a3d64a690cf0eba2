"""Element blocks from tables of node numbers, for readers of mesh files."""

from dataclasses import dataclass, field

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import DeckSurface, ElementBlock, element_numbers
from faying.fem.readers._number_index import NumberIndex
from faying.fem.skin import exterior_faces, surface_of_faces


@dataclass
class MeshParts:
    """Solid elements and loose facets of a mesh file, group by group.

    Attributes:
        solids: (kind, element numbers, node rows, group) of each run of elements.
        facets: node rows of the corners of loose triangles and quadrilaterals, by group.
    """

    solids: list[tuple[str, np.ndarray, np.ndarray, str]] = field(default_factory=list)
    facets: dict[str, list[np.ndarray]] = field(default_factory=dict)

    def blocks(self) -> tuple[ElementBlock, ...]:
        """Return one block per kind and group, without material, since mesh files have none."""
        runs: dict[tuple[str, str], list[tuple[np.ndarray, np.ndarray]]] = {}
        for kind, ids, connectivity, group in self.solids:
            runs.setdefault((kind, group), []).append((ids, connectivity))
        return tuple(
            ElementBlock(
                kind, element_kinds[kind].labels[0],
                np.concatenate([ids for ids, _ in parts]), np.concatenate([rows for _, rows in parts]), "",
            )
            for (kind, _), parts in runs.items()
        )  # fmt: skip


def sets_of_groups(
    blocks: tuple[ElementBlock, ...], groups: dict[str, list[np.ndarray]]
) -> dict[str, np.ndarray]:
    """Return by group name the ascending positions (m,) in `blocks` of the element numbers in `groups`."""
    table = NumberIndex.of(element_numbers(blocks), 0)
    return {name: np.unique(table.find(np.concatenate(ids))) for name, ids in groups.items()}


def surfaces_of_facets(
    blocks: tuple[ElementBlock, ...], facets: dict[str, list[np.ndarray]]
) -> tuple[dict[str, DeckSurface], dict[str, int]]:
    """Return by name the surface of exterior faces that match facets, and the number of unmatched facets.

    Args:
        blocks: the solid elements.
        facets: (n, 3 or 4) node rows of corners by name.
    """
    elements, faces = exterior_faces(blocks)
    skin = surface_of_faces(blocks, "skin", elements, faces)
    known: dict[tuple[int, ...], tuple[int, int]] = {}
    for block in skin.blocks:
        corners = np.sort(block.connectivity[:, : 3 if block.facet.startswith("tri") else 4], axis=1)
        places = zip(block.elements.tolist(), block.faces.tolist(), strict=True)
        known.update(zip(map(tuple, corners.tolist()), places, strict=True))
    surfaces, lost = {}, {}
    for name, parts in facets.items():
        keys = [tuple(row) for part in parts for row in np.sort(part, axis=1).tolist()]
        found = [known[key] for key in keys if key in known]
        if len(found) < len(keys):
            lost[name] = len(keys) - len(found)
        if found:
            table = np.array(found, np.int64)
            surfaces[name] = DeckSurface(name, table[:, 0], table[:, 1], np.zeros(0, np.int64))
    return surfaces, lost
