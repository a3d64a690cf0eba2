"""Contract of the curves on parts, cams by their lift, and what cannot be a curve. Kind of reference: closed forms."""

import numpy as np
import pytest

from faying.errors import ModelError, ReadError
from faying.multibody.constraints import constraints
from faying.multibody.curve_shapes import curve_shapes
from faying.params import build
from faying.testing import CurveShapeContract

LIFT, BASE, ROLLER = 3.0, 15.0, 5.0
TABLE = tuple((float(a), float(0.5 * LIFT * (1.0 - np.cos(a)))) for a in np.linspace(0.0, 2.0 * np.pi, 73))
CAM = {"lift": TABLE, "base_radius": BASE, "roller_radius": ROLLER}


class TestCurveShapes(CurveShapeContract):
    pass


def cam(follower):
    return build(curve_shapes["cam_lift"], {**CAM, "follower": follower})


def outline_at(angle):
    """Return directions out and along of the cam where the follower meets it, lift and its rate over the angle."""
    out, along = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    return out, along, 0.5 * LIFT * (1.0 - np.cos(angle)), 0.5 * LIFT * np.sin(angle)


@pytest.mark.parametrize("angle", [0.3, 2.0, 4.5])
def test_the_centre_of_a_roller_is_lifted_as_the_table_says(angle):
    out, _, lift, _ = outline_at(angle)
    place = (BASE + ROLLER + lift) * out
    spline = cam("roller centre").spline()
    nearest = spline.at(spline.nearest(np.array([*place, 0.0]), np.nan))[0]
    assert nearest[:2] == pytest.approx(place, abs=1e-6)


@pytest.mark.parametrize("angle", [0.3, 2.0, 4.5])
def test_a_roller_touches_its_outline(angle):
    out, _, lift, _ = outline_at(angle)
    place = np.array([*((BASE + ROLLER + lift) * out), 0.0])
    spline = cam("roller").spline()
    assert np.linalg.norm(place - spline.at(spline.nearest(place, np.nan))[0]) == pytest.approx(
        ROLLER, abs=1e-6
    )


@pytest.mark.parametrize("angle", [0.3, 2.0, 4.5])
def test_a_flat_face_touches_its_outline_aside_by_the_rate_of_the_lift(angle):
    out, along, lift, rate = outline_at(angle)
    spline = cam("flat").spline()
    places = np.array([spline.at(s)[0][:2] for s in np.linspace(0.0, spline.length, 4000)])
    heights = places @ out
    assert heights.max() == pytest.approx(BASE + lift, abs=1e-5)
    assert abs(float(places[heights.argmax()] @ along)) == pytest.approx(
        rate if rate > 0 else -rate, abs=0.03
    )


def test_a_table_of_the_lifting_alone_rests_on_the_base_circle():
    angles = np.linspace(-0.8, 0.8, 41)
    lift = [(float(a), float(4.0 * np.cos(np.pi * a / 1.6) ** 4)) for a in angles]
    spline = build(curve_shapes["cam_lift"], {**CAM, "lift": lift}).spline()
    for angle in (2.0, 3.0, 4.5):
        away = np.array([np.cos(angle), -np.sin(angle), 0.0]) * 30.0
        assert np.linalg.norm(spline.at(spline.nearest(away, np.nan))[0]) == pytest.approx(
            BASE + ROLLER, abs=1e-3
        )


def test_curves_are_read_from_files(tmp_path):
    (tmp_path / "track.csv").write_text("x; y\n0; 0\n1; 0.5\n2; 0\n")
    (tmp_path / "cam.csv").write_text("angle, lift\n0, 1\n2, 0\n4, 0\n")
    track = build(curve_shapes["points"], {"path": str(tmp_path / "track.csv")}).loaded()
    assert track.points == ((0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (2.0, 0.0, 0.0)) and track.path == ""
    lift = build(curve_shapes["cam_lift"], {"path": str(tmp_path / "cam.csv")}).loaded()
    assert lift.lift == ((0.0, 1.0), (2.0, 0.0), (4.0, 0.0))
    (tmp_path / "bad.csv").write_text("0, 0, 0\n1, 0\n")
    with pytest.raises(ReadError, match="no three numbers"):
        build(curve_shapes["points"], {"path": str(tmp_path / "bad.csv")}).loaded()


@pytest.mark.parametrize(
    ("kind", "words", "sentence"),
    [
        ("cam_lift", {**CAM, "follower": "roller", "roller_radius": 5.0, "base_radius": 0.2,
                      "lift": [(0.0, 0.0), (0.4, 6.0), (0.8, 0.0)]}, "undercuts the cam"),
        ("cam_lift", {**CAM, "follower": "flat", "base_radius": 0.5, "lift": [(0.0, 0.0), (1.0, 9.0), (2.0, 0.0)]},
         "has an edge"),
        ("formula", {"x": "s", "y": "0"}, "ends 6.28"),
        ("formula", {"x": "1", "y": "0"}, "does not move on"),
        ("formula", {"x": "1/(s-s)", "y": "0"}, "A formula of the curve"),
    ],
)  # fmt: skip
def test_what_is_no_curve_is_a_sentence(kind, words, sentence):
    with pytest.raises(ModelError, match=sentence):
        build(curve_shapes[kind], words).spline()


@pytest.mark.parametrize(
    ("kind", "words", "sentence"),
    [
        ("cam_lift", {"lift": [(0.0, 0.0), (1.0, 1.0), (7.0, 0.0)]}, "more than a turn"),
        ("cam_lift", {"lift": [(0.0, 0.0), (1.0, 1.0), (2.0 * np.pi, 3.0)]}, "begins with lift 0 and ends with 3"),
        ("cam_lift", {"lift": [(0.0, 0.0), (1.0, 1.0), (0.5, 3.0)]}, "have to rise"),
        ("formula", {"start": 2.0, "end": 1.0}, "s has to rise"),
        ("formula", {"x": "2*t"}, "no formula in s"),
    ],
)  # fmt: skip
def test_decisions_that_make_no_curve_are_refused(kind, words, sentence):
    with pytest.raises(ModelError, match=sentence):
        build(curve_shapes[kind], words)


def test_points_that_older_projects_have_without_a_curve_are_one():
    words = {"name": "it", "first": "a.b", "second": "c.d"}
    points = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0))
    old = build(constraints["curve_on_curve"], {**words, "points": points, "second_points": points})
    assert old.curve == build(curve_shapes["points"], {"points": points, "closed": True})
    assert old.second_curve == build(curve_shapes["points"], {"points": points})
