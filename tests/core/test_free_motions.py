"""Motions that are left to a system: how many, what they are called, and that a swing keeps the constraints."""

import numpy as np
import pytest

from faying.multibody.assembly import assemble
from faying.multibody.free_motions import free_motions, motions_in_words, swing
from faying.spatial.rotations import rotation_matrix
from support.systems import BAR, slider_crank, system_of

UP_Y = (-np.pi / 2, 0.0, 0.0)  # turns z to y


def words(spec):
    at = assemble(spec, {})
    motions = free_motions(at)
    assert len(motions) == at.freedom.degrees
    return motions_in_words(motions)


def with_ends(name, half, **more):
    ends = [{"name": "left", "position": (-half, 0, 0)}, {"name": "right", "position": (half, 0, 0)}]
    return {**BAR, "name": name, "markers": ends, **more}


def test_a_slider_crank_turns_and_its_parts_follow():
    at = assemble(slider_crank(0.7), {})
    (turn,) = free_motions(at)
    assert turn.sentence == "crank turns about z" and turn.followers == ("rod", "piston")
    assert at.freedom.degrees == 1 and not turn.alone


def test_a_swing_meets_the_constraints_and_moves_as_far_as_it_says():
    at = assemble(slider_crank(0.7), {})
    (turn,) = free_motions(at)
    path = swing(at, turn)
    for q in path:
        values, _ = at.independent.constraints(0.0, q, at.history)
        assert np.abs(values).max() < 1e-9
    first = at.system.of_part("crank", at.position)[3:7]
    most = max(
        np.arccos(
            np.clip(
                (np.trace(rotation_matrix(first).T @ rotation_matrix(at.system.of_part("crank", q)[3:7])) - 1)
                / 2, -1, 1,
            )
        )
        for q in path
    )  # fmt: skip
    assert np.radians(5.0) < most < np.radians(25.0)
    # To and fro about the start, where it ends.
    assert path[0] is at.position and np.abs(path[-1] - path[0]).max() < 0.1


def test_a_rod_between_two_balls_twists_about_itself():
    """RSSR: a crank, a rod between two ball joints, and a slide: two motions, one of the rod alone."""
    spec = system_of(
        parts=[
            with_ends("crank", 0.5, placement={"position": (0.5, 0, 0)}),
            with_ends("rod", 1.0, placement={"position": (2.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0)}),
            with_ends("slider", 0.1, placement={"position": (3.1, 0.0, 0.0)}),
        ],
        ground=[{"name": "rail", "position": (3.1, 0.0, 0.0), "rotation": (0.0, np.pi / 2, 0.0)}],
        constraints=[
            {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "crank.left"},
            {"kind": "spherical", "name": "big end", "first": "crank.right", "second": "rod.left"},
            {"kind": "spherical", "name": "small end", "first": "rod.right", "second": "slider.left"},
            {"kind": "cylindrical", "name": "slide", "first": "ground.rail", "second": "slider.right"},
        ],
    )
    parts = list(spec.parts)
    parts[2] = parts[2].with_(
        markers=(parts[2].markers[0], parts[2].markers[1].with_(rotation=(0.0, np.pi / 2, 0.0)))
    )
    spec = spec.with_(parts=tuple(parts))
    # Not stretched out, where the crank could not turn.
    bent = spec.parts[0].placement.with_(rotation=(0.0, 0.0, 0.6), position=(0.41, 0.28, 0.0))
    spec = spec.with_(parts=(spec.parts[0].with_(placement=bent), *spec.parts[1:]))
    said = words(spec)
    assert said.startswith("3 motions are left: ")
    assert "crank turns about z" in said and "rod twists about itself" in said
    assert "slider turns about x" in said


def test_joints_between_moving_parts_and_parts_without_joints_are_named():
    double = system_of(
        parts=[with_ends("one", 0.5), with_ends("two", 0.5, placement={"position": (1.0, 0.0, 0.0)})],
        constraints=[
            {"kind": "revolute", "name": "top", "first": "ground.origin", "second": "one.left"},
            {"kind": "revolute", "name": "mid", "first": "one.right", "second": "two.left"},
        ],
    )
    assert words(double) == "2 motions are left: one turns about z, two turns about z."
    first, second = free_motions(assemble(double, {}))
    assert first.followers == ("two",) and second.followers == () and second.alone
    free = system_of(parts=[with_ends("bar", 0.5)])
    assert words(free) == "6 motions are left: bar moves and turns freely."
    plate = system_of(
        parts=[with_ends("plate", 0.5)],
        constraints=[{"kind": "planar", "name": "table", "first": "ground.origin", "second": "plate.frame"}],
    )
    said = words(plate)
    assert said == "3 motions are left: plate turns about z, plate slides along x, plate slides along y."
    turned_round = system_of(
        parts=[with_ends("bar", 0.5)],
        constraints=[
            {"kind": "translational", "name": "rail", "first": "bar.frame", "second": "ground.origin"}
        ],
    )
    assert words(turned_round) == "1 motion is left: bar slides along z."
    held = system_of(
        parts=[with_ends("bar", 0.5)],
        constraints=[{"kind": "fixed", "name": "weld", "first": "ground.origin", "second": "bar.left"}],
    )
    assert words(held) == "No motion is left."
    driven = slider_crank(0.7, {"kind": "prescribed_displacement", "name": "push", "amplitude": 0.0})
    assert motions_in_words(free_motions(assemble(driven, {}))) == "No motion is left."


@pytest.mark.parametrize("kind", ["cylindrical", "universal", "point_on_line"])
def test_every_joint_has_as_many_motions_as_it_leaves(kind):
    spec = system_of(
        parts=[with_ends("bar", 0.5)],
        constraints=[{"kind": kind, "name": "it", "first": "ground.origin", "second": "bar.frame"}],
    )
    assert words(spec).count("bar") == {"cylindrical": 2, "universal": 2, "point_on_line": 4}[kind]
