"""Contract of multibody systems: derivatives, balance laws, assembly, redundancy, rest and vibrations.

Kinds of reference: differences, the laws of momentum and energy, closed forms.
"""

import numpy as np
import pytest
import scipy.linalg as la

from faying.analyses import analyses
from faying.errors import ModelError, SolveError
from faying.multibody.assembly import assemble
from faying.multibody.bodies import FlexibleBody
from faying.multibody.linearized import find_equilibrium, free_motions, linearized, vibrations
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from faying.solvers.integrators import consistent_start
from faying.solvers.integrators.hht import Hht
from faying.spatial.rotations import rotation_about
from support.flexible_bodies import plates_body
from support.systems import BAR, DOWN_Y, flexible, jointed_plates_model, moved, ready, system_of

LEFT_TO_GROUND = {"first": "ground.pivot", "second": "one.left"}
PENDULUM = {
    "ground": [{"name": "pivot"}],
    "parts": [{**BAR, "name": "one", "placement": {"position": (0.5, 0, 0)}}],
}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates_model()


def assorted(plates, **more):
    """Return a system of a flexible and a rigid part with every kind of force and several constraints."""
    lump = {
        "kind": "rigid", "name": "lump", "mass": 2e-5, "moments_of_inertia": (1e-3, 2e-3, 1.5e-3),
        "centre_of_mass": (1.0, 2.0, 3.0),
        "markers": [{"name": "pin", "position": (-3, 0, 1), "rotation": (0.3, 0, 0)}],
        "placement": {"position": (45, 5, 0), "velocity": (10, -5, 3), "spin": (3, -2, 1)},
    }  # fmt: skip
    words = {
        "ground": [{"name": "wall", "position": (0, 0, -30), "rotation": (0, 0.4, 0)}],
        "parts": [
            {"kind": "flexible", "name": "plates", "body": "plates", "stiffness_damping": 1e-6,
             "placement": {"position": (1, 2, 3), "rotation": (0.1, -0.2, 0.3), "velocity": (30, 20, -10),
                           "spin": (5, 3, -2)}},
            lump,
        ],
        "constraints": [
            {"kind": "universal", "name": "cross", "first": "plates.TIP", "second": "lump.pin"},
            {"kind": "point_on_line", "name": "rail", "first": "ground.wall", "second": "plates.HOLD"},
        ],
        "forces": [
            {"kind": "spring_damper", "name": "spring", "first": "ground.wall", "second": "lump.pin",
             "stiffness": 3.0, "damping": 0.01, "free_length": 10.0},
            {"kind": "bushing", "name": "rubber", "first": "ground.wall", "second": "plates.HOLD",
             "stiffness": (1, 2, 3), "torsional_stiffness": (40, 40, 40), "damping": (0.01, 0.02, 0.03)},
            {"kind": "torsion_spring", "name": "twist", "first": "plates.TIP", "second": "lump.pin", "stiffness": 50.0},
            {"kind": "point_force", "name": "thrust", "marker": "plates.TIP", "force": (1, 2, 3), "moment": (4, 5, 6),
             "following": True},
        ],
        "gravity": (0, 0, -9810.0),
    }  # fmt: skip
    return system_of(**{**words, **more})


def deformed(found, seed=3, size=1e-2):
    """Return (q, v) of an assembled system with all parts bent and moving."""
    rng, scales = np.random.default_rng(seed), found.system.scales
    q = found.q + size * rng.normal(size=len(found.q)) / scales
    return q, found.v + 10.0 * rng.normal(size=len(found.q)) / scales


def differences(function, x, scales, step=1e-5):
    """Return the derivative of a vector by central differences; each coordinate by its own scale."""
    columns = []
    for k, scale in enumerate(scales):
        by = np.zeros(len(x))
        by[k] = step / scale
        columns.append((function(x + by) - function(x - by)) / (2 * by[k]))
    return np.array(columns).T


def assert_close(found, wanted, scales, tolerance, rows=None):
    """Compare matrices over coordinates in lengths."""
    unit = scales if rows is None else np.ones(rows)
    difference, whole = (found - wanted) / scales / unit[:, None], wanted / scales / unit[:, None]
    # Row by row: elasticity must not hide what belongs to the frame.
    size = np.abs(whole).max(axis=1) + 1e-9 * np.abs(whole).max()
    assert (np.abs(difference).max(axis=1) <= tolerance * size).all()


# --- derivatives of the whole


def test_changes_of_the_systems_forces_are_their_derivatives(plates):
    found = ready(assorted(plates), plates=flexible(plates))
    system, (q, v) = found.system, deformed(found)
    forces = system.forces(0.1, q, v, found.history, jacobian=True)
    by_q = differences(
        lambda x: system.forces(0.1, x, v, found.history, jacobian=False).force, q, system.scales
    )
    by_v = differences(
        lambda x: system.forces(0.1, q, x, found.history, jacobian=False).force, v, system.scales, 1e-2
    )
    assert_close(forces.d_position, by_q, system.scales, 1e-5)
    assert_close(forces.d_velocity, by_v, system.scales, 1e-5)


def test_rows_of_the_constraints_are_their_derivatives(plates):
    found = ready(assorted(plates), plates=flexible(plates))
    system, (q, _) = found.system, deformed(found)
    rows = system.constraints(0.1, q, found.history)[1]
    by_q = differences(lambda x: system.constraints(0.1, x, found.history)[0], q, system.scales)
    assert_close(rows, by_q, system.scales, 1e-6, rows=len(rows))


def test_changes_of_inertia_and_reactions_are_their_derivatives(plates):
    found = ready(assorted(plates), plates=flexible(plates))
    system, (q, _), rng = found.system, deformed(found), np.random.default_rng(5)
    a, multipliers = 100 * rng.normal(size=system.n) / system.scales, rng.normal(size=system.n_constraints)

    def forces(x):
        return system.mass(x) @ a + system.constraints(0.1, x, found.history)[1].T @ multipliers

    change = system.inertia_and_constraint_jacobian(0.1, q, a, multipliers, found.history)
    assert_close(change, differences(forces, q, system.scales), system.scales, 1e-5)


# --- balance laws


def test_free_flight_of_a_chain_keeps_momentum_and_energy():
    """Theorem: two bars with a ball joint and a spring between them; the spring's energy comes and goes."""
    spec = system_of(
        parts=[{**BAR, "name": "one", "placement": {"velocity": (1, 2, 3), "spin": (1, 5, -3)}},
               {**BAR, "name": "two", "placement": {"position": (1, 0, 0), "velocity": (0, 2, 3), "spin": (0, 4, 2)}}],
        constraints=[{"kind": "spherical", "name": "ball", "first": "one.right", "second": "two.left"}],
        forces=[{"kind": "spring_damper", "name": "spring", "first": "one.left", "second": "two.right",
                 "stiffness": 50.0, "free_length": 1.5}],
    )  # fmt: skip
    found = ready(spec)
    system, start = found.system, consistent_start(found.system, 0.0, found.q, found.v, found.history)
    states = [start]
    Hht(alpha=-0.05, tolerance=1e-6, first_step=1e-4, largest_step=2e-3).integrate(
        system, start, 0.4, lambda before, after: states.append(after), Silent()
    )

    def kept(state):
        whole = np.zeros(6)
        for part, at in zip(system.parts, system.ranges, strict=True):
            if part.n:
                whole += np.concatenate(part.momentum(state.q[at], state.v[at]))
        return np.append(whole, sum(system.energies(state.q, state.v, state.history)))

    before, after = kept(states[0]), kept(states[-1])
    elastic = [system.energies(s.q, s.v, s.history)[1] for s in states]
    assert max(elastic) - min(elastic) > 1.0  # it does come and go
    np.testing.assert_allclose(after[:3], before[:3], atol=1e-9 * np.abs(before).max())
    np.testing.assert_allclose(after[3:6], before[3:6], atol=2e-4 * np.abs(before[3:6]).max())
    assert after[6] == pytest.approx(before[6], rel=2e-4)


def test_at_rest_the_ground_bears_the_weight(tmp_path):
    spec = system_of(
        **PENDULUM, gravity=DOWN_Y, constraints=[{"kind": "fixed", "name": "clamp", **LEFT_TO_GROUND}]
    )
    results = moved(spec, tmp_path, 0.01, frames=2)
    force = [results.curve(f"clamp force {axis}") for axis in "xyz"]
    np.testing.assert_allclose(np.array(force)[:, 0], (0.0, 9.81, 0.0), atol=1e-9)
    assert results.curve("clamp moment z")[0] == pytest.approx(0.5 * 9.81)  # bears the bar half a metre away
    assert results.report["degrees_of_freedom"] == 0


def test_curves_of_energy_balance_along_a_swing(tmp_path):
    """Theorem: what the weight loses the motion gains; a damper takes the rest."""
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    spec = system_of(**PENDULUM, gravity=DOWN_Y, constraints=[hinge])
    results = moved(spec, tmp_path, 0.2, tolerance=1e-6, largest_step=2e-3)
    total, weight = results.curve("total energy"), results.curve("potential energy")
    assert np.ptp(weight) > 0.5 and np.ptp(total) < 1e-3 * np.ptp(weight)
    damped = system_of(
        **PENDULUM, gravity=DOWN_Y, constraints=[hinge],
        forces=[{"kind": "torsion_spring", "name": "brake", **LEFT_TO_GROUND, "stiffness": 0.0, "damping": 0.5}],
    )  # fmt: skip
    (tmp_path / "damped").mkdir()
    results = moved(damped, tmp_path / "damped", 0.2, tolerance=1e-6, largest_step=2e-3)
    time, angle, total = results.values, results.curve("hinge angle"), results.curve("total energy")
    taken = 0.5 * np.trapezoid(np.gradient(angle, time) ** 2, time)
    assert total[0] - total[-1] == pytest.approx(taken, rel=1e-3)


# --- redundancy and assembly


def test_a_door_with_two_hinges_is_over_constrained_and_still_opens(tmp_path):
    """Ten equations take five freedoms; five follow from the others and are named."""
    door = {
        "kind": "rigid", "name": "door", "mass": 20.0, "moments_of_inertia": (5.0, 1.0, 5.0),
        "centre_of_mass": (0.4, 0, 0),
        "markers": [{"name": name, "position": (0, y, 0), "rotation": (-np.pi / 2, 0, 0)}
                    for name, y in (("low", 0.0), ("high", 2.0))],
        "placement": {"spin": (0, 1.0, 0)},
    }  # fmt: skip
    posts = [
        {"name": name, "position": (0, y, 0), "rotation": (-np.pi / 2, 0, 0)}
        for name, y in (("low", 0), ("high", 2))
    ]
    hinges = [
        {"kind": "revolute", "name": f"{name} hinge", "first": f"ground.{name}", "second": f"door.{name}"}
        for name in ("low", "high")
    ]
    spec = system_of(parts=[door], ground=posts, constraints=hinges, gravity=DOWN_Y)
    freedom = ready(spec).freedom
    assert freedom.degrees == 1
    assert len(freedom.redundant) == 5
    assert {name.split(":")[0] for name in freedom.names} <= {"low hinge", "high hinge"}
    assert "high hinge: displacement along z" in freedom.names
    # They follow from the other hinge, and from nothing that holds another part.
    bob = {"kind": "rigid", "name": "bob", "markers": [{"name": "eye"}]}
    ball = {"kind": "spherical", "name": "ball", "first": "ground.low", "second": "bob.eye"}
    both = ready(system_of(parts=[door, bob], ground=posts, constraints=[ball, *hinges])).freedom
    assert both.degrees == 1 + 3
    assert (both.names, both.sources) == (freedom.names, (("low hinge",),) * 5)
    results = moved(spec, tmp_path, 0.2, frames=4, tolerance=1e-6, largest_step=2e-3)
    assert results.curve("low hinge angle")[-1] == pytest.approx(0.2, rel=1e-4)
    assert results.report["redundant_equations"] == list(freedom.names)
    lifted = sum(results.curve(f"{name} hinge force z")[-1] for name in ("low", "high"))
    assert lifted == pytest.approx(20 * 9.81, rel=1e-3)


def test_parts_are_put_together_from_a_wrong_start():
    spec = system_of(
        parts=[{**BAR, "name": "one", "placement": {"position": (0.6, 0.1, 0.05), "rotation": (0.2, -0.1, 0.3)}},
               {**BAR, "name": "two", "placement": {"position": (1.4, -0.2, 0.1), "rotation": (0, 0.3, -0.5)}}],
        ground=[{"name": "pivot"}],
        constraints=[{"kind": "revolute", "name": "pivot", **LEFT_TO_GROUND},
                     {"kind": "revolute", "name": "elbow", "first": "one.right", "second": "two.left"}],
    )  # fmt: skip
    found = ready(spec)
    system = found.system
    assert np.abs(system.constraints(0.0, found.q, found.history)[0]).max() < 1e-12
    assert found.freedom.degrees == 2
    elbow = [system.motion(name, found.q) for name in ("one.right", "two.left")]
    np.testing.assert_allclose(elbow[0].position, elbow[1].position, atol=1e-11)
    np.testing.assert_allclose(elbow[0].axes[:, 2], elbow[1].axes[:, 2], atol=1e-11)


def test_what_cannot_be_put_together_is_named():
    posts = [{"name": "near"}, {"name": "far", "position": (3.0, 0, 0)}]
    balls = [
        {"kind": "spherical", "name": name, "first": f"ground.{post}", "second": f"one.{end}"}
        for name, post, end in (("here", "near", "left"), ("there", "far", "right"))
    ]
    with pytest.raises(SolveError, match=r"put together: '(here|there): displacement along x'"):
        ready(system_of(parts=PENDULUM["parts"], ground=posts, constraints=balls))


def test_starting_velocities_are_made_to_fit():
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    part = {**BAR, "name": "one", "placement": {"position": (0.5, 0, 0), "velocity": (0.3, 1.0, 0.2)}}
    found = ready(system_of(parts=[part], ground=PENDULUM["ground"], constraints=[hinge]))
    motion = found.system.motion("one.left", found.q, found.v)
    np.testing.assert_allclose(motion.velocity, 0.0, atol=1e-12)
    assert motion.spin[2] > 0.1 and np.abs(motion.spin[:2]).max() < 1e-12


@pytest.mark.parametrize("unit", [0.01, 1000.0])
def test_what_assembly_takes_of_a_start_counts_in_any_unit_of_length(unit):
    """Closed form: a hinge about z leaves nothing of a spin along the bar."""
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}

    def changes(unit, spin, speed):
        part = {
            "kind": "rigid", "name": "one", "mass": 1.0,
            "moments_of_inertia": unit**2 * np.array([1e-3, 1 / 12, 1 / 12]),
            "markers": [{"name": "left", "position": (-0.5 * unit, 0, 0)}],
            "placement": {"position": (0.5 * unit, 0, 0), "spin": spin, "velocity": (0, speed * unit, 0)},
        }  # fmt: skip
        system = system_of(parts=[part], ground=PENDULUM["ground"], constraints=[hinge])
        (change,) = assemble(system, {}).changes
        assert change.what == "spin" and change.amount == pytest.approx(0.3) and change.given
        return change.share

    assert changes(unit, (0.3, 0, 0), 0.0) == pytest.approx(1.0)
    # Beside a motion that fits it is the smaller part.
    beside = changes(unit, (0.3, 0, 2.0), 1.0)
    assert 0.0 < beside < 0.3 / 2.0 and beside == pytest.approx(changes(1.0, (0.3, 0, 2.0), 1.0))


def test_a_marker_that_is_not_there_is_named():
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.pivot", "second": "one.middle"}
    with pytest.raises(ModelError, match="no marker called 'middle'"):
        ready(system_of(**PENDULUM, constraints=[hinge]))


# --- prescribed motions


def test_a_prescribed_angle_is_followed(tmp_path):
    """Analytical: the moment that turns a bar about its end is J φ̈ with J = m L²/3."""
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    drive = {"kind": "prescribed_angle", "name": "drive", **LEFT_TO_GROUND, "amplitude": 2.0,
             "time_history": {"kind": "haversine", "rise_time": 0.4}}  # fmt: skip
    results = moved(
        system_of(**PENDULUM, constraints=[hinge, drive]),
        tmp_path,
        0.4,
        frames=40,
        largest_step=2e-3,
        tolerance=1e-6,
    )
    time, angle = results.values, results.curve("hinge angle")
    np.testing.assert_allclose(angle, 1.0 - np.cos(np.pi * time / 0.4), atol=1e-5)
    assert results.report["degrees_of_freedom"] == 0
    moment = (np.pi / 0.4) ** 2 * np.cos(np.pi * time / 0.4) / 3
    np.testing.assert_allclose(results.curve("drive moment z")[1:-1], moment[1:-1], atol=0.02 * moment.max())


def test_a_prescribed_displacement_drives_what_hangs_on_it(tmp_path):
    """Analytical: a bar carried along accelerates as prescribed; its reaction is m ẍ."""
    clamp = {"kind": "translational", "name": "slide", "first": "ground.rail", "second": "one.left"}
    drive = {"kind": "prescribed_displacement", "name": "drive", "first": "ground.rail", "second": "one.left",
             "amplitude": 0.1,
             "time_history": {"kind": "harmonic", "frequency": 5.0, "phase": -np.pi / 2, "mean": 1.0}}  # fmt: skip
    rail = [{"name": "rail", "rotation": (0, np.pi / 2, 0)}]
    part = {**BAR, "name": "one", "placement": {"position": (0.5, 0, 0)},
            "markers": [{"name": "left", "position": (-0.5, 0, 0), "rotation": (0, np.pi / 2, 0)}]}  # fmt: skip
    spec = system_of(parts=[part], ground=rail, constraints=[clamp, drive])
    results = moved(spec, tmp_path, 0.1, frames=20, largest_step=1e-3, tolerance=1e-6)
    time, omega = results.values, 2 * np.pi * 5.0
    np.testing.assert_allclose(results.curve("one.left x"), 0.1 * (1 - np.cos(omega * time)), atol=1e-5)
    force = 0.1 * omega**2 * np.cos(omega * time)
    np.testing.assert_allclose(results.curve("drive force z")[1:], force[1:], atol=0.01 * force.max())


def test_gear_wheels_share_a_drive(tmp_path):
    """Analytical: φ̈₁ = M / (J₁ + J₂/i²) where φ₁ = i φ₂."""
    wheel = {
        "kind": "rigid",
        "mass": 1.0,
        "moments_of_inertia": (1.0, 1.0, 1.0),
        "markers": [{"name": "hub"}],
    }
    axles = [{"name": "a"}, {"name": "b", "position": (3.0, 0, 0)}]
    spec = system_of(
        parts=[{**wheel, "name": "small"}, {**wheel, "name": "large", "moments_of_inertia": (8.0, 8.0, 8.0),
                                            "placement": {"position": (3, 0, 0)}}],
        ground=axles,
        constraints=[
            {"kind": "revolute", "name": "one", "first": "ground.a", "second": "small.hub"},
            {"kind": "revolute", "name": "two", "first": "ground.b", "second": "large.hub"},
            {"kind": "gear", "name": "teeth", "first_carrier": "ground.a", "first_wheel": "small.hub",
             "second_carrier": "ground.b", "second_wheel": "large.hub", "ratio": -2.0},
        ],
        forces=[{"kind": "point_force", "name": "motor", "marker": "small.hub", "moment": (0, 0, 60.0)}],
    )  # fmt: skip
    results = moved(spec, tmp_path, 1.0, frames=10, largest_step=5e-3, tolerance=1e-6)
    turned = 0.5 * 60.0 / (1.0 + 8.0 / 4.0)  # ten rad: more than a full turn
    back = [np.remainder(results.curve(name)[-1] - angle, 2 * np.pi) for name, angle in
            (("one angle", turned), ("two angle", -turned / 2))]  # fmt: skip
    assert np.minimum(back, 2 * np.pi - np.array(back)) == pytest.approx(0.0, abs=1e-3)


# --- rest and vibrations


def test_a_weight_on_a_spring_sinks_by_its_weight_over_the_stiffness():
    spec = system_of(
        parts=[{**BAR, "name": "one"}], ground=[{"name": "post", "rotation": (-np.pi / 2, 0, 0)}], gravity=DOWN_Y,
        constraints=[{"kind": "translational", "name": "guide", "first": "ground.post", "second": "one.down"}],
        forces=[{"kind": "bushing", "name": "spring", "first": "ground.post", "second": "one.down",
                 "stiffness": (0.0, 0.0, 100.0)}],
    )  # fmt: skip
    part = {**BAR, "name": "one", "markers": [{"name": "down", "rotation": (-np.pi / 2, 0, 0)}]}
    found = ready(spec.with_(parts=(part,)))
    rest = find_equilibrium(found.system, found.q, found.history, Silent())
    assert found.system.motion("one.frame", rest.position).position[1] == pytest.approx(-9.81 / 100, rel=1e-9)
    modes = vibrations(found.system, rest.position, np.zeros(found.system.n), rest.multipliers, rest.history)
    assert modes.frequencies == pytest.approx([10.0 / (2 * np.pi)], rel=1e-9)


def test_a_pendulum_falls_into_its_rest_and_swings_as_it_should():
    """Analytical: ω² = m g s / J with s = L/2, J = m L²/3, and the hinge bears the weight."""
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    part = {**BAR, "name": "one", "placement": {"position": (0.1, -0.49, 0), "rotation": (0, 0, -1.3)}}
    found = ready(system_of(parts=[part], ground=PENDULUM["ground"], constraints=[hinge], gravity=DOWN_Y))
    system = found.system
    rest = find_equilibrium(system, found.q, found.history, Silent())
    np.testing.assert_allclose(system.motion("one.right", rest.position).position, (0, -1, 0), atol=1e-8)
    force, _ = system.reactions(0.0, rest.position, rest.multipliers, rest.history)["hinge"]
    np.testing.assert_allclose(force, (0, 9.81, 0), atol=1e-8)
    modes = vibrations(system, rest.position, np.zeros(system.n), rest.multipliers, rest.history)
    assert modes.frequencies == pytest.approx([np.sqrt(9.81 * 0.5 * 3) / (2 * np.pi)], rel=1e-8)


def test_a_flexible_part_comes_to_rest_with_its_joint_in_contact(plates, tmp_path):
    """The plates hang on their HOLD; gravity presses the upper one, whose tip carries a load, on the lower one."""
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates"}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0)}],
        gravity=(0, 0, -9810.0),
    )
    found = ready(spec, plates=flexible(plates))
    lying = found.system.resting_history(found.q, found.history)
    rest = find_equilibrium(found.system, found.q, lying, Silent())
    answer = found.system.respond(rest.position, lying, 0.0)[0]
    assert (answer.pressure > 0).any()
    weight = plates.reduced.total_mass * 9810.0
    force, _ = found.system.reactions(0.0, rest.position, rest.multipliers, rest.history)["clamp"]
    np.testing.assert_allclose(force, (0, 0, weight + 20.0), atol=1e-6 * weight)
    static = build(
        analyses["static"],
        {"name": "same", "body": "plates", "support": "HOLD",
         "loads": [{"interface": "TIP", "force": (0, 0, -20.0)}]},
    )  # fmt: skip
    static.run(plates, tmp_path / "static.h5", Silent())
    sunk = found.system.motion("plates.TIP", rest.position).position[2] - 1.0
    # The weight is less than a hundredth of the load.
    assert sunk == pytest.approx(Results(tmp_path / "static.h5").curve("TIP uz")[-1], rel=5e-3)


def test_no_equilibrium_of_what_nothing_holds():
    with pytest.raises(SolveError, match="No static equilibrium"):
        found = ready(system_of(parts=PENDULUM["parts"], gravity=DOWN_Y))
        find_equilibrium(found.system, found.q, found.history, Silent())


def test_free_plates_vibrate_with_the_frequencies_of_their_body():
    """Theorem: six motions without stiffness, then the free frequencies of the reduced body."""
    _, body = plates_body()
    spec = system_of(parts=[{"kind": "flexible", "name": "free", "body": "plates", "joint_contact": False,
                             "placement": {"rotation": (0.3, 0.2, 0.1)}}])  # fmt: skip
    found = ready(spec, plates=FlexibleBody("plates", body))
    modes = vibrations(found.system, found.q, found.v, np.zeros(1), found.history)
    wanted = np.sqrt(la.eigh(body.stiffness, body.mass, eigvals_only=True)) / (2 * np.pi)
    moving = modes.frequencies[modes.frequencies > 0.01 * wanted[0]]
    assert moving == pytest.approx(wanted, rel=1e-6)


def test_a_free_part_keeps_its_six_motions_however_it_is_turned():
    """Its unit Euler parameters hold of themselves, though by round-off; on a spring along z one motion vibrates."""
    spring = {"kind": "bushing", "name": "spring", "first": "ground.origin", "second": "one.frame",
              "stiffness": (0.0, 0.0, 100.0)}  # fmt: skip
    for turned in ((0.0, 0.0, 0.0), (0.3, 0.2, 0.1), (np.pi / 3, 0.0, 0.0)):
        found = ready(
            system_of(parts=[{**BAR, "name": "one", "placement": {"rotation": turned}}], forces=[spring])
        )
        small = linearized(
            found.system, found.q, found.v, np.zeros(found.system.n_constraints), found.history
        )
        assert small.shapes.shape == (7, 6)
        assert sorted(np.diag(small.stiffness) / np.diag(small.mass)) == pytest.approx(
            [0.0] * 5 + [100.0], abs=1e-6
        )


def test_free_motions_are_counted_in_lengths():
    """A part that is a thousand long: its rotations count by how far they take it, as its displacements do."""
    long = {**BAR, "name": "one", "moments_of_inertia": tuple(1e6 * m for m in BAR["moments_of_inertia"])}
    found = ready(system_of(parts=[{**long, "placement": {"rotation": (0.3, 0.2, 0.1)}}]))
    system = found.system
    shapes = free_motions(system, found.q, system.constraints(0.0, found.q, found.history)[1])
    np.testing.assert_allclose(np.linalg.norm(system.scales[:, None] * shapes, axis=0), 1.0)


def test_euler_parameters_of_a_turned_start_are_a_unit():
    part = {**BAR, "name": "one", "placement": {"rotation": (0.5, -1.0, 2.0)}}
    found = ready(system_of(parts=[part]))
    np.testing.assert_allclose(found.q[3:7], rotation_about(np.array([0.5, -1.0, 2.0])), atol=1e-14)
    assert found.freedom.degrees == 6
