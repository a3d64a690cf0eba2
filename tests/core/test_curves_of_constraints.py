"""Points on curves, and constant velocity joints. Kinds of reference: closed forms."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.multibody.constraints import constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.spline_curve import SplineCurve
from faying.params import build
from support.systems import moved, system_of

GRAVITY, ROLLING = 9.81, 0.2  # radius of the circle that rolls out the cycloid


def at(position, axes=None):
    none = np.zeros((3, 0))
    axes = np.eye(3) if axes is None else axes
    return MarkerMotion(np.array(position, float), axes, none, none, np.zeros(3), np.zeros(3))


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def about_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


# --- constant velocity


@pytest.mark.parametrize("bend", [0.1, 0.7, 1.2])
@pytest.mark.parametrize("angle", [0.3, 1.9, 4.0])
def test_both_shafts_turn_by_the_same_angle(bend, angle):
    """A cross would need tan φ₂ = tan φ₁ cos β or its inverse instead."""
    joint = build(constraints["constant_velocity"], {"name": "it", "first": "a.b", "second": "c.d"})

    def value(other):
        markers = [at((0, 0, 0), about_z(angle)), at((0, 0, 0), about_y(bend) @ about_z(other))]
        return joint.equations(markers, 0.0, np.zeros(0)).values

    assert value(angle) == pytest.approx(np.zeros(4), abs=1e-12)
    assert abs(value(angle + 0.01)[3]) > 5e-3
    crossed = np.arctan2(np.sin(angle) * np.cos(bend), np.cos(angle))
    assert abs(value(crossed)[3]) > 1e-4


# --- curves


def test_the_nearest_point_of_a_circle():
    turns = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    circle = SplineCurve(np.column_stack([np.cos(turns), np.sin(turns), np.zeros(60)]), True)
    for turn in (0.2, 3.0, 6.2):
        place = 1.5 * np.array([np.cos(turn), np.sin(turn), 0.2])
        point, slope, _ = circle.at(circle.nearest(place, np.nan))
        assert point == pytest.approx([np.cos(turn), np.sin(turn), 0.0], abs=5e-6)
        assert (place - point) @ slope == pytest.approx(0.0, abs=1e-12)


def test_an_open_curve_goes_on_straight():
    curve = SplineCurve(np.array([[0.0, 0, 0], [1, 0.2, 0], [2, 0, 0]]), False)
    end, slope, bend = curve.at(curve.length)
    further, same, _ = curve.at(curve.length + 0.5)
    assert bend == pytest.approx(np.zeros(3), abs=1e-12)
    assert further == pytest.approx(end + 0.5 * slope)
    assert same == pytest.approx(slope)


def test_a_marker_stays_on_its_branch_where_the_curve_crosses_itself():
    turns = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    eight = SplineCurve(np.column_stack([np.sin(turns), np.sin(2.0 * turns), np.zeros(40)]), True)
    one, other = (
        eight.nearest(np.array([0.05, 0.1, 0.0]), np.nan),
        eight.nearest(np.array([0.05, -0.1, 0.0]), np.nan),
    )
    middle = np.zeros(3)
    slopes = [eight.at(eight.nearest(middle, near))[1] for near in (one, other)]
    assert abs(np.cross(*slopes)[2]) > 0.5
    assert eight.nearest(middle, one) != pytest.approx(eight.nearest(middle, other))


@pytest.mark.parametrize("share", [0.25, 0.7])
def test_a_bead_on_a_cycloid_needs_the_same_time_from_everywhere(tmp_path, share):
    """Huygens 1673: π √(a/g) to the lowest point, with the arc length as s = 4 a cos(θ/2)."""
    turns = np.linspace(0.3, 2.0 * np.pi - 0.3, 161)
    points = [(float(ROLLING * (t - np.sin(t))), 0.0, float(-ROLLING * (1.0 - np.cos(t)))) for t in turns]
    start = turns[0] + share * (np.pi - turns[0])
    bead = {
        "kind": "rigid", "name": "bead", "mass": 0.1, "moments_of_inertia": (1e-4, 1e-4, 1e-4),
        "placement": {
            "position": (ROLLING * (start - np.sin(start)), 0.0, -ROLLING * (1.0 - np.cos(start)))
        },
    }  # fmt: skip
    wire = {
        "kind": "point_on_curve", "name": "wire", "first": "ground.origin", "second": "bead.frame", "points": points,
    }  # fmt: skip
    spec = system_of(parts=[bead], constraints=[wire], gravity=(0, 0, -GRAVITY))
    time = np.pi * np.sqrt(ROLLING / GRAVITY)
    results = moved(spec, tmp_path, time, tolerance=1e-6, largest_step=5e-3, frames=11)
    assert results.curve("bead.frame z")[-1] == pytest.approx(-2.0 * ROLLING, abs=1e-4)
    assert results.curve("bead.frame x")[-1] == pytest.approx(np.pi * ROLLING, abs=2e-3)
    fallen = 2.0 * ROLLING - ROLLING * (1.0 - np.cos(start))
    assert results.curve("bead.frame vx")[-1] == pytest.approx(np.sqrt(2.0 * GRAVITY * fallen), rel=1e-3)


# --- cam and follower


RADIUS, OFF = 20.0, 6.0  # of a round cam, and how far its middle is off its axis


def round_cam(**follower):
    turns = np.linspace(0.0, 2.0 * np.pi, 90, endpoint=False)
    cam = [(float(OFF + RADIUS * np.cos(t)), float(RADIUS * np.sin(t)), 0.0) for t in turns]
    words = {"name": "cam", "first": "cam.axis", "second": "follower.foot", "points": cam, **follower}
    return build(constraints["curve_on_curve"], words)


def heights(constraint, turn, height):
    """Return the equations after the cam has turned, its touch followed from turn zero."""
    last = constraint.first_angles()
    for step in np.linspace(0.0, 1.0, 9):
        now = step * turn
        markers = [at((0, 0, 0), about_z(0.5 * np.pi - now)), at((0, height(now), 0))]
        last = constraint.angles(markers, last)
        equations = constraint.equations(markers, 0.0, last)
    return equations


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.8])
def test_a_flat_follower_on_a_round_cam_follows_a_cosine(turn):
    """Lift R + e cos φ."""
    flat = round_cam(second_points=[(-30.0, 0, 0), (0, 0, 0), (30.0, 0, 0)])
    found = heights(flat, turn, lambda now: RADIUS + OFF * np.cos(now))
    assert found.values == pytest.approx([0.0], abs=1e-4)
    assert np.abs(found.rows[0, 6:9]) == pytest.approx([0, 1, 0], abs=1e-4)
    # The force acts e sin φ aside of the axis.
    assert abs(found.rows[0, 5]) == pytest.approx(OFF * abs(np.sin(turn)), abs=1e-3)


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.8])
def test_a_roller_on_a_round_cam_moves_as_a_slider_crank(turn):
    """Lift e cos φ + √((R + r)² − e² sin² φ)."""
    turns = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    roller = [(5.0 * float(np.sin(t)), -5.0 * float(np.cos(t)), 0.0) for t in turns]
    rolling = round_cam(second_points=roller, second_closed=True)

    def height(now):
        return OFF * np.cos(now) + np.sqrt((RADIUS + 5.0) ** 2 - (OFF * np.sin(now)) ** 2)

    found = heights(rolling, turn, height)
    assert found.values == pytest.approx([0.0], abs=1e-4)
    slope = OFF * np.sin(turn) / (RADIUS + 5.0)
    assert np.abs(found.rows[0, 6:9]) == pytest.approx([slope, np.sqrt(1.0 - slope**2), 0.0], abs=1e-4)


def test_points_at_one_place_are_refused():
    words = {"name": "it", "first": "a.b", "second": "c.d", "points": ((0, 0, 0), (1, 0, 0), (1, 0, 0))}
    with pytest.raises(ModelError, match="points 2 and 3 are at one place"):
        build(constraints["point_on_curve"], words)
