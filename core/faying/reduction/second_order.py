"""Displacements of second order: how points of a body move with products of its flexible coordinates.

A bar that bends by w(x) keeps its length, so that its end comes nearer by ½ ∫ w'² dx. Trial vectors, which are linear,
leave that out; then neither centrifugal forces nor a pull at an interface node resist bending. With

    u = Φ q + ½ Σ w_ij q_i q_j

they do: kinetic energy and the places of interface nodes get terms in w_ij, and these are the geometric stiffness
(Segalman and Dohrmann 1996; the same terms as stresses of unit loads: Wallrapp and Schwertassek 1991).

With η(u, v) = ½ (∇u ∇vᵀ + ∇v ∇uᵀ), the products of gradients in Green's strain ε(u) + ½ η(u, u), the fields w_ij that
leave the elastic energy ½ qᵀK q free of terms of third order solve K w_ij = −∫ C η(Φ_i, Φ_j) : ε(·). Only a few numbers
of each field are needed, its products with loads F. Since K is symmetric, F · w_ij = −∫ σ(F) : η(Φ_i, Φ_j) with the
stresses σ(F) of the body under F: one static solution for each load instead of one for each pair of trial vectors.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import checked_material, rigid_body_modes
from faying.fem.elasticity import global_stiffness
from faying.fem.elements import element_kinds
from faying.fem.inertia_loads import inertia_loads
from faying.fem.model import FeModel
from faying.fem.point_strains import PointStrains
from faying.fem.solid_element import SolidElement, gradients_and_volumes
from faying.progress import Progress
from faying.records import record
from faying.reduction.inertia import PAIRS, ShapeIntegrals
from faying.reduction.interior import InteriorProblem

_RIGID = 6
_CHUNK = 512  # elements whose gradients of all modes are held at once
# Where a symmetric tensor (3, 3) finds its components xx, yy, zz, xy, yz, zx.
_FULL = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])


@record("second_order", read_only=True)
class SecondOrder:
    """What a floating frame needs of the fields w_ij, where i and j count six rigid motions and r modes (n = 6 + r).

    Attributes:
        inertia: (3, 4, n, n) ∫ρ x̂_a w_ij · e_k for direction k and x̂ = (1, x, y, z).
        resultants: (3, 4, 6) force and moment about the origin of the loads ρ x̂_a e_k.
        nodes: (6, n, n) displacement and rotation of each interface node, by name; (3, n, n) without rotations.
    """

    inertia: np.ndarray
    resultants: np.ndarray
    nodes: dict[str, np.ndarray]

    def without(self, motion: np.ndarray) -> "SecondOrder":
        """Return them for modes that lose rigid motions W (6, r) about the origin: Φ − R W."""
        fields = np.eye(self.inertia.shape[-1])
        fields[:_RIGID, _RIGID:] = -motion
        return replace(
            self,
            inertia=fields.T @ self.inertia @ fields,
            nodes={name: fields.T @ own @ fields for name, own in self.nodes.items()},
        )

    def held_at(self, interface: str, rows: Mapping[str, np.ndarray]) -> "SecondOrder":
        """Return them in a frame in which an interface node with rotations does not move.

        Args:
            interface: name of the node.
            rows: (6, 6) or (3, 6) motion of each interface node under rigid motions about the origin.
        """
        motion = np.tensordot(np.linalg.inv(rows[interface]), self.nodes[interface], 1)
        return replace(
            self,
            inertia=self.inertia - np.tensordot(self.resultants, motion, 1),
            nodes={name: own - np.tensordot(rows[name], motion, 1) for name, own in self.nodes.items()},
        )

    def with_mass_at(self, interface: str, place: np.ndarray, rows: np.ndarray, mass: float) -> "SecondOrder":
        """Return them with a point mass at an interface node.

        Args:
            interface: name of the node.
            place: (3,) of the node.
            rows: (3, 6) its displacement under rigid motions about the origin.
            mass: of the point.
        """
        weights = mass * np.concatenate([[1.0], place])[:, None, None]
        return replace(
            self,
            inertia=self.inertia + weights * self.nodes[interface][:3, None],
            resultants=self.resultants + weights[:, 0] * rows[:, None],
        )

    @property
    def drift(self) -> np.ndarray:
        """(3, r, r) ∫ρ w of pairs of modes."""
        return self.inertia[:, 0, _RIGID:, _RIGID:]

    def added_to(self, integrals: ShapeIntegrals, origin: np.ndarray) -> ShapeIntegrals:
        """Return shape integrals over place and modes alone with the terms in which w_ij stands alone.

        Args:
            integrals: with position, rigid motions and modes, about a point of the body.
            origin: (3,) that point in the coordinates of the nodes.
        """
        own = self.inertia[:, 1:, _RIGID:, _RIGID:].swapaxes(0, 1)
        linear = own - origin[:, None, None, None] * self.drift  # ∫ρ (x − o)_l w · e_m at [l, m]
        coupling, second = integrals.coupling.copy(), integrals.second.copy()
        modes = slice(1 + _RIGID, None)
        coupling[:, modes, _RIGID:] += [linear[k - 2, k - 1] - linear[k - 1, k - 2] for k in range(3)]
        second[:, modes, modes] -= [0.5 * (linear[k, m] + linear[m, k]) for k, m in PAIRS]
        second[:3, modes, modes] += np.trace(linear)
        return replace(integrals, coupling=coupling, second=second)


def second_order(
    model: FeModel, interior: InteriorProblem, displacements: np.ndarray, interfaces: Mapping[str, int],
    progress: Progress,
) -> SecondOrder:  # fmt: skip
    """Return the displacements of second order of a free body.

    Args:
        model: the body, of solid elements; springs and point masses may be there.
        interior: the body held at its interface nodes.
        displacements: (3 n_nodes, r) of the trial vectors, which have no rigid content.
        interfaces: row of each interface node by name.
        progress: reports and cancels.

    Raises:
        ModelError: when other elements than solid ones carry the body.
    """
    _require_solids(model)
    dofs, nodes = interior.matrices.dofs, model.nodes
    rigid = rigid_body_modes(nodes, dofs)
    weights = np.hstack([np.ones((len(nodes), 1)), nodes])
    loads = [inertia_loads(model, dofs, weights[:, a, None] * axis) for axis in np.eye(3) for a in range(4)]
    rows = {name: dofs.transformation[dofs.node_rows(node)].toarray() for name, node in interfaces.items()}
    forces = np.vstack([*loads, *rows.values()]).T
    progress.report(0.0, "geometric stiffening")
    interior.prepare(progress)
    responses = interior.solve_free(forces, apart=bool(len(interior.loose_motions.T)))
    fields = np.hstack([dofs.displacement_rows @ rigid, displacements])
    products = _stress_products(
        model,
        np.asarray(dofs.displacement_rows @ responses).reshape(len(nodes), 3, -1),
        fields.reshape(len(nodes), 3, -1),
        progress,
    )
    ends = np.cumsum([12, *(len(own) for own in rows.values())])
    of_inertia, *of_nodes = np.split(-products, ends[:-1])
    return SecondOrder(
        of_inertia.reshape(3, 4, *products.shape[1:]),
        (rigid.T @ np.array(loads).T).T.reshape(3, 4, _RIGID),
        dict(zip(rows, of_nodes, strict=True)),
    )


def _stress_products(
    model: FeModel, responses: np.ndarray, fields: np.ndarray, progress: Progress
) -> np.ndarray:
    """Return (k, n, n) ∫ σ : η of the stresses of k responses (n_nodes, 3, k) and n fields (n_nodes, 3, n)."""
    count = fields.shape[2]
    products = np.zeros((responses.shape[2], count, count))
    for done, connectivity, strains, volumes, elasticity in _chunks(model):
        progress.report(done, "geometric stiffening")
        here, own = fields[connectivity], responses[connectivity]
        # Entry (j, i) of a gradient is ∂u_i/∂x_j.
        gradients = np.array([strains.displacement_gradients(here[..., i]) for i in range(count)])
        gradients = gradients.reshape(count, -1, 3, 3)
        flat = gradients.reshape(count, -1)
        for k in range(len(products)):
            of_load = strains.evaluate(np.ascontiguousarray(own[..., k])) @ elasticity
            stresses = (of_load * volumes[..., None]).reshape(-1, 6)[:, _FULL]
            products[k] += flat @ (stresses @ gradients).reshape(count, -1).T
    return np.asarray(0.5 * (products + products.swapaxes(1, 2)))


def _chunks(model: FeModel) -> Iterator[tuple[float, np.ndarray, PointStrains, np.ndarray, np.ndarray]]:
    """Yield the share done, connectivity, strains, volumes (n, q) and elasticity (…, 6, 6) of some elements."""
    total, done = sum(len(block.ids) for block in model.blocks), 0
    for block in model.blocks:
        kind = element_kinds[block.element]
        if not issubclass(kind, SolidElement):
            continue
        material = checked_material(model, block)
        for start in range(0, len(block.ids), _CHUNK):
            chosen = slice(start, start + _CHUNK)
            connectivity = block.connectivity[chosen]
            directions = None if block.directions is None else block.directions[chosen]
            places = model.nodes[connectivity]
            volumes = gradients_and_volumes(kind, places, kind.stress_rule)[1]
            strains = kind.strains(places, material, directions)
            yield done / total, connectivity, strains, volumes, global_stiffness(material, directions)
            done += len(connectivity)


def _require_solids(model: FeModel) -> None:
    others = [
        block for block in model.blocks
        if len(block.ids) and not issubclass(element_kinds[block.element], SolidElement)
    ]  # fmt: skip
    if others:
        raise ModelError(
            f"Geometric stiffening is computed for solid elements, and the body has {len(others[0].ids)} of type "
            f"{others[0].label}.",
            "Mesh it with solid elements, or switch geometric stiffening off.",
        )
