"""Tractions of tied joints at the nodes of their slave surfaces, from the displacements of a frame.

The forces of the master are those that the elements of the slave require at the tied nodes, f = K u − f_th. The
traction t with ∫ N N dA t = f is the one that does the same work with the surface's own shape functions. It includes
loads on the tied nodes themselves, half an element deep, and the inertia there.
"""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.facet_points import integration_points
from faying.fem.model import FeModel, Tie
from faying.fem.skin import Skin, find_skin, nodal_normals
from faying.fem.surface import Surface, part_of_surface
from faying.fem.thermal import thermal_forces
from faying.results.field import MODEL, FieldContext, Need


def _no_ties(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.model is None:
        return MODEL.lacking(context, joint, frame)
    if any(len(tie.nodes) for tie in context.model.ties):
        return None
    return ModelError("No joint of the body is tied.", "Treat a joint as tied, or choose another field.")


TIES = Need("tied joints", _no_ties)


def tie_tractions(context: FieldContext, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (n_nodes,) normal traction, tension is positive, and (n_nodes,) shear traction; NaN where nothing is tied.

    Raises:
        ModelError: when no joint of the body is tied.
    """
    TIES.require(context)
    assert context.model is not None
    if context.kept.ties is None:
        skin = find_skin(context.model)
        context.kept.ties = [
            _TieSurface(context.model, skin, tie) for tie in context.model.ties if len(tie.nodes)
        ]
    normal, shear = np.full((2, context.n_nodes), np.nan)
    u, temperatures = context.displacement(frame), context.frames.temperatures(frame)
    for tie in context.kept.ties:
        along, beside = tie.tractions(u, temperatures)
        normal[tie.nodes], shear[tie.nodes] = along, beside
    return normal, shear


class _TieSurface:
    """The slave surface of a tie, with the elements behind it.

    Attributes:
        nodes: rows of the tied nodes of solid elements that facets of the surface have.
    """

    def __init__(self, model: FeModel, skin: Skin, tie: Tie) -> None:
        surface = _facets_between(skin, np.union1d(tie.nodes, tie.left_out))
        self.nodes = np.intersect1d(surface.nodes, tie.nodes)
        blocks, kept, start = [], [], 0
        for block in model.blocks:
            stop = start + block.connectivity.size
            at = np.flatnonzero(np.isin(block.connectivity, self.nodes).any(axis=1))
            if element_kinds[block.element].rotations or not len(at):
                start = stop
                continue
            blocks.append(block.chosen(at))
            kept.append(np.arange(start, stop).reshape(block.connectivity.shape)[at].ravel())
            start = stop
        self._corners = np.concatenate(kept) if kept else np.zeros(0, np.int64)
        self._alone = FeModel("", model.node_ids, model.nodes, tuple(blocks), materials=model.materials)
        self._matrices = assemble(self._alone)
        rows = self._matrices.dofs.own_rows
        self._rows = rows
        self._at = np.searchsorted(rows, (3 * self.nodes[:, None] + np.arange(3)).ravel())
        normals = np.zeros((len(model.nodes), 3))
        normals[surface.nodes] = nodal_normals(surface, model.nodes)
        self._normals = normals[self.nodes]
        self._areas = (
            spla.splu(_products(surface, model.nodes, self.nodes).tocsc()) if len(self.nodes) else None
        )

    def tractions(self, u: np.ndarray, temperatures: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) normal and shear tractions at the nodes, from displacements (n_nodes, 3)."""
        if self._areas is None:
            return np.zeros(0), np.zeros(0)
        forces = self._matrices.stiffness @ u.ravel()[self._rows]
        if temperatures is not None:
            forces = forces - thermal_forces(self._alone, self._matrices.dofs, temperatures[self._corners])
        tractions = self._areas.solve(forces[self._at].reshape(-1, 3))
        along = np.einsum("ni,ni->n", tractions, self._normals)
        return along, np.asarray(np.linalg.norm(tractions - along[:, None] * self._normals, axis=1))


def _facets_between(skin: Skin, nodes: np.ndarray) -> Surface:
    """Return the facets of a skin that have no other nodes."""
    inside = [np.isin(block.connectivity, nodes).all(axis=1) for block in skin.surface.blocks]
    return part_of_surface(skin.surface, np.concatenate([*inside, np.zeros(0, bool)]))


def _products(surface: Surface, nodes: np.ndarray, rows: np.ndarray) -> sp.csr_matrix:
    """Return CSR (n, n) ∫ N N dA of the shape functions of some nodes of a surface."""
    points, _, areas, _ = integration_points(surface, nodes)
    at = np.broadcast_to(np.arange(len(points))[:, None], points.nodes.shape)
    shapes = sp.csr_matrix(
        (points.shape_values.ravel(), (at.ravel(), points.nodes.ravel())), shape=(len(points), len(nodes))
    )[:, rows]
    return sp.csr_matrix(shapes.T @ sp.diags(areas) @ shapes)
