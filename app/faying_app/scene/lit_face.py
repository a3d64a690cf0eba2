"""The face under the pointer, as it is lit: outlines of what is seen of it, to be painted over the finished picture.

A picture of a large skin takes a processor a tenth of a second and more. To light up a face nothing is redrawn: what
hides behind other parts is left out by the depths of the picture that is there already.
"""

import numpy as np

from faying.fem.surface import Surface, part_of_surface
from faying_app.scene.meshes import NodeArray, facet_triangles
from faying_app.scene.visuals import Sheet

# Depths are compared to this share of the picture's whole depth: edges and faces are drawn a little apart.
_SAME_DEPTH = 2e-3
_WRITING = 1e-6  # names and legends lie at depth 0, over everything; they hide nothing of a face


def seen_outlines(
    skin: Surface, facets: np.ndarray, positions: NodeArray, sheet: Sheet, depths: np.ndarray | None
) -> list[np.ndarray]:
    """Return closed outlines, each (k, 3) points in space, of what is seen of some facets.

    Args:
        skin: the facets.
        facets: (n,) numbers of those that are meant.
        positions: where the nodes are drawn.
        sheet: the plane of the picture.
        depths: (height, width) of the picture, 0 near and 1 far, counted upwards; None takes nothing to be hidden.
    """
    triangles, _ = facet_triangles(part_of_surface(skin, facets))
    return _seen_of(triangles, positions, sheet, depths) if len(triangles) else []


def solid_outlines(
    points: np.ndarray, triangles: np.ndarray, sheet: Sheet, depths: np.ndarray | None
) -> list[np.ndarray]:
    """Return closed outlines, as `seen_outlines`, of what is seen of a shape.

    Args:
        points: (n, 3) places of its corners in space; where faces have corners of their own, these count as one.
        triangles: (m, 3) rows of the points.
        sheet, depths: of the picture.
    """
    size = float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0
    _, first, same = np.unique(
        np.round(points / (1e-6 * size)), axis=0, return_index=True, return_inverse=True
    )
    return _seen_of(same.ravel()[triangles], points[first], sheet, depths)


def _seen_of(
    triangles: np.ndarray, positions: NodeArray | np.ndarray, sheet: Sheet, depths: np.ndarray | None
) -> list[np.ndarray]:
    """Return outlines of the triangles (m, 3) that face the onlooker and that nothing hides."""
    depths = None if depths is None else without_writing(depths)
    corners = np.asarray(positions[triangles.ravel()], float).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    seen = normals @ sheet.axes[2] > 0.0
    if depths is not None:
        seen[seen] = _is_in_front(corners[seen].mean(axis=1), sheet, depths)
    return [np.asarray(positions[np.array(loop)], float) for loop in _loops(triangles[seen])]


def _is_in_front(points: np.ndarray, sheet: Sheet, depths: np.ndarray) -> np.ndarray:
    """Return (n,) whether nothing is drawn in front of points (n, 3)."""
    pixels, depth = sheet.pixels(points), sheet.depths(points)
    height, width = depths.shape
    column = np.clip(pixels[:, 0].round().astype(int), 1, max(width - 2, 1))
    row = np.clip(pixels[:, 1].round().astype(int), 1, max(height - 2, 1))
    # The farthest of nine pixels: a slanted face changes its depth from one to the next.
    drawn = np.max([depths[row + i, column + j] for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0)
    return np.asarray(depth <= drawn + _SAME_DEPTH)


def without_writing(depths: np.ndarray) -> np.ndarray:
    """Return depths in which names and legends over the picture have the depth of what is drawn left of them."""
    column = np.where(depths < _WRITING, 0, np.arange(depths.shape[1]))
    return np.asarray(np.take_along_axis(depths, np.maximum.accumulate(column, axis=1), axis=1))


def _loops(triangles: np.ndarray) -> list[list[int]]:
    """Return the borders of triangles (t, 3) as closed rows of nodes."""
    if not len(triangles):
        return []
    edges = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    # An edge on the border runs one way and never the other way.
    size = int(edges.max()) + 1
    there, back = edges[:, 0] * size + edges[:, 1], edges[:, 1] * size + edges[:, 0]
    after: dict[int, list[int]] = {}
    for start, end in edges[~np.isin(there, back)].tolist():
        after.setdefault(start, []).append(end)
    loops = []
    while after:
        first = next(iter(after))
        loop, node = [], first
        while node in after:
            loop.append(node)
            ends = after[node]
            following = ends.pop()
            if not ends:
                del after[node]
            node = following
        loops.append(loop)
    return loops
