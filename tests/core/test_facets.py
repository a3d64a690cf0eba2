"""Facet kinds: shape functions, derivatives, inside test, lumped areas."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.facets import facet_kind

KINDS = ("tri3", "tri6", "quad4", "quad8")


def _points(kind, count=20):
    rng = np.random.default_rng(0)
    if kind.n_corners == 4:
        return rng.uniform(-1, 1, (2, count))
    xi, eta = rng.uniform(0, 1, (2, count))
    flip = xi + eta > 1
    return np.where(flip, 1 - xi, xi), np.where(flip, 1 - eta, eta)


def _curved(kind):
    x, y = kind.node_coordinates.T
    return np.stack([2 * x + 0.3 * y, 1.5 * y - 0.2 * x, 0.1 * x * x - 0.2 * x * y], axis=-1)


@pytest.mark.parametrize("name", KINDS)
def test_shapes_are_one_at_their_node_and_sum_to_one(name):
    kind = facet_kind(name)
    np.testing.assert_array_equal(kind.shape(*kind.node_coordinates.T), np.eye(kind.n_nodes))
    np.testing.assert_allclose(kind.shape(*_points(kind)).sum(axis=-1), 1.0, rtol=1e-14)
    # Local coordinates are reproduced, so any flat facet is mapped exactly.
    np.testing.assert_allclose(
        kind.shape(*_points(kind)) @ kind.node_coordinates, np.stack(_points(kind), axis=-1), atol=1e-15
    )


@pytest.mark.parametrize("name", KINDS)
def test_derivatives_are_the_differences(name):
    kind, h = facet_kind(name), 1e-6
    xi, eta = _points(kind)
    first = kind.shape_derivatives(xi, eta)
    second = kind.shape_second_derivatives(xi, eta)
    assert first.shape == (20, kind.n_nodes, 2)
    assert second.shape == (20, kind.n_nodes, 2, 2)
    for i, (dx, dy) in enumerate(((h, 0.0), (0.0, h))):
        difference = (kind.shape(xi + dx, eta + dy) - kind.shape(xi - dx, eta - dy)) / (2 * h)
        np.testing.assert_allclose(first[..., i], difference, atol=1e-9)
        difference = (
            kind.shape_derivatives(xi + dx, eta + dy) - kind.shape_derivatives(xi - dx, eta - dy)
        ) / (2 * h)
        np.testing.assert_allclose(second[..., i, :], difference, atol=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_inside_and_clamp_agree_and_clamp_finds_the_nearest_point(name):
    kind = facet_kind(name)
    outside = np.random.default_rng(1).uniform(-3, 3, (2, 300))
    clamped = np.stack(kind.clamp(*outside))
    assert kind.is_inside(*clamped, 1e-14).all()
    inside = kind.is_inside(*outside)
    np.testing.assert_allclose(clamped[:, inside], outside[:, inside], atol=1e-15)
    assert not kind.is_inside(*outside[:, ~inside]).any()
    # No point of a fine grid on the facet is nearer.
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 81)] * 2), axis=-1).reshape(-1, 2)
    grid = grid[kind.is_inside(*grid.T)]
    nearest = np.linalg.norm(outside.T[:, None] - grid, axis=-1).min(axis=1)
    assert (np.linalg.norm(outside - clamped, axis=0) <= nearest + 1e-12).all()


@pytest.mark.parametrize("name", KINDS)
def test_lumped_areas_are_positive_and_sum_to_a_flat_facets_area(name):
    kind = facet_kind(name)
    shear = np.array([[2.0, 0.3, 0.5], [0.1, 1.5, -0.4]])
    flat = (kind.node_coordinates @ shear)[None]
    area = np.linalg.norm(np.cross(*shear)) * (0.5 if kind.n_corners == 3 else 4.0)
    lumped = kind.lumped_areas(flat)
    assert lumped.shape == (1, kind.n_nodes)
    assert (lumped > 0.0).all()
    assert lumped.sum() == pytest.approx(area, rel=1e-14)
    # Alike nodes of a regular facet stand for alike areas.
    regular = kind.lumped_areas(np.c_[kind.node_coordinates, np.zeros(kind.n_nodes)][None])[0]
    if kind.n_corners == 4:
        assert np.ptp(regular[:4]) < 1e-15
        assert np.ptp(regular[4:]) < 1e-15 if kind.n_nodes == 8 else True
    # And turning the node order by one corner turns the areas with it.
    curved = _curved(kind)
    turn = np.roll(np.arange(kind.n_corners), -1)
    if kind.n_nodes > kind.n_corners:
        turn = np.concatenate([turn, turn + kind.n_corners])
    np.testing.assert_allclose(
        kind.lumped_areas(curved[turn][None])[0], kind.lumped_areas(curved[None])[0][turn], rtol=1e-13
    )


def test_a_six_node_triangle_gives_its_corners_a_twelfth_each():
    """Reference kind: analytical (four equal triangles; a corner belongs to one, a midside node to three)."""
    kind = facet_kind("tri6")
    areas = kind.lumped_areas(np.c_[kind.node_coordinates, np.zeros(6)][None])[0] / 0.5
    np.testing.assert_allclose(areas, [1 / 12] * 3 + [3 / 12] * 3, rtol=1e-14)


@pytest.mark.parametrize("name", KINDS)
def test_normals_and_edges(name):
    kind = facet_kind(name)
    flat = np.c_[kind.node_coordinates, np.zeros(kind.n_nodes)]
    np.testing.assert_allclose(kind.normals(flat[None], *kind.centre), [[0, 0, 1]], atol=1e-15)
    many = kind.normals(np.stack([flat] * 20), *_points(kind))
    np.testing.assert_allclose(many, np.tile([0, 0, 1], (20, 1)), atol=1e-14)
    for edge in kind.edges:
        if len(edge) == 3:
            start, end, middle = flat[list(edge)]
            np.testing.assert_array_equal(middle, (start + end) / 2)
    covered = sum(np.cross(flat[b] - flat[a], flat[c] - flat[a])[2] / 2 for a, b, c in kind.triangles)
    assert covered == pytest.approx(0.5 if kind.n_corners == 3 else 4.0)


def test_an_unknown_kind_is_refused_in_a_sentence():
    with pytest.raises(ModelError, match="no facet kind called 'tri7'"):
        facet_kind("tri7")
