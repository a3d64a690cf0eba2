"""Regions in which two parts of a body face each other: facets of both sides."""

from dataclasses import dataclass

import numpy as np

from faying.fem.facet_index import build_facet_index
from faying.fem.facet_sets import connected_regions
from faying.fem.model import FeModel
from faying.fem.projection import project_points
from faying.fem.skin import Skin
from faying.progress import Progress


@dataclass(frozen=True, eq=False)
class FacingFacets:
    """Facets of one part whose centres have a projection on another part.

    Attributes:
        facets: (m,) facet numbers on the skin.
        partners: (m,) facets of the other part on which the projections are.
        distances: (m,) between centre and projection.
        angles: (m,) degrees by which the normal deviates from exactly facing the partner's.
    """

    facets: np.ndarray
    partners: np.ndarray
    distances: np.ndarray
    angles: np.ndarray

    def within(self, distance: float, angle: float) -> "FacingFacets":
        """Return those within a distance and an angle in degrees."""
        near = (self.distances <= distance) & (self.angles <= angle + 1e-9)
        return FacingFacets(self.facets[near], self.partners[near], self.distances[near], self.angles[near])


@dataclass(frozen=True, eq=False)
class FacingRegion:
    """A region in which two parts face each other: (n,) and (m,) facet numbers of both sides, ascending."""

    first: np.ndarray
    second: np.ndarray


def find_facing(
    model: FeModel,
    skin: Skin,
    own: np.ndarray,
    others: np.ndarray,
    distance: float,
    angle: float,
    progress: Progress | None = None,
) -> FacingFacets:
    """Return the facets of one set that face another set.

    Args:
        model: gives the nodes.
        skin: of the model.
        own: facet numbers to test.
        others: facet numbers of another part, ascending.
        distance, angle: largest distance, and largest angle in degrees.
        progress: reports and cancels.
    """
    # Only facets near the others' bounding box can be near the others, and only others near these are looked at.
    reach = distance + np.sqrt(skin.areas[others].max(initial=0.0))
    low, high = _extents(model, skin, others)
    middles = skin.centroids[own]
    near = own[((middles >= low.min(axis=0) - reach) & (middles <= high.max(axis=0) + reach)).all(axis=1)]
    points, normals = skin.centroids[near], skin.normals[near]
    if len(near):
        after, before = points.min(axis=0) - reach, points.max(axis=0) + reach
        others = others[((high >= after) & (low <= before)).all(axis=1)]
    if not len(near) or not len(others):
        none = np.zeros(0)
        return FacingFacets(near[:0], others[:0], none, none)
    index = build_facet_index(model.nodes, skin.chosen(others, "others"))
    projections = project_points(points, normals, index, distance, angle, progress=progress, folds=False)
    found = np.flatnonzero(projections.facets >= 0)
    # A facet deeper than half its size lies on the far side of a thin part: this is no penetration.
    partners = others[projections.facets[found]]
    gaps = np.einsum("ij,ij->i", skin.normals[partners], points[found] - skin.centroids[partners])
    shallow = gaps >= -0.5 * np.sqrt(skin.areas[near[found]])
    found, partners = found[shallow], partners[shallow]
    cosines = -np.einsum("ij,ij->i", normals[found], skin.normals[partners])
    angles = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    return FacingFacets(near[found], partners, projections.distances[found], angles)


def _extents(model: FeModel, skin: Skin, facets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ((n, 3) smallest, (n, 3) largest) coordinates of the nodes of facets."""
    blocks = [model.nodes[block.connectivity] for block in skin.chosen(facets, "facets").blocks]
    return np.concatenate([b.min(axis=1) for b in blocks]), np.concatenate([b.max(axis=1) for b in blocks])


def facing_regions(
    skin: Skin, first: FacingFacets, second: FacingFacets, feature_angle: float
) -> list[FacingRegion]:
    """Return the regions in which two parts face each other, the largest first.

    Facets belong to one region if they share an edge that is not sharp, or are partners. A side whose facets are too
    large for any centre to face the other part consists of the partners.

    Args:
        skin: of the model.
        first, second: facing facets of either side.
        feature_angle: degrees between neighbours beyond which an edge is sharp.
    """
    sides = [np.unique(np.concatenate([a.facets, b.partners])) for a, b in ((first, second), (second, first))]
    facets = np.concatenate(sides)
    if not len(facets):
        return []
    links = np.concatenate([np.column_stack([side.facets, side.partners]) for side in (first, second)])
    regions = connected_regions(skin, facets, feature_angle, links)
    is_first = np.arange(len(facets)) < len(sides[0])
    return [
        FacingRegion(facets[is_first & (regions == r)], facets[~is_first & (regions == r)])
        for r in range(int(regions.max()) + 1)
    ]
