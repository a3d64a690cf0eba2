"""The parts of the scene that need no graphics: meshes, camera, frames, numbers."""

import re
from dataclasses import replace

import numpy as np
import pytest

from faying.errors import Cancelled, ModelError
from faying.fem.surface import FacetBlock, Surface, part_of_surface
from faying.progress import CancelFlag
from faying.results.fields import fields
from faying_app.scene import number_texts
from faying_app.scene.camera import (
    CameraPose,
    Margins,
    axes_of,
    fitted_pose,
    moved_pose,
    rolled_pose,
    turned_pose,
    upwards_of,
    zoomed_pose,
)
from faying_app.scene.colours import DARK, LIGHT, Colouring, lookup_table, rgb
from faying_app.scene.frames import evaluate_frame, find_limits, suggest_scale
from faying_app.scene.meshes import (
    LineMesh,
    PatchMesh,
    SurfaceEdges,
    SurfaceMesh,
    facet_triangles,
    slave_facets,
)

POSE = CameraPose((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1.0)


def test_triangles_cover_the_skin_through_all_its_nodes(plates):
    mesh = SurfaceMesh(plates.skin.surface, plates.model.nodes)
    assert len(mesh.triangles) == 4 * plates.skin.surface.n_facets
    assert np.array_equal(np.unique(mesh.nodes), plates.skin.surface.nodes)
    assert mesh.drawn.area == pytest.approx(plates.skin.areas.sum(), rel=1e-5)
    assert np.array_equal(np.bincount(mesh.facets), np.full(plates.skin.surface.n_facets, 4))


def test_a_quad8_facet_is_covered_once():
    nodes = np.array(
        [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 0, 0], [2, 1, 0], [1, 2, 0], [0, 1, 0]], float
    )
    surface = Surface("one", (FacetBlock("quad8", np.arange(8)[None], np.zeros(1, int), np.zeros(1, int)),))
    triangles, owners = facet_triangles(surface)
    p = nodes[triangles]
    areas = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 2] / 2
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(4.0)
    assert set(triangles.ravel()) == set(range(8))
    assert not owners.any()


def test_patches_cover_the_surface_and_move_with_it(plates):
    mesh = PatchMesh(plates.slave, plates.model.nodes)
    assert mesh.drawn.area == pytest.approx(200.0 * 20.0, rel=1e-5)
    mesh.place(2.0 * plates.model.nodes)
    assert mesh.drawn.area == pytest.approx(4 * 200.0 * 20.0, rel=1e-5)
    mesh.colour(np.arange(len(plates.model.nodes), dtype=float))
    shown = set(np.unique(mesh.drawn.active_scalars).astype(int))
    assert shown == set(plates.slave.nodes)


def test_sharp_edges_are_those_of_two_boxes(plates):
    edges = SurfaceEdges(plates.skin.surface)
    assert (edges.facets[:, 1] >= 0).all()  # a closed skin has no border
    pieces = edges.pieces(edges.features(plates.skin.normals))
    length = np.linalg.norm(np.subtract(*plates.model.nodes[pieces.T]), axis=1).sum()
    assert length == pytest.approx(2 * 4 * (200 + 20 + 3))
    assert LineMesh(pieces, plates.model.nodes).drawn.n_lines == len(pieces)


def test_the_border_of_a_part_is_found(plates):
    top = np.flatnonzero(np.abs(plates.skin.centroids[:, 2] - 3.0) < 1e-9)
    part = part_of_surface(plates.skin.surface, top)
    assert part.n_facets == len(top)
    edges = SurfaceEdges(part)
    pieces = edges.pieces(edges.facets[:, 1] < 0)
    assert np.linalg.norm(np.subtract(*plates.model.nodes[pieces.T]), axis=1).sum() == pytest.approx(440.0)


def test_slave_facets_are_found_from_the_pairs(plates):
    found = slave_facets(plates.skin.surface, plates.pairs)
    assert np.array_equal(found.nodes, plates.slave.nodes)


@pytest.mark.parametrize("direction", ["iso", "+x", "-x", "+y", "-y", "+z", "-z"])
def test_a_fitted_camera_sees_every_point_between_the_margins(plates, direction):
    margins = Margins(left=0.02, right=0.2, bottom=0.05, top=0.1)
    nodes = plates.model.nodes
    pose = fitted_pose(turned_pose(POSE, direction), nodes, 1.6, margins)
    axes = axes_of(pose)
    seen = (nodes - pose.focal_point) @ axes.T / pose.half_height
    x, y = (seen[:, 0] / 1.6 + 1) / 2, (seen[:, 1] + 1) / 2
    assert x.min() >= 0.02 - 1e-9 and x.max() <= 0.8 + 1e-9
    assert y.min() >= 0.05 - 1e-9 and y.max() <= 0.9 + 1e-9
    tight = min(x.min() - 0.02, 0.8 - x.max(), y.min() - 0.05, 0.9 - y.max())
    assert tight == pytest.approx(0.0, abs=1e-6)
    assert (seen[:, 2] * pose.half_height).max() < np.linalg.norm(
        np.subtract(pose.position, pose.focal_point)
    )


@pytest.mark.parametrize(
    ("gravity", "upwards"),
    [
        ((0.0, -9.81, 0.0), (0, 1, 0)), ((0.0, 0.0, 9.81), (0, 0, -1)), ((-9.81, 0.0, 0.0), (1, 0, 0)),
        ((0.0, 0.0, 0.0), (0, 0, 1)), ((0.0, -7.0, -7.0), (0, 0, 1)),
    ],
)  # fmt: skip
def test_what_falls_falls_down_in_the_standard_views(gravity, upwards):
    assert upwards_of(gravity) == upwards
    for direction in ("iso", "+x", "-x", "+y", "-y", "+z", "-z"):
        pose = turned_pose(POSE, direction, upwards)
        right, up, back = axes_of(pose)
        assert np.cross(right, up) == pytest.approx(back)
        along = abs(back @ upwards)
        assert up @ upwards == pytest.approx(np.sqrt(1.0 - along**2), abs=1e-9)
        if direction == "iso":
            assert back @ upwards > 0.4  # from above
    assert turned_pose(POSE, "iso", (0, 0, 1)) == turned_pose(POSE, "iso")


def test_the_camera_moves_as_told():
    assert moved_pose(POSE, 1.0, 0.0).focal_point == pytest.approx((1.0, 0.0, 0.0))
    assert zoomed_pose(POSE, 2.0).half_height == 0.5
    assert rolled_pose(POSE, 90.0, 0.0).position == pytest.approx((10.0, 0.0, 0.0))
    assert rolled_pose(POSE, 0.0, 90.0).position == pytest.approx((0.0, 10.0, 0.0))
    with pytest.raises(ModelError, match="no view called 'up'"):
        turned_pose(POSE, "up")


def test_frames_are_evaluated_on_the_nodes(plates):
    pairs = {"joint": plates.pairs}
    frame = evaluate_frame(plates.run, pairs, plates.model.nodes, 6, field="gap", joint="joint", scale=2.0)
    assert np.isnan(frame.values).sum() == len(plates.model.nodes) - len(plates.pairs)
    assert frame.limits[0] == -frame.limits[1] < 0
    assert frame.extremes == (np.nanmin(frame.values), np.nanmax(frame.values))
    moved = evaluate_frame(plates.run, pairs, plates.model.nodes, 6, field="displacement")
    assert np.allclose(frame.positions - plates.model.nodes, 2.0 * (moved.positions - plates.model.nodes))
    assert np.allclose(moved.values, np.linalg.norm(moved.positions - plates.model.nodes, axis=1))
    with pytest.raises(ModelError, match="no frame 24"):
        evaluate_frame(plates.run, pairs, plates.model.nodes, 24, field=None)
    with pytest.raises(ModelError, match="no joint called 'bolt'"):
        evaluate_frame(plates.run, pairs, plates.model.nodes, 0, field="gap", joint="bolt")


def test_a_mode_swings_through_its_undeformed_shape(plates):
    nodes = plates.model.nodes
    up = evaluate_frame(plates.modes, {}, nodes, 1, field=None, scale=10.0)
    still = evaluate_frame(plates.modes, {}, nodes, 1, field=None, scale=10.0, phase=np.pi / 2)
    down = evaluate_frame(plates.modes, {}, nodes, 1, field="displacement", scale=10.0, phase=np.pi)
    assert np.allclose(still.positions, nodes)
    assert np.allclose(up.positions + down.positions, 2 * nodes)
    assert down.values.max() == pytest.approx(1.0)


def test_scales_make_movements_visible(plates):
    size = 225.0
    assert suggest_scale(plates.modes, size) == pytest.approx(0.1 * size)
    assert suggest_scale(plates.run, size) == 1.0  # moves by 9 of 225
    small = replace(plates.run, body=replace(plates.body, displacements=1e-3 * plates.body.displacements))
    assert suggest_scale(small, size) == 1000.0


def test_limits_hold_for_all_frames(plates):
    pairs = {"joint": plates.pairs}
    low, high = find_limits(plates.run, pairs, "pressure")
    single = [
        evaluate_frame(plates.run, pairs, plates.model.nodes, i, field="pressure").extremes[1]
        for i in range(24)
    ]
    assert low == 0.0 and high == max(single) > 0
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        find_limits(plates.run, pairs, "pressure", progress=flag)


def test_every_field_can_be_shown(plates):
    for kind in fields:
        if (refused := fields[kind]().refusal(plates.run)) is not None:
            assert fields[kind].needs  # said by the field itself
            with pytest.raises(ModelError, match=re.escape(refused.message)):
                evaluate_frame(plates.run, {"joint": plates.pairs}, plates.model.nodes, 5, field=kind)
        else:
            frame = evaluate_frame(plates.run, {"joint": plates.pairs}, plates.model.nodes, 5, field=kind)
            assert np.isfinite(frame.values).sum() >= len(plates.pairs)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 221.0, ["0", "50", "100", "150", "200"]),
        (-0.5, 0.5, ["−0.4", "−0.2", "0.0", "0.2", "0.4"]),
        (0.0, 0.0, ["0"]),
        (0.0, 1.25, ["0.00", "0.25", "0.50", "0.75", "1.00", "1.25"]),
    ],
)
def test_ticks_are_round(low, high, expected):
    assert number_texts.number_texts(number_texts.ticks(low, high)) == expected


def test_small_and_large_numbers_get_a_common_power():
    power = number_texts.common_power(-0.0117, 0.0117)
    assert power == -3
    assert number_texts.unit_line("mm", power) == "[×10⁻³ mm]"
    assert number_texts.number_text(0.0117, power) == "11.7"
    assert number_texts.common_power(0.0, 3.2e7) == 6
    assert number_texts.number_text(-2.5e-9) == "−2.50·10⁻⁹"
    assert number_texts.number_text(1200.0) == "1200"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_writing_stands_out_and_states_differ(theme):
    assert _contrast(theme.text, theme.background) > 7
    assert _contrast(theme.text, theme.background_top) > 7
    colours = np.array([rgb(c) for c in (*theme.states[:3], theme.missing)])
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2)
    assert apart[~np.eye(4, dtype=bool)].min() > 0.3


def test_tables_give_states_and_missing_values_their_colours():
    table = lookup_table(Colouring("status", n_states=3), LIGHT)
    for i in range(3):
        found = [0.0, 0.0, 0.0]
        table.GetColor(float(i), found)
        assert found == pytest.approx(rgb(LIGHT.states[i]), abs=0.01)
    found = [0.0, 0.0, 0.0]
    table.GetColor(float("nan"), found)
    assert found == pytest.approx(rgb(LIGHT.missing), abs=0.01)


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2: 7 and more is good for small writing."""

    def luminance(colour: str) -> float:
        parts = np.array(rgb(colour))
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)
