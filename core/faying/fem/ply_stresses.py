"""Stresses of shells at the outer faces of their outermost plies, from nodal displacements and rotations.

They are evaluated at the centre of each element, in the ply's axes: 1 along its fibres, 3 along the shell's normal.
"""

from typing import NamedTuple

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import checked_material
from faying.fem.elasticity import plane_stress_stiffness
from faying.fem.elements import element_kinds
from faying.fem.laminates import plies_of, strain_turn
from faying.fem.matrices import DofMap
from faying.fem.model import FeModel, ShellSection
from faying.fem.shell_element import ShellElement


class PlyStresses(NamedTuple):
    """Stresses 11, 22, 12 of shells.

    Attributes:
        elements: (n,) running positions of the shells.
        bottom: (n, 3) at the outer face of the first ply, on the side opposite to the normal (SNEG).
        top: (n, 3) at the outer face of the last ply (SPOS).
    """

    elements: np.ndarray
    bottom: np.ndarray
    top: np.ndarray


def ply_stresses(model: FeModel, dofs: DofMap, displacements: np.ndarray) -> PlyStresses:
    """Return the stresses of all shells; a shell without plies counts as a single ply.

    Args:
        model: model of the body.
        dofs: of its matrices.
        displacements: (n_dofs,) values of its degrees of freedom.

    Raises:
        ModelError: for a body without shells, or shells without section or material.
    """
    full, n = dofs.transformation @ displacements, len(model.nodes)
    turns = np.zeros((n, 3))
    turns[dofs.rotation_nodes] = full[3 * n :].reshape(-1, 3)
    motion = np.hstack([full[: 3 * n].reshape(-1, 3), turns])
    elements, sides = [], []
    for start, block in zip(model.block_starts, model.blocks, strict=False):
        kind, section = element_kinds[block.element], block.section
        if not len(block.ids) or not issubclass(kind, ShellElement):
            continue
        material = checked_material(model, block)
        assert isinstance(section, ShellSection)  # checked with the material
        if section.stiffness and not section.plies:
            raise ModelError(
                f"The deck gives the stiffness of {len(block.ids)} shells of type {block.label} as a whole, without "
                "the plies that stresses belong to.",
                "Give the plies in the deck (PCOMP, *SHELL SECTION, COMPOSITE).",
            )
        plies = plies_of(section, material)
        nodes, moved = model.nodes[block.connectivity], motion[block.connectivity].reshape(len(block.ids), -1)
        found = []
        for ply, t in ((plies[0], -1.0), (plies[-1], 1.0)):
            rows = kind.plane_strains(nodes, section, block.directions, t)
            strains = np.einsum("nij,nj->ni", rows, moved) @ strain_turn(ply.angle).T
            found.append(strains @ plane_stress_stiffness(ply.material)[0])
        elements.append(start + np.arange(len(block.ids)))
        sides.append(found)
    if not elements:
        raise ModelError("The body has no shells, so it has no plies.", "Look at the stresses of its solids.")
    bottom, top = (np.concatenate([found[side] for found in sides]) for side in (0, 1))
    return PlyStresses(np.concatenate(elements), bottom, top)
