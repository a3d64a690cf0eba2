"""The facet index offers every facet that a point has a foot on, and few others."""

import numpy as np
import pytest

from faying.fem.facet_index import build_facet_index
from faying.fem.facet_projection import project_on_facets
from faying.fem.facets import facet_kind
from faying.fem.surface import FacetBlock, Surface

DISTANCE = 1.5


def scattered_facets(name: str, warp: float, count: int = 120):
    """Return nodes and a surface of separate facets, each about one long, anyhow turned and warped."""
    random = np.random.default_rng(5)
    kind = facet_kind(name)
    plane = np.column_stack([kind.node_coordinates, np.zeros(kind.n_nodes)])
    if kind.n_corners == 4:
        plane /= 2.0
    turned = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    size = 10.0 ** random.uniform(-1.0, 0.5, (count, 1, 1))
    x = size * ((plane + warp * random.uniform(-1.0, 1.0, (count, *plane.shape))) @ turned)
    x += random.uniform(-2.0, 2.0, (count, 1, 3))
    connectivity = np.arange(count * kind.n_nodes).reshape(count, -1)
    zero = np.zeros(count, np.int64)
    return x.reshape(-1, 3), Surface("scattered", (FacetBlock(name, connectivity, zero, zero),))


@pytest.mark.parametrize("tolerance", [0.01, 0.1])
@pytest.mark.parametrize("warp", [0.0, 0.02, 0.12])
@pytest.mark.parametrize("name", ["tri3", "tri6", "quad4", "quad8"])
def test_offers_every_foot(name: str, warp: float, tolerance: float) -> None:
    nodes, surface = scattered_facets(name, warp)
    index, kind = build_facet_index(nodes, surface), facet_kind(name)
    points = np.random.default_rng(6).uniform(-2.5, 2.5, (100, 3))
    owners, facets = (a.ravel() for a in np.indices((len(points), surface.n_facets)))
    x = index.coordinates[0][facets]
    local, found = project_on_facets(kind, x, points[owners])
    found &= kind.is_inside(*local.T, tolerance * (1.0 if kind.n_corners == 3 else 2.0))
    places = np.einsum("mk,mkc->mc", kind.shape(*kind.clamp(*local.T)), x)
    found &= np.linalg.norm(points[owners] - places, axis=1) <= DISTANCE
    assert found.sum() > 20

    first, second = index.candidates(points, DISTANCE)
    likely = index.may_have_projections(points[first], second, DISTANCE, tolerance)
    offered = np.zeros(found.shape, bool).reshape(len(points), -1)
    offered[first[likely], second[likely]] = True
    assert not np.any(found & ~offered.ravel())
    if warp == 0.0 and tolerance == 0.01:  # a circle round a facet is some times as large as the facet
        assert offered.sum() < 10.0 * found.sum()


def test_candidates_are_all_facets_within_the_margin() -> None:
    nodes, surface = scattered_facets("tri3", 0.1)
    index = build_facet_index(nodes, surface)
    points = np.random.default_rng(7).uniform(-2.5, 2.5, (200, 3))
    apart = np.linalg.norm(points[:, None] - index.centres[None], axis=2)
    expected = np.argwhere(apart <= index.radii + 0.2)
    first, second = index.candidates(points, 0.2)
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [tuple(e) for e in expected.tolist()]
