"""A surface inside an outline drawn in the 3D view."""

import numpy as np
from pydantic import field_validator

from faying.fem.facet_sets import facets_of, turned_facets, turned_round
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter

Vector = tuple[float, float, float]

# The centre of a curved facet deviates from its flat triangles by less than this fraction of its size.
_CLEARANCE = 0.1


@surface_selections.register("lasso")
class LassoSelection(SurfaceSelection):
    """The exterior facets visible within an outline, in parallel projection."""

    outline: tuple[Vector, ...] = parameter(
        title="Outline", quantity="length", min_length=3, meaning="Corners of a closed outline in space."
    )
    towards: Vector = parameter(
        title="Towards the onlooker",
        meaning="Direction from the body to the onlooker; its length does not count.",
    )
    through: bool = parameter(
        False, title="Through the body", meaning="Take also facets that face away or are hidden by others."
    )
    among: member_of(surface_selections) | None = parameter(  # type: ignore[valid-type]
        None, title="Among", advanced=True,
        meaning="Look at these facets alone, from either side, as if there were nothing else: what is seen through the "
        "glass body. Without it the whole body is looked at.",
    )  # fmt: skip

    @field_validator("towards")
    @classmethod
    def _is_direction(cls, towards: Vector) -> Vector:
        if not np.any(towards):
            raise ValueError("the direction has no length")
        return towards

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets whose centre lies within the outline.

        Raises:
            ModelError: when there is none.
        """
        towards = np.array(self.towards) / np.linalg.norm(self.towards)
        # Any two directions perpendicular to the line of sight span the picture.
        helper = np.eye(3)[np.argmin(np.abs(towards))]
        right = np.cross(helper, towards)
        right /= np.linalg.norm(right)
        picture = np.column_stack([right, np.cross(towards, right)])
        looked_at, turned = np.arange(len(skin.areas)), np.zeros(len(skin.areas), bool)
        if self.among is not None:
            among = self.among.select(model, skin)
            looked_at, turned = np.unique(facets_of(skin, among)), turned_facets(model, skin, among)
        seen = skin if self.among is None else skin.part(looked_at)
        inside = np.flatnonzero(is_within(np.array(self.outline) @ picture, seen.centroids @ picture))
        if not self.through:
            if self.among is None:
                inside = inside[seen.normals[inside] @ towards > 1e-6]
            inside = inside[~_are_hidden(model, seen, inside, picture, towards)]
        chosen = looked_at[inside]
        surface = self._chosen(skin, chosen, "Draw it round facets that can be seen.")
        return turned_round(model, surface, turned[chosen])

    def describe(self) -> str:
        """Return the number of the outline's corners as text."""
        return f"lasso of {len(self.outline)} corners"


def is_within(outline: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return (n,) whether points (n, 2) lie within a closed outline (m, 2), by the even-odd rule."""
    inside = np.zeros(len(points), bool)
    x, y = points.T
    for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        # A ray to the right crosses this edge if the point is between its heights and left of it.
        crosses = (y1 > y) != (y2 > y)
        if crosses.any():
            inside[crosses] ^= x[crosses] < x1 + (y[crosses] - y1) * (x2 - x1) / (y2 - y1)
    return inside


def _are_hidden(
    model: FeModel, skin: Skin, facets: np.ndarray, picture: np.ndarray, towards: np.ndarray
) -> np.ndarray:
    """Return (len(facets),) whether another facet hides a facet's centre from the viewer."""
    from scipy.spatial import cKDTree  # late: takes long to import

    hidden = np.zeros(len(facets), bool)
    if not len(facets):
        return hidden
    points, depths = skin.centroids[facets] @ picture, skin.centroids[facets] @ towards
    tree = cKDTree(points)
    # Represent a facet by flat triangles between its corners, which is sufficient for visibility.
    for block in skin.surface.blocks:
        n = facet_kind(block.facet).n_corners
        for corner in range(1, n - 1):
            triangles = model.nodes[block.connectivity[:, [0, corner, corner + 1]]]
            flat, heights = triangles @ picture, triangles @ towards
            centres = flat.mean(axis=1)
            radii = np.linalg.norm(flat - centres[:, None], axis=2).max(axis=1)
            found = tree.query_ball_point(centres, radii)
            rows = np.repeat(np.arange(len(found)), [len(f) for f in found])
            own = np.concatenate([np.zeros(0, np.int64), *(np.array(f, np.int64) for f in found)])
            # Barycentric coordinates of the point in the picture, and the triangle's depth there.
            a, b, c = flat[rows].transpose(1, 0, 2)
            area = _cross(b - a, c - a)
            seen = np.abs(area) > 1e-12 * radii[rows] ** 2
            own, rows, a, b, c, area = own[seen], rows[seen], a[seen], b[seen], c[seen], area[seen]
            v, w = _cross(points[own] - a, c - a) / area, _cross(b - a, points[own] - a) / area
            depth = np.einsum("mk,mk->m", np.column_stack([1.0 - v - w, v, w]), heights[rows])
            covers = (
                (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0) & (depth > depths[own] + _CLEARANCE * radii[rows])
            )
            hidden[own[covers]] = True
    return hidden


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
