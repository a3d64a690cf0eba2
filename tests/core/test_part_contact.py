"""Contact between parts: search, gaps, forces and their derivatives.

Kinds of reference: closed forms, differences, brute force over many points, the laws of action and reaction.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import cKDTree

from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts.approach import approach_speeds, longest_approach
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.rigid_shapes import RigidCylinder, RigidPlane, RigidSphere
from faying.multibody.contacts.search import near_facets
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.spatial.rotations import rotation_matrix, spatial_rates
from support.balls import ball
from support.boxes import box
from support.touching import surface_gaps

GROUND = np.zeros(0)
PENALTY = contact_laws["linear_penalty"](stiffness=50.0)


def skin_of(model, modes=0, seed=1, size=1.0):
    """Return the whole skin of a model, whose nodes random smooth shapes move."""
    surface = find_skin(model).surface
    if not modes:
        return surface_of_mesh(surface, model.nodes)
    rng = np.random.default_rng(seed)
    waves = np.sin(model.nodes @ rng.normal(size=(3, 3 * modes)) / 20.0 + rng.uniform(0, 6, 3 * modes))
    return surface_of_mesh(surface, model.nodes, size * waves.reshape(len(model.nodes) * 3, modes))


def coordinates(rng, r, position=(0.0, 0.0, 0.0), bend=0.1):
    """Return coordinates of a part anywhere, turned anyhow; Euler parameters not quite of length one."""
    p = rng.normal(size=4)
    p *= 1.02 / np.linalg.norm(p)
    return np.concatenate([np.asarray(position, float), p, bend * rng.normal(size=r)])


def all_gaps(master, slave, master_q, slave_q, reach):
    places = places_in_frame(slave, slave_q, master_q)
    if not isinstance(master, PartSurface):
        return master.gaps(places, reach)
    near = near_facets(master, master_q, places, reach, 0.0)
    return surface_gaps(master, master_q, places, near)


@pytest.fixture(scope="module")
def rough():
    """A block of bricks whose top is a wavy landscape: folds, ridges and valleys."""
    model = box("hex8_full", (5, 5, 1), (50.0, 50.0, 10.0))
    rng, top = np.random.default_rng(4), model.nodes[:, 2] > 5.0
    nodes = model.nodes.copy()
    nodes[top, 2] += rng.uniform(-3.0, 3.0, top.sum())
    return skin_of(replace(model, nodes=nodes))


def triangulated(surface, pieces):
    """Return so many points of each of a surface's facets, as a reference for distances."""
    found = []
    for kind, x in zip(surface.facets.kinds, surface.facets.coordinates, strict=True):
        line = np.linspace(-1.0, 1.0, pieces)
        xi, eta = (a.ravel() for a in np.meshgrid(line, line))
        found.append(np.einsum("pk,nkc->npc", kind.shape(xi, eta), x).reshape(-1, 3))
    return np.concatenate(found)


def test_closest_points_are_the_closest_of_all(rough):
    rng = np.random.default_rng(2)
    points = np.column_stack([rng.uniform(-4, 54, (400, 2)), rng.uniform(-4, 18, 400)])
    near = near_facets(rough, GROUND, points, 8.0, 0.0)
    gaps = surface_gaps(rough, GROUND, points, near)
    dense = triangulated(rough, 41)
    least, _ = cKDTree(dense).query(points)
    # Every point within reach has one gap; a closed skin has no end to lie beside.
    assert set(np.flatnonzero(least < 7.99)) <= set(gaps.slaves) <= set(np.flatnonzero(least < 8.5))
    assert len(np.unique(gaps.slaves)) == len(gaps.slaves)
    away = np.abs(gaps.gaps)
    assert (away <= least[gaps.slaves] + 1e-9).all()
    assert np.abs(away - least[gaps.slaves]).max() < 0.15  # the reference's points are a quarter apart
    # The way to the closest point is along the normal, whose length is one.
    feet = np.einsum("mk,mkc->mc", gaps.shares, rough.places[gaps.nodes])
    np.testing.assert_allclose(points[gaps.slaves] - feet, gaps.gaps[:, None] * gaps.normals, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(gaps.normals, axis=1), 1.0, atol=1e-12)
    # All kinds of closest points were there: inside of facets, on edges, at corners.
    inside = (np.abs(gaps.local) < 1.0 - 1e-9).sum(axis=1)
    assert {0, 1, 2} <= set(inside.tolist())


def test_the_side_of_a_point_is_that_of_the_solid(rough):
    # Through the bottom, which is plane, and far from the sides: inside is above it, below the landscape.
    rng = np.random.default_rng(6)
    points = np.column_stack([rng.uniform(10, 40, (300, 2)), rng.uniform(-3, 16, 300)])
    gaps = surface_gaps(rough, GROUND, points, near_facets(rough, GROUND, points, 6.0, 0.0))
    top = rough.places[:, 2] > 4.0
    corners = rough.places[top]
    x, y = (np.unique(np.round(corners[:, i], 6)) for i in (0, 1))
    heights = {(round(a, 6), round(b, 6)): h for a, b, h in corners}
    points = points[gaps.slaves]
    i, j = (np.clip(np.searchsorted(line, points[:, c]) - 1, 0, 4) for c, line in ((0, x), (1, y)))
    s, t = (points[:, 0] - x[i]) / 10.0, (points[:, 1] - y[j]) / 10.0
    corner = [np.array([heights[(x[a], y[b])] for a, b in zip(i + di, j + dj, strict=True)])
              for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]  # fmt: skip
    weights = ((1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t)
    landscape = sum(h * w for h, w in zip(corner, weights, strict=True))
    inside = (points[:, 2] > 0.0) & (points[:, 2] < landscape)
    np.testing.assert_array_equal(gaps.gaps < 0.0, inside)


@pytest.mark.parametrize("element", ["hex8_full", "hex20"])
def test_a_ball_measures_distances_from_its_middle(element):
    surface = skin_of(ball(element, 4, 2, 10.0))
    rng = np.random.default_rng(3)
    directions = rng.normal(size=(300, 3))
    points = directions / np.linalg.norm(directions, axis=1, keepdims=True) * rng.uniform(8.5, 12.0, (300, 1))
    gaps = surface_gaps(surface, GROUND, points, near_facets(surface, GROUND, points, 4.0, 0.0))
    assert len(gaps.slaves) == 300
    error = gaps.gaps - (np.linalg.norm(points, axis=1) - 10.0)
    assert np.abs(error).max() < (0.02 if element == "hex20" else 0.5)


def test_pairs_hold_until_points_and_nodes_together_have_moved_by_the_slack(rough):
    points, still = np.array([[25.0, 23.0, 14.0], [5.0, 7.0, 14.0]]), np.zeros_like(rough.places)
    near = near_facets(rough, GROUND, points, 6.0, 1.0)
    step, bent = np.zeros_like(points), still.copy()
    step[1], bent[7] = (0.0, 0.48, 0.36), (0.36, 0.0, -0.48)  # by 0.6 each
    assert near.hold_for(points, still) and near.moved(points, still) == 0.0
    assert near.hold_for(points + step, still) and near.hold_for(points, bent)
    assert not near.hold_for(points + step, bent)
    assert near.moved(points + step, bent) == pytest.approx(1.2)
    assert replace(near, displacements=bent).moved(points + step, bent) == pytest.approx(0.6)


def test_a_point_that_walks_meets_one_facet_after_the_other_and_comes_back(rough):
    # Over the landscape at a constant small height above it, off its end, and back again the same way.
    t = np.linspace(0.0, 2.0 * np.pi, 121)
    way = np.column_stack([25.0 - 35.0 * np.cos(t), 23.0 + 4.0 * np.sin(t), np.full(121, 14.0)])
    near, gaps, refreshed, facets = None, [], 0, []
    for x in way:
        x = x[None]
        if near is None or not near.hold_for(x, np.zeros_like(rough.places)):
            near, refreshed = near_facets(rough, GROUND, x, 6.0, 2.0), refreshed + 1
        found = surface_gaps(rough, GROUND, x, near)
        fresh = surface_gaps(rough, GROUND, x, near_facets(rough, GROUND, x, 6.0, 0.0))
        assert found.slaves.tolist() == fresh.slaves.tolist()
        np.testing.assert_allclose(found.gaps, fresh.gaps, atol=1e-12)
        gaps.append(found.gaps[0] if len(found.gaps) else np.nan)
        facets.append(found.facets[0] if len(found.gaps) else -1)
    gaps = np.array(gaps)
    assert refreshed < 90  # of 121
    assert np.isnan(gaps[0]) and np.isnan(gaps[60]) and np.isnan(gaps[120])  # beyond both ends
    assert len(set(facets)) > 10
    # A distance changes by no more than the way, wherever facets change.
    both = ~np.isnan(gaps[1:]) & ~np.isnan(gaps[:-1])
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    assert (np.abs(np.diff(gaps))[both] <= steps[both] + 1e-9).all()


def test_where_an_open_surface_ends_there_is_no_gap():
    model = box("hex8_full", (2, 2, 1), (20.0, 20.0, 5.0))
    surface = find_skin(model).surface
    whole = surface_of_mesh(surface, model.nodes)

    top = part_of_surface(surface, whole.facets.normals[:, 2] > 0.9)
    top = surface_of_mesh(top, model.nodes)
    points = np.array(
        [[10.0, 10.0, 6.0], [21.0, 10.0, 5.5], [-0.3, -0.3, 5.1], [10.0, 3.0, 4.9], [0.0, 10.0, 5.2]]
    )
    gaps = surface_gaps(top, GROUND, points, near_facets(top, GROUND, points, 3.0, 0.0))
    assert gaps.slaves.tolist() == [0, 3, 4]
    np.testing.assert_allclose(gaps.gaps, [1.0, -0.1, 0.2], atol=1e-12)


@pytest.mark.parametrize("element", ["hex8_full", "hex20", "tet4", "tet10"])
def test_parts_of_equal_width_press_on_each_other_with_their_outer_nodes_too(element):
    # One block lies on another of the same width, 0.1 deep, out of line by shares of a facet in both directions.
    size, cells, depth = np.array([12.0, 8.0, 4.0]), (3, 2, 1), 0.1
    model = box(element, cells, tuple(size))
    skin = find_skin(model)
    top, bottom = (
        surface_of_mesh(part_of_surface(skin.surface, sign * skin.normals[:, 2] > 0.9), model.nodes)
        for sign in (1.0, -1.0)
    )
    edges = size[:2] / cells[:2]
    qm = coordinates(np.random.default_rng(8), 0, (300.0, -200.0, 100.0))
    axes = rotation_matrix(qm[3:7])
    for share, lost in ((0.0, False), (1e-7, False), (-1e-7, False), (5e-3, False), (0.03, True)):
        aside = np.array([*(share * edges), size[2] - depth])
        qs = np.concatenate([qm[:3] + axes @ aside, qm[3:7]])
        gaps = all_gaps(top, bottom, qm, qs, 1.0)
        found = normal_forces(RelativeMotion(top, bottom, qm, qs), gaps, PENALTY, derivatives=False)
        outer = np.isclose(bottom.places[:, :2], size[:2], atol=1e-9).any(axis=1)
        assert set(gaps.slaves) == set(np.flatnonzero(~outer) if lost else range(len(bottom.places)))
        np.testing.assert_allclose(gaps.gaps, -depth, atol=1e-9)
        if not lost:
            whole = PENALTY.stiffness * depth * size[0] * size[1]
            np.testing.assert_allclose(
                found.forces.sum(axis=0), whole * axes[:, 2], rtol=1e-9, atol=1e-9 * whole
            )
        # No moment is left over: the way from the surface is along the normal beyond its end, too.
        places = bottom.places[gaps.slaves] + aside
        feet = np.einsum("mk,mkc->mc", gaps.shares, top.places[gaps.nodes])
        np.testing.assert_allclose(places - feet, gaps.gaps[:, None] * gaps.normals, atol=1e-12 * 12.0)


@pytest.fixture(scope="module")
def bodies():
    """A soft wavy block and a soft ball of quadratic bricks that dips into it, both bent."""
    block = box("hex8_full", (10, 10, 1), (40.0, 40.0, 8.0))
    return skin_of(block, 3, 5, 0.5), skin_of(ball("hex20", 3, 1, 12.0), 4, 8, 0.5)


def touching(bodies, seed, swap=False):
    """Return (master, slave, their coordinates) with the ball dipping into the block's top in a pose of its own."""
    rng = np.random.default_rng(seed)
    block, sphere = bodies
    block_q = coordinates(rng, 3, (5.0, -7.0, 3.0))
    axes = rotation_matrix(block_q[3:7])
    height = 8.0 + 12.0 - rng.uniform(1.5, 2.0)
    at = block_q[:3] + axes @ np.array([rng.uniform(12, 28), rng.uniform(12, 28), height])
    sphere_q = coordinates(rng, 4, at)
    return (sphere, block, sphere_q, block_q) if swap else (block, sphere, block_q, sphere_q)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_action_is_reaction_in_force_and_moment(bodies, seed, swap):
    master, slave, qm, qs = touching(bodies, seed, swap)
    gaps = all_gaps(master, slave, qm, qs, 3.0)
    found = normal_forces(RelativeMotion(master, slave, qm, qs), gaps, PENALTY, derivatives=False)
    assert (found.pressures > 0.0).sum() >= 3
    size = np.abs(found.forces).sum()
    np.testing.assert_allclose(found.on_master[:3] + found.on_slave[:3], 0.0, atol=1e-12 * size)
    np.testing.assert_allclose(found.on_slave[:3], found.forces.sum(axis=0), atol=1e-12 * size)

    # Moments about the inertial origin, of what acts on the frames, and of the nodal forces themselves.
    def moment(q, force):
        # Q_p = Hᵀ M, M at right angles to nothing: the moment is that of least size, H having full rank.
        turn = np.linalg.lstsq(spatial_rates(q[3:7]).T, force[3:7])[0]
        return turn + np.cross(q[:3], force[:3])

    lever = size * np.linalg.norm(qs[:3] - qm[:3]) + size * 50.0
    total = moment(qm, found.on_master) + moment(qs, found.on_slave)
    np.testing.assert_allclose(total, 0.0, atol=1e-12 * lever)
    places = qs[:3] + slave.deformed(qs)[gaps.slaves] @ rotation_matrix(qs[3:7]).T
    feet = (
        qm[:3]
        + np.einsum("mk,mkc->mc", gaps.shares, master.deformed(qm)[gaps.nodes]) @ rotation_matrix(qm[3:7]).T
    )
    slave_moment, master_moment = (
        np.cross(places, found.forces).sum(axis=0),
        np.cross(feet, found.forces).sum(axis=0),
    )
    np.testing.assert_allclose(slave_moment, moment(qs, found.on_slave), atol=1e-12 * lever)
    np.testing.assert_allclose(slave_moment, master_moment, atol=1e-11 * lever)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_forces_derive_from_a_potential_and_tangents_from_forces(bodies, seed, swap):
    master, slave, qm, qs = touching(bodies, seed, swap)
    law = contact_laws["power_function"]()  # smooth where pairs close
    check_changes(master, slave, qm, qs, law)


@pytest.mark.parametrize("seed", range(3))
def test_tangents_over_edges_and_corners(rough, bodies, seed):
    # Before they touch: a law that presses over a gap, beside the corner of a block where three edges meet.
    rng = np.random.default_rng(seed)
    qm = coordinates(rng, 0, (1.0, 2.0, -3.0))
    corner = rough.places[rough.places.sum(axis=1).argmax()]
    slave, axes = bodies[1], rotation_matrix(qm[3:7])
    qs = coordinates(rng, 4)
    turned = slave.deformed(qs) @ rotation_matrix(qs[3:7]).T
    nearest = turned[(turned @ axes).sum(axis=1).argmin()]
    qs[:3] = qm[:3] + axes @ (corner + np.array([0.8, 0.7, 0.9])) - nearest
    gaps = all_gaps(rough, slave, qm, qs, 6.0)
    near = gaps.gaps < 5.0
    inside = (np.abs(gaps.local[near]) < 1.0 - 1e-9).sum(axis=1)
    assert {0, 1} <= set(inside.tolist())
    law = contact_laws["exponential"](clearance=5.0, touching_pressure=20.0)
    check_changes(rough, slave, qm, qs, law, 6.0)


SHAPES = {
    "plane": RigidPlane(np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.0, 0.8])),
    "ball": RigidSphere(np.array([1.0, 2.0, 3.0]), 7.0),
    "socket": RigidSphere(np.array([1.0, 2.0, 3.0]), 15.0, hollow=True),
    "bar": RigidCylinder(np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.0, 0.8]), 7.0),
    "bore": RigidCylinder(np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.0, 0.8]), 15.0, hollow=True),
}


def distance_from(shape, x):
    """Return the distance of a point from a shape, from its definition."""
    if isinstance(shape, RigidPlane):
        return (x - shape.point) @ shape.normal
    sign = -1.0 if shape.hollow else 1.0
    if isinstance(shape, RigidSphere):
        return sign * (np.linalg.norm(x - shape.centre) - shape.radius)
    return sign * (np.linalg.norm(np.cross(x - shape.point, shape.axis)) - shape.radius)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("on_ground", [False, True])
def test_rigid_shapes(bodies, name, on_ground):
    shape, slave, rng = SHAPES[name], bodies[1], np.random.default_rng(5)
    qm = GROUND if on_ground else coordinates(rng, 0, (4.0, -5.0, 6.0))
    origin, axes = (np.zeros(3), np.eye(3)) if on_ground else (qm[:3], rotation_matrix(qm[3:7]))
    # A flexible ball of radius 12 about a place that the shape reaches.
    there = np.array([1.0, 2.0, 3.0]) + {"plane": 11.0, "ball": 18.0, "bar": 18.0}.get(name, 4.0) * np.array(
        [0.6, 0.0, 0.8] if name in ("plane", "ball", "socket") else [0.8, 0.0, -0.6]
    )
    qs = coordinates(rng, 4, origin + axes @ there)
    places = places_in_frame(slave, qs, qm)
    gaps = shape.gaps(places, 5.0)
    expected = np.array([distance_from(shape, x) for x in places])
    assert gaps.slaves.tolist() == np.flatnonzero(np.abs(expected) <= 5.0).tolist()
    np.testing.assert_allclose(gaps.gaps, expected[gaps.slaves], atol=1e-12)
    check_changes(
        shape, slave, qm, qs, contact_laws["exponential"](clearance=5.0, touching_pressure=20.0), 5.0
    )


def check_changes(master, slave, qm, qs, law, reach=3.0):
    """Compare derivatives of forces with central differences, each scaled by its row and column."""
    n, q = len(qm), np.concatenate([qm, qs])

    def both(q):
        gaps = all_gaps(master, slave, q[:n], q[n:], reach)
        found = normal_forces(RelativeMotion(master, slave, q[:n], q[n:]), gaps, law, derivatives=False)
        return np.concatenate([found.on_master, found.on_slave])

    gaps = all_gaps(master, slave, qm, qs, reach)
    found = normal_forces(RelativeMotion(master, slave, qm, qs), gaps, law)
    assert (found.pressures > 0.0).sum() > 3
    exact = found.change
    turning = RelativeMotion(master, slave, qm, qs).facing_areas(gaps).slopes[found.pressures > 0.0]
    if not turning.any():  # along curved masters areas at sharp edges change without a force
        np.testing.assert_allclose(exact, exact.T, atol=1e-12 * np.abs(exact).max())
    steps = np.where(np.isin(np.arange(len(q)), [3, 4, 5, 6, n + 3, n + 4, n + 5, n + 6]), 1e-6, 2e-5)
    unit = np.eye(len(q))
    rough = np.column_stack(
        [(both(q + h * e) - both(q - h * e)) / (2.0 * h) for h, e in zip(steps, unit, strict=True)]
    )
    scale = np.sqrt(np.outer(*2 * [np.abs(np.diag(exact)) + 1e-6 * np.abs(exact).max()]))
    assert np.abs((rough - exact) / scale).max() < 1e-6


def test_relative_velocities_are_rates_of_places(bodies):
    _, slave, qm, qs = touching(bodies, 2)
    rng = np.random.default_rng(7)
    vm, vs = rng.normal(size=len(qm)), rng.normal(size=len(qs))
    h = 1e-6
    ahead = places_in_frame(slave, qs + h * vs, qm + h * vm)
    behind = places_in_frame(slave, qs - h * vs, qm - h * vm)
    found = approach_speeds(slave, qs, vs, qm, vm)
    np.testing.assert_allclose(found, (ahead - behind) / (2.0 * h), atol=1e-6 * np.abs(found).max())
    fixed = approach_speeds(slave, qs, vs, GROUND, GROUND)
    ahead, behind = (places_in_frame(slave, qs + k * vs, GROUND) for k in (h, -h))
    np.testing.assert_allclose(fixed, (ahead - behind) / (2.0 * h), atol=1e-6 * np.abs(fixed).max())


def test_a_fast_ball_does_not_jump_through_a_plate():
    # Steps as long as the approach allows: the first one inside is less than half a facet deep.
    plate, ball_surface = (
        skin_of(box("hex8_full", (8, 8, 1), (40.0, 40.0, 1.0))),
        skin_of(ball("hex8_full", 2, 1, 5.0)),
    )
    speed, allowed, reach = 3e5, 0.5, 3.0
    q = np.array([20.0, 20.0, 60.0, 0.6, 0.0, 0.8, 0.0])
    v = np.array([0.0, 0.0, -speed, 0.0, 0.0, 0.0, 0.0])
    steps = 0
    while steps < 200:
        steps += 1
        places = places_in_frame(ball_surface, q, GROUND)
        gaps = surface_gaps(plate, GROUND, places, near_facets(plate, GROUND, places, reach, 0.0))
        distances = np.full(len(places), reach)
        distances[gaps.slaves] = gaps.gaps
        if (gaps.gaps < 0.0).any():
            break
        length = longest_approach(
            distances, approach_speeds(ball_surface, q, v, GROUND, GROUND), 0.0, allowed
        )
        q = q + length * v
    assert -allowed * (1 + 1e-9) <= gaps.gaps.min() < 0.0
    assert 10 < steps < 60
    assert longest_approach(distances, np.zeros((len(places), 3)), 0.0, allowed) == np.inf
