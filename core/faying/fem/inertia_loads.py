"""Nodal forces of an acceleration field acting on a body's mass."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.matrices import DofMap
from faying.fem.model import FeModel
from faying.fem.point_masses import point_mass_matrix

_CHUNK = 4096  # elements


def inertia_loads(model: FeModel, dofs: DofMap, accelerations: np.ndarray) -> np.ndarray:
    """Return (n_dofs,) the consistent forces ∫ ρ N a dV, including those on point masses.

    The mass is taken at the elements' nodes, before couplings transfer it to reference nodes: the mass matrix over the
    independent dofs would represent only rigid accelerations of a coupled face.

    Args:
        model: the body; every element has a material.
        dofs: of its matrices.
        accelerations: (n_nodes, 3) of all nodes; angular accelerations are zero.
    """
    n = len(model.nodes)
    full = np.zeros(dofs.transformation.shape[0])
    forces = np.zeros((n, 3))
    turning = np.zeros((len(dofs.rotation_nodes), 3))
    for block in model.blocks:
        kind, material = element_kinds[block.element], model.materials.get(block.material)
        for start in range(0, len(block.ids), _CHUNK):
            connectivity = block.connectivity[start : start + _CHUNK]
            assert material is not None  # there are matrices of it
            mass = kind.mass(model.nodes[connectivity], material, block.section)
            if not kind.rotations:
                np.add.at(forces, connectivity, mass @ accelerations[connectivity])
                continue
            motion = np.zeros((*connectivity.shape, 6))
            motion[..., :3] = accelerations[connectivity]
            answer = np.einsum("nij,nj->ni", mass, motion.reshape(len(mass), -1)).reshape(motion.shape)
            np.add.at(forces, connectivity, answer[..., :3])
            np.add.at(turning, np.searchsorted(dofs.rotation_nodes, connectivity), answer[..., 3:])
    full[: 3 * n], full[3 * n :] = forces.ravel(), turning.ravel()
    if model.point_masses:
        motion = np.zeros_like(full)
        motion[: 3 * n] = accelerations.ravel()
        full += point_mass_matrix(model, dofs.rotation_nodes) @ motion
    return np.asarray(dofs.transformation.T @ full)
