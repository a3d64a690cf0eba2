"""The kernel that finds closest points against its plain form, in random poses on facets of all kinds."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from faying.fem.facets import facet_kinds
from faying.fem.skin import find_skin
from faying.fem.surface import FacetBlock, Surface, part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts import search
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.gap_kernels import gaps_of_all
from faying.multibody.contacts.gaps import gaps_over_edges
from faying.multibody.contacts.search import ClosestPoints, gaps_at, near_facets
from faying.multibody.contacts.search_kernels import closest_of_all
from faying.multibody.contacts.surface import surface_of_mesh
from faying.spatial.rotations import rotation_matrix
from support.balls import ball
from support.boxes import box
from support.touching import surface_gaps

AGREE = 1e-12
MASTERS = {"hex8_full": "quad4", "hex20": "quad8", "tet4": "tri3", "tet10": "tri6"}


def bent(model, seed, modes=3):
    """Return the skin of a model whose nodes are moved at random, with random smooth shapes."""
    rng = np.random.default_rng(seed)
    nodes = model.nodes + rng.uniform(-0.4, 0.4, model.nodes.shape)
    waves = np.sin(nodes @ rng.normal(size=(3, 3 * modes)) / 20.0 + rng.uniform(0, 6, 3 * modes))
    return surface_of_mesh(
        find_skin(replace(model, nodes=nodes)).surface, nodes, waves.reshape(3 * len(nodes), modes)
    )


@pytest.mark.parametrize("element", MASTERS)
def test_machine_code_and_plain_form_find_the_same_gaps_and_forces(element, monkeypatch):
    master = bent(box(element, (5, 5, 1), (40.0, 40.0, 8.0)), 3)
    slave = bent(ball("hex8_full", 3, 2, 12.0), 4)
    assert [kind.name for kind in master.facets.kinds] == [MASTERS[element]]
    law, rng, found = (
        contact_laws["exponential"](clearance=3.0, touching_pressure=20.0),
        np.random.default_rng(5),
        set(),
    )
    others = np.random.default_rng(6)
    for _ in range(12):
        master_q, slave_q = (
            np.concatenate([np.zeros(3), rng.normal(size=4), rng.normal(size=3)]) for _ in "ms"
        )
        master_q[:3] = 10.0 * rng.normal(size=3)
        # Over the middle, an edge, or a corner of the block.
        at = np.array([*rng.uniform(0.0, 44.0, 2), 18.5]) + rng.uniform(-1.0, 1.0, 3)
        slave_q[:3] = master_q[:3] + rotation_matrix(master_q[3:7]) @ at
        places = places_in_frame(slave, slave_q, master_q)
        near = near_facets(master, master_q, places, 4.0, 1.0)
        # Some points press already: on facets that look the other way they are not searched.
        way = rotation_matrix(others.normal(size=4))[2]
        pressed = np.where(others.uniform(size=(len(places), 1)) < 0.2, way, np.zeros(3))
        given = (
            master.deformed(master_q), places, near.points, near.facets, near.reach, pressed, master.facets.normals,
            *master.facet_table,
        )  # fmt: skip
        answers = []
        for way, told in ((closest_of_all, gaps_of_all), (closest_of_all.plain, gaps_of_all.plain)):
            closest = ClosestPoints(*way(*given))
            monkeypatch.setattr(search, "gaps_of_all", told)
            gaps = gaps_at(master, given[0], places, closest, near.reach)
            forces = normal_forces(RelativeMotion(master, slave, master_q, slave_q), gaps, law)
            feet = np.einsum("mk,mkc->mc", gaps.shares, given[0][gaps.nodes])
            answers.append((closest, gaps, feet, forces))
        (closest, gaps, feet, forces), (plain, of_plain, plain_feet, plain_forces) = answers
        found |= set(np.sign(closest.edges[np.isfinite(closest.distances)] + 0.5).tolist())
        for each in (closest, plain):
            beyond = np.isinf(each.distances)
            assert beyond.any() and (each.facets[beyond] == -1).all() and (each.edges[beyond] == -1).all()
        assert gaps.slaves.tolist() == of_plain.slaves.tolist() and len(gaps.slaves) > 3
        np.testing.assert_allclose(closest.distances, plain.distances, rtol=0.0, atol=40.0 * AGREE)
        np.testing.assert_allclose(gaps.gaps, of_plain.gaps, rtol=0.0, atol=40.0 * AGREE)
        np.testing.assert_allclose(feet, plain_feet, rtol=0.0, atol=40.0 * AGREE)
        for one, other in (
            (forces.on_master, plain_forces.on_master), (forces.on_slave, plain_forces.on_slave),
            (forces.change, plain_forces.change),
        ):  # fmt: skip
            np.testing.assert_allclose(one, other, rtol=0.0, atol=AGREE * np.abs(other).max())
    assert found == {-1.0, 1.0}  # inside of facets and on edges


@pytest.mark.parametrize("element", MASTERS)
def test_a_ridge_that_runs_out_at_the_end_is_touched_all_along(element, monkeypatch):
    """A roof: over its ridge the gap is the height, beside its ends there is none, over its slopes the distance."""
    model = box(element, (2, 1, 1), (2.0, 2.0, 1.0))
    nodes = model.nodes.copy()
    nodes[:, 2] += np.where(nodes[:, 2] > 0.99, 1.0 - np.abs(nodes[:, 0] - 1.0), 0.0)
    skin = find_skin(replace(model, nodes=nodes))
    roof = surface_of_mesh(part_of_surface(skin.surface, skin.normals[:, 2] > 0.3), nodes)
    aside = 0.3 * np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    slope = np.array([1.5, 1.0, 1.5])
    places = np.array(
        [[1.02, 0.4, 2.5], [1.1, 1.7, 2.5], [1.0, -0.1, 2.2], slope + aside, slope - aside, [0.99, 1.999, 2.25],
         [2.003, 1.0, 1.2], [2.2, 1.0, 1.0], [1.0, 1.0, 9.0]]
    )  # fmt: skip
    near = near_facets(roof, np.zeros(0), places, 1.0, 0.0)
    found = surface_gaps(roof, np.zeros(0), places, near)
    on_ridge = float(np.hypot(0.1, 0.5))
    wanted = {0: float(np.hypot(0.02, 0.5)), 1: on_ridge, 3: 0.3, 4: -0.3, 5: float(np.hypot(0.01, 0.25))}
    told = dict(zip(found.slaves.tolist(), found.gaps.tolist(), strict=True))
    for number, gap in wanted.items():
        assert told[number] == pytest.approx(gap, abs=1e-9), number
    assert not {2, 7, 8} & told.keys()
    ahead = found.normals[found.slaves.tolist().index(1)]
    np.testing.assert_allclose(ahead, np.array([0.1, 0.0, 0.5]) / on_ridge, atol=1e-9)
    monkeypatch.setattr(search, "closest_of_all", closest_of_all.plain)
    monkeypatch.setattr(search, "gaps_of_all", gaps_of_all.plain)
    plain = surface_gaps(roof, np.zeros(0), places, near)
    # On an edge either of its facets may be told.
    for name in ("slaves", "gaps", "normals"):
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), atol=1e-9, err_msg=name)


def roof_of(element, sign, end=0.0, bow=0.0):
    """Return a roof with its ridge along y from 0 to 2 at x = 1, or a valley (−1), by its upper sides.

    Args:
        element: of its facets.
        sign: of its height.
        end: by how much its ends go along y over x: they are not at right angles to the ridge.
        bow: how high the ridge bulges in its middle; facets have to be quadratic.
    """
    model = box(element, (2, 1, 1), (2.0, 2.0, 1.0))
    x, y, z = model.nodes.T
    raised = sign * (1.0 - np.abs(x - 1.0)) + np.where(np.abs(x - 1.0) < 1e-9, bow * y * (2.0 - y), 0.0)
    nodes = np.column_stack([x, y + end * (x - 1.0), z + np.where(z > 0.99, raised, 0.0)])
    skin = find_skin(replace(model, nodes=nodes))
    return surface_of_mesh(part_of_surface(skin.surface, skin.normals[:, 2] > 0.3), nodes)


def mixed_roof():
    """Return a roof of a quadrilateral and two triangles."""
    nodes = np.array([[0, 0, 1], [1, 0, 2], [1, 2, 2], [0, 2, 1], [2, 0, 1], [2, 2, 1]], float)
    none = np.zeros(2, np.int64)
    blocks = (
        FacetBlock("tri3", np.array([[1, 4, 5], [1, 5, 2]]), none, none.copy()),
        FacetBlock("quad4", np.array([[0, 1, 2, 3]]), none[:1].copy(), none[:1].copy()),
    )
    return surface_of_mesh(Surface("roof", blocks), nodes)


def gaps_in_both_ways(surface, places, reach, monkeypatch):
    """Return the gaps of points that machine code finds, after comparing with those of the plain form."""
    near, still = near_facets(surface, np.zeros(0), places, reach, 0.0), np.zeros(0)
    found = surface_gaps(surface, still, places, near)
    with monkeypatch.context() as plainly:
        plainly.setattr(search, "closest_of_all", closest_of_all.plain)
        plainly.setattr(search, "gaps_of_all", gaps_of_all.plain)
        plain = surface_gaps(surface, still, places, near)
    # On an edge either of its facets may be told.
    for name in ("slaves", "gaps", "normals"):
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), atol=1e-9, err_msg=name)
    return found


@pytest.mark.parametrize(("element", "sign"), [*itertools.product(MASTERS, (1, -1)), ("mixed", 1)])
def test_over_the_end_of_a_ridge_the_gap_is_that_of_the_ridge(element, sign, monkeypatch):
    """The ridge goes on for a hundredth of its length, where points are over it, not beside one of its slopes."""
    roof = mixed_roof() if element == "mixed" else roof_of(element, sign)
    top = 1.0 + sign
    wanted = {
        (1.0, 0.0, 0.5): 0.5, (1.0, 2.0, 0.2): 0.2, (1.0, 2.0, 1e-3): 1e-3, (1.05, 0.0, 0.5): np.hypot(0.05, 0.5),
        (1.0, -0.003, 0.1): 0.1, (1.0, -0.0199, 1e-4): 1e-4, (1.0, 2.0199, 0.4): 0.4,
        (1.02, -0.01, 0.3): np.hypot(0.02, 0.3),
        (1.0, -0.0201, 0.2): None, (1.0, 2.0201, 0.2): None, (0.99, -0.2, 0.5): None,
    }  # fmt: skip
    # Where a slope faces them, points are over the slope.
    wanted |= {(1.3, 0.0, 0.1): (0.3 + 0.1) / np.sqrt(2.0), (0.6, 2.0, 0.2): (0.4 + 0.2) / np.sqrt(2.0)}
    places = np.array([[x, y, top + sign * h] for x, y, h in wanted])
    found = gaps_in_both_ways(roof, places, 1.0, monkeypatch)
    told = dict(zip(found.slaves.tolist(), found.gaps.tolist(), strict=True))
    for number, (place, gap) in enumerate(wanted.items()):
        assert told.get(number) == (None if gap is None else pytest.approx(sign * gap, abs=1e-9)), place
    # The way from the surface is along the normal, so that no moment is left over.
    feet = np.einsum("mk,mkc->mc", found.shares, roof.places[found.nodes])
    np.testing.assert_allclose(
        places[found.slaves] - feet, found.gaps[:, None] * found.normals, rtol=0.0, atol=1e-9
    )
    for number, normal in (
        (0, (0.0, 0.0, 1.0)),
        (7, np.array([0.02, 0.0, sign * 0.3]) * sign / np.hypot(0.02, 0.3)),
    ):
        np.testing.assert_allclose(found.normals[found.slaves.tolist().index(number)], normal, atol=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("element", "end", "bow"),
    [
        ("hex8_full", 0.3, 0.0),
        ("tet4", -0.3, 0.0),
        ("tet10", 0.3, 0.0),
        ("hex20", 0.0, 0.1),
        ("tet10", 0.0, 0.1),
    ],
)
def test_at_the_end_of_a_ridge_gaps_are_as_just_before_it(element, end, bow, sign, monkeypatch):
    """Also where the surface ends aslant, or the ridge is curved and leads out at an angle."""
    roof = roof_of(element, sign, end, bow)
    tip = np.array([1.0, 0.0, 1.0 + sign])
    ahead = np.array([0.0, 1.0, 2.0 * bow]) / np.hypot(1.0, 2.0 * bow)
    up = sign * np.array([0.02, -ahead[2], ahead[1]])
    for height in (1e-3, 0.05, 0.3):
        places = np.array([tip + height * up + s * ahead for s in (1e-5, 1e-7, 0.0, -1e-7, -1e-3)])
        found = gaps_in_both_ways(roof, places, 1.0, monkeypatch)
        assert found.slaves.tolist() == [0, 1, 2, 3, 4]
        size = height * np.hypot(0.02, 1.0)
        np.testing.assert_allclose(found.gaps[1:4], sign * size, rtol=1e-5)
        np.testing.assert_allclose(found.gaps[[0, 4]], sign * size, rtol=2e-3)
        np.testing.assert_allclose(found.normals[1:4], np.tile(up * sign * height / size, (3, 1)), atol=1e-5)


def test_edges_within_a_flat_surface_are_no_ridges_at_its_end(monkeypatch):
    """Triangles between which nothing is folded, turned anyhow: beyond their diagonals' ends there is no gap either."""
    x, y = np.meshgrid(np.arange(4.0), np.arange(4.0), indexing="ij")
    flat = np.column_stack([x.ravel(), y.ravel(), np.zeros(16)])
    corner = (4 * np.arange(3)[:, None] + np.arange(3)).ravel()[:, None]
    for diagonals in ([[0, 4, 5], [0, 5, 1]], [[0, 4, 1], [4, 5, 1]]):
        triangles = np.concatenate([corner + np.array(t) for t in diagonals])
        none = np.zeros(len(triangles), np.int64)
        for turn in np.random.default_rng(5).normal(size=(5, 4)):
            axes = rotation_matrix(turn)
            surface = surface_of_mesh(
                Surface("flat", (FacetBlock("tri3", triangles, none, none.copy()),)), flat @ axes.T
            )
            # Over the nodes at the sides and corners, hardly beside them, and beside them.
            for aside, there in ((0.0, True), (0.004, True), (0.0105, False), (0.013, False), (0.019, False)):
                for height in (0.3, -0.01):
                    at = flat[(flat[:, :2] % 3.0 == 0.0).any(axis=1)]
                    out = np.where(at == 0.0, -1.0, np.where(at == 3.0, 1.0, 0.0)) * [1.0, 1.0, 0.0]
                    places = (at + aside * out + [0.0, 0.0, height]) @ axes.T
                    found = gaps_in_both_ways(surface, places, 1.0, monkeypatch)
                    assert len(found.slaves) == (12 if there else 0), (diagonals, aside, height)
                    np.testing.assert_allclose(found.gaps, height, atol=1e-12)
                    np.testing.assert_allclose(
                        found.normals, np.tile(axes[:, 2], (len(found.gaps), 1)), atol=1e-12
                    )
                    assert not found.hessians[:, :2, :2].any()  # nothing is bent


def test_ridges_that_meet_within_a_surface_end_in_their_corner(monkeypatch):
    """Beside the corner of a block the gap is the way to the corner, as no edge goes on there."""
    model = box("hex8_full", (1, 1, 1), (2.0, 2.0, 2.0))
    block = surface_of_mesh(find_skin(model).surface, model.nodes)
    beyond = np.array([[0.01, 0.1, 0.1], [0.1, 0.002, 0.1], [0.2, 0.1, 0.015]])
    found = gaps_in_both_ways(block, 2.0 + beyond, 1.0, monkeypatch)
    np.testing.assert_allclose(found.gaps, np.linalg.norm(beyond, axis=1), rtol=1e-12)


def on_curve(x, point):
    """Return the local coordinate t of the closest point on a curve of three nodes (0, 1, its middle), and shares."""
    t = 0.5
    for _ in range(50):
        shares, first, second = curve_shares(t)
        way, along = point - shares @ x, first @ x
        t += (way @ along) / (along @ along - way @ (second @ x))
    return curve_shares(t)


def curve_shares(t):
    """Return shape functions of a curve of three nodes, with their derivatives, at t from 0 to 1."""
    return (
        np.array([(1 - t) * (1 - 2 * t), t * (2 * t - 1), 4 * t * (1 - t)]),
        np.array([4 * t - 3, 4 * t - 1, 4 - 8 * t]),
        np.array([4.0, 4.0, -8.0]),
    )


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("where", ["straight", "curved", "corner", "over a corner"])
def test_gaps_over_edges_have_the_derivatives_of_distances(where, side):
    """First and second derivatives by point and nodes, against differences of the distance itself."""
    rng = np.random.default_rng(4)
    x = np.array([[0.0, 0.0, 0.0], [2.0, 0.3, 0.1], [1.0, 0.15, 0.05]])
    x[2] += np.array([0.1, 0.2, -0.1]) if where == "curved" else 0.0
    point = np.array([0.0, 0.0, 0.7] if where == "over a corner" else [0.9, 0.5, 0.7])
    corner = np.array([1.0, 0.0, 0.0]), np.zeros(3), np.zeros(3)

    def closest(y, nodes):
        return corner if "corner" in where else on_curve(nodes, y)

    def gap(y, nodes):
        return side * np.linalg.norm(y - closest(y, nodes)[0] @ nodes)

    functions = tuple(f[None] for f in closest(point, x))
    one = np.array([3])
    found = gaps_over_edges(
        one, point[None], np.array([[7, 8, 9]]), x[None], functions, (one, np.zeros((1, 2))), np.array([side])
    )
    assert found.gaps[0] == pytest.approx(gap(point, x), rel=1e-12)
    np.testing.assert_allclose(np.linalg.norm(found.normals[0]), 1.0, rtol=1e-12)
    assert "corner" not in where or not (found.slopes.any() or found.hessians[0, 2:].any())
    shares, slopes = found.shares[0], found.slopes[0]

    def rows(dy, dx):
        w = dy - shares @ dx
        return np.array([*(found.directions[0] @ w), *(found.normals[0] @ (slopes @ dx).T)]), found.normals[
            0
        ] @ w

    h = 1e-4
    for _ in range(6):
        dy, dx = rng.normal(size=3), rng.normal(size=(3, 3))
        u, first = rows(dy, dx)
        ahead, behind = gap(point + h * dy, x + h * dx), gap(point - h * dy, x - h * dx)
        assert (ahead - behind) / (2.0 * h) == pytest.approx(first, abs=1e-6)
        second = (ahead - 2.0 * gap(point, x) + behind) / h**2
        assert second == pytest.approx(u @ found.hessians[0] @ u, rel=1e-5, abs=1e-6)


def test_a_point_on_an_edge_or_a_corner_has_no_normal_and_does_not_bend():
    x, one = np.array([[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]]), np.array([0])
    for first in (np.array([[-1.0, 1.0]]), np.zeros((1, 2))):
        functions = np.array([[1.0, 0.0]]), first, np.zeros((1, 2))
        for side in (1.0, -1.0):
            with np.errstate(invalid="ignore"):  # at a corner no direction is at right angles to no normal
                found = gaps_over_edges(
                    one, x[:, 0], np.array([[0, 1]]), x, functions, (one, np.zeros((1, 2))), np.array([side])
                )
            assert found.gaps[0] == 0.0 and not found.normals.any()
            assert np.isfinite(found.hessians).all() and found.hessians[0, 1, 1] == 0.0
            assert found.hessians[0, 0, 2] == (-0.25 if first.any() else 0.0)


def test_polynomials_of_the_table_are_the_shape_functions():
    master = bent(box("hex20", (1, 1, 1), (4.0, 4.0, 4.0)), 1)
    table, at = master.facet_table, np.random.default_rng(2).uniform(-1.0, 1.0, (20, 2))
    xi, eta = at.T
    monomials = np.stack([xi**0, xi, eta, xi**2, xi * eta, eta**2, xi**2 * eta, xi * eta**2], axis=1)
    for number, kind in enumerate(facet_kinds):
        shares = monomials @ table.polynomials[number]
        np.testing.assert_allclose(shares[:, : kind.n_nodes], kind.shape(xi, eta), atol=1e-14)
        assert not shares[:, kind.n_nodes :].any()
