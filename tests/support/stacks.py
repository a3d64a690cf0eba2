"""Two boxes on each other whose meshes need not match, and the same as one mesh."""

from dataclasses import replace

import numpy as np

from faying.fem.model import DeckSurface, ElementBlock, FeModel
from faying.fem.skin import facet_centroids, facet_normals, find_skin
from support.boxes import box

Counts = tuple[int, int, int]


def stacked_boxes(
    kind: str,
    lower: Counts,
    upper: Counts,
    size: tuple[float, float, float] = (4.0, 2.0, 1.0),
    gap: float = 0.0,
) -> FeModel:
    """Return two boxes with the surfaces LOW (up) and UP (down) where they meet, and TOP (up)."""
    below, above = box(kind, lower, size), box(kind, upper, size)
    n, (first,), (second,) = len(below.nodes), below.blocks, above.blocks
    nodes = np.concatenate([below.nodes, above.nodes + np.array([0.0, 0.0, size[2] + gap])])
    blocks = (
        first,
        ElementBlock(kind, first.label, len(first.ids) + second.ids, n + second.connectivity, first.material),
    )
    model = FeModel("stack", np.arange(1, len(nodes) + 1), nodes, blocks, materials=below.materials)
    skin = find_skin(model)
    z, up = facet_centroids(skin.surface, nodes)[:, 2], facet_normals(skin.surface, nodes)[:, 2]
    surfaces = {}
    for name, at, way in (("LOW", size[2], 1), ("UP", size[2] + gap, -1), ("TOP", 2 * size[2] + gap, 1)):
        found = np.flatnonzero(np.isclose(z, at) & (up * way > 0.5))
        elements = np.concatenate([b.elements for b in skin.surface.blocks])[found]
        faces = np.concatenate([b.faces for b in skin.surface.blocks])[found]
        surfaces[name] = DeckSurface(name, elements, faces, np.zeros(0, np.int64))
    return replace(model, surfaces=surfaces)


def merged(model: FeModel) -> FeModel:
    """Return a model with nodes at one place made one."""
    _, first, number = np.unique(np.round(model.nodes, 9), axis=0, return_index=True, return_inverse=True)
    blocks = tuple(replace(b, connectivity=number.ravel()[b.connectivity]) for b in model.blocks)
    return replace(model, nodes=model.nodes[first], node_ids=np.arange(1, len(first) + 1), blocks=blocks)
