"""The kernel that finds closest points against its plain form, in random poses on facets of all kinds."""

from dataclasses import replace

import numpy as np
import pytest

from faying.fem.facets import facet_kinds
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts import search
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.gap_kernels import gaps_of_all
from faying.multibody.contacts.search import ClosestPoints, gaps_at, near_facets
from faying.multibody.contacts.search_kernels import closest_of_all
from faying.multibody.contacts.surface import surface_of_mesh
from faying.spatial.rotations import rotation_matrix
from support.balls import ball
from support.boxes import box

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
        assert gaps.slaves.tolist() == of_plain.slaves.tolist() and len(gaps.slaves) > 3
        np.testing.assert_allclose(closest.distances, plain.distances, rtol=0.0, atol=40.0 * AGREE)
        np.testing.assert_allclose(gaps.gaps, of_plain.gaps, rtol=0.0, atol=40.0 * AGREE)
        np.testing.assert_allclose(feet, plain_feet, rtol=0.0, atol=40.0 * AGREE)
        for one, other in (
            (forces.weighted, plain_forces.weighted), (forces.change, plain_forces.change),
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
    found = search.surface_gaps(roof, np.zeros(0), places, near)
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
    plain = search.surface_gaps(roof, np.zeros(0), places, near)
    # On an edge either of its facets may be told.
    for name in ("slaves", "gaps", "normals"):
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), atol=1e-9, err_msg=name)


def test_polynomials_of_the_table_are_the_shape_functions():
    master = bent(box("hex20", (1, 1, 1), (4.0, 4.0, 4.0)), 1)
    table, at = master.facet_table, np.random.default_rng(2).uniform(-1.0, 1.0, (20, 2))
    xi, eta = at.T
    monomials = np.stack([xi**0, xi, eta, xi**2, xi * eta, eta**2, xi**2 * eta, xi * eta**2], axis=1)
    for number, kind in enumerate(facet_kinds):
        shares = monomials @ table.polynomials[number]
        np.testing.assert_allclose(shares[:, : kind.n_nodes], kind.shape(xi, eta), atol=1e-14)
        assert not shares[:, kind.n_nodes :].any()
