"""Contact pairs at integration points beside those at nodes: contract, virtual work, patch test, Hertz, smoothing."""

import dataclasses
from functools import cache

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.facet_points import integration_points
from faying.fem.facets import facet_kind
from faying.fem.matrices import DofMap
from faying.fem.readers import read_model
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import surface_from_deck
from faying.fem.surface import FacetBlock, Surface
from faying.joints.contact_stiffness import propose_stiffness
from faying.joints.kinematics import gap_rows, slip_rows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec
from faying.joints.ties import surface_stiffness
from faying.records import read_record, write_record
from support.hertz import exact, press
from support.plates import jointed_plates, stacked_plates
from support.sheet_deck import write_sheet_deck
from support.two_boxes import faces_at, pressed, two_boxes

KINDS = ("nodes", "integration_points")
FACETS = ("tri3", "tri6", "quad4", "quad8")


def sheet(facet: str, counts: tuple[int, int], seed: int, z: float = 0.0, up: bool = True):
    """Return nodes and connectivity of a flat sheet 8 × 6 of facets with straight edges, inner corners moved."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(
        *(np.linspace(0.0, s, n + 1) for s, n in zip((8.0, 6.0), counts, strict=True)), indexing="ij"
    )
    points = np.stack([x, y, np.full_like(x, z)], axis=-1)
    inside = (slice(1, -1), slice(1, -1))
    cell = np.array([8.0, 6.0]) / counts
    points[inside][..., :2] += 0.2 * cell * rng.uniform(-1.0, 1.0, points[inside][..., :2].shape)
    rows = np.arange(x.size).reshape(x.shape)
    cells = np.stack([rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]], axis=-1).reshape(-1, 4)
    if facet.startswith("tri"):
        cells = np.concatenate([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])
    if not up:
        cells = cells[:, ::-1]
    nodes = points.reshape(-1, 3)
    kind = facet_kind(facet)
    if kind.n_nodes > kind.n_corners:
        ends = np.sort(cells[:, [edge[:2] for edge in kind.edges]], axis=2)
        edges, at = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
        cells = np.hstack([cells, len(nodes) + at.reshape(len(cells), -1)])
        nodes = np.vstack([nodes, nodes[edges].mean(axis=1)])
    return nodes, cells


def two_sheets(facet: str, gap: float = 0.0) -> tuple[np.ndarray, Surface, Surface]:
    """Return nodes, master below and slave above: meshes that do not match."""
    low, low_cells = sheet(facet, (3, 4), 1)
    up, up_cells = sheet(facet, (5, 3), 2, gap, up=False)
    surfaces, first = [], 0
    for name, cells, shift in (("low", low_cells, 0), ("up", up_cells, len(low))):
        numbers = np.arange(first, first + len(cells))
        surfaces.append(
            Surface(name, (FacetBlock(facet, cells + shift, numbers, np.zeros(len(cells), int)),))
        )
        first += len(cells)
    return np.vstack([low, up]), *surfaces


@cache
def pairs_of(facet: str, pairs_at: str, gap: float = 0.0) -> tuple[np.ndarray, ContactPairs]:
    nodes, master, slave = two_sheets(facet, gap)
    return nodes, find_contact_pairs(nodes, master, slave, SearchSpec(pairs_at=pairs_at, distance=1.0))


def free_dofs(n_nodes: int) -> DofMap:
    return DofMap(n_nodes, np.zeros(0, np.int64), sp.identity(3 * n_nodes, format="csr"))


# ---- contract of both kinds


@pytest.mark.parametrize("facet", FACETS)
@pytest.mark.parametrize("pairs_at", KINDS)
def test_contract(facet, pairs_at):
    nodes, pairs = pairs_of(facet, pairs_at, 0.25)
    n = len(pairs)
    assert n > 0 and pairs.n_unpaired == 0
    assert pairs.weights.sum() == pytest.approx(48.0, rel=1e-12) and (pairs.weights >= 0.0).all()
    rows, shares = pairs.slave_shares
    assert rows.shape == shares.shape and len(rows) == n
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-13)
    np.testing.assert_allclose(pairs.shape_values.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.cross(pairs.tangents_1, pairs.tangents_2), pairs.normals, atol=1e-12)
    np.testing.assert_allclose(pairs.on_master(nodes), pairs.points, atol=1e-12)
    # The intersection point is right below, and the gap is the distance.
    np.testing.assert_allclose(pairs.on_slave(nodes) - pairs.points, [[0.0, 0.0, 0.25]] * n, atol=1e-9)
    np.testing.assert_allclose(pairs.initial_gaps, 0.25, atol=1e-9)
    # Area of the nodes that they stand at: the whole, whatever the kind.
    assert pairs.nodal_areas.sum() == pytest.approx(48.0, rel=1e-12)
    for name in ("weights", "normals", "points"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(pairs, name)[0] = 0.0


@pytest.mark.parametrize("pairs_at", KINDS)
def test_gap_and_slip_follow_any_linear_motion(pairs_at):
    # u = A x of both sheets together moves the slave side against the point below by A times their distance.
    nodes, pairs = pairs_of("quad8", pairs_at, 0.25)
    a = np.random.default_rng(3).normal(size=(3, 3))
    dofs, motion = free_dofs(len(nodes)), (nodes @ a.T).ravel()
    relative = (pairs.on_slave(nodes) - pairs.points) @ a.T
    np.testing.assert_allclose(
        gap_rows(pairs, dofs) @ motion, (relative * pairs.normals).sum(axis=1), atol=1e-11
    )
    slips = (slip_rows(pairs, dofs) @ motion).reshape(-1, 2)
    for i, tangents in enumerate((pairs.tangents_1, pairs.tangents_2)):
        np.testing.assert_allclose(slips[:, i], (relative * tangents).sum(axis=1), atol=1e-11)


@pytest.mark.parametrize("pairs_at", KINDS)
def test_pairs_are_written_and_read(pairs_at, tmp_path):
    nodes, pairs = pairs_of("quad8", pairs_at)
    with h5py.File(tmp_path / "pairs.h5", "w") as file:
        write_record(file, "pairs", pairs)
        again = read_record(file["pairs"])
    for field in dataclasses.fields(ContactPairs):
        value = getattr(pairs, field.name)
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(again, field.name), value)
    np.testing.assert_array_equal(again.on_slave(nodes), pairs.on_slave(nodes))
    assert (again.slave_nodes is None) == (pairs_at == "integration_points")


def test_points_without_a_partner_are_those_beside_the_master():
    """They say where they are: over no facet of the master, with the area that the reasons are told of."""
    whole, master, slave = two_sheets("quad4", 0.25)
    whole[slave.nodes] += (4.0, 0.0, 0.0)  # half of it hangs over
    pairs = find_contact_pairs(whole, master, slave, SearchSpec(pairs_at="integration_points"))
    rows, values = pairs.unpaired_shares
    places = np.einsum("nk,nkc->nc", values, whole[rows])
    assert len(places) == len(pairs.unpaired_reasons) > 0
    assert (places[:, 0] > 8.0).all() and (pairs.on_slave(whole)[:, 0] < 8.0).all()
    assert pairs.unpaired_weights.sum() + pairs.weights.sum() == pytest.approx(48.0)


def test_pairs_of_older_files_are_read(tmp_path):
    # Written before there were other pairs than those at nodes: without the fields that came since.
    _, pairs = pairs_of("quad4", "nodes")
    with h5py.File(tmp_path / "pairs.h5", "w") as file:
        group = file.create_group("pairs")
        group.attrs.update({"type": "record", "record": "contact_pairs"})
        for field in dataclasses.fields(ContactPairs):
            if field.name not in ("slave_points", "unpaired_points"):
                write_record(group, field.name, getattr(pairs, field.name))
        again = read_record(group)
    assert again.slave_points is None
    np.testing.assert_array_equal(again.slave_nodes, pairs.slave_nodes)


def test_adjusting_gaps_is_alike():
    nodes, master, slave = two_sheets("quad4", 0.02)
    choices = {"close_gaps_below": 0.05, "gap_offset": -0.01, "distance": 1.0}
    for pairs_at in KINDS:
        pairs = find_contact_pairs(nodes, master, slave, SearchSpec(pairs_at=pairs_at, **choices))
        np.testing.assert_allclose(pairs.initial_gaps, -0.01, atol=1e-15)


def test_points_beside_the_master_have_no_pair_and_a_reason():
    nodes, master, slave = two_sheets("quad4")
    nodes = nodes.copy()
    nodes[slave.nodes, 0] += 3.0
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(pairs_at="integration_points"))
    assert pairs.n_unpaired == len(pairs.unpaired_reasons) > 0
    assert (pairs.on_unpaired(nodes)[:, 0] > 8.0).all() and (pairs.on_slave(nodes)[:, 0] <= 8.0 + 0.05).all()
    assert pairs.weights.sum() + pairs.unpaired_weights.sum() == pytest.approx(48.0, rel=1e-12)
    far = nodes + np.where(np.isin(np.arange(len(nodes)), slave.nodes), 100.0, 0.0)[:, None]
    with pytest.raises(ModelError, match="no contact pair"):
        find_contact_pairs(far, master, slave, SearchSpec(pairs_at="integration_points"))


def test_facets_without_area_have_no_points():
    nodes, _, slave = two_sheets("quad4")
    flat = slave.blocks[0].connectivity.copy()
    flat[0] = flat[0, 0]
    points, places, areas, normals = integration_points(
        Surface("slave", (dataclasses.replace(slave.blocks[0], connectivity=flat),)), nodes
    )
    assert points.facets.min() == 1 and (areas > 0.0).all()
    np.testing.assert_allclose(normals[:, 2], -1.0)
    assert len(points) == len(places) == 4 * (slave.n_facets - 1)


# ---- virtual work


def resultant(nodes: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """Return force and moment about the origin (6,) of nodal forces (n, 3)."""
    return np.concatenate([forces.sum(axis=0), np.cross(nodes, forces).sum(axis=0)])


def work_errors(facet: str, pairs_at: str) -> tuple[float, float]:
    """Return the largest error of the resultants of p = a + b x + c y on slave and master, and of their balance."""
    nodes, pairs = pairs_of(facet, pairs_at)
    rows = gap_rows(pairs, free_dofs(len(nodes)))
    upper = np.arange(len(nodes)) >= pairs.master_nodes.max() + 1
    lx, ly = 8.0, 6.0
    worst = balance = 0.0
    for a, b, c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (2.0, -0.7, 0.4)):
        places = pairs.points
        pressure = a + b * places[:, 0] + c * places[:, 1]
        forces = np.asarray(rows.T @ (pairs.weights * pressure)).reshape(-1, 3)
        total = lx * ly * (a + b * lx / 2.0 + c * ly / 2.0)
        about_x = lx * ly * (a * ly / 2.0 + b * lx * ly / 4.0 + c * ly**2 / 3.0)
        about_y = -lx * ly * (a * lx / 2.0 + b * lx**2 / 3.0 + c * lx * ly / 4.0)
        right = np.array([0.0, 0.0, total, about_x, about_y, 0.0])
        for side, sign in ((upper, 1.0), (~upper, -1.0)):
            found = resultant(nodes[side], forces[side])
            worst = max(worst, float(np.abs(found - sign * right).max() / np.abs(right).max()))
        balance = max(balance, float(np.abs(resultant(nodes, forces)).max() / np.abs(right).max()))
    return worst, balance


@pytest.mark.parametrize("facet", FACETS)
def test_resultants_of_even_and_linear_pressure_are_exact(facet):
    # The virtual work of the pressures on all rigid motions: force and moment, on distorted facets too.
    worst, balance = work_errors(facet, "integration_points")
    assert worst < 1e-10 and balance < 1e-12
    # Lumped areas keep the balance and the force, but not the moments of uneven pressures.
    worst, balance = work_errors(facet, "nodes")
    assert worst > 1e-3 and balance < 1e-12


# ---- patch test


# Regression: smallest and largest pressure in per cent under a uniform one, at nodes and at integration points, and
# normal stress beneath. The slave is the finer side; nodes of quadratic facets fail on meshes that match, too.
@pytest.mark.parametrize(
    ("element", "upper", "lower", "at_nodes", "at_points"),
    [
        ("hex8_incompatible", (6, 3, 2), (6, 3, 2), (100.0, 100.0), (100.0, 100.0)),
        ("hex8_incompatible", (8, 4, 2), (6, 3, 2), (86.5, 107.3), (99.3, 100.5)),
        ("hex20", (6, 3, 1), (6, 3, 1), None, (100.0, 100.0)),
        ("tet10", (4, 2, 1), (4, 2, 1), None, (100.0, 100.0)),
        ("tet4", (8, 4, 2), (6, 3, 2), (82.3, 105.0), (99.2, 100.8)),
    ],
    ids=["hex8, matching", "hex8", "hex20, matching", "tet10, matching", "tet4"],
)
def test_uniform_pressure(element, upper, lower, at_nodes, at_points):
    for pairs_at, expected in zip(KINDS, (at_nodes, at_points), strict=True):
        found = pressed(element, upper, lower, pairs_at)
        assert found.pairs.weights @ found.pressure == pytest.approx(4000.0, rel=1e-9)
        low, high = 10.0 * found.pressure.min(), 10.0 * found.pressure.max()
        if expected is None:
            assert low < 60.0 and high > 120.0
            continue
        assert (low, high) == pytest.approx(expected, abs=0.1 if expected[0] < 100.0 else 1e-6)
        if expected[0] == 100.0:
            np.testing.assert_allclose(found.on_master[:, 0], found.on_master[:, 1], atol=1e-8)


# ---- values at nodes


@pytest.mark.parametrize("facet", FACETS)
def test_smoothing_keeps_constants_and_bounds(facet):
    _, pairs = pairs_of(facet, "integration_points")
    np.testing.assert_array_equal(pairs.nodes_with_values, np.unique(pairs.slave_shares[0]))
    np.testing.assert_allclose(pairs.at_nodes(np.full(len(pairs), 3.0)), 3.0, rtol=1e-13)
    values = np.random.default_rng(5).uniform(1.0, 2.0, (len(pairs), 3))
    smooth = pairs.at_nodes(values)
    assert smooth.shape == (len(pairs.nodes_with_values), 3)
    assert values.min() <= smooth.min() and smooth.max() <= values.max()
    # A node's own pairs, and what they count.
    node = int(pairs.nodes_with_values[7])
    rows, shares = pairs.around_node(node)
    np.testing.assert_allclose(shares @ values[rows], smooth[7], rtol=1e-12)
    assert len(pairs.around_node(10**6)[0]) == 0
    # Forces are shared out: their sum stays.
    shared = pairs.at_nodes(values, "sum")
    np.testing.assert_allclose(shared.sum(axis=0), values.sum(axis=0), rtol=1e-12)
    rows, shares = pairs.around_node(node, "sum")
    np.testing.assert_allclose(shares @ values[rows], shared[7], rtol=1e-12)
    states = np.arange(len(pairs)) % 3
    assert np.isin(pairs.at_nodes(states, "nearest"), states).all()
    rows, _ = pairs.around_node(node, "nearest")
    assert states[rows[0]] == pairs.at_nodes(states, "nearest")[7]


def test_pairs_at_nodes_are_left_as_they_are():
    _, pairs = pairs_of("quad4", "nodes")
    values = np.random.default_rng(5).uniform(1.0, 2.0, len(pairs))
    assert pairs.at_nodes(values) is values
    np.testing.assert_array_equal(pairs.nodes_with_values, pairs.slave_nodes)
    assert pairs.node_areas is pairs.weights and pairs.nodal_areas is pairs.weights
    rows, shares = pairs.around_node(int(pairs.slave_nodes[4]))
    assert rows.tolist() == [4] and shares.tolist() == [1.0]


# ---- what depends on the mesh, not on the kind of pairs


def test_proposals_hardly_depend_on_the_kind():
    plates = jointed_plates(upper=(8, 3, 2), lower=(6, 2, 2), element="hex8_incompatible")
    model = plates.model

    master, slave = (surface_from_deck(model, name) for name in ("LOWER", "UPPER"))
    stiffness, springs = [], []
    for pairs_at in KINDS:
        pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(pairs_at=pairs_at))
        proposal = propose_stiffness(model, master, slave, pairs)
        assert proposal is not None
        stiffness.append(proposal.stiffness)
        rows = sparse_rows(pairs, plates.matrices.dofs)
        springs.append(surface_stiffness(plates.matrices.stiffness, rows.normal, rows.node_areas))
    assert stiffness[1] == pytest.approx(stiffness[0], rel=0.2)
    assert springs[1] == pytest.approx(
        springs[0], rel=0.5
    )  # with the areas of the points alone four times as much


def test_shells_are_as_thick_at_integration_points(tmp_path):

    model = read_model(write_sheet_deck(tmp_path / "sheets.inp", distance=2.5))
    sides = facing_sides(model, *(surface_from_deck(model, f"{name}_SIDE") for name in ("LOWER", "UPPER")))
    for thickness, gap in ((True, 0.5), (False, 2.5)):
        search = SearchSpec(pairs_at="integration_points", shell_thickness=thickness)
        pairs = find_contact_pairs(model.nodes, *sides, search, blocks=model.blocks)
        np.testing.assert_allclose(pairs.initial_gaps, gap, atol=1e-9)


# ---- Hertz


def test_hertz_on_a_small_mesh():
    # Published: Hertz, 1882. Pressures where the contact is loaded, in the mean; nodes of quadratic facets jump.
    a, peak = exact(1500.0)
    errors = {}
    for pairs_at in KINDS:
        found = press("hex20", 5, 4, pairs_at, law=1e6)
        assert found.force == pytest.approx(1500.0, rel=1e-4)
        inside = found.radii < 0.8 * a
        right = peak * np.sqrt(1.0 - (found.radii[inside] / a) ** 2)
        weights = found.pairs.weights[inside]
        errors[pairs_at] = np.sqrt(weights @ (found.pressure[inside] - right) ** 2 / (weights @ right**2))
        if pairs_at == "integration_points":
            assert found.pressure.max() == pytest.approx(peak, rel=0.06)
    assert errors["integration_points"] < 0.1 < 0.25 < errors["nodes"]


def test_a_finer_slave_of_two_boxes_sees_every_facet():
    model = two_boxes("tet10", (4, 2, 1), (3, 2, 1))
    master, slave = faces_at(model, 0.0, 1.0), faces_at(model, 0.0, -1.0)
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(pairs_at="integration_points"))
    assert pairs.slave_points is not None
    np.testing.assert_array_equal(np.unique(pairs.slave_points.facets), np.arange(slave.n_facets))


def test_stacked_plates_count_points():
    model = stacked_plates(upper=(6, 2, 1), lower=(4, 2, 1))

    sides = (surface_from_deck(model, name) for name in ("LOWER", "UPPER"))
    pairs = find_contact_pairs(model.nodes, *sides, SearchSpec(pairs_at="integration_points"))
    assert len(pairs) == 6 * 2 * 4 and pairs.slave_nodes is None and pairs.slave_word == "integration points"
