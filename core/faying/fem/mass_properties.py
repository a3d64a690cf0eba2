"""Volume, mass and centre of gravity of a model, for comparison with the real part."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from faying.errors import ModelError
from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.model import ElementBlock, FeModel, Material, ShellSection
from faying.fem.solid_element import SolidElement, jacobians

# Cached, since models are immutable.
_FOUND: WeakKeyDictionary[FeModel, "MassProperties"] = WeakKeyDictionary()
_UNIT = Material("unit density", 1.0, 0.0, 1.0)
_CHUNK = 20_000  # elements


@dataclass(frozen=True)
class MassProperties:
    """Volume, mass and centre of gravity of a model.

    Attributes:
        volume: of all elements.
        mass: mass of all elements with a density, nonstructural mass of sections, and point masses.
        centre: (3,) centre of gravity; NaN without mass.
        by_material: (volume, mass) by material name, "" for elements without material.
        point_masses: sum of the point masses.
    """

    volume: float
    mass: float
    centre: np.ndarray
    by_material: dict[str, tuple[float, float]]
    point_masses: float


def mass_properties(model: FeModel) -> MassProperties:
    """Return volume, mass and centre of gravity of a model.

    Raises:
        ModelError: for an element without volume, or a beam or shell without section.
    """
    if model not in _FOUND:
        _FOUND[model] = _measure(model)
    return _FOUND[model]


def nodal_masses(model: FeModel) -> np.ndarray:
    """Return (n_nodes,) nodal masses: integrals of density times shape function, plus point masses.

    The mean nodal position weighted by these masses is the centre of mass of the deformed body, apart from offsets of
    point masses and shells.

    Raises:
        ModelError: for an element without volume, or a beam or shell without section.
    """
    masses = np.zeros(len(model.nodes))
    for block in model.blocks:
        material = model.materials.get(block.material)
        if material is None:
            continue
        density = _mass_per_volume(block, material)
        for nodes, shares, _, _ in _shares(block, model.nodes):
            np.add.at(masses, nodes, density * shares)
    for point in model.point_masses:
        masses[point.node] += point.mass
    return masses


def _measure(model: FeModel) -> MassProperties:
    by_material: dict[str, tuple[float, float]] = {}
    first = np.zeros(3)
    for block in model.blocks:
        volumes, moments = _volumes(block, model.nodes)
        material = model.materials.get(block.material)
        density = _mass_per_volume(block, material)
        volume, mass = by_material.get(block.material, (0.0, 0.0))
        by_material[block.material] = volume + volumes, mass + density * volumes
        first += density * moments
    at_nodes = sum(point.mass for point in model.point_masses)
    for point in model.point_masses:
        first += point.mass * (model.nodes[point.node] + point.offset)
    total = sum(mass for _, mass in by_material.values()) + at_nodes
    centre = first / total if total > 0.0 else np.full(3, np.nan)
    return MassProperties(sum(v for v, _ in by_material.values()), total, centre, by_material, at_nodes)


def _mass_per_volume(block: ElementBlock, material: Material | None) -> float:
    """Return the density of a block's material, and the nonstructural mass per volume of its section."""
    density = material.density if material is not None else 0.0
    section = block.section
    if section is None or not section.nonstructural_mass:
        return density
    size = section.thickness if isinstance(section, ShellSection) else section.area
    return density + section.nonstructural_mass / size


def _volumes(block: ElementBlock, nodes: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the volume of a block, and (3,) the volume integral of the position."""
    volume, moment = 0.0, np.zeros(3)
    for _, shares, coordinates, beside in _shares(block, nodes):
        volume += float(shares.sum())
        moment += np.einsum("nk,nkx->x", shares, coordinates) + beside
    return volume, moment


def _shares(
    block: ElementBlock, nodes: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield nodes (n, k) of some elements, their shares (n, k) of the volume, coordinates (n, k, 3) and a moment (3,).

    The moment is the first moment of the volume about the surface of the nodes, nonzero for shells with an offset.
    """
    kind = element_kinds[block.element]
    for start in range(0, len(block.ids), _CHUNK):
        rows = block.connectivity[start : start + _CHUNK]
        coordinates = nodes[rows]
        try:
            shares, beside = _node_shares(kind, block, coordinates)
        except ElementShapeError as error:
            raise ModelError(
                f"Element {block.ids[start + error.index]} ({block.label}) {error.problem}.",
                "Repair the mesh there.",
            ) from error
        yield rows, shares, coordinates, beside


def _node_shares(
    kind: type[ElementKind], block: ElementBlock, coordinates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, k) integrals of the shape functions, which sum to the volume, and the moment (3,) of `_shares`."""
    if issubclass(kind, SolidElement):
        rule = kind.stiffness_rule
        _, determinants = jacobians(kind, coordinates, rule.points)
        return np.asarray((determinants * rule.weights) @ kind.polynomials.values(rule.points)), np.zeros(3)
    # Three displacements and three rotations at each node: the rows of the first displacement.
    n, k = coordinates.shape[:2]
    bare = None if block.section is None else replace(block.section, nonstructural_mass=0.0)
    if isinstance(bare, ShellSection):
        bare = replace(bare, plies=())  # unit density
    mass = kind.mass(coordinates, _UNIT, bare).reshape(n, k, 6, k, 6)
    # The momentum e_i · (e_j × s) along one axis of turning about another: the moment s of the volume about the nodes.
    turned = mass[:, :, :3, :, 3:].sum(axis=(0, 1, 3))
    return mass[:, :, 0, :, 0].sum(axis=2), turned[[1, 2, 0], [2, 0, 1]]
