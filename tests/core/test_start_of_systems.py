"""The start of a system: what was given is kept as well as the constraints allow, and what was not is told.

Kind of reference: closed forms of a hinged bar.
"""

import numpy as np
import pytest

from faying.errors import SolveError
from faying.multibody.assembly import assemble
from faying.multibody.initial import put_right
from faying.multibody.linearized import find_equilibrium
from faying.multibody.static_diagnosis import diagnose_rest
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.spatial.rotations import body_rates, rotation_matrix
from support.systems import BAR, DOWN_Y, moved, ready, slider_crank, system_of

HINGE = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}


def assembled(tmp_path, constraints=(HINGE,), parts=None, **placement):
    """Return the system at its start, its velocities there, and the findings about it."""
    parts = parts or [{**BAR, "name": "bar", "placement": placement}]
    spec = system_of(parts=parts, constraints=constraints)
    at = assemble(spec, {})
    project = Project(name="it", units="m-kg-s", systems=(spec,))
    found = run_checks(CheckedProject(project, tmp_path, assembled={spec.name: at}))
    return at, at.start_velocity(), [f for f in found if "assembly" in f.sentence]


def spin_of(at, v, number=0):
    own = at.system.ranges[1 + number]
    return body_rates(at.position[own][3:7]) @ v[own][3:7]


def test_a_hinged_bar_starts_with_the_spin_it_was_given(tmp_path):
    """Closed form: its middle moves with 20 rad/s · 0.5 m; nobody gave it another velocity."""
    at, v, found = assembled(tmp_path, position=(0.5, 0, 0), spin=(0, 0, 20.0))
    np.testing.assert_allclose(spin_of(at, v), [0, 0, 20.0], atol=1e-11)
    np.testing.assert_allclose(v[at.system.ranges[1]][:3], [0, 10.0, 0], atol=1e-11)
    assert not found


def test_the_velocity_of_a_hinged_bar_gives_its_spin(tmp_path):
    at, v, found = assembled(tmp_path, position=(0.5, 0, 0), velocity=(0, 10.0, 0))
    np.testing.assert_allclose(spin_of(at, v), [0, 0, 20.0], atol=1e-11)
    assert not found


def test_two_speeds_that_contradict_each_other_are_changed_and_told(tmp_path):
    _, _, (found,) = assembled(tmp_path, position=(0.5, 0, 0), velocity=(0, 5.0, 0), spin=(0, 0, 20.0))
    assert found.severity == "warning" and found.entity == ("systems", 0, "parts", 0)
    assert "the given velocity by" in found.sentence and "the given angular velocity by" in found.sentence


def test_a_second_bar_follows_the_given_spin_of_the_first(tmp_path):
    """Its left end moves with 20 m/s; turning is left to it, as little as can be."""
    bars = [
        {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0), "spin": (0, 0, 20.0)}},
        {**BAR, "name": "next", "placement": {"position": (1.5, 0, 0)}},
    ]
    pin = {"kind": "revolute", "name": "pin", "first": "bar.right", "second": "next.left"}
    at, v, found = assembled(tmp_path, (HINGE, pin), bars)
    np.testing.assert_allclose(spin_of(at, v), [0, 0, 20.0], atol=1e-10)
    end = at.system.motion("next.left", at.position, v)
    np.testing.assert_allclose(end.velocity, [0, 20.0, 0], atol=1e-9)
    assert not found


@pytest.mark.parametrize("angle", [0.3, 1.2, -2.5])
def test_a_bar_whose_place_was_left_alone_goes_where_its_hinge_wants_it(angle, tmp_path):
    """It is turned as decided, to the last digit, though its left end was half a length away."""
    at, _, (found,) = assembled(tmp_path, rotation=(0, 0, angle))
    wanted = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    np.testing.assert_allclose(rotation_matrix(at.position[3:7]), wanted, atol=1e-9)
    np.testing.assert_allclose(at.position[:3], [0.5 * np.cos(angle), 0.5 * np.sin(angle), 0], atol=1e-9)
    assert found.severity == "note" and "changes the position by 0.5 m" in found.sentence


def test_a_bar_whose_middle_was_placed_turns_to_it(tmp_path):
    """A point at the right distance is kept; the rotation, which nobody gave, follows."""
    at, _, (found,) = assembled(tmp_path, position=(0.4, 0.3, 0))
    np.testing.assert_allclose(at.position[:3], [0.4, 0.3, 0], atol=1e-7)
    np.testing.assert_allclose(rotation_matrix(at.position[3:7])[:, 0], [0.8, 0.6, 0], atol=1e-7)
    assert found.severity == "note" and "36.9 °" in found.sentence


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_a_bar_whose_middle_was_placed_too_far_away_comes_straight_back(tmp_path, unit):
    """To the nearest place that its pivot allows: along the line between them, whatever lengths are counted in."""
    bar = {
        **BAR, "name": "bar", "moments_of_inertia": [unit**2 * each for each in BAR["moments_of_inertia"]],
        "markers": [{"name": "left", "position": (-0.5 * unit, 0, 0)}],
        "placement": {"position": (1.2 * unit, 0.9 * unit, 0)},
    }  # fmt: skip
    at, _, _ = assembled(tmp_path, parts=[bar])
    np.testing.assert_allclose(at.position[:3], [0.4 * unit, 0.3 * unit, 0], atol=1e-7 * unit)
    np.testing.assert_allclose(rotation_matrix(at.position[3:7])[:, 0], [0.8, 0.6, 0], atol=1e-7)


def test_a_bar_that_is_pulled_over_from_far_away_is_a_warning(tmp_path):
    _, _, (found,) = assembled(tmp_path, position=(5.8 + 0.5, 0, 0))
    assert found.severity == "warning"
    assert "changes the given position by 5.8 m" in found.sentence and "'bar'" in found.sentence


def test_a_bar_at_its_place_is_nothing_to_tell(tmp_path):
    assert not assembled(tmp_path, position=(0.5, 0, 0))[2]


def test_at_a_dead_point_the_check_says_what_the_run_says(tmp_path):
    """A crank whose piston is driven away from its dead centre: it may turn to either side, or neither."""
    drive = {
        "kind": "prescribed_speed",
        "name": "drive",
        "speed": -1.0,
        "time_history": {"kind": "haversine"},
    }
    spec = slider_crank(0.0, drive)
    at = assemble(spec, {})
    found = run_checks(
        CheckedProject(Project(name="it", systems=(spec,)), tmp_path, assembled={spec.name: at})
    )
    (dead,) = [f for f in found if "dead point" in f.sentence]
    words = "followed from other constraints at the start, but not any more"
    assert words in dead.sentence and "'crank pin: displacement along x'" in dead.sentence
    assert not any("along x of 'crank pin'" in f.sentence for f in found if "over-constrained" in f.sentence)
    with pytest.raises(SolveError, match=f"come apart: 'crank pin: displacement along x' {words}"):
        moved(spec, tmp_path, 1.0, frames=20, largest_step=1e-2)


def test_equations_that_are_redundant_everywhere_make_no_dead_point(tmp_path):
    at = assemble(slider_crank(0.0), {})
    assert at.freedom.names and not at.freedom.dead


def test_a_part_that_nothing_holds_does_not_move_by_nothing():
    spec = system_of(parts=[{**BAR, "name": "bar"}], gravity=DOWN_Y)
    free = ready(spec)
    with pytest.raises(SolveError, match=r"nothing holds part 'bar' against a force of 9\.8 \[force\]\."):
        find_equilibrium(free.system, free.q, free.history, Silent())


def test_the_part_that_is_told_is_the_one_that_is_pushed_hardest():
    """A force counts as it is, a moment by the force that it stands for at the length by which rotations count."""
    bar = {**BAR, "name": "twisted", "moments_of_inertia": (2.0, 2.0, 2.0)}  # as if it were five long
    loose = {**BAR, "name": "pushed", "placement": {"position": (0, 300.0, 0)}}
    spec = system_of(
        parts=[bar, loose],
        forces=[
            {"kind": "point_force", "name": "twist", "marker": "twisted.frame", "moment": (0, 0, 0.9)},
            {"kind": "point_force", "name": "push", "marker": "pushed.frame", "force": (2.0, 0, 0)},
        ],
    )
    free = ready(spec)
    with pytest.raises(SolveError, match=r"nothing holds part 'pushed' against a force of 2 \[force\]\."):
        find_equilibrium(free.system, free.q, free.history, Silent())


def test_the_part_that_is_told_is_the_one_that_moves_furthest():
    """What turns counts by how far that takes it at the length by which rotations count, here 100 for a mass of one."""
    parts = [
        {**BAR, "name": "slider", "placement": {"position": (2.0, 0, 0)}},
        {
            **BAR,
            "name": "arm",
            "moments_of_inertia": (833.0, 833.0, 833.0),
            "placement": {"rotation": (0, 0, 0.5)},
        },
    ]
    springs = [
        {"kind": "bushing", "name": name, "first": "ground.origin", "second": f"{name}.frame",
         "stiffness": (1.0, 1.0, 1.0), "torsional_stiffness": (40.0, 40.0, 40.0)}
        for name in ("slider", "arm")
    ]  # fmt: skip
    at = ready(system_of(parts=parts, forces=springs))
    scale = at.system.scales[10]
    assert scale == pytest.approx(100.0, rel=1e-2)
    turns = scale * np.abs(at.q[10:14] - (1.0, 0, 0, 0)).max()
    with pytest.raises(
        SolveError, match=r"in 1 iterations; part 'arm' still moves by (\d+) \[length\]"
    ) as caught:
        find_equilibrium(at.system, at.q, at.history, Silent(), within=1e-3)
    told = float(str(caught.value).split("moves by ")[1].split(" ")[0])
    assert told == pytest.approx(turns, rel=0.1)


def test_an_equilibrium_is_given_up_where_it_is_farther_away_than_it_may_be():
    """Kind: a spring's sag under the weight, counted from where the bar is, not from the origin."""
    ground = [{"name": "high", "position": (0, 300.0, 0)}]
    spring = {
        "kind": "bushing", "name": "spring", "first": "ground.high", "second": "bar.frame",
        "stiffness": (100.0, 100.0, 100.0), "torsional_stiffness": (1.0, 1.0, 1.0),
    }  # fmt: skip
    bar = {**BAR, "name": "bar", "placement": {"position": (0, 300.0, 0)}}
    held = ready(system_of(ground=ground, parts=[bar], forces=[spring], gravity=DOWN_Y))
    found = find_equilibrium(held.system, held.q, held.history, Silent(), within=0.11)
    assert found.position[held.system.ranges[1]][1] == pytest.approx(300.0 - 0.0981, abs=1e-9)
    with pytest.raises(SolveError, match=r"in 1 iterations; part 'bar' still moves by 0\.098 \[length\]"):
        find_equilibrium(held.system, held.q, held.history, Silent(), within=0.09)


def test_an_equilibrium_that_is_there_takes_one_correction_and_a_linear_one_two():
    """Kind: Newton's method is exact on a spring along its line; the second correction finds nothing left."""
    spring = {
        "kind": "bushing", "name": "spring", "first": "ground.origin", "second": "bar.frame",
        "stiffness": (2000.0, 2000.0, 2000.0), "torsional_stiffness": (1.0, 1.0, 1.0),
    }  # fmt: skip
    for gravity, corrections, sag in (((0.0, 0.0, 0.0), 1, 0.0), (DOWN_Y, 2, -0.004905)):
        held = ready(system_of(parts=[{**BAR, "name": "bar"}], forces=[spring], gravity=gravity))
        found = find_equilibrium(held.system, held.q, held.history, Silent())
        assert found.iterations == corrections
        assert found.position[held.system.ranges[1]][1] == pytest.approx(sag, abs=1e-12)


# --- constraints that disagree by round-off


def four_bar(tilt=0.0, names=("A", "B", "C", "D"), **coupler):
    """Return a plane linkage of four hinges, 200 wide, its crank 1e-9 off its place; two markers are tilted.

    Three of the hinges' rotations follow from others, and disagree with them by the tilt.
    """
    a, b, c, d = (np.array(at, float) for at in ((0, 0, 0), (0, 100, 0), (200, 150, 0), (200, 0, 0)))

    def part(name, origin, centre, *markers, **placement):
        return {
            **BAR, "name": name, "centre_of_mass": centre, "placement": {"position": tuple(origin), **placement},
            "markers": [
                {"name": own, "position": tuple(at - origin), "rotation": turn} for own, at, turn in markers
            ],
        }  # fmt: skip

    straight, tilted = (0.0, 0.0, 0.0), (tilt, 0.0, 0.0)
    crank = part("crank", a, straight, ("a", a, straight), ("b", b, tilted))
    crank["placement"]["position"] = (1e-9, 0, 0)
    rod = part("coupler", b, (80, 20, 0), ("b", b, straight), ("c", c, tilted[::-1]), **coupler)
    rocker = part("rocker", d, (0, 70, 0), ("d", d, straight), ("c", c, straight))
    sides = (
        ("ground.a", "crank.a"),
        ("crank.b", "coupler.b"),
        ("coupler.c", "rocker.c"),
        ("ground.d", "rocker.d"),
    )
    return system_of(
        parts=[crank, rod, rocker],
        ground=[{"name": "a"}, {"name": "d", "position": tuple(d)}],
        constraints=[
            {"kind": "revolute", "name": name, "first": first, "second": second}
            for name, (first, second) in zip(names, sides, strict=True)
        ],
        gravity=(0.0, -9810.0, 0.0),
    )


@pytest.mark.parametrize("tilt", [1e-9, 1e-7])
def test_parts_that_fit_stay_where_constraints_disagree_by_round_off(tilt):
    spec = four_bar(tilt)
    at = assemble(spec, {})
    placed, _ = spec.start(at.system)
    assert at.freedom.degrees == 1 and len(at.freedom.names) == 3
    assert np.abs(at.position - placed).max() < 100.0 * tilt + 1e-8
    off = placed.copy()
    off[0] += 0.01
    right, _ = put_right(at.system, 0.0, off, np.zeros(at.system.n), at.history)
    assert np.abs(right - placed).max() < 0.02


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-7])
def test_what_redundant_equations_disagree_on_holds_nothing(tilt):
    assert diagnose_rest(assemble(four_bar(tilt), {})).sentence.startswith(
        "the forces at its start are in balance"
    )
    assert diagnose_rest(assemble(four_bar(tilt, velocity=(5.0, 0, 0)), {})) is None


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.1])
def test_a_velocity_that_constraints_forbid_is_no_motion(angle):
    """A bar on a hinge without weight, thrown along its own length, and square to it."""
    along, across = (np.cos(angle), np.sin(angle), 0.0), (-np.sin(angle), np.cos(angle), 0.0)
    place = {"position": tuple(0.5 * np.array(along)), "rotation": (0, 0, angle)}
    for velocity, still in ((along, True), (across, False)):
        bar = {**BAR, "name": "bar", "placement": {**place, "velocity": velocity}}
        found = diagnose_rest(assemble(system_of(parts=[bar], constraints=[HINGE]), {}))
        assert (found is not None) == still


def test_a_constraint_may_have_a_colon_in_its_name(tmp_path):
    spec = four_bar(names=("pin: 1", "pin: 2", "pin: 3", "pin: 4"))
    at = assemble(spec, {})
    assert at.freedom.sources[1] == ("pin: 1", "pin: 3", "pin: 4")
    project = Project(name="it", systems=(spec,))
    found = run_checks(CheckedProject(project, tmp_path, assembled={spec.name: at}))
    (told,) = [f.sentence for f in found if "over-constrained" in f.sentence]
    assert "rotation about y, rotation about x of 'pin: 2' follow from 'pin: 1'" in told
