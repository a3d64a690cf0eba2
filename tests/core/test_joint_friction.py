"""Friction in kinematic joints against closed forms."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.multibody.constraints import constraints
from faying.multibody.forces import forces
from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing.contracts.forces import markers_of
from support.systems import BAR, DOWN_Y, moved, system_of

RADIUS, MU = 0.02, 0.3
COULOMB = {"kind": "coulomb", "friction_coefficient": MU}
RUBS = {"kind": "joint_friction", "name": "rub", "constraint": "pin", "radius": RADIUS, "friction_law": COULOMB,
        "stiffness": 1e7}  # fmt: skip
ABOUT_Z = np.array([0.0, 0.0, 0.01])
PRECISE = {"tolerance": 1e-6, "largest_step": 2e-3}


def rotor(spin, friction, **more):
    """Return a rotor about a horizontal pin through its centre of mass, of weight 9.81 and inertia 1/12."""
    part = {**BAR, "name": "rotor", "markers": [{"name": "hub"}], "placement": {"spin": (0, 0, spin)}}
    pin = {"kind": "revolute", "name": "pin", "first": "ground.origin", "second": "rotor.hub"}
    return system_of(parts=[part], constraints=[pin], forces=[friction], gravity=DOWN_Y, **more)


def test_a_rotor_stops_by_the_friction_of_its_pin(tmp_path):
    """ω = ω₀ − μ m g R t/J; standstill after ω₀ J/(μ m g R), and heat ½ J ω₀²."""
    inertia, spin = 1.0 / 12.0, 0.3
    stop = spin * inertia / (MU * 9.81 * RADIUS)
    results = moved(rotor(spin, RUBS), tmp_path, 1.5 * stop, frames=300, **PRECISE)
    time, angle = results.values, results.curve("pin angle")
    slows = time < 0.95 * stop
    expected = spin * time - 0.5 * MU * 9.81 * RADIUS / inertia * time**2
    elastic = MU * 9.81 / (1e7 * RADIUS)  # angle at which friction has grown to its limit
    np.testing.assert_allclose(angle[slows], expected[slows], atol=1.5 * elastic)
    rests = angle[time > 1.05 * stop]
    assert np.ptp(rests) < 1e-3 * angle.max()  # it swings a little on the elastic friction, for ever
    assert rests.mean() == pytest.approx(0.5 * spin * stop, rel=1e-3)
    heat = results.curve("rub friction work")[-1]
    assert heat == pytest.approx(0.5 * inertia * spin**2, rel=2e-3)
    assert results.curve("friction work")[-1] == pytest.approx(heat, rel=1e-3)
    moment = results.curve("rub friction moment")[slows]
    np.testing.assert_allclose(moment[2:], -MU * 9.81 * RADIUS, rtol=1e-6)


@pytest.mark.parametrize("order", [1, -1])
def test_a_ball_in_its_socket(tmp_path, order):
    """The spin across the weight falls by μ m g R/J in its direction; that about the weight's line does not change.

    Either marker may be the ball's: the line of the force then turns in the axes of the first.
    """
    inertia, about, across = 1.0 / 12.0, 0.5, np.array([0.2, 0.15])
    part = {**BAR, "name": "ball", "moments_of_inertia": (inertia,) * 3, "markers": [{"name": "hub"}],
            "placement": {"spin": (across[0], about, across[1])}}  # fmt: skip
    first, second = ["ground.origin", "ball.hub"][::order]
    pin = {"kind": "spherical", "name": "pin", "first": first, "second": second}
    spec = system_of(parts=[part], constraints=[pin], forces=[RUBS], gravity=DOWN_Y)
    amount, rate = np.linalg.norm(across), MU * 9.81 * RADIUS / inertia
    results = moved(spec, tmp_path, 1.5 * amount / rate, frames=300, **PRECISE)
    time = results.values
    slows = (time > 0.05 * amount / rate) & (time < 0.95 * amount / rate)
    kinetic = 0.5 * inertia * (about**2 + (amount - rate * time) ** 2)
    np.testing.assert_allclose(results.curve("kinetic energy")[slows], kinetic[slows], rtol=2e-3)
    np.testing.assert_allclose(results.curve("rub friction moment")[slows], MU * 9.81 * RADIUS, rtol=1e-3)
    assert results.curve("kinetic energy")[-1] == pytest.approx(0.5 * inertia * about**2, rel=2e-3)
    assert results.curve("rub friction work")[-1] == pytest.approx(0.5 * inertia * amount**2, rel=1e-2)


def test_without_friction_it_turns_on(tmp_path):
    smooth = {**RUBS, "friction_law": {**COULOMB, "friction_coefficient": 0.0}}
    results = moved(rotor(0.3, smooth), tmp_path, 0.5, **PRECISE)
    assert results.curve("pin angle")[-1] == pytest.approx(0.15, rel=1e-6)


def test_a_pendulum_with_a_drum(tmp_path):
    """Constant moment M by preload alone: m g l (cos θₙ₊₁ − cos θₙ) = M (θₙ + θₙ₊₁) between turning points."""
    start, moment, lever = 1.0, 0.4, 0.5
    # The weight is held by the pin with R so small that its reaction hardly rubs.
    radius = 1e-4
    press = moment / (MU * radius)
    drum = {**RUBS, "radius": radius, "preload": press, "stiffness": 400.0 / radius**2}
    part = {**BAR, "name": "bar", "placement": {"position": (lever * np.sin(start), -lever * np.cos(start), 0),
                                                "rotation": (0, 0, start - np.pi / 2)}}  # fmt: skip
    pin = {"kind": "revolute", "name": "pin", "first": "ground.origin", "second": "bar.left"}
    spec = system_of(parts=[part], constraints=[pin], forces=[drum], gravity=DOWN_Y)
    results = moved(spec, tmp_path, 3.0, frames=1500, **PRECISE)
    swing = results.curve("pin angle") + np.pi / 2
    turns = [0, *(np.flatnonzero(np.diff(np.sign(np.diff(swing)))) + 1)]
    sizes = np.abs(swing[turns])
    assert len(sizes) >= 3
    for before, after in itertools.pairwise(sizes[:3]):
        lost = 9.81 * lever * (np.cos(after) - np.cos(before))
        assert lost == pytest.approx(moment * (before + after), rel=1e-2)


def on_a_belt(friction, speed):
    """Return a mass of weight 9.81 on a belt along x that moves with a speed, held by a spring of stiffness 40."""
    moving = {"placement": {"velocity": (speed, 0, 0)}}
    mass = {**BAR, "name": "mass", "markers": [{"name": "slide", "rotation": (0, np.pi / 2, 0)}], **moving}
    belt = {**BAR, "name": "belt", "markers": [{"name": "slide", "rotation": (0, np.pi / 2, 0)}],
            "placement": {"velocity": (speed, 0, 0)}}  # fmt: skip
    constraints = [
        {"kind": "translational", "name": "guide", "first": "ground.rail", "second": "belt.slide"},
        {"kind": "prescribed_speed", "name": "drive", "first": "ground.rail", "second": "belt.slide",
         "speed": speed},
        {"kind": "translational", "name": "pin", "first": "belt.slide", "second": "mass.slide"},
    ]  # fmt: skip
    spring = {"kind": "spring_damper", "name": "spring", "first": "ground.far", "second": "mass.frame",
              "stiffness": 40.0, "free_length": 10.0}  # fmt: skip
    ground = [{"name": "rail", "rotation": (0, np.pi / 2, 0)}, {"name": "far", "position": (-10.0, 0, 0)}]
    return system_of(ground=ground, parts=[mass, belt], constraints=constraints, forces=[spring, friction],
                     gravity=DOWN_Y)  # fmt: skip


def test_a_mass_on_a_belt(tmp_path):
    """It sticks until the spring pulls with μ m g, then swings about it: x = μ m g/k + (v/ω) sin ωt, at most v."""
    speed, stiffness = 0.2, 40.0
    results = moved(on_a_belt(RUBS, speed), tmp_path, 1.2, frames=600, **PRECISE)
    x, v = results.curve("mass.frame x"), results.curve("mass.frame vx")
    centre, omega = MU * 9.81 / stiffness, np.sqrt(stiffness)
    assert v.max() == pytest.approx(speed, rel=2e-2)
    assert x.max() == pytest.approx(centre + speed / omega, rel=2e-3)
    # While it slips.
    slips = (results.values > centre / speed + 0.02) & (results.values < centre / speed + 0.4)
    phase = omega * (results.values[slips] - centre / speed)
    np.testing.assert_allclose(x[slips], centre + speed / omega * np.sin(phase), atol=2e-3 * x.max())


def test_a_lever_is_held_at_an_angle(tmp_path):
    """Static friction holds as long as the weight's moment is below μ N R: here for ever."""
    strong = {**RUBS, "preload": 5000.0}
    part = {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0)}}
    pin = {"kind": "revolute", "name": "pin", "first": "ground.origin", "second": "bar.left"}
    spec = system_of(parts=[part], constraints=[pin], forces=[strong], gravity=DOWN_Y)
    results = moved(spec, tmp_path, 1.0, tolerance=1e-5, largest_step=1e-2)
    # The elastic angle is m g l/(k R²) on average, twice that at most.
    elastic = 9.81 * 0.5 / (1e7 * RADIUS**2)
    assert np.abs(results.curve("pin angle")).max() < 2.2 * elastic


@pytest.mark.parametrize(
    ("joint", "force", "moment", "press"),
    [
        ("revolute", (3.0, 4.0, 2.0), (0.0, 0.5, 9.0), 5.0 + 1.5 * 2.0 + 0.5 / 0.05 + 7.0),
        ("cylindrical", (3.0, 4.0, 2.0), (0.3, 0.4, 9.0), 5.0 + 0.5 / 0.05 + 7.0),
        ("translational", (3.0, 4.0, 2.0), (0.3, 0.4, 0.6), 5.0 + 0.6 / 0.02 + 0.5 / 0.05 + 7.0),
        ("universal", (3.0, 4.0, 12.0), (0.3, 0.0, 0.4), 13.0 + 0.5 / 0.05 + 7.0),
        ("spherical", (3.0, 4.0, 12.0), (0.0, 0.0, 0.0), 13.0 + 7.0),
    ],
)
def test_the_normal_force_of_each_joint(joint, force, moment, press):
    words = {k: v for k, v in RUBS.items() if k != "kind"}
    words |= {"collar_radius": 0.03, "length": 0.1, "preload": 7.0}
    spec = system_of(
        parts=[{**BAR, "name": "bar"}],
        constraints=[{"kind": joint, "name": "pin", "first": "ground.origin", "second": "bar.frame"}],
    )
    bound = build(forces["joint_friction"], words).bound({"pin": spec.constraints[0]}, {})
    assert bound.press(np.array(force), np.array(moment)) == pytest.approx(press)


def test_a_joint_that_cannot_rub_is_refused():
    spec = system_of(
        parts=[{**BAR, "name": "bar"}], forces=[RUBS],
        constraints=[{"kind": "fixed", "name": "pin", "first": "ground.origin", "second": "bar.frame"}],
    )  # fmt: skip
    with pytest.raises(ModelError, match="cannot rub in 'pin', which is fixed"):
        spec.build({})


@pytest.mark.parametrize("axis", [0, 1])
def test_each_axis_of_a_cross_rubs(tmp_path, axis):
    """With no force but the preload N the spin about either axis falls by μ N R/J, and the other axis stays at rest."""
    inertia, press, spin = 1.0 / 12.0, 40.0, np.zeros(3)
    spin[axis] = 0.4
    part = {**BAR, "name": "fork", "moments_of_inertia": (inertia,) * 3, "markers": [{"name": "hub"}],
            "placement": {"spin": tuple(spin)}}  # fmt: skip
    pin = {"kind": "universal", "name": "pin", "first": "ground.origin", "second": "fork.hub"}
    spec = system_of(parts=[part], constraints=[pin], forces=[{**RUBS, "preload": press}])
    rate = MU * press * RADIUS / inertia
    stop = spin[axis] / rate
    results = moved(spec, tmp_path, 1.3 * stop, frames=60, **PRECISE)
    slows = (results.values > 0.05 * stop) & (results.values < 0.95 * stop)
    kinetic = 0.5 * inertia * (spin[axis] - rate * results.values) ** 2
    np.testing.assert_allclose(results.curve("kinetic energy")[slows], kinetic[slows], atol=2e-3 * kinetic[0])
    np.testing.assert_allclose(results.curve("rub friction moment")[slows], MU * press * RADIUS, rtol=1e-3)
    assert results.curve("rub friction work")[-1] == pytest.approx(0.5 * inertia * spin[axis] ** 2, rel=1e-2)


def test_an_area_is_needed_where_the_law_is_per_area(tmp_path):
    """Without it Coulomb's friction is that of any area; viscosity and own stiffness are refused, in check and run."""
    markers = markers_of(build(forces["torsion_spring"], {"name": "it", "first": "a.b", "second": "c.d"}), 3)
    pin = build(constraints["revolute"], {"name": "pin", "first": "ground.origin", "second": "rotor.hub"})

    own = {name: word for name, word in RUBS.items() if name != "kind"}

    def wrenches(**words):
        force = build(forces["joint_friction"], {**own, "preload": 2.0, **words}).bound({"pin": pin}, {})
        begun = force.remembered(markers, 0.0, force.under(np.zeros(3), np.zeros(3), force.first_angles()))
        ahead = [
            markers[0],
            replace(markers[1], axes=rotation_matrix(rotation_about(ABOUT_Z)) @ markers[1].axes),
        ]
        return force.wrenches(ahead, 0.1, begun)

    assert np.abs(wrenches()).max() > 1e-3
    np.testing.assert_allclose(wrenches(), wrenches(area=7.0), rtol=1e-12)
    viscous = {"kind": "lugre", "friction_coefficient": MU, "viscous_damping": 30.0}
    for law in (viscous, {"kind": "kelvin_voigt"}, {**COULOMB, "sticking_stiffness": 1e4}):
        with pytest.raises(ModelError, match=r"'rub' has no area, and .* is per area"):
            wrenches(friction_law=law)
        assert np.isfinite(wrenches(friction_law=law, area=1.0)).all()
    spec = rotor(1.0, {**RUBS, "friction_law": viscous})
    project = build(Project, {"name": "p", "units": "m-kg-s", "systems": [spec]})
    found = [each.sentence for each in run_checks(CheckedProject(project, tmp_path))]
    assert any(
        "'rub' has no area, and viscous damping is per area in its friction law" in each for each in found
    )
