"""Beam bolts in Abaqus and CalculiX decks: rejoined, with a pre-tension section at the cut beam."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from faying.fem.abaqus_text import real
from faying.fem.elements import element_kinds
from faying.fem.model import Bolt, FeModel


@dataclass(frozen=True)
class CutBeam:
    """A beam with a pre-tension section.

    Attributes:
        bolt: its bolt.
        element, node: numbers of the beam and of its pre-tension node.
    """

    bolt: Bolt
    element: int
    node: int


def with_whole_beams(model: FeModel) -> tuple[FeModel, tuple[CutBeam, ...]]:
    """Return the model with the cuts of beam bolts removed, and these beams; cuts through solids remain.

    The node that the cut had added becomes the pre-tension node.
    """
    found: list[CutBeam] = []
    for bolt in model.bolts:
        first, second = bolt.centres
        own = (f"bolt {bolt.name}", f"bolt {bolt.name}, rotations")
        if not any(each.name == own[0] for each in model.equations):
            continue
        for at, block in enumerate(model.blocks):
            if not element_kinds[block.element].rotations or element_kinds[block.element].is_shell:
                continue
            rows = np.flatnonzero((block.connectivity == second).any(axis=1))
            if len(rows) != 1:
                continue
            connectivity = np.where(block.connectivity == second, first, block.connectivity)
            sets = (f"{bolt.name} 1", f"{bolt.name} 2")
            model = replace(
                model,
                blocks=(
                    *model.blocks[:at], replace(block, connectivity=connectivity), *model.blocks[at + 1 :],
                ),
                equations=tuple(each for each in model.equations if each.name not in own),
                node_sets={name: nodes for name, nodes in model.node_sets.items() if name not in sets},
                bolts=tuple(each for each in model.bolts if each.name != bolt.name),
            )  # fmt: skip
            found.append(CutBeam(bolt, int(block.ids[rows[0]]), int(model.node_ids[second])))
            break
    return model, tuple(found)


def write_cut_beams(model: FeModel, cuts: tuple[CutBeam, ...], left_out: list[str]) -> Iterator[str]:
    """Yield the pre-tension sections, each with a set of its beam, which gives a reader the bolt's name."""
    taken = {name.upper() for name in model.element_sets}
    for number, cut in enumerate(cuts, 1):
        name = f"SECTION_{number}"
        while name in taken:
            name = f"{name}_"
        yield f"*ELSET, ELSET={name}"
        yield str(cut.element)
        yield f"*PRE-TENSION SECTION, ELEMENT={name}, NODE={cut.node}"
        yield ", ".join(map(real, cut.bolt.axis.tolist()))
        if cut.bolt.force:
            left_out.append(f"The tension of the bolt {cut.bolt.name!r} is left out; its section is there.")
