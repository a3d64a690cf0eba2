"""Contact pairs: intersection points, normals, areas, gaps, and reasons for nodes without one."""

from collections.abc import Callable
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from faying.errors import Cancelled, ModelError
from faying.fem.readers import read_model
from faying.fem.skin import find_skin, surface_from_deck
from faying.fem.surface import FacetBlock, Surface, part_of_surface
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import REASONS, ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import CancelFlag, Silent
from support.boxes import box

BESIDE, TOO_FAR, NOT_FACING = range(len(REASONS))
KINDS = ("tri3", "tri6", "quad4", "quad8")
MakeSheet = Callable[..., tuple[np.ndarray, Surface]]


def two_sheets(
    make_sheet: MakeSheet, kind: str = "tri6", slave_kind: str = "tri6", gap: float = 0.1, **slave: object
) -> tuple[np.ndarray, Surface, Surface]:
    """Return nodes, master (10 × 6, facing up) and slave (facing down, at a gap above it)."""
    lower, master = make_sheet((5, 3), kind, name="below")
    options = {"height": lambda x, y: 0.0 * x + gap, "size": (8.0, 4.0), "origin": (1.0, 1.0), **slave}
    upper, over = make_sheet(
        (7, 4), slave_kind, upward=False, first_node=len(lower), first_element=1000, name="above", **options
    )
    return np.vstack([lower, upper]), master, over


def check_promises(pairs: ContactPairs, nodes: np.ndarray) -> None:
    """Check what `ContactPairs` promises of any pairs."""
    assert np.all(np.diff(pairs.slave_nodes) > 0)
    np.testing.assert_allclose(pairs.shape_values.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(
        np.einsum("nk,nkc->nc", pairs.shape_values, nodes[pairs.master_nodes]), pairs.points, atol=1e-12
    )
    frame = np.stack([pairs.tangents_1, pairs.tangents_2, pairs.normals], axis=1)
    np.testing.assert_allclose(
        frame @ frame.transpose(0, 2, 1), np.tile(np.eye(3), (len(pairs), 1, 1)), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(frame), 1.0, atol=1e-12)
    away = nodes[pairs.slave_nodes] - pairs.points
    np.testing.assert_allclose(np.einsum("nc,nc->n", away, pairs.normals), pairs.initial_gaps, atol=1.1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slave_kind", KINDS)
@pytest.mark.parametrize("gap", [0.25, -0.25])
def test_flat_sheets(make_sheet: MakeSheet, kind: str, slave_kind: str, gap: float) -> None:
    nodes, master, slave = two_sheets(make_sheet, kind, slave_kind, gap)
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(), Silent())
    check_promises(pairs, nodes)
    assert len(pairs) == len(slave.nodes)
    assert len(pairs.unpaired_nodes) == 0
    # Positive when open; the point straight below; the master's outward normal; the slave's whole area.
    np.testing.assert_allclose(pairs.initial_gaps, gap, atol=1e-13)
    np.testing.assert_allclose(pairs.points[:, :2], nodes[pairs.slave_nodes, :2], atol=1e-12)
    np.testing.assert_allclose(pairs.normals, np.tile([0.0, 0.0, 1.0], (len(pairs), 1)), atol=1e-14)
    assert pairs.weights.sum() == pytest.approx(32.0, rel=1e-12)
    assert pairs.weights.min() > 0.0
    # The longest axis of the master gives the first tangent.
    np.testing.assert_allclose(pairs.tangents_1, np.tile([1.0, 0.0, 0.0], (len(pairs), 1)), atol=1e-14)


@pytest.mark.parametrize("kind", ["tri6", "quad8"])
def test_curved_facets_meet_at_a_right_angle(make_sheet: MakeSheet, kind: str) -> None:
    lower, master = make_sheet((6, 4), kind, height=lambda x, y: 0.05 * (x - 5.0) ** 2 + 0.02 * x * y)
    rng = np.random.default_rng(5)
    upper, slave = make_sheet(
        (5, 3), "tri3", upward=False, size=(6.0, 3.0), origin=(2.0, 1.5), first_node=len(lower)
    )
    # Slave nodes off the master along its exact normal: the way back is known.
    x, y = upper[:, 0], upper[:, 1]
    slope = np.column_stack([-0.1 * (x - 5.0) - 0.02 * y, -0.02 * x, np.ones(len(x))])
    normal = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    projections = np.column_stack([x, y, 0.05 * (x - 5.0) ** 2 + 0.02 * x * y])
    gaps = rng.uniform(-0.05, 0.3, len(x))
    nodes = np.vstack([lower, projections + gaps[:, None] * normal])
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(distance=1.0))
    check_promises(pairs, nodes)
    assert len(pairs) == len(projections)
    # Quadratic facets reproduce this quadratic surface exactly.
    np.testing.assert_allclose(pairs.points, projections, atol=1e-9)
    np.testing.assert_allclose(pairs.initial_gaps, gaps, atol=1e-9)
    np.testing.assert_allclose(pairs.normals, normal, atol=1e-9)


def test_a_mix_of_facet_shapes_fills_up_with_zeros(make_sheet: MakeSheet) -> None:
    left, first = make_sheet((3, 3), "tri3", size=(5.0, 6.0))
    right, second = make_sheet((2, 2), "quad8", size=(5.0, 6.0), origin=(5.0, 0.0), first_node=len(left))
    master = Surface("mixed", first.blocks + second.blocks)
    below = np.vstack([left, right])
    above, slave = make_sheet(
        (4, 4), "tri6", upward=False, first_node=len(below), height=lambda x, y: 0.01 * x + 0.05
    )
    nodes = np.vstack([below, above])
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec())
    check_promises(pairs, nodes)
    assert len(pairs) == len(above)
    on_triangles = pairs.facets < 18
    assert on_triangles.any()
    assert (~on_triangles).any()
    assert pairs.master_nodes.shape[1] == 8
    assert np.all(pairs.shape_values[on_triangles, 3:] == 0.0)
    assert np.all(pairs.master_nodes[on_triangles, 3:] == pairs.master_nodes[on_triangles, :1])


def test_the_nearest_point_wins_and_equals_go_to_the_lowest_facet(make_sheet: MakeSheet) -> None:
    # Two floors below the slave sheet; every master node lies under a slave node, so that ties abound.
    near, first = make_sheet((4, 4), "quad4", height=lambda x, y: 0.0 * x)
    far, second = make_sheet((4, 4), "quad4", height=lambda x, y: 0.0 * x - 0.5, first_node=len(near))
    above, slave = make_sheet(
        (4, 4), "quad4", upward=False, height=lambda x, y: 0.0 * x + 0.2, first_node=2 * len(near)
    )
    nodes = np.vstack([near, far, above])
    for blocks in (first.blocks + second.blocks, second.blocks + first.blocks):
        pairs = find_contact_pairs(nodes, Surface("floors", blocks), slave, SearchSpec(distance=2.0))
        np.testing.assert_allclose(pairs.initial_gaps, 0.2, atol=1e-14)
        # Node (i, j) of the 5 × 5 grid touches cells i−1, i by j−1, j; the lowest of them is chosen.
        i, j = np.divmod(np.arange(25), 5)
        lowest = 4 * np.maximum(i - 1, 0) + np.maximum(j - 1, 0)
        floor = 0 if blocks[0] is first.blocks[0] else 16
        np.testing.assert_array_equal(pairs.facets, lowest + floor)


def test_reasons(make_sheet: MakeSheet) -> None:
    # Beside: the slave sticks out by up to 2 over the master's end at x = 10. Far: it rises along y.
    nodes, master, slave = two_sheets(
        make_sheet,
        size=(6.0, 4.0),
        origin=(6.0, 1.0),
        height=lambda x, y: 0.1 + 2.0 * np.maximum(y - 4.0, 0.0),
    )
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(distance=1.5, angle=80.0, edge_tolerance=0.0))
    check_promises(pairs, nodes)
    x = nodes[pairs.unpaired_nodes]
    beside = pairs.unpaired_reasons == BESIDE
    far = pairs.unpaired_reasons == TOO_FAR
    assert np.all(x[beside, 0] > 10.0)
    assert beside.any()
    over = far & (x[:, 0] <= 10.0)
    assert np.all(x[over, 2] > 1.5)
    assert over.any()
    paired = nodes[pairs.slave_nodes]
    assert paired[:, 0].max() <= 10.0 + 1e-12
    assert paired[:, 2].max() <= 1.5
    total = pairs.weights.sum() + pairs.unpaired_weights.sum()
    assert len(pairs) + len(pairs.unpaired_nodes) == len(slave.nodes)
    assert total > 24.0  # the slave is inclined, so larger than its projection


def test_surfaces_that_look_away_do_not_pair(make_sheet: MakeSheet) -> None:
    lower, master = make_sheet((4, 4), "tri3", name="below")
    upper, slave = make_sheet(
        (4, 4), "tri3", first_node=len(lower), height=lambda x, y: 0.0 * x + 0.1, name="above"
    )
    with pytest.raises(ModelError, match="do not face each other") as caught:
        find_contact_pairs(np.vstack([lower, upper]), master, slave, SearchSpec())
    assert "angle" in caught.value.hint


@pytest.mark.parametrize(("angle", "paired"), [(29.0, False), (31.0, True)])
def test_facing_angle(make_sheet: MakeSheet, angle: float, paired: bool) -> None:
    slope = np.tan(np.radians(30.0))
    lower, master = make_sheet((8, 4), "tri3", size=(30.0, 10.0))
    upper, slave = make_sheet(
        (2, 2), "tri3", upward=False, size=(1.0, 1.0), origin=(10.0, 5.0), first_node=len(lower),
        height=lambda x, y: slope * (x - 10.0) + 0.1,
    )  # fmt: skip
    nodes = np.vstack([lower, upper])
    if paired:
        assert len(find_contact_pairs(nodes, master, slave, SearchSpec(angle=angle))) == len(upper)
    else:
        with pytest.raises(ModelError, match="face each other"):
            find_contact_pairs(nodes, master, slave, SearchSpec(angle=angle))


def test_edge_tolerance_takes_nodes_just_beside(make_sheet: MakeSheet) -> None:
    # The slave sticks out by 0.01 over a master edge whose facets are 2 long: half a percent of a facet.
    nodes, master, slave = two_sheets(make_sheet, "quad4", "quad4", size=(9.01, 4.0), gap=0.001)
    strict = find_contact_pairs(nodes, master, slave, SearchSpec(edge_tolerance=0.0))
    tolerant = find_contact_pairs(nodes, master, slave, SearchSpec(edge_tolerance=0.01))
    assert set(strict.unpaired_reasons) == {BESIDE}
    assert np.all(nodes[strict.unpaired_nodes, 0] > 10.0)
    assert len(tolerant.unpaired_nodes) == 0
    check_promises(tolerant, nodes)
    # The point is moved onto the master's edge.
    assert tolerant.points[:, 0].max() == pytest.approx(10.0, abs=1e-12)
    assert np.abs(tolerant.local_coordinates).max() <= 1.0


def test_nodes_outside_of_a_fold_take_the_fold(make_sheet: MakeSheet) -> None:
    # A roof with its ridge at x = 5: over the ridge no plane has a right-angle foot.
    lower, master = make_sheet((4, 3), "tri3", height=lambda x, y: -0.3 * np.abs(x - 5.0))
    upper, slave = make_sheet(
        (20, 2), "tri3", upward=False, size=(0.98, 4.0), origin=(4.51, 1.0), first_node=len(lower),
        height=lambda x, y: 0.0 * x + 0.5,
    )  # fmt: skip
    nodes = np.vstack([lower, upper])
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(distance=2.0))
    check_promises(pairs, nodes)
    assert len(pairs) == len(upper)
    x = nodes[pairs.slave_nodes, 0]
    in_wedge = np.abs(x - 5.0) < 0.3 * 0.5
    assert in_wedge.sum() == 21
    np.testing.assert_allclose(pairs.points[in_wedge, 0], 5.0, atol=1e-9)
    assert np.all(pairs.points[~in_wedge, 0] != 5.0)


def test_convex_cylinder_pairs_completely() -> None:
    # A bolt of flat facets in a bore: all slave nodes pair, though most have no foot on a flat facet.
    def tube(radius: float, around: int, outward: bool, first: int) -> tuple[np.ndarray, np.ndarray]:
        angle, z = np.meshgrid(
            2.0 * np.pi * np.arange(around) / around, np.linspace(0.0, 5.0, 6), indexing="ij"
        )
        row = np.arange(angle.size).reshape(angle.shape) + first
        a, b = row[:, :-1], np.roll(row, -1, axis=0)[:, :-1]
        c, d = np.roll(row, -1, axis=0)[:, 1:], row[:, 1:]
        quads = np.stack([a, b, c, d] if outward else [a, d, c, b], -1).reshape(-1, 4)
        return np.column_stack(
            [radius * np.cos(angle).ravel(), radius * np.sin(angle).ravel(), z.ravel()]
        ), quads

    bolt, outer = tube(3.0, 16, True, 0)
    bore, inner = tube(3.2, 37, False, len(bolt))
    nodes = np.vstack([bolt, bore])
    blocks = [
        FacetBlock("quad4", q, np.arange(len(q)), np.full(len(q), f)) for f, q in enumerate((outer, inner))
    ]
    pairs = find_contact_pairs(
        nodes, Surface("bolt", (blocks[0],)), Surface("bore", (blocks[1],)), SearchSpec(distance=1.0)
    )
    check_promises(pairs, nodes)
    assert len(pairs) == len(bore)
    assert pairs.initial_gaps.min() > 0.15
    assert pairs.initial_gaps.max() < 0.2 + 3.0 * (1.0 - np.cos(np.pi / 16)) + 0.01
    # Neighbours have similar tangents: here all the same, along the bolt.
    assert np.all(np.abs(pairs.tangents_1 @ pairs.tangents_1[0]) > 0.99)


def test_facets_without_area_are_passed_over(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet, "tri3")
    block = master.blocks[0]
    collapsed = np.array([[0, 1, 1], [3, 3, 3]])
    worse = FacetBlock(
        "tri3", np.vstack([collapsed, block.connectivity]), np.arange(-2, 30), np.zeros(32, np.int64)
    )
    pairs = find_contact_pairs(nodes, Surface("collapsed", (worse,)), slave, SearchSpec())
    check_promises(pairs, nodes)
    good = find_contact_pairs(nodes, master, slave, SearchSpec())
    np.testing.assert_array_equal(pairs.facets, good.facets + 2)


def test_small_gaps_are_zero(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet, gap=5e-7)
    assert np.all(find_contact_pairs(nodes, master, slave, SearchSpec()).initial_gaps == 0.0)
    kept = find_contact_pairs(nodes, master, slave, SearchSpec(zero_gap_below=0.0)).initial_gaps
    np.testing.assert_allclose(kept, 5e-7, rtol=1e-6)


def test_moved_and_turned_models_give_the_same_pairs(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet, "quad8", "tri6")
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    here = find_contact_pairs(nodes, master, slave, SearchSpec())
    there = find_contact_pairs(nodes @ turn.T + [100.0, -50.0, 20.0], master, slave, SearchSpec())
    np.testing.assert_array_equal(there.facets, here.facets)
    np.testing.assert_allclose(there.shape_values, here.shape_values, atol=1e-9)
    np.testing.assert_allclose(there.normals, here.normals @ turn.T, atol=1e-12)
    np.testing.assert_allclose(there.weights, here.weights, atol=1e-12)
    # The first tangent lies along the sheet's longer side up to its sign.
    np.testing.assert_allclose(np.abs(there.tangents_1 @ turn[:, 0]), 1.0, atol=1e-9)


def test_sentences(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet)
    empty = Surface("nothing", ())
    with pytest.raises(ModelError, match=r"master surface 'nothing' has no facets"):
        find_contact_pairs(nodes, empty, slave, SearchSpec())
    with pytest.raises(ModelError, match=r"slave surface 'nothing' has no facets"):
        find_contact_pairs(nodes, master, empty, SearchSpec())
    with pytest.raises(ModelError, match=r"overlap: they share 30 facets"):
        find_contact_pairs(nodes, master, master, SearchSpec())
    block = master.blocks[0]
    foreign = Surface("merged", (replace(block, elements=block.elements + 5000),))
    with pytest.raises(
        ModelError, match=r"'below' and the slave surface 'merged' overlap: they share \d+ nodes"
    ):
        find_contact_pairs(nodes, master, foreign, SearchSpec())
    with pytest.raises(
        ModelError, match=r"nearest nodes are 50\.\d* \[length\] apart, and the search distance is 3"
    ) as far:
        find_contact_pairs(
            np.where(np.arange(len(nodes))[:, None] < slave.nodes.min(), nodes, nodes + 50.0 * np.eye(3)[2]),
            master, slave, SearchSpec(distance=3.0),
        )  # fmt: skip
    assert "search distance" in far.value.hint


def test_cancel(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet)
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        find_contact_pairs(nodes, master, slave, SearchSpec(), flag)


def test_friction_bar_pairs_all_its_slave_nodes() -> None:
    deck = resources.files("faying_resources") / "examples" / "friction_bar_19k.inp"
    with resources.as_file(deck) as path:
        model = read_model(path, Silent())
    master, slave = surface_from_deck(model, "JOINT_MASTER"), surface_from_deck(model, "JOINT_SLAVE")
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(), Silent())
    check_promises(pairs, model.nodes)
    # 2821 pairs: independent code, tests/references/friction_bar.py. They are all nodes of the slave facets.
    assert len(pairs) == len(slave.nodes) == 2821
    assert np.all(pairs.initial_gaps == 0.0)
    np.testing.assert_array_equal(pairs.normals, np.tile([0.0, 0.0, 1.0], (2821, 1)))
    np.testing.assert_array_equal(pairs.tangents_1, np.tile([1.0, 0.0, 0.0], (2821, 1)))
    # Analytical: the overlap of 175 × 20 without four holes of radius 3, which the mesh cuts a little smaller.
    assert pairs.weights.sum() == pytest.approx(175.0 * 20.0 - 4.0 * np.pi * 9.0, rel=1e-3)


def test_gaps_are_closed_removed_and_offset(make_sheet: MakeSheet) -> None:
    nodes, master, slave = two_sheets(make_sheet, height=lambda x, y: 0.04 * (x - 5.0))
    plain = find_contact_pairs(nodes, master, slave, SearchSpec()).initial_gaps
    search = SearchSpec(close_gaps_below=0.05, remove_penetration_below=0.03, gap_offset=-0.01)
    gaps = find_contact_pairs(nodes, master, slave, search).initial_gaps
    untouched = (plain >= 0.05) | (plain <= -0.03)
    assert untouched.any() and not untouched.all()
    np.testing.assert_allclose(gaps[untouched], plain[untouched] - 0.01, atol=1e-12)
    np.testing.assert_allclose(gaps[~untouched], -0.01, atol=1e-15)


def test_smooth_normals_follow_a_cylinder_and_keep_sharp_edges(make_sheet: MakeSheet) -> None:
    # An arch of radius 10 from straight facets; slave points half a unit above its true surface.
    def arch(x: np.ndarray, y: np.ndarray, rise: float = 0.0) -> np.ndarray:
        return np.sqrt((10.0 + rise) ** 2 - (x - 5.0) ** 2)

    lower, master = make_sheet((12, 3), "quad4", height=arch)
    upper, slave = make_sheet(
        (7, 2), "tri3", upward=False, size=(8.0, 4.0), origin=(1.0, 1.0), first_node=len(lower),
        height=lambda x, y: arch(x, y, 0.5),
    )  # fmt: skip
    nodes = np.vstack([lower, upper])
    errors = []
    for smooth in (False, True):
        pairs = find_contact_pairs(nodes, master, slave, SearchSpec(distance=1.0, smooth_normals=smooth))
        check_promises(pairs, nodes)
        true = pairs.points - np.array([5.0, 0.0, 0.0])
        true[:, 1] = 0.0
        true /= np.linalg.norm(true, axis=1, keepdims=True)
        inner = np.abs(pairs.points[:, 0] - 5.0) < 4.0  # the rim has one-sided nodal normals
        errors.append(
            np.degrees(np.arccos(np.clip(np.einsum("nc,nc->n", pairs.normals, true), -1, 1)))[inner].max()
        )
    assert errors[0] > 1.0
    assert errors[1] < 0.3
    # A roof with a ridge of 90°: both sides keep their own normals.
    lower, master = make_sheet((6, 3), "quad4", height=lambda x, y: -np.abs(x - 5.0))
    upper, slave = make_sheet(
        (4, 2), "quad4", upward=False, size=(3.0, 4.0), origin=(5.5, 1.0), first_node=len(lower),
        height=lambda x, y: 0.2 - np.abs(x - 5.0),
    )  # fmt: skip
    pairs = find_contact_pairs(np.vstack([lower, upper]), master, slave, SearchSpec(smooth_normals=True))
    np.testing.assert_allclose(pairs.normals, np.tile(np.sqrt([0.5, 0.0, 0.5]), (len(pairs), 1)), atol=1e-12)


def standing(
    element: str, turn: float = 0.0, cut: float = 0.0
) -> tuple[np.ndarray, Surface, Surface, np.ndarray]:
    """Return nodes, a plate's top, the whole skin of a block (6, 6, 4) that stands on it, and normals of its facets.

    Args:
        element: of both.
        turn: degrees by which the block is turned about the edge on which it then stands.
        cut: how much narrower it is at its top, on that side.
    """
    below, block = box("hex8_full", (6, 6, 1), (12.0, 12.0, 2.0)), box(element, (3, 3, 2), (6.0, 6.0, 4.0))
    x, y, z = block.nodes.T
    x = x + cut * z * (1.0 - x / 6.0)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    placed = np.column_stack([c * x + s * z + 3.0, y + 3.0, c * z - s * x + 2.0])
    placed[:, 2] += 2.0 - placed[:, 2].min()
    first = len(below.nodes)
    plate, skin = find_skin(below), find_skin(replace(block, nodes=placed))
    moved = (
        FacetBlock(b.facet, b.connectivity + first, b.elements + 1000, b.faces) for b in skin.surface.blocks
    )
    top = part_of_surface(plate.surface, plate.normals[:, 2] > 0.9)
    return np.vstack([below.nodes, placed]), top, Surface("block", tuple(moved)), skin.normals


@pytest.mark.parametrize("element", ["hex8_full", "hex20", "tet4", "tet10"])
def test_a_whole_skin_pairs_as_the_face_that_stands_on_the_master(element: str) -> None:
    nodes, master, skin, normals = standing(element)
    face = part_of_surface(skin, normals[:, 2] < -0.9)
    search = SearchSpec(distance=0.5)
    whole, alone = (find_contact_pairs(nodes, master, each, search) for each in (skin, face))
    check_promises(whole, nodes)
    assert whole.weights.sum() == pytest.approx(36.0)
    for name in ("slave_nodes", "facets", "weights", "normals", "initial_gaps"):
        np.testing.assert_allclose(getattr(whole, name), getattr(alone, name), atol=1e-12, err_msg=name)
    # Of all others the area that they stand for is told, and why they have no pair.
    assert len(alone) + whole.n_unpaired == len(skin.nodes)
    assert set(whole.unpaired_reasons.tolist()) == {TOO_FAR}


@pytest.mark.parametrize(("turn", "cut"), [(45.0, 0.0), (60.0, 0.5)])
def test_a_block_that_stands_on_an_edge_has_pairs_there(turn: float, cut: float) -> None:
    """Also where none of its sides faces the master within the angle, but the edge does."""
    nodes, master, skin, _ = standing("hex8_full", turn, cut)
    pairs = find_contact_pairs(nodes, master, skin, SearchSpec(distance=0.5))
    np.testing.assert_allclose(nodes[pairs.slave_nodes][:, 2], 2.0, atol=1e-12)
    assert len(pairs) == 4 and pairs.weights.sum() > 6.0


def test_corners_that_face_the_master_with_no_side_are_told() -> None:
    nodes, master, skin, _ = standing("hex8_full", 45.0)
    pairs = find_contact_pairs(nodes, master, skin, SearchSpec(distance=0.5, angle=30.0))
    assert len(pairs) == 2
    ends = pairs.unpaired_nodes[pairs.unpaired_reasons == NOT_FACING]
    np.testing.assert_allclose(nodes[ends][:, 1:], [[3.0, 2.0], [9.0, 2.0]], atol=1e-12)


def test_limits_of_gaps_are_no_part_of_what_they_change() -> None:
    search = SearchSpec(close_gaps_below=0.05, remove_penetration_below=0.03)
    np.testing.assert_array_equal(
        search.adjusted(np.array([0.05, 0.049, -0.03, -0.029])), [0.05, 0.0, -0.03, 0.0]
    )
