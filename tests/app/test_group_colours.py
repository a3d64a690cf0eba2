"""Parts, materials and joints in colours of their own, and curved faces that look smooth."""

from dataclasses import replace

import numpy as np
import pytest

from faying_app.scene.colours import LIGHT, rgb
from faying_app.scene.facet_groups import joint_groups, material_groups, part_groups
from faying_app.scene.meshes import TriangleMesh
from faying_app.scene.picture import photographer
from faying_app.scene.smoothing import corner_normals, split_at_sharp_edges
from support.windows import plates_in, settle, view_pixels

ROUND = 24


def rod():
    """Return points and triangles of a cylinder along z with both ends, each node once."""
    angle = 2 * np.pi * np.arange(ROUND) / ROUND
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.concatenate([np.column_stack([ring, np.full(ROUND, z)]) for z in (0.0, 2.0)])
    points = np.concatenate([points, [[0, 0, 0], [0, 0, 2]]])
    i, j = np.arange(ROUND), np.roll(np.arange(ROUND), -1)
    low, high = np.full(ROUND, 2 * ROUND), np.full(ROUND, 2 * ROUND + 1)
    sides = [[i, j, j + ROUND], [i, j + ROUND, i + ROUND], [j, i, low], [i + ROUND, j + ROUND, high]]
    return np.array(points, float), np.concatenate([np.column_stack(side) for side in sides])


def test_a_cylinder_is_round_and_its_rims_are_sharp():
    points, triangles = rod()
    split, owners = split_at_sharp_edges(triangles, points)
    assert len(owners) == len(points) + 2 * ROUND  # the nodes of both rims belong to two faces each
    assert np.array_equal(owners[split], triangles)
    normals = corner_normals(split, points[owners])
    mantle, ends = normals[split[: 2 * ROUND]], normals[split[2 * ROUND :]]
    radial = points[triangles[: 2 * ROUND]] * [1, 1, 0]
    assert np.abs(mantle - radial).max() < 0.5 * np.sin(np.pi / ROUND)
    assert np.abs(ends[..., 2]) == pytest.approx(1.0)


def test_both_sides_of_a_sheet_keep_their_own_normals():
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    front = np.array([[0, 1, 2], [0, 2, 3]])
    split, owners = split_at_sharp_edges(np.concatenate([front, front[:, ::-1]]), points)
    assert len(owners) == 8
    normals = corner_normals(split, points[owners])
    assert normals[split[:2], 2] == pytest.approx(1.0)
    assert normals[split[2:], 2] == pytest.approx(-1.0)


def test_normals_turn_with_the_points():
    points, triangles = rod()
    mesh = TriangleMesh(triangles, points)
    mesh.place(points @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float))  # z becomes -y … along y
    normals = np.asarray(mesh.drawn.point_data.active_normals)
    caps = mesh.triangles[2 * ROUND :]
    assert np.abs(normals[caps][..., 1]) == pytest.approx(1.0, abs=1e-5)


def test_facets_are_grouped_by_material_joint_and_part(plates):
    model, skin = plates.model, plates.skin.surface
    by_material = material_groups(model, skin)
    assert by_material.names == ("steel",)
    assert not by_material.numbers.any()
    by_joint = joint_groups(skin, [("lap", [plates.master, plates.slave])])
    assert by_joint.inside
    assert (by_joint.numbers == 0).sum() == plates.master.n_facets + plates.slave.n_facets
    flat = np.abs(plates.skin.centroids[by_joint.numbers == 0][:, 2])
    assert flat.max() < 1e-9
    lower = int(model.nodes[:, 2].argmin())
    by_part = part_groups(
        skin, [("first", slice(0, lower + 1)), ("rest", slice(lower + 1, len(model.nodes)))]
    )
    assert set(by_part.numbers) == {0, 1}
    assert by_part == part_groups(
        skin, [("first", slice(0, lower + 1)), ("rest", slice(lower + 1, len(model.nodes)))]
    )
    assert by_part != by_material


def near(pixels, colour):
    """Return how many pixels have the hue of a colour, whatever the light."""
    wanted = np.array(rgb(colour))
    shade = pixels / np.maximum(np.linalg.norm(pixels, axis=2, keepdims=True), 1.0)
    return int((np.linalg.norm(shade - wanted / np.linalg.norm(wanted), axis=2) < 0.05).sum())


@pytest.mark.window
def test_joints_in_colours_are_seen_through_the_body(plates):
    groups = joint_groups(plates.skin.surface, [("lap", [plates.master, plates.slave])])
    with photographer((500, 350)) as camera:
        camera.scene.set_model(plates.model, plates.skin)
        camera.scene.view("iso")
        solid = camera.take().astype(float)
        camera.scene.change(groups=groups)
        assert camera.scene.content.body_look == "ghost"
        assert near(camera.take().astype(float), LIGHT.of_group(0)) > 3000 > near(solid, LIGHT.of_group(0))
        camera.scene.change(groups=replace(groups, inside=False))
        assert camera.scene.content.body_look == "solid"


@pytest.mark.window
def test_the_display_panel_colours_a_body_by_part(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.context.selection.select(("bodies", 0))
    settle(qtbot, 200)
    plain = view_pixels(window).astype(float)
    window.show_panel("display")
    box = window.docks.panels["display"].colour_by
    box.setCurrentIndex(box.findData("part"))
    box.activated.emit(box.currentIndex())
    settle(qtbot, 200)
    assert window.context.view.values.colour_by == "part"
    coloured = view_pixels(window).astype(float)
    theme = window.presenter.scene.theme
    for number in (0, 1):
        assert near(coloured, theme.of_group(number)) > near(plain, theme.of_group(number)) + 1000
    named = window.presenter.scene.visuals["key"].entries
    assert len(named) == 2
    window.context.view.set(colour_by="joint")
    settle(qtbot, 200)
    assert [words for _, words in window.presenter.scene.visuals["key"].entries] == ["lap"]
