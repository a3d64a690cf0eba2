"""Marks that go with what they mark, signs of a readable size, names apart from each other, views fitted together."""

from dataclasses import replace

import numpy as np
import pytest

from faying.exporters.shown_loads import ShownLoad
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.project.specs import Project
from faying.results.formula import find_field
from faying_app.scene.camera import zoomed_pose
from faying_app.scene.content import CuttingPlane, Symbols
from faying_app.scene.fitting import seen_points
from faying_app.scene.labels import lifted_clear, overlap
from faying_app.scene.picture import photographer
from faying_app.scene.system_picture import picture_of
from faying_app.scene.systems import AT_REST
from faying_app.scene.visuals.symbols import marks_left

SIZE = (500, 350)


def test_names_go_on_top_of_those_that_they_would_cover():
    letters, taken = (-30.0, -6.0, 30.0, 6.0), []
    spots = [(100.0, 100.0), (110.0, 100.0), (105.0, 104.0), (300.0, 100.0)]
    places = [lifted_clear(letters, spot, (800.0, 600.0), taken) for spot in spots]
    assert places[0] == spots[0]
    assert places[3] == spots[3]
    assert not any(overlap(a, b) for i, a in enumerate(taken) for b in taken[:i])
    assert all(x == spot[0] for (x, _), spot in zip(places, spots, strict=True))


@pytest.mark.parametrize("spot", [(3.0, 100.0), (798.0, 100.0), (400.0, 2.0), (400.0, 597.0), (0.0, 600.0)])
def test_the_edge_of_the_view_cuts_no_name(spot):
    letters, taken = (-30.0, -6.0, 30.0, 6.0), []
    for _ in range(2):  # the second one would be above the first
        x, y = lifted_clear(letters, spot, (800.0, 600.0), taken)
        assert 30.0 <= x <= 770.0 and 6.0 <= y <= 594.0
    out_of_sight = (-5.0, 100.0)
    assert lifted_clear(letters, out_of_sight, (800.0, 600.0), []) == out_of_sight


@pytest.mark.window
def test_marks_go_with_what_a_section_cuts_away_and_with_the_opened_joint(plates):
    far, near = int(plates.model.nodes[:, 0].argmin()), plates.tip
    force = ShownLoad(near, (0.0, 0.0, -1.0), "1 N")
    with photographer(SIZE) as camera:
        scene = camera.scene
        scene.set_model(plates.model, plates.skin)
        scene.change(symbols=Symbols({"hold": far, "tip": near}, (far,), (force,)))
        whole = marks_left(scene.content)
        assert whole == scene.content.symbols
        half = CuttingPlane((1.0, 0.0, 0.0), 0.5)
        scene.change(display=replace(scene.content.display, sections=(half,)))
        left = marks_left(scene.content)
        assert set(left.interfaces) == {"hold"} and left.supports == (far,) and not left.loads
        camera.take()
        names = {each.GetInput() for each in scene.visuals["symbols"].written if each.GetVisibility()}
        assert names == {"hold"}
        scene.change(display=replace(scene.content.display, sections=()))
        scene.set_frames(plates.run, {"joint": plates.pairs}, {"joint": plates.slave})
        scene.show_frame(5, field=find_field("pressure"), scale=1.0)
        assert scene.stage.is_shown("symbols")
        scene.change(display=replace(scene.content.display, opened=60.0))
        assert scene.content.is_opened
        assert not scene.stage.is_shown("symbols")


def hinged():
    """Return the picture of two bars on a hinge, one of them a round bar that may be touched."""
    part = {"kind": "rigid", "mass": 1.0, "moments_of_inertia": [2.0, 2.0, 2.0]}
    system = build(SystemSpec, {
        "name": "s",
        "parts": [
            {**part, "name": "one"},
            {**part, "name": "two", "placement": {"position": [5.0, 0.0, 0.0]},
             "contact_surfaces": [{"kind": "cylinder", "name": "round", "radius": 1.0}]},
        ],
        "constraints": [{"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "one.frame"}],
    })  # fmt: skip
    project = Project(name="p", systems=(system,))
    return picture_of(project, system, {}, [AT_REST, (np.array([5.0, 0.0, 0.0]), np.eye(3))])


@pytest.mark.window
def test_signs_of_constraints_stay_small_when_one_looks_closely():
    picture = hinged()
    with photographer(SIZE) as camera:
        scene = camera.scene
        scene.set_model(picture.model, picture.skin, picture.shown)
        scene.view("iso")

        def across():
            camera.take()
            drawn = scene.visuals["system"]._ties.GetMapper().GetInput()
            spots = scene.pixels(np.array(drawn.GetPoints().GetData()))
            return float(np.linalg.norm(np.ptp(spots, axis=0)))

        first = across()
        scene.camera = zoomed_pose(scene.camera, 20.0)
        assert first > 5.0
        assert across() < 2.5 * max(first, 40.0)


def test_parts_with_a_round_surface_are_drawn_as_that_and_not_as_a_box_of_inertia():
    shown = hinged().shown
    assert [part.box is None for part in shown.parts] == [False, True]
    (bar,) = shown.surfaces
    assert bar.solid
    # Closed at both ends: each side of a triangle belongs to two.
    rounded = np.round(bar.points, 6)
    _, same = np.unique(rounded, axis=0, return_inverse=True)
    corners = same.ravel()[bar.triangles]
    sides = np.sort(np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    assert set(np.unique(sides, axis=0, return_counts=True)[1]) == {2}


@pytest.mark.window
def test_views_that_share_a_camera_are_fitted_together(plates):
    with photographer((700, 350)) as wide, photographer((250, 350)) as narrow:
        scenes = [wide.scene, narrow.scene]
        for scene in scenes:
            scene.set_model(plates.model, plates.skin)
        narrow.scene.share_camera(wide.scene)
        wide.scene.view("iso")
        assert wide.scene.is_fitted and narrow.scene.is_fitted
        for scene in scenes:
            spots = scene.pixels(seen_points(scene.stage, ()))
            assert spots.min() >= 0 and (spots.max(axis=0) <= scene.size).all()
        both = wide.scene.camera.half_height
        narrow.scene.is_seen = False
        narrow.scene.fit_again()
        assert wide.scene.camera.half_height < both
        moved = zoomed_pose(wide.scene.camera, 3.0)
        wide.scene.camera = moved
        narrow.scene.fit_again()
        assert wide.scene.camera == moved  # whoever chose a point of view keeps it


@pytest.mark.window
def test_a_view_of_another_size_still_holds_all_of_the_movement(plates):
    with photographer(SIZE) as camera:
        scene = camera.scene
        scene.set_model(plates.model, plates.skin)
        scene.view("iso")
        scene.set_frames(plates.run, {"joint": plates.pairs}, {"joint": plates.slave})
        scene.show_frame(0, field=None, scale=4.0)
        fitted = scene.camera
        assert scene.is_fitted
        scene.fit_again()
        assert scene.camera.half_height == pytest.approx(fitted.half_height)
        scene.show_frame(12, field=None, scale=4.0)
        spots = scene.pixels(scene.content.positions)
        assert spots.min() >= 0 and (spots.max(axis=0) <= scene.size).all()
