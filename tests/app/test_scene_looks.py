"""Ways to look at frames: sections, opened joints, isolines, probes, units, enlarged joints."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.exporters import ExportContent
from faying.exporters.cuts import read_cuts
from faying.fem.mass_properties import mass_properties, nodal_masses
from faying.results.frame_axes import frame_axis
from faying.units import shown_unit
from faying_app.scene.content import CuttingPlane, DisplayOptions, Symbols
from faying_app.scene.cutting import plane_in_space, planes_of
from faying_app.scene.fitting import seen_points
from faying_app.scene.frames import evaluate_frame
from faying_app.scene.labels import overlap
from faying_app.scene.picture import fill_scene, photographer
from faying_app.scene.visuals.book import master_values, opened_positions
from faying_app.scene.visuals.legend import legend_text
from faying_app.scene.visuals.probes import probe_text
from faying_app.scene.visuals.section import volume_grid

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def camera(plates):
    """A photographer of the plates in frame 9 of their run."""
    content = ExportContent(
        "run",
        "mm-t-s",
        plates.model,
        plates.run,
        {"joint": (plates.master, plates.slave)},
        {"joint": plates.pairs},
    )
    with photographer((640, 420)) as found:
        fill_scene(found.scene, content)
        found.scene.show_frame(9, field="pressure", scale=1.0)
        found.scene.view("iso")
        yield found


def look(camera, field="pressure", **changes):
    camera.scene.change(display=replace(DisplayOptions(), **changes))
    camera.scene.show_frame(9, field=field, scale=1.0)
    return camera.take().astype(int)


def test_a_section_leaves_half_and_fills_the_cut(camera, plates):
    grid = volume_grid(plates.model)
    assert grid.n_cells == len(plates.model.element_ids)
    whole = look(camera, "displacement")
    half = look(camera, "displacement", sections=(CuttingPlane((1.0, 0.0, 0.0), 0.5),))
    assert np.abs(whole - half).mean() > 1.0
    face = camera.scene.visuals["section"].cuts[0].face.GetMapper().GetInput()
    assert face.GetNumberOfCells() > 4
    x = np.array([face.GetPoint(i)[0] for i in range(face.GetNumberOfPoints())])
    positions = camera.scene.content.positions
    np.testing.assert_allclose(x, (positions[:, 0].min() + positions[:, 0].max()) / 2, atol=0.5)
    # The cut has the colours of the field that it cuts.
    assert face.GetPointData().GetScalars().GetRange()[1] > 0.0
    assert camera.scene.visuals["body"].skin.GetMapper().GetClippingPlanes().GetNumberOfItems() == 1
    look(camera)
    assert camera.scene.visuals["body"].skin.GetMapper().GetClippingPlanes().GetNumberOfItems() == 0


def test_the_plane_runs_from_one_end_to_the_other():
    points = np.array([[0.0, 0, 0], [10.0, 0, 0], [2.0, 1, 0]])
    for at, x in ((0.25, 2.5), (0.5, 5.0), (1.0, 9.99)):
        plane = plane_in_space(CuttingPlane((1.0, 0.0, 0.0), at), points)
        assert plane.origin[0] == pytest.approx(x)
        assert plane.normal[0] == -1.0  # what lies above is left out
        plane = plane_in_space(CuttingPlane((-1.0, 0.0, 0.0), at), points)
        assert plane.origin[0] == pytest.approx(10.0 - x)


def test_sections_stand_at_places_of_the_deck_and_leave_out_what_is_nearest(camera, plates):
    x = plates.model.nodes[:, 0]
    place = x.min() + 0.3 * np.ptp(x)
    content = camera.scene.content
    cuts = read_cuts(f"x={place}, -z=25%", "mm-t-s")
    planes = planes_of(cuts, content, "iso", "mm-t-s")
    assert planes[0].normal == (1.0, 0.0, 0.0) and planes[0].at == pytest.approx(0.3)
    assert planes[1].normal == (0.0, 0.0, -1.0) and planes[1].at == pytest.approx(0.75)
    assert planes_of(cuts, content, "-x", "mm-t-s")[0].normal == (-1.0, 0.0, 0.0)  # the camera is over there
    with pytest.raises(ModelError, match="cuts nothing"):
        planes_of(read_cuts("y=7 km", "mm-t-s"), content, "iso", "mm-t-s")
    look(camera, "von_mises", sections=planes, section_ghost=True)
    section = camera.scene.visuals["section"]
    assert len(section.cuts) == 2
    ends = camera.scene.content.positions
    # Each face ends at the other plane, and what both leave out is a ghost of one of them.
    for cut, column, other in ((section.cuts[0], 0, 2), (section.cuts[1], 2, 0)):
        clipped = cut.face.GetMapper().GetClippingPlanes()
        assert clipped.GetNumberOfItems() == 1 and abs(clipped.GetItem(0).GetNormal()[other]) == 1.0
        drawn = cut.face.GetMapper().GetInput()
        at = np.array([drawn.GetPoint(i)[column] for i in range(drawn.GetNumberOfPoints())])
        assert np.ptp(at) < 1e-3 * np.ptp(ends[:, column]) + 1e-6
    assert [cut.ghost.GetMapper().GetClippingPlanes().GetNumberOfItems() for cut in section.cuts] == [1, 2]
    # Lines of equal value cross the faces, with numbers there.
    assert not any(cut.lines.GetVisibility() for cut in section.cuts)
    look(camera, "von_mises", sections=planes, isolines=4)
    assert all(cut.lines.GetVisibility() for cut in section.cuts)
    assert any(cut.lines.GetMapper().GetInput().GetNumberOfCells() for cut in section.cuts)
    look(camera)
    assert not any(cut.face.GetVisibility() or cut.ghost.GetVisibility() for cut in section._every)


def test_the_centre_of_mass_is_marked_and_moves_along(camera, plates):
    scene = camera.scene
    mark = scene.visuals["centre_of_mass"]
    plain = look(camera, "displacement")
    assert not len(mark.places)  # not before it is wanted
    scene.set_visible("centre_of_mass", True)
    masses = nodal_masses(plates.model)
    assert masses.sum() == pytest.approx(mass_properties(plates.model).mass)
    at_rest = masses @ plates.model.nodes / masses.sum()
    np.testing.assert_allclose(at_rest, mass_properties(plates.model).centre, rtol=1e-9, atol=1e-9)
    positions = scene.content.positions
    np.testing.assert_allclose(mark.places, [masses @ positions / masses.sum()], atol=1e-9)
    assert np.linalg.norm(mark.places[0] - at_rest) > 1e-6  # it moves with the body
    there = camera.take().astype(int)
    x, y = scene.pixels(mark.places)[0]
    changed = np.argwhere(np.abs(there - plain).max(axis=2) > 40)[:, ::-1]
    assert (
        len(changed) and np.abs(changed - [x, there.shape[0] - 1 - y]).max() < 16.0
    )  # there, and nowhere else
    scene.set_visible("centre_of_mass", False)
    assert np.array_equal(camera.take().astype(int), plain)


@pytest.mark.parametrize("text", ["x", "w=3", "x=", "x=three", "x=120%", "x=nan%", "3mm"])
def test_a_section_that_is_none_is_a_sentence(text):
    with pytest.raises(ModelError):
        read_cuts(text, "mm-t-s")


def test_an_opened_joint_shows_both_faces_side_by_side(camera, plates):
    nodes = np.union1d(plates.master.nodes, plates.slave.nodes)
    up = np.array([0.0, 0.0, 1.0])
    moved = opened_positions(plates.model.nodes, nodes, up, plates.slave.nodes, 180.0)
    slave, master = moved[plates.slave.nodes], moved[plates.master.nodes]
    np.testing.assert_allclose(slave[:, 2], 0.0, atol=1e-9)  # in one plane
    np.testing.assert_array_equal(master, plates.model.nodes[plates.master.nodes])
    apart = slave[:, 1].min() > master[:, 1].max() or slave[:, 1].max() < master[:, 1].min()
    assert apart
    # Half open it stands upright above the hinge.
    upright = opened_positions(plates.model.nodes, nodes, up, plates.slave.nodes, 90.0)[plates.slave.nodes]
    assert upright[:, 2].min() > 0.0 and np.ptp(upright[:, 1]) < 1e-9
    closed = look(camera)
    opened = look(camera, opened=180.0)
    assert np.abs(closed - opened).mean() > 1.0
    pages = camera.scene.visuals["book"].pages
    assert pages.GetVisibility() and not camera.scene.visuals["body"].skin.GetVisibility()
    assert pages.GetMapper().GetInput().GetNumberOfCells() > len(plates.pairs) / 2


def test_values_of_the_slave_are_carried_to_the_master(plates):
    values = np.full(len(plates.model.nodes), np.nan)
    x = plates.model.nodes[:, 0]
    values[plates.pairs.slave_nodes] = x[plates.pairs.slave_nodes]
    carried = master_values(plates.pairs, values)
    known = np.isfinite(carried) & np.isin(np.arange(len(x)), plates.master.nodes)
    assert known.sum() > 0.8 * len(plates.master.nodes)
    assert np.abs(carried[known] - x[known]).max() < 10.0  # within one facet


def test_isolines_are_between_the_limits(camera):
    without = look(camera, "displacement")
    lines = look(camera, "displacement", isolines=6)
    assert (np.abs(without - lines).max(axis=2) > 60).sum() > 20
    assert camera.scene.visuals["isolines"].lines.GetMapper().GetInput().GetNumberOfCells() > 20
    look(camera, "status", isolines=6)
    assert not camera.scene.visuals["isolines"].lines.GetVisibility()


def test_a_probe_is_written_in_the_unit_of_the_legend(camera, plates):
    row = int(plates.pairs.slave_nodes[10])
    camera.scene.change(probes=(row,))
    look(camera, "gap")
    value = camera.scene.content.frame.values[row]
    assert probe_text(camera.scene.content, row).startswith(f"node {plates.model.node_ids[row]}\n")
    assert probe_text(camera.scene.content, row).endswith(" mm")
    look(camera, "gap", units=(("length", "µm"),))
    text = probe_text(camera.scene.content, row)
    assert text.endswith(" µm")
    assert float(text.splitlines()[1].split()[0].replace("−", "-")) == pytest.approx(1000 * value, rel=1e-3)
    assert "[µm]" in camera.scene.visuals["legend"].text.title
    # A mode shape has no size: neither legend nor probe says a unit.
    content = camera.scene.content
    as_mode = replace(
        content, context=replace(content.context, frames=SimpleNamespace(axis=frame_axis("mode")))
    )
    assert "relative" in legend_text(as_mode, camera.scene.theme).title
    assert probe_text(as_mode, row).endswith(" of the largest")
    camera.scene.change(probes=())
    look(camera)


def test_units_of_all_systems():
    assert shown_unit("stress", "m-kg-s", {"stress": "MPa"}) == ("MPa", pytest.approx(1e-6))
    assert shown_unit("stress", "mm-kg-ms", {"stress": "MPa"}) == ("MPa", pytest.approx(1e3))
    assert shown_unit("stress", "mm-t-s", {}) == ("N/mm²", 1.0)
    assert shown_unit("", "mm-t-s", {"stress": "MPa"}) == ("", 1.0)


def test_joint_motion_is_enlarged_against_the_master_alone(plates):
    pairs, nodes = {"joint": plates.pairs}, plates.model.nodes
    true = evaluate_frame(plates.run, pairs, nodes, 7, field="gap").positions
    large = evaluate_frame(
        plates.run, pairs, nodes, 7, field="gap", display=DisplayOptions(joint_scale=10.0)
    ).positions

    def opening(positions):
        projections = np.einsum("nk,nki->ni", plates.pairs.shape_values, positions[plates.pairs.master_nodes])
        return positions[plates.pairs.slave_nodes] - projections

    at_rest = opening(nodes)
    np.testing.assert_allclose(opening(large) - at_rest, 10.0 * (opening(true) - at_rest), atol=1e-9)
    others = np.setdiff1d(np.arange(len(nodes)), plates.pairs.slave_nodes)
    np.testing.assert_array_equal(large[others], true[others])


def test_a_body_is_fitted_as_its_frames_are_drawn(camera):
    look(camera, joint_scale=50.0)
    content = camera.scene.content
    drawn = content.positions[content.skin.nodes]
    seen = seen_points(camera.scene.stage, [9])
    np.testing.assert_allclose(seen[-len(drawn) :], drawn)
    look(camera)


def test_what_a_section_leaves_out_of_a_mesh_without_solids_is_a_ghost_alone(plates):
    """Nodes and facets without solid elements, as of shells and of systems: there is no face, but a ghost."""
    with photographer((320, 210)) as found:
        scene = found.scene
        scene.set_model(plates.model, plates.skin)
        cuts = (CuttingPlane((1.0, 0.0, 0.0), 0.5), CuttingPlane((0.0, 1.0, 0.0), 0.5))
        scene.change(display=replace(DisplayOptions(), sections=cuts, section_ghost=True))
        found.take()
        section = scene.visuals["section"]
        assert all(cut.face.GetMapper().GetInput().GetNumberOfCells() for cut in section.cuts)
        scene.set_model(replace(plates.model, blocks=()), plates.skin)
        found.take()
        assert all(cut.ghost.GetVisibility() for cut in section.cuts)
        assert [cut.ghost.GetMapper().GetClippingPlanes().GetNumberOfItems() for cut in section.cuts] == [
            1,
            2,
        ]
        # The faces of the model before are gone.
        assert not any(cut.face.GetMapper().GetInput().GetNumberOfCells() for cut in section.cuts)
    with photographer((320, 210)) as found:
        found.scene.set_model(replace(plates.model, blocks=()), plates.skin)
        found.scene.change(display=replace(DisplayOptions(), sections=cuts, section_ghost=True))
        found.take()
        ghosts = [cut.ghost.GetMapper() for cut in found.scene.visuals["section"].cuts]
        assert [ghost.GetClippingPlanes().GetNumberOfItems() for ghost in ghosts] == [1, 2]


@pytest.mark.parametrize("height", [240, 180])
def test_in_a_low_view_legend_axes_and_names_keep_off_each_other(plates, height):
    content = ExportContent(
        "run", "mm-t-s", plates.model, plates.run, {"joint": (plates.master, plates.slave)}, {"joint": plates.pairs}
    )  # fmt: skip
    with photographer((700, height), scale=1.0) as found:
        scene = found.scene
        fill_scene(scene, content)
        rows = [0, 1]  # two nodes beside each other, whose names would cover each other
        scene.change(symbols=Symbols({f"a long name {row}": row for row in rows}))
        scene.show_frame(9, field="pressure", scale=1.0)
        scene.view("iso")
        found.take()
        legend = scene.visuals["legend"]
        (plate,) = legend.plates
        assert plate[1] >= 0.0 and plate[3] <= height
        middle = scene.visuals["triad"]._origin(scene.stage.sheet())
        assert middle[0] + 58 < plate[0] or middle[1] + 50 < plate[1]
        numbers = [a for a in legend._numbers if a.GetInput()]
        ups = sorted(a.GetPosition()[1] for a in numbers)
        assert len(ups) >= 2 and np.diff(ups).min() >= 10.0
        boxes = []
        for label in (a for a in scene.visuals["symbols"]._labels if a.GetVisibility()):
            (x, y), box = label.GetPosition()[:2], label.box
            boxes.append((x + box[0], y + box[1], x + box[2], y + box[3]))
        assert len(boxes) == 2 and not overlap(*boxes)
