"""Stress modes Y = R Φ: stresses at a few nodes or elements directly from modal coordinates.

Stresses are linear in the displacements, so those of each mode are recovered once, in a patch of the mesh around the
places; a frame then costs six multiplications per place and mode (Fischer, Witteveen and Schabasser 2000; Oloriz 2014,
section 2.4).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, FeModel
from faying.fem.solid_element import SolidElement
from faying.fem.stress import StressRecovery
from faying.fem.stress_measures import von_mises
from faying.progress import Progress, Silent


class StressModes:
    """Computes stress tensors at nodes, as `StressRecovery.at_nodes`, and means over the points of elements.

    Args:
        model: the body.
        shapes: (3 n_nodes, r) displacements of its modes; (3 n_nodes, 0) if only `of_displacement` is used.
        nodes: rows of nodes.
        elements: running positions of elements; their stresses follow those of the nodes.
        progress: updated after each mode.

    Raises:
        ModelError: for an element of the patch without a formulation or material.
        Cancelled: when asked to stop.
    """

    def __init__(
        self,
        model: FeModel,
        shapes: np.ndarray,
        nodes: Sequence[int],
        elements: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> None:
        progress = progress or Silent()
        self._count, self._owners, self._recovery = len(nodes) + len(elements), np.zeros(0, np.int64), None
        patch, self._rows, self._corners, positions = _patch(model, nodes, elements)
        self._modes = np.zeros((0, 6, shapes.shape[1]))
        if not len(positions):
            return
        self._recovery = recovery = StressRecovery(patch)
        place = {int(node): i for i, node in enumerate(self._rows)}
        wanted = [(i, place[int(node)]) for i, node in enumerate(nodes) if int(node) in place]
        slots = [(i, np.flatnonzero(recovery.slot_nodes == row)) for i, row in wanted]
        self._slots = np.concatenate([np.zeros(0, np.int64), *(found for _, found in slots)])
        of_slots = np.repeat([i for i, _ in slots], [len(found) for _, found in slots]).astype(np.int64)
        own = {int(position): i for i, position in enumerate(positions)}
        points = [
            (len(nodes) + i, np.flatnonzero(recovery.point_elements == own[int(position)]))
            for i, position in enumerate(elements)
            if int(position) in own
        ]
        self._points = [found for _, found in points]
        self._owners = np.concatenate([of_slots, np.array([i for i, _ in points], np.int64)])
        local = shapes.reshape(len(model.nodes), 3, -1)[self._rows]
        self._modes = np.zeros((len(self._owners), 6, local.shape[2]))
        for mode in range(local.shape[2]):
            progress.report(mode / local.shape[2], "stress modes", mode=mode + 1)
            self._modes[:, :, mode] = self._stresses(local[:, :, mode], None)

    def at(self, coordinates: np.ndarray, temperatures: np.ndarray | None = None) -> np.ndarray:
        """Return (n_places, 6) stresses, nodes first; NaN at places without a solid element.

        Args:
            coordinates: (r,) modal coordinates.
            temperatures: (n,) changes at the nodes of all elements of the body, element after element.
        """
        found = np.asarray(self._modes @ coordinates)
        if temperatures is not None and self._recovery is not None:
            still = np.zeros((len(self._rows), 3))
            found = found + self._stresses(still, np.ascontiguousarray(temperatures[self._corners]))
        return self._chosen(found)

    def of_displacement(self, displacement: np.ndarray, temperatures: np.ndarray | None = None) -> np.ndarray:
        """Return (n_places, 6) stresses for displacements (n_nodes, 3) of the whole body."""
        if self._recovery is None:
            return self._chosen(np.zeros((0, 6)))
        of_patch = None if temperatures is None else np.ascontiguousarray(temperatures[self._corners])
        return self._chosen(self._stresses(displacement.reshape(-1, 3)[self._rows], of_patch))

    def _stresses(self, displacements: np.ndarray, temperatures: np.ndarray | None) -> np.ndarray:
        """Return (n, 6) stresses in the patch: for each material at each node, then means of elements."""
        assert self._recovery is not None
        of_points = self._recovery.at_points(displacements, temperatures)
        of_slots = self._recovery.at_slots(of_points)[self._slots]
        return np.vstack([of_slots, *(of_points[points].mean(axis=0)[None] for points in self._points)])

    def _chosen(self, stresses: np.ndarray) -> np.ndarray:
        """Return one tensor per place: at a node between materials the one with the larger von Mises stress."""
        found = np.full((self._count, 6), np.nan)
        if len(np.unique(self._owners)) == len(self._owners):
            found[self._owners] = stresses
            return found
        sizes = von_mises(stresses)
        order = np.lexsort(
            (np.arange(len(sizes)), -sizes, self._owners)
        )  # the largest first; ties keep their order
        owners, first = np.unique(self._owners[order], return_index=True)
        found[owners] = stresses[order[first]]
        return found


def _patch(
    model: FeModel, nodes: Sequence[int], elements: Sequence[int]
) -> tuple[FeModel, np.ndarray, np.ndarray, np.ndarray]:
    """Return the solid elements around the nodes and the given elements as a model.

    Also return the rows of its nodes in the whole model, the indices of its elements' nodes among those of all elements
    (element after element), and the running positions of its elements.
    """
    named, wanted = np.zeros(len(model.nodes), bool), np.asarray(elements, np.int64)
    named[np.asarray(nodes, np.int64)] = True
    blocks: list[ElementBlock] = []
    corners, positions, first = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for start, block in zip(model.block_starts, model.blocks, strict=False):
        size = block.connectivity.shape[1]
        if issubclass(element_kinds[block.element], SolidElement):
            own = start + np.arange(len(block.ids))
            chosen = np.flatnonzero(named[block.connectivity].any(axis=1) | np.isin(own, wanted))
            if len(chosen):
                blocks.append(block.chosen(chosen))
                corners.append((first + size * chosen[:, None] + np.arange(size)).ravel())
                positions.append(own[chosen])
        first += block.connectivity.size
    rows = np.unique(np.concatenate([np.zeros(0, np.int64), *(b.connectivity.ravel() for b in blocks)]))
    local = [replace(block, connectivity=np.searchsorted(rows, block.connectivity)) for block in blocks]
    patch = FeModel(
        model.title, model.node_ids[rows], model.nodes[rows], tuple(local), materials=dict(model.materials)
    )
    return patch, rows, np.concatenate(corners), np.concatenate(positions)
