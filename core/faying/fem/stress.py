"""Stresses of a body from its nodal displacements: at integration points and, averaged, at nodes.

Stresses are linear in the displacements, so those of a reduced body are R (Φ q) with the recovery R of this file:
modal stress recovery (Fischer, Witteveen and Schabasser 2000), without storing a stress shape per mode, which would
need six numbers per node and mode and become invalid with every change of the basis.

Order of the components: xx, yy, zz, xy, yz, zx.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import checked_material
from faying.fem.elasticity import global_stiffness, stress_per_kelvin
from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, FeModel, Material
from faying.fem.point_strains import PointStrains
from faying.fem.solid_element import SolidElement
from faying.fem.stress_measures import von_mises
from faying.fem.thermal import temperature_weights
from faying.progress import Progress, Silent

_CHUNK = 4096  # elements per evaluation, so that its data fit in the processor's cache
_LINEAR = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
# Exponents of the polynomials through 1, 4, 6 or 8 stress points that extrapolate stresses to the nodes.
_POWERS = {
    1: _LINEAR[:1],
    4: _LINEAR,
    6: [*_LINEAR, (1, 0, 1), (0, 1, 1)],  # two triangles of three
    8: [*_LINEAR, (1, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1)],
}


@dataclass(frozen=True)
class _Part:
    """Elements of one block for a single evaluation."""

    connectivity: np.ndarray
    strains: PointStrains
    elasticity: np.ndarray
    temperatures: slice
    weights: np.ndarray
    per_kelvin: np.ndarray

    def stresses(self, displacements: np.ndarray, temperatures: np.ndarray | None) -> np.ndarray:
        """Return (n q, 6) stresses at the points of all elements: D (ε − α ΔT)."""
        strains = self.strains.evaluate(displacements[self.connectivity])
        n, q = strains.shape[:2]
        if self.elasticity.ndim == 2:
            stresses = (strains.reshape(-1, 6) @ self.elasticity).reshape(n, q, 6)
        else:
            stresses = strains @ self.elasticity
        if temperatures is not None:
            changes = temperatures[self.temperatures].reshape(self.connectivity.shape) @ self.weights.T
            stresses -= changes[:, :, None] * self.per_kelvin[..., None, :]
        return np.asarray(stresses.reshape(-1, 6))

    def rotations(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n q, 3) small rotations at the points of all elements: half the curl of the displacements."""
        gradients = self.strains.displacement_gradients(displacements[self.connectivity]).reshape(-1, 3, 3)
        # Entry (j, i) is ∂u_i/∂x_j: ω_x = ½ (∂u_z/∂y − ∂u_y/∂z) and so on.
        skew = 0.5 * (gradients - gradients.transpose(0, 2, 1))
        return np.stack([skew[:, 1, 2], skew[:, 2, 0], skew[:, 0, 1]], axis=1)


class StressRecovery:
    """Computes the stresses of one body for any displacements; built once per mesh.

    Args:
        model: model of the body; stresses of beams are not computed.
        progress: updated while the elements' gradients are computed.

    Attributes:
        point_coordinates: (n_points, 3) positions of the stresses from `at_points`.
        point_elements: (n_points,) running position of the element of each point.
        corner_nodes: (n_corners,) node row of each value of `at_element_nodes`.
        corner_elements: (n_corners,) running position of the element of each.
        slot_nodes: (n_slots,) ascending node row of each value of `at_slots`; a slot is a pair of node and material.

    Raises:
        ModelError: when the body has no solid elements, or some without a formulation or material.
        Cancelled: when asked to stop.
    """

    def __init__(self, model: FeModel, progress: Progress | None = None) -> None:
        progress = progress or Silent()
        self.n_nodes = len(model.nodes)
        self._parts: list[_Part] = []
        points, point_elements, corners, corner_elements, materials = [], [], [], [], []
        extrapolations: list[sp.csr_matrix] = []
        names = list(model.materials)
        first = np.concatenate([[0], np.cumsum([block.connectivity.size for block in model.blocks])])
        for number, block in enumerate(model.blocks):
            progress.report(number / len(model.blocks), "stress recovery")
            kind = element_kinds[block.element]
            if not len(block.ids) or not issubclass(kind, SolidElement):
                continue
            material = _material(model, block, kind)
            self._parts += _parts_of(model, block, kind, material, int(first[number]))
            values = kind.polynomials.values(kind.stress_rule.points)
            nodes = model.nodes[block.connectivity]
            points.append((values @ nodes).reshape(-1, 3))
            elements = model.block_starts[number] + np.arange(len(block.ids))
            point_elements.append(np.repeat(elements, len(values)))
            corners.append(block.connectivity.ravel())
            corner_elements.append(np.repeat(elements, kind.n_nodes))
            materials.append(np.full(block.connectivity.size, names.index(block.material)))
            extrapolations.append(sp.kron(sp.identity(len(nodes)), _extrapolation(kind), format="csr"))
        if not points and any(element_kinds[block.element].is_outline for block in model.blocks):
            raise ModelError(
                "The body was read reduced, without the elements that stresses come from.",
                "Choose another field.",
            )
        if not points:
            raise ModelError(
                "The body has no solid elements, so it has no stresses.", "Choose another field."
            )
        self.point_coordinates, self.point_elements = np.concatenate(points), np.concatenate(point_elements)
        self.corner_nodes, self.corner_elements = np.concatenate(corners), np.concatenate(corner_elements)
        self._to_corners = sp.block_diag(extrapolations, format="csr")
        self._average(np.concatenate(materials), len(names))

    def _average(self, materials: np.ndarray, n_materials: int) -> None:
        """Prepare the averages over the elements of one material at a node (a slot)."""
        keys = self.corner_nodes.astype(np.int64) * n_materials + materials
        slots, slot_of_corner, counts = np.unique(keys, return_inverse=True, return_counts=True)
        self.slot_nodes = slots // n_materials
        mean = sp.csr_matrix(
            (1.0 / counts[slot_of_corner], (slot_of_corner, np.arange(len(keys)))), (len(slots), len(keys))
        )
        self._to_slots = (mean @ self._to_corners).tocsr()
        # Slots are sorted by node; a node between materials has several consecutive slots.
        self._between = np.flatnonzero(np.bincount(self.slot_nodes, minlength=self.n_nodes) > 1)

    def at_points(self, displacements: np.ndarray, temperatures: np.ndarray | None = None) -> np.ndarray:
        """Return (n_points, 6) stresses at the integration points, neither extrapolated nor averaged.

        Args:
            displacements: (n_nodes, 3).
            temperatures: (n,) changes at the nodes of all elements, element after element; None without.
        """
        displacements = np.ascontiguousarray(displacements, float).reshape(self.n_nodes, 3)
        return np.concatenate([part.stresses(displacements, temperatures) for part in self._parts])

    def at_element_nodes(
        self, displacements: np.ndarray, temperatures: np.ndarray | None = None
    ) -> np.ndarray:
        """Return (n_corners, 6) stresses at each element's nodes, extrapolated but not averaged."""
        return np.asarray(self._to_corners @ self.at_points(displacements, temperatures))

    def at_slots(self, of_points: np.ndarray) -> np.ndarray:
        """Return (n_slots, 6) averages over the elements of one material at a node, of stresses (n_points, 6)."""
        return np.asarray(self._to_slots @ of_points)

    def at_nodes(self, displacements: np.ndarray, temperatures: np.ndarray | None = None) -> np.ndarray:
        """Return (n_nodes, 6) means over the elements of one material at each node; NaN without a solid element.

        Stresses jump between materials, so they are not averaged across: a node between two materials gets the stress
        with the larger von Mises stress.
        """
        of_slots = self.at_slots(self.at_points(displacements, temperatures))
        return self._of_nodes(of_slots, von_mises(of_slots))

    def strains_at_nodes(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n_nodes, 6) strains with shear as γ = 2 ε, averaged as stresses are; NaN without a solid element.

        They jump between materials as stresses do: a node between two materials gets the larger strain.
        """
        moved = np.ascontiguousarray(displacements, float).reshape(self.n_nodes, 3)
        parts = [part.strains.evaluate(moved[part.connectivity]).reshape(-1, 6) for part in self._parts]
        of_slots = np.asarray(self._to_slots @ np.concatenate(parts))
        return self._of_nodes(of_slots, np.linalg.norm(of_slots, axis=1))

    def rotations_at_nodes(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n_nodes, 3) small rotations (rad), means over elements at each node; NaN without a solid element."""
        moved = np.ascontiguousarray(displacements, float).reshape(self.n_nodes, 3)
        of_slots = np.asarray(
            self._to_slots @ np.concatenate([part.rotations(moved) for part in self._parts])
        )
        return self._of_nodes(of_slots, np.linalg.norm(of_slots, axis=1))

    def _of_nodes(self, of_slots: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return (n_nodes, k) from slot values (n, k); a node between materials gets the slot of larger size (n,)."""
        found = np.full((self.n_nodes, of_slots.shape[1]), np.nan)
        found[self.slot_nodes] = of_slots
        if len(self._between):
            first = np.searchsorted(self.slot_nodes, self._between)
            last = np.searchsorted(self.slot_nodes, self._between, side="right")
            for node, start, stop in zip(self._between, first, last, strict=True):
                found[node] = of_slots[start + np.argmax(sizes[start:stop])]
        return found


def _material(model: FeModel, block: ElementBlock, kind: type[SolidElement]) -> Material:
    if block.label not in kind.labels:
        raise ModelError(
            f"{len(block.ids)} elements of type {block.label} have no formulation here, so they have no stresses.",
            "Mesh with another type, or show fields of the joints.",
        )
    return checked_material(model, block)


def _parts_of(
    model: FeModel, block: ElementBlock, kind: type[SolidElement], material: Material, first: int
) -> list[_Part]:
    parts, weights = [], temperature_weights(kind, kind.stress_rule.points)
    for start in range(0, len(block.ids), _CHUNK):
        connectivity = block.connectivity[start : start + _CHUNK]
        directions = None if block.directions is None else block.directions[start : start + _CHUNK]
        try:
            strains = kind.strains(model.nodes[connectivity], material, directions)
        except ElementShapeError as error:
            number = block.ids[start + error.index]
            raise ModelError(
                f"Element {number} ({block.label}) {error.problem}.", "Repair the mesh there."
            ) from error
        begin = first + start * kind.n_nodes
        at = slice(begin, begin + connectivity.size)
        elasticity = global_stiffness(material, directions)
        per_kelvin = stress_per_kelvin(material, directions)
        parts.append(_Part(connectivity, strains, elasticity, at, weights, per_kelvin))
    return parts


def _extrapolation(kind: type[SolidElement]) -> np.ndarray:
    """Return (k, q) matrix that extrapolates from stress points to nodes by the interpolating polynomial."""
    points = kind.stress_rule.points
    powers = np.array(_POWERS[len(points)])

    def monomials(where: np.ndarray) -> np.ndarray:
        return np.asarray(np.prod(where[:, None, :] ** powers, axis=2))

    return monomials(kind.polynomials.nodes) @ np.linalg.inv(monomials(points))
