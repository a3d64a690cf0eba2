"""Drawable meshes of surfaces: triangles, patches round nodes, and lines. All can be moved in place.

Quadratic facets are cut at their midside nodes, so that the values of all nodes show.
"""

import numpy as np
import pyvista as pv

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.surface import Surface, part_of_surface
from faying.joints.pairs import ContactPairs
from faying_app.scene.at_nodes import AtNodes
from faying_app.scene.coarsening import coarse_triangles
from faying_app.scene.smoothing import FEATURE_ANGLE, corner_normals, split_at_sharp_edges

NodeArray = np.ndarray | AtNodes  # of the model's nodes, some of which are asked for


def facet_triangles(surface: Surface) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles (t, 3) as node rows, and the facet number (t,) that each of them belongs to."""
    triangles, owners, first = [], [], 0
    for block in surface.blocks:
        table = facet_kind(block.facet).triangles
        triangles.append(block.connectivity[:, table].reshape(-1, 3))
        owners.append(np.repeat(np.arange(first, first + len(block.connectivity)), len(table)))
        first += len(block.connectivity)
    if not triangles:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64)
    return np.concatenate(triangles), np.concatenate(owners)


def slave_facets(skin: Surface, pairs: ContactPairs) -> Surface:
    """Return the facets of the skin whose nodes are all slave nodes of the pairs, with or without a pair."""
    slave = np.concatenate([nodes.ravel() for nodes, _ in (pairs.slave_shares, pairs.unpaired_shares)])
    chosen = [np.isin(block.connectivity, slave).all(axis=1) for block in skin.blocks]
    return part_of_surface(skin, np.flatnonzero(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64))


class Mesh:
    """A poly data whose points are nodes of the model."""

    def __init__(self, nodes: np.ndarray, drawn: pv.PolyData) -> None:
        self.nodes, self.drawn = nodes, drawn

    def place(self, positions: NodeArray) -> None:
        """Move the points to the positions (n_nodes, 3) of the model's nodes."""
        move_points(self.drawn, positions[self.nodes])

    def colour(self, values: NodeArray) -> None:
        """Write values (n_nodes,) of the model's nodes into the points."""
        _write(self.drawn.GetPointData(), values[self.nodes], self.drawn.n_points)


class TriangleMesh(Mesh):
    """Triangles (t, 3) between nodes, shaded smoothly on curved faces.

    A node on a sharp edge is a point of its own for each of the faces that meet there.

    Attributes:
        triangles: (t, 3) rows of points.
        welded: (t, 3) the same triangles as rows of `welded_nodes`, each node once.
        welded_nodes: (m,) rows of the model's nodes.
    """

    def __init__(self, triangles: np.ndarray, positions: NodeArray) -> None:
        self.welded_nodes, corners = np.unique(triangles, return_inverse=True)
        self.welded = corners.reshape(-1, 3)
        self.triangles, owners = split_at_sharp_edges(self.welded, positions[self.welded_nodes])
        nodes = self.welded_nodes[owners]
        points = np.ascontiguousarray(positions[nodes], np.float32)
        super().__init__(nodes, pv.PolyData.from_regular_faces(points, self.triangles))
        normals = pv.convert_array(corner_normals(self.triangles, points), name="normals")
        self.drawn.GetPointData().SetNormals(normals)

    def place(self, positions: NodeArray) -> None:
        """Move the points to the positions (n_nodes, 3) of the model's nodes, and turn the normals with them."""
        super().place(positions)
        normals = self.drawn.GetPointData().GetNormals()
        pv.convert_array(normals)[:] = corner_normals(self.triangles, self.drawn.points)
        normals.Modified()

    def coarsened(self, wanted: int, positions: NodeArray) -> "TriangleMesh":
        """Return a mesh of some of the nodes with about as many triangles as wanted."""
        rows = coarse_triangles(self.welded, positions[self.welded_nodes], wanted)
        return TriangleMesh(self.welded_nodes[rows], positions)


class SurfaceMesh(TriangleMesh):
    """The facets of a surface as triangles; `facets` (t,) is the facet number of each triangle."""

    def __init__(self, surface: Surface, positions: NodeArray) -> None:
        triangles, self.facets = facet_triangles(surface)
        super().__init__(triangles, positions)


class PatchMesh:
    """Every node of a surface with the patch that is nearest to it: for values that must not be mixed."""

    def __init__(self, surface: Surface, positions: NodeArray) -> None:
        self.triangles, _ = facet_triangles(surface)
        n = len(self.triangles)
        # Per triangle: corners a b c, middles ab bc ca, centre; the patch of a is (a, ab, centre, ca).
        table = np.array([[0, 3, 6, 5], [1, 4, 6, 3], [2, 5, 6, 4]])
        faces = (7 * np.arange(n)[:, None, None] + table).reshape(-1, 4)
        self.owners = self.triangles.ravel()
        self.drawn = pv.PolyData.from_regular_faces(self._points(positions), faces)

    def _points(self, positions: NodeArray) -> np.ndarray:
        corners = positions[self.triangles]
        middles = (corners + np.roll(corners, -1, axis=1)) / 2
        centre = corners.mean(axis=1, keepdims=True)
        return np.concatenate([corners, middles, centre], axis=1).reshape(-1, 3).astype(np.float32)

    def place(self, positions: NodeArray) -> None:
        """Move the points to the positions (n_nodes, 3) of the model's nodes."""
        move_points(self.drawn, self._points(positions))

    def colour(self, values: NodeArray) -> None:
        """Write values (n_nodes,) of the model's nodes into their patches."""
        _write(self.drawn.GetCellData(), values[self.owners], self.drawn.n_cells)


class LineMesh(Mesh):
    """Straight pieces between nodes (n, 2)."""

    def __init__(self, pieces: np.ndarray, positions: NodeArray) -> None:
        nodes, ends = np.unique(pieces, return_inverse=True)
        points = np.ascontiguousarray(positions[nodes], np.float32)
        super().__init__(nodes, line_data(points, ends.reshape(-1, 2)))


class PointMesh(Mesh):
    """Nodes as points."""

    def __init__(self, nodes: np.ndarray, positions: NodeArray) -> None:
        super().__init__(nodes, point_data(positions[nodes]))


def beam_pieces(model: FeModel) -> np.ndarray:
    """Return (m, 2) rows of nodes that the beams of a model join, from one to the next along each."""
    kinds = [(block.connectivity, element_kinds[block.element]) for block in model.blocks]
    beams = [rows for rows, kind in kinds if kind.rotations and not kind.is_shell]
    pieces = [np.stack([rows[:, :-1], rows[:, 1:]], axis=-1).reshape(-1, 2) for rows in beams]
    return np.concatenate([np.zeros((0, 2), np.int64), *pieces])


def point_data(points: np.ndarray) -> pv.PolyData:
    """Return points (n, 3) as drawable vertices."""
    made = pv.PolyData()
    made.points = np.array(points, np.float32).reshape(-1, 3)
    cells = np.empty((len(made.points), 2), np.int64)
    cells[:, 0], cells[:, 1] = 1, np.arange(len(cells))
    made.verts = cells.ravel()
    return made


def line_data(points: np.ndarray, pieces: np.ndarray) -> pv.PolyData:
    """Return straight pieces (m, 2) between points (n, 3)."""
    made = pv.PolyData()
    made.points = np.array(points, np.float32).reshape(-1, 3)
    made.lines = np.column_stack([np.full(len(pieces), 2), pieces]).ravel().astype(np.int64)
    return made


def move_points(drawn: pv.PolyData, points: np.ndarray) -> None:
    """Move the points of a data set in place."""
    drawn.points[:] = points
    drawn.GetPoints().Modified()
    drawn.Modified()


def colour_points(drawn: pv.PolyData, values: np.ndarray) -> None:
    """Write values (n,) into the points of what is drawn."""
    _write(drawn.GetPointData(), values, drawn.n_points)


def colour_cells(drawn: pv.PolyData, values: np.ndarray) -> None:
    """Write values (n,) into the cells of what is drawn."""
    _write(drawn.GetCellData(), values, drawn.n_cells)


def _write(attributes: pv.DataSetAttributes, values: np.ndarray, count: int) -> None:
    """Write the active scalars in place; the array is made once."""
    if attributes.GetScalars() is None:
        attributes.SetScalars(pv.convert_array(np.zeros(count), name="values"))
    array = attributes.GetScalars()
    pv.convert_array(array)[:] = values
    array.Modified()


def _facet_keys(surface: Surface) -> np.ndarray:
    """Return (n,) numbers that are equal for facets with the same nodes."""
    keys: list[np.ndarray] = [np.zeros(0, np.uint64)]
    for block in surface.blocks:
        # Squares of scattered numbers add up to the same by accident once in 2^64.
        scattered = (block.connectivity.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        keys.append(((scattered ^ (scattered >> np.uint64(29))) * scattered).sum(axis=1))
    return np.concatenate(keys)


class SurfaceEdges:
    """The edges of a surface's facets.

    Attributes:
        ends: (m, 2) node rows of both ends.
        middles: (m,) midside node rows, -1 on straight edges.
        facets: (m, 2) facet numbers on both sides, -1 where there is no other; of a shell both on the same side of it.
    """

    def __init__(self, surface: Surface) -> None:
        ends, middles, facets, first = [], [], [], 0
        for block in surface.blocks:
            numbers = np.arange(first, first + len(block.connectivity))
            first += len(numbers)
            for edge in facet_kind(block.facet).edges:
                ends.append(block.connectivity[:, list(edge[:2])])
                middles.append(block.connectivity[:, edge[2]] if len(edge) > 2 else np.full(len(numbers), -1))
                facets.append(numbers)
        if not ends:
            self.ends, self.middles = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
            self.facets = np.zeros((0, 2), np.int64)
            return
        both, middle, facet = np.concatenate(ends), np.concatenate(middles), np.concatenate(facets)
        # The same edge of two facets has the same ends; bring them together by sorting.
        low, high = both.min(axis=1), both.max(axis=1)
        order = np.lexsort((facet, high, low))
        new = np.ones(len(order), bool)
        new[1:] = (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)
        starts = np.flatnonzero(new)
        self.ends, self.middles = both[order[starts]], middle[order[starts]]
        leads, group = facet[order[starts]], np.cumsum(new) - 1
        # The other facet is rather one that runs through the edge the other way, and never the back of a shell.
        forward, others = (both[:, 0] < both[:, 1])[order], facet[order]
        against = forward != forward[starts][group]
        keys = _facet_keys(surface)
        other = keys[others] != keys[leads][group]
        second = np.full(len(starts), -1)
        for chosen in (np.flatnonzero(other)[::-1], np.flatnonzero(other & against)[::-1]):
            second[group[chosen]] = others[chosen]
        self.facets = np.column_stack([leads, second])

    def pieces(self, chosen: np.ndarray | None = None) -> np.ndarray:
        """Return straight pieces (n, 2) as node rows; quadratic edges give two each."""
        pick = slice(None) if chosen is None else chosen
        ends, middles = self.ends[pick], self.middles[pick]
        curved = middles >= 0
        first = np.column_stack([ends[curved, 0], middles[curved]])
        second = np.column_stack([middles[curved], ends[curved, 1]])
        return np.concatenate([ends[~curved], first, second])

    def features(self, normals: np.ndarray, angle: float = FEATURE_ANGLE) -> np.ndarray:
        """Return which edges (m,) lie at a border, or between facets that meet at more than an angle (degrees).

        Args:
            normals: (n_facets, 3) unit normals.
            angle: from which on an edge is sharp.
        """
        border = self.facets[:, 1] < 0
        cosine = np.einsum("ij,ij->i", normals[self.facets[:, 0]], normals[self.facets[:, 1]])
        return np.asarray(border | (cosine < np.cos(np.radians(angle))))
