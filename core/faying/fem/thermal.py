"""Thermal expansion: nodal forces of temperature changes, and thermal stresses.

The stress-free strain α ΔT is subtracted from the strain of the displacements: σ = D (ε − α ΔT). To be consistent, ΔT
is interpolated one order lower than the displacements (as in Abaqus and CalculiX): in elements with linear shape
functions it is the mean of their nodes, in quadratic ones it is linear between the corners. In hexahedra of 20 nodes it
is the trilinear field that equals the quadratic one of all nodes at the 2 × 2 × 2 Gauss points, so that midside
temperatures that differ from the mean of their corners have an effect.
"""

from collections.abc import Iterator

import numpy as np

from faying.errors import ModelError
from faying.fem.elasticity import stress_per_kelvin
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.matrices import DofMap
from faying.fem.model import ElementBlock, FeModel, Material, ShellSection
from faying.fem.quadrature import gauss_hexahedron
from faying.fem.shell_element import ShellElement
from faying.fem.solid_element import SolidElement, gradients_and_volumes

_CHUNK = 4096  # elements
_TENSOR = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])  # indices of xx, yy, zz, xy, yz, zx in a tensor
_CORNERS = {10: 4, 13: 5, 15: 6, 20: 8}  # for solids with this many nodes


def thermal_forces(model: FeModel, dofs: DofMap, temperatures: np.ndarray) -> np.ndarray:
    """Return (n_dofs,) the forces ∫ Bᵀ D α ΔT dV, equivalent nodal forces of temperature changes.

    Args:
        model: model of the body; forces follow from its elements' stiffness.
        dofs: of its matrices.
        temperatures: (n,) changes at the nodes of each element, element after element (`element_nodes`).

    Raises:
        ModelError: when the temperature changes in a material without coefficient of expansion.
    """
    n = len(model.nodes)
    forces, turning = np.zeros((n, 3)), np.zeros((len(dofs.rotation_nodes), 3))
    for block, of_block in _by_block(model, temperatures):
        if not of_block.any():
            continue
        kind, material = element_kinds[block.element], _expanding(model, block)
        for start in range(0, len(block.ids), _CHUNK):
            part = slice(start, start + _CHUNK)
            connectivity, changes = block.connectivity[part], of_block[part]
            directions = None if block.directions is None else block.directions[part]
            if issubclass(kind, SolidElement):
                per_kelvin = stress_per_kelvin(material, directions)
                np.add.at(
                    forces, connectivity, _of_solids(kind, model.nodes[connectivity], per_kelvin, changes)
                )
                continue
            answer = _of_beams_or_shells(
                kind, block, model.nodes[connectivity], directions, material, changes
            )
            np.add.at(forces, connectivity, answer[..., :3])
            np.add.at(turning, np.searchsorted(dofs.rotation_nodes, connectivity), answer[..., 3:])
    full = np.concatenate([forces.ravel(), turning.ravel()])
    return np.asarray(dofs.transformation.T @ full)


def require_expansion(model: FeModel, temperatures: np.ndarray) -> None:
    """Check that materials with temperature changes have a coefficient of expansion; raises as `thermal_forces`."""
    for block, of_block in _by_block(model, temperatures):
        if of_block.any():
            _expanding(model, block)


def temperature_weights(kind: type[SolidElement], points: np.ndarray) -> np.ndarray:
    """Return (q, k) nodal weights that interpolate an element's temperature at local points (q, 3)."""
    k = kind.n_nodes
    corners = _CORNERS.get(k)
    if corners is None:
        return np.full((len(points), k), 1.0 / k)
    if corners == 8:
        sampled = gauss_hexahedron(2).points
        # Trilinear functions, each of them one at one of these points: products of (1 + 3 ξ ξ_p) / 2.
        through = np.prod(0.5 * (1.0 + 3.0 * points[:, None, :] * sampled[None]), axis=2)
        return np.asarray(through @ kind.polynomials.values(sampled))
    # Use the mean of two corners for midside nodes and ignore their own temperature.
    places, between = kind.polynomials.nodes, np.zeros((k, k))
    between[:corners, :corners] = np.eye(corners)
    first, second = np.triu_indices(corners, 1)
    middles = 0.5 * (places[first] + places[second])
    for node in range(corners, k):
        edge = np.argmin(np.linalg.norm(middles - places[node], axis=1))
        between[node, [first[edge], second[edge]]] = 0.5
    return np.asarray(kind.polynomials.values(points) @ between)


def element_nodes(model: FeModel) -> np.ndarray:
    """Return (n,) node rows of all elements, element after element."""
    return np.concatenate([np.zeros(0, np.int64), *(block.connectivity.ravel() for block in model.blocks)])


def _by_block(model: FeModel, temperatures: np.ndarray) -> Iterator[tuple[ElementBlock, np.ndarray]]:
    """Yield blocks with the temperatures (n, k) of their elements' nodes."""
    start = 0
    for block in model.blocks:
        stop = start + block.connectivity.size
        yield block, temperatures[start:stop].reshape(block.connectivity.shape)
        start = stop


def _of_solids(
    kind: type[SolidElement], coordinates: np.ndarray, per_kelvin: np.ndarray, changes: np.ndarray
) -> np.ndarray:
    """Return (n, k, 3) ∫ σ ΔT ∇N dV, with σ (6,) or (n, 6) the stresses per kelvin of restrained elements.

    Internal modes of an element are unaffected, since the volume integral of their gradients vanishes.
    """
    gradients, volumes = gradients_and_volumes(kind, coordinates, kind.stiffness_rule)
    at_points = changes @ temperature_weights(kind, kind.stiffness_rule.points).T
    along = np.einsum("nq,nqkx->nkx", volumes * at_points, gradients)
    stresses = np.broadcast_to(per_kelvin[..., _TENSOR], (len(along), 3, 3))
    return np.asarray(along @ stresses)


def _of_beams_or_shells(
    kind: type[ElementKind],
    block: ElementBlock,
    coordinates: np.ndarray,
    directions: np.ndarray | None,
    material: Material,
    changes: np.ndarray,
) -> np.ndarray:
    """Return (n, k, 6) the forces that restrain the thermal expansion due to the elements' mean temperature."""
    section, means = block.section, changes.mean(axis=1)
    if (
        isinstance(section, ShellSection)
        and issubclass(kind, ShellElement)
        and (section.plies or material.expansions)
    ):
        held = kind.held_forces(coordinates, material, section, directions)
        return np.asarray(means[:, None, None] * held)
    # Isotropic expansion is represented by nodal displacements.
    growth = (material.expansion or 0.0) * means
    motion = np.zeros((*coordinates.shape[:2], 6))
    motion[..., :3] = growth[:, None, None] * (coordinates - coordinates.mean(axis=1, keepdims=True))
    stiffness = kind.stiffness(coordinates, material, section, directions)
    answer = np.einsum("nij,nj->ni", stiffness, motion.reshape(len(motion), -1))
    return np.asarray(answer.reshape(motion.shape))


def _expanding(model: FeModel, block: ElementBlock) -> Material:
    material = model.materials.get(block.material)
    if material is None or material.expansion is None:
        name = f"The material {block.material!r}" if block.material else "A material without a name"
        raise ModelError(
            f"{name} has no coefficient of thermal expansion, but a temperature changes in {len(block.ids)} of its "
            "elements.",
            "Give the body a material of that name, or one for those elements' set, with a coefficient; or the deck by "
            "*EXPANSION or MAT1's field A.",
        )
    return material
