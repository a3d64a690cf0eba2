"""Writer of VTK unstructured grids (.vtu): the mesh, numbers of nodes and elements, materials and element sets."""

from collections.abc import Sized
from pathlib import Path

import numpy as np

from faying.fem.model import FeModel
from faying.fem.vtu_grid import cells_of, write_grid
from faying.fem.writers import ModelWriter, writers

_TOLD = 10  # materials listed by number


@writers.register("vtu")
class VtuWriter(ModelWriter):
    """Writes the mesh for ParaView and other programs; reports items that a grid cannot represent."""

    title = "VTK unstructured grid"
    extensions = (".vtu",)

    @classmethod
    def write(cls, model: FeModel, path: Path) -> tuple[str, ...]:
        """Write a grid."""
        names, counts = list(model.materials), [len(b.ids) for b in model.blocks]
        numbers = [names.index(b.material) + 1 if b.material in names else 0 for b in model.blocks]
        in_cells: dict[str, np.ndarray] = {
            "element": model.element_ids.astype(np.int64),
            "material": np.repeat(numbers, counts).astype(np.int32),
        }
        for set_name, positions in model.element_sets.items():
            name = set_name
            while name in in_cells or (name != set_name and name in model.element_sets):
                name = f"set {name}"
            inside = np.zeros(len(model.element_ids), np.int8)
            inside[positions] = 1
            in_cells[name] = inside
        write_grid(path, model.nodes, cells_of(model), {"node": model.node_ids.astype(np.int64)}, in_cells)
        lost: dict[str, Sized] = {
            "section": [block.section for block in model.blocks if block.section is not None],
            "surface": model.surfaces,
            "node set": model.node_sets,
            "coupling": model.couplings,
            "equation": model.equations,
            "point mass": model.point_masses,
            "tie": model.ties,
            "contact": model.contacts,
            "bolt": model.bolts,
            "elastic support": model.foundations,
            "support": (*(["deck"] if model.deck_support else []), *model.held_surfaces),
            "load": model.deck_loads,
            "load case": model.deck_cases,
        }
        told = [f"The grid has numbers of materials, not their values: {_numbered(names)}."] if names else []
        told += [_without_place(word, len(things)) for word, things in lost.items() if things]
        return tuple(told)


def _without_place(word: str, count: int) -> str:
    if count == 1:
        return f"1 {word} has no place in a grid."
    return f"{count} {word}{'es' if word.endswith('s') else 's'} have no place in a grid."


def _numbered(names: list[str]) -> str:
    """Return the materials by number, "1 STEEL, 2 ALUMINIUM"; only the first if there are many."""
    first = [f"{number} {name}" for number, name in enumerate(names[:_TOLD], 1)]
    return ", ".join([*first, "…"] if len(names) > _TOLD else first)
