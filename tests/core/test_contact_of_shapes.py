"""Rigid against rigid contact of balls and of the outsides of parts by their shape.

Kinds of reference: closed forms; derivatives by differences; conservation of energy and momentum.
"""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.contact_laws.power_function import PowerFunction
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.step_mean import PairsBefore
from faying.multibody.contacts.ball import BallContact, ball_surface, patch_size
from faying.multibody.contacts.rigid_shapes import RigidCylinder, RigidPlane, RigidSphere
from faying.multibody.contacts.surface import surface_of_mesh, surface_of_triangles
from faying.multibody.part_shapes import brick
from faying.spatial.rotations import rotation_matrix
from support.systems import moved, system_of

GRAVITY, DENSITY, RADIUS, STIFFNESS = 9806.65, 7.85e-9, 10.0, 5e4  # mm, t, s
FLOOR = {"kind": "plane", "name": "floor"}
MASS = DENSITY * 4.0 / 3.0 * np.pi * RADIUS**3
RUBBING = {"kind": "coulomb", "friction_coefficient": 0.2, "sticking_stiffness": 5e3}


def ball(position, velocity=(0, 0, 0), name="ball", radius=RADIUS):
    return {
        "kind": "rigid_shape", "name": name, "density": DENSITY, "shape": {"kind": "sphere", "radius": radius},
        "placement": {"position": position, "velocity": velocity},
    }  # fmt: skip


def block(position, name="block"):
    shape = {"kind": "box", "edges": (40, 30, 20)}
    return {
        "kind": "rigid_shape", "name": name, "density": DENSITY, "shape": shape, "placement": {"position": position},
        "markers": [{"name": "low", "position": (0, 0, -10)}],
    }  # fmt: skip


def system(parts, gravity=(0, 0, -GRAVITY), constraints=(), **contact):
    touch = {"name": "touch", "master": "ground.floor", "slave": "ball.shape", **contact}
    return system_of(
        parts=parts, gravity=gravity, contacts=[touch], ground_surfaces=[FLOOR], constraints=constraints
    )


def touch_of(results):
    return results.report["contacts"]["touch"]["strongest_touch"]


def test_the_first_contact_of_every_user(tmp_path):
    """An elastic ball comes back to where it was dropped from, with all settings by default."""
    results = moved(system([ball((0, 0, 20.0))]), tmp_path, 0.1, frames=201)
    z = results.curve("ball.frame z")
    assert z.min() > RADIUS - 0.1
    assert z[-50:].max() == pytest.approx(20.0, abs=0.02)
    assert touch_of(results)["restitution"] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(("restitution", "exchanged"), [(0.8, True), (0.5, False)])
def test_a_ball_comes_back_with_its_restitution(tmp_path, restitution, exchanged):
    """Which surface is called the slave does not matter."""
    sides = {"master": "ball.shape", "slave": "ground.floor"} if exchanged else {}
    results = moved(
        system([ball((0, 0, 20.0))], restitution=restitution, **sides), tmp_path, 0.055, frames=51
    )
    touch = touch_of(results)
    assert touch["restitution"] == pytest.approx(restitution, abs=5e-3)
    assert touch["approach_speed"] == pytest.approx(np.sqrt(2.0 * GRAVITY * 10.0), rel=1e-3)
    balance = results.report["energy_balance"]
    lost = 0.5 * MASS * touch["approach_speed"] ** 2 * (1.0 - restitution**2)
    assert balance["friction work"] == pytest.approx(lost, rel=0.01)
    assert abs(balance["taken by the integration"]) < 2e-3 * balance["turned over"]


def test_a_restitution_for_one_speed_takes_less_of_slower_impacts(tmp_path):
    spec = system([ball((0, 0, 20.0))], restitution=0.5, restitution_speed=4.0 * 443.0)
    results = moved(spec, tmp_path, 0.055, frames=51)
    # d is a quarter of that of e = 0.5 (1.462): d (1 + e) = ln[(1 + d)/(1 − e d)] for the new e.
    d = 1.4616 * touch_of(results)["approach_speed"] / (4.0 * 443.0)
    e = touch_of(results)["restitution"]
    assert d * (1.0 + e) == pytest.approx(np.log((1.0 + d) / (1.0 - e * d)), rel=2e-2)
    assert e > 0.7


def test_nodes_of_a_mesh_have_the_same_restitution(tmp_path):
    """A box that lands flat: four corners at once."""
    spec = system([block((0, 0, 20.0))], slave="block.shape", restitution=0.6)
    assert touch_of(moved(spec, tmp_path, 0.055, frames=51))["restitution"] == pytest.approx(0.6, abs=5e-3)


def test_balls_that_collide_keep_their_momentum(tmp_path):
    parts = [ball((0, 0, 0), (500, 0, 0), "one"), ball((25, 0, 0), (-500, 0, 0), "other", 8.0)]
    spec = system(parts, gravity=(0, 0, 0), master="one.shape", slave="other.shape", restitution=0.7)
    results = moved(spec, tmp_path, 0.015, frames=31)
    one, other = (results.curve(f"{name}.frame vx")[-1] for name in ("one", "other"))
    assert (other - one) / 1000.0 == pytest.approx(0.7, abs=5e-3)
    assert 1000.0 * one + 512.0 * other == pytest.approx(500.0 * (1000.0 - 512.0), rel=1e-6)


def test_a_sliding_ball_begins_to_roll(tmp_path):
    """It loses speed by μ g until 5/7 of it are left, and keeps that."""
    speed = 400.0
    sunk = np.sqrt(MASS * GRAVITY / (np.pi * STIFFNESS * RADIUS))  # F = π k R δ²
    spec = system([ball((0, 0, RADIUS - sunk), (speed, 0, 0))], friction_law=RUBBING)
    results = moved(spec, tmp_path, 0.12, frames=25)
    v = results.curve("ball.frame vx")
    times = np.linspace(0.0, 0.12, len(v))
    rolls = 2.0 * speed / (7.0 * 0.2 * GRAVITY)
    sliding = times < 0.9 * rolls
    assert sliding.sum() > 5
    assert v[sliding] == pytest.approx(speed - 0.2 * GRAVITY * times[sliding], abs=0.01 * speed)
    assert v[-1] == pytest.approx(5.0 / 7.0 * speed, rel=5e-3)
    assert results.curve("ball.frame z") == pytest.approx(RADIUS - sunk, abs=0.1 * sunk)


@pytest.mark.parametrize("angle", [0.1, 0.5])
def test_a_block_on_an_incline(tmp_path, angle):
    """It slides with g (sin α − μ cos α), or stays where that is negative."""
    tilted = GRAVITY * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    law = {**RUBBING, "sticking_stiffness": 5e4}
    spec = system([block((0, 0, 10.0))], tuple(tilted), slave="block.shape", friction_law=law)
    v = moved(spec, tmp_path, 0.05, frames=11).curve("block.frame vx")[-1]
    free = max(np.sin(angle) - 0.2 * np.cos(angle), 0.0) * GRAVITY * 0.05
    assert v == pytest.approx(free, rel=0.02, abs=1.0)


def test_a_roller_on_balls_rolls_down_an_incline(tmp_path):
    """With two thirds of g sin α; a ball of its radius at the middle of each end carries it."""
    weight = DENSITY * np.pi * 100.0 * 20.0 * GRAVITY * np.cos(0.2)
    sunk = np.sqrt(0.5 * weight / (np.pi * STIFFNESS * 10.0))
    ends = [
        {"kind": "sphere", "name": name, "radius": 10.0, "centre": (0, y, 0)}
        for name, y in (("a", -10), ("b", 10))
    ]
    roller = {
        "kind": "rigid_shape", "name": "roller", "density": DENSITY, "contact_surfaces": ends,
        "shape": {"kind": "cylinder", "start": (0, -10, 0), "end": (0, 10, 0), "radius": 10.0},
        "placement": {"position": (0, 0, 10.0 - sunk)},
    }  # fmt: skip
    tilted = GRAVITY * np.array([np.sin(0.2), 0.0, -np.cos(0.2)])
    law = {"kind": "coulomb", "friction_coefficient": 0.4, "sticking_stiffness": 5e3}
    contacts = [
        {"name": name, "master": "ground.floor", "slave": f"roller.{name}", "friction_law": law}
        for name in "ab"
    ]
    spec = system_of(parts=[roller], gravity=tuple(tilted), contacts=contacts, ground_surfaces=[FLOOR])
    v = moved(spec, tmp_path, 0.06, frames=7).curve("roller.frame vx")[-1]
    assert v == pytest.approx(2.0 / 3.0 * GRAVITY * np.sin(0.2) * 0.06, rel=0.005)


def test_a_ball_on_the_face_of_a_box(tmp_path):
    """The ball touches between the corners, where a box has no nodes."""
    hold = [{"kind": "fixed", "name": "hold", "first": "ground.origin", "second": "block.low"}]
    parts = [block((0, 0, 10.0)), ball((3, 2, 40.0))]
    spec = system(parts, constraints=hold, master="block.shape", slave="ball.shape", restitution=0.7)
    touch = touch_of(moved(spec, tmp_path, 0.055, frames=11))
    assert touch["restitution"] == pytest.approx(0.7, abs=5e-3)


# --- the pieces


def q_of(place, axis=(0.3, -0.5, 0.2)):
    axis = np.array(axis)
    half = 0.5 * np.linalg.norm(axis)
    return np.concatenate([place, [np.cos(half)], np.sin(half) * axis / np.linalg.norm(axis)])


def box_surface():
    solid = brick(40.0, 40.0, 20.0)
    return surface_of_mesh(*surface_of_triangles("box", solid.points, solid.triangles))


MASTERS = {
    "plane": (RigidPlane(np.array([0.0, 0.0, 10.0]), np.array([0.0, 0.0, 1.0])), (1.0, 2.0, 14.8)),
    "sphere": (RigidSphere(np.zeros(3), 10.0), (3.0, 2.0, 14.2)),
    "bowl": (RigidSphere(np.array([0.0, 0.0, 20.0]), 9.0, True), (0.5, 1.0, 15.8)),
    "cylinder": (RigidCylinder(np.zeros(3), np.array([0.0, 1.0, 0.0]), 10.0), (3.0, 2.0, 14.4)),
    "box": (box_surface(), (1.0, 2.0, 14.8)),
}


def contact_with(kind, restitution=1.0):
    master, place = MASTERS[kind]
    small = RigidSphere(np.array([0.2, -0.1, 0.3]), 5.0)
    rubbing = Coulomb(friction_coefficient=0.3, sticking_stiffness=100.0)
    contact = BallContact(
        "touch", "one", "ball", master, ball_surface(small), LinearPenalty(stiffness=50.0), rubbing, 5.0, 1.0,
        "shape", None, restitution, 0.0, 1.0, np.array([patch_size(small, master, ("ball", "other"))]), 5.0,
    )  # fmt: skip
    master_q, slave_q = q_of(np.array([0.4, -0.2, 0.1]), (0.02, 0.03, -0.01)), q_of(np.array(place))
    answer = contact.evaluate(master_q, slave_q, contact.initial_memory(), 0.0, jacobian=False)
    slave_q[:3] += (-0.3 - answer.gaps.gaps[0]) * rotation_matrix(master_q[3:]) @ answer.gaps.normals[0]
    return contact, master_q, slave_q


@pytest.mark.parametrize("kind", MASTERS)
@pytest.mark.parametrize("restitution", [1.0, 0.6])
def test_derivatives_agree_with_differences(kind, restitution):
    contact, master_q, slave_q = contact_with(kind, restitution)
    v = np.zeros(7)
    approaching = np.concatenate([[10.0, 5.0, -50.0], np.zeros(4)])
    memory = contact.remembered(contact.resting_memory(master_q, slave_q), master_q, slave_q, v, approaching)
    rng = np.random.default_rng(3)
    q = np.concatenate([master_q, slave_q]) + 2e-3 * rng.normal(size=14)
    step = 1e-3
    at_start = contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=False)
    q[7:10] -= 0.04 * rotation_matrix(master_q[3:]) @ at_start.gaps.normals[0]
    before = PairsBefore(at_start.gaps.gaps.copy(), np.zeros(1, bool), np.ones(1, bool))

    def sudden(x):
        return contact.evaluate(x[:7], x[7:], memory, step, jacobian=False, before=before).sudden

    answer = contact.evaluate(q[:7], q[7:], memory, step, jacobian=True, before=before)
    assert answer.pressing.all() and answer.friction is not None and answer.friction.stresses.any()
    assert (answer.normal.damping is not None) == (restitution < 1.0)
    h = 1e-6
    found = np.column_stack([(sudden(q + h * e) - sudden(q - h * e)) / (2.0 * h) for e in np.eye(14)])
    assert answer.change == pytest.approx(found, abs=2e-5 * np.abs(found).max())


@pytest.mark.parametrize("kind", MASTERS)
def test_forces_and_moments_are_opposite(kind):
    """About any point: the ball's are at its centre, those of the master at its origin."""
    contact, master_q, slave_q = contact_with(kind)
    answer = contact.evaluate(
        master_q, slave_q, contact.resting_memory(master_q, slave_q), 0.0, jacobian=False
    )
    assert answer.on_master[:3] == pytest.approx(-answer.on_slave[:3])
    force, centre = answer.nodal_forces[0], answer.places[0]
    assert force @ answer.gaps.normals[0] == pytest.approx(np.linalg.norm(force), rel=1e-2)
    assert centre.any() and (answer.acting_places(np.zeros((1, 3))) @ force).sum() < 0.0


@pytest.mark.parametrize("law", [LinearPenalty(stiffness=50.0), PowerFunction()])
@pytest.mark.parametrize("kind", ["plane", "sphere", "bowl", "cylinder"])
def test_the_force_is_the_pressure_over_the_patch(kind, law):
    """Against the sum of the pressure at the gap of a paraboloid, over a grid."""
    master, _ = MASTERS[kind]
    small, depth = RigidSphere(np.zeros(3), 5.0), 1e-3
    contact = BallContact(
        "touch", "one", "ball", master, ball_surface(small), law, None, 5.0,
        radius=5.0, sizes=np.array([patch_size(small, master, ("ball", "other"))]),
    )  # fmt: skip
    top = {"plane": 10.0, "sphere": 10.0, "bowl": 29.0, "cylinder": 10.0}[kind]
    height = top - 5.0 + depth if kind == "bowl" else top + 5.0 - depth
    answer = contact.evaluate(
        np.zeros(0), q_of(np.array([0.0, 0.0, height])), contact.initial_memory(), 0.0, jacobian=False
    )
    curved = [0.2 + kappa for kappa in master.curvatures]
    # In x √(1/R + κ₁) and y √(1/R + κ₂) the gap is round: depth − r²/2.
    r = np.linspace(0.0, np.sqrt(2.0 * depth), 20001)
    pressures = law.pressure(0.5 * r**2 - depth)[0]
    total = 2.0 * np.pi * np.trapezoid(pressures * r, r) / np.sqrt(curved[0] * curved[1])
    assert np.linalg.norm(answer.nodal_forces) == pytest.approx(total, rel=1e-6)


def test_a_ball_that_does_not_fit_into_a_hollow_is_refused():
    hollow = RigidSphere(np.zeros(3), 5.0, True)
    with pytest.raises(ModelError, match=r"does not fit into the hollow 'cup\.inside'"):
        patch_size(RigidSphere(np.zeros(3), 5.0), hollow, ("ball.shape", "cup.inside"))


def test_two_surfaces_without_points_are_refused():
    bar = {"kind": "cylinder", "name": "bar"}
    spec = system_of(
        ground_surfaces=[FLOOR, bar],
        contacts=[{"name": "c", "master": "ground.floor", "slave": "ground.bar"}],
    )
    with pytest.raises(ModelError, match=r"neither 'ground\.bar' nor 'ground\.floor' is a ball"):
        spec.build({})


def test_the_outside_of_a_box_is_closed_and_looks_out():
    surface = box_surface()
    assert len(surface.places) == 8
    assert not any(edges.any() for edges in surface.outer_edges)
    assert (np.einsum("nc,nc->n", surface.facets.centres, surface.facets.normals) > 0.0).all()
    assert surface.areas.sum() == pytest.approx(2.0 * (40 * 40 + 40 * 20 + 40 * 20))
