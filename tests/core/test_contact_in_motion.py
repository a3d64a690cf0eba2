"""Contact between parts in a system: equations, collisions, rest and sliding, steps that jump over nothing.

Kinds of reference: laws of mechanics (action and reaction, momentum, energy), Coulomb's law, differences.
"""

import itertools
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from faying.analyses.curve_sources import RecordedSystem, SystemState
from faying.analyses.curve_sources.momenta import Momenta
from faying.analyses.recording.contact_records import ContactTally
from faying.errors import SolveError
from faying.fem.skin import find_skin
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.step_mean import PairsBefore
from faying.multibody import contacts
from faying.multibody.contacts import contact as evaluated
from faying.multibody.contacts.rigid_shapes import RigidPlane, RigidSphere
from faying.multibody.contacts.surface import surface_of_body
from faying.multibody.linearized import find_equilibrium
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.parts.ground import Ground
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.system import MultibodySystem
from faying.packed import pack, unpack
from faying.progress import Silent
from faying.solvers.balance import EnergyBalance
from faying.solvers.integrators import consistent_start, integrators
from faying.spatial.rotations import spatial_rates
from support.flexible_bodies import solid_box
from support.touching import block, contact, face, pose, rates, run

FLOOR = RigidPlane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
MU, G, FLAT = 0.3, 9810.0, (10.0, 10.0, 1.0)
COULOMB = friction_laws["coulomb"](friction_coefficient=MU, sliding_stiffness=0.0).beside(1e4)


@pytest.fixture(scope="module")
def flexible():
    """A soft bar that lies bent and turned on a rigid block, dipping into it and sliding, and the system's history."""
    model, _, _, body = solid_box(vibration_modes=4)
    bar = FlexiblePart("bar", body, origin=np.zeros(3))
    plate, skin = block("plate", (60.0, 30.0, 8.0), (6, 3, 1), 1e-3)
    touch = contact(
        ("plate", skin), ("bar", surface_of_body(find_skin(model).surface, body)),
        law=contact_laws["power_function"](), friction=friction_laws["dahl"]().beside(1e4),
    )  # fmt: skip
    system = MultibodySystem((plate, bar), contacts=(touch,))
    rng = np.random.default_rng(2)
    bent = 1e-3 * rng.normal(size=bar.n - 7) / body.modal_magnitudes
    q = np.concatenate([pose((1.0, 2.0, 3.0)), pose((-18.0, -4.0, 6.8), (0.01, -0.01, 0.3), bent)])
    history = system.resting_history(q, system.initial_history())
    slid = q.copy()
    slid[plate.n : plate.n + 2] += 2e-4, 1e-4
    return system, slid, history


def test_action_is_reaction_in_a_system(flexible):
    system, q, history = flexible
    force = system.contact(q, history, 1e-3, jacobian=False).force
    (answer,) = system.contacts.respond(q, history.contacts, 1e-3)
    assert answer.is_closed.sum() > 3 and np.abs(answer.friction.stresses).max() > 0.0
    size = np.abs(answer.normal.forces).sum()
    on_plate, on_bar = (force[at] for at in system.ranges)
    np.testing.assert_allclose(on_plate[:3] + on_bar[:3], 0.0, atol=1e-12 * size)

    def moment(at):
        turn = np.linalg.lstsq(spatial_rates(q[at][3:7]).T, force[at][3:7])[0]
        return turn + np.cross(q[at][:3], force[at][:3])

    np.testing.assert_allclose(sum(moment(at) for at in system.ranges), 0.0, atol=1e-12 * size * 60.0)


def test_the_tangent_of_a_system_is_that_of_its_forces(flexible):
    system, q, history = flexible
    # Some pairs were closed at the start of the step, some of them last, others had no gap.
    rng = np.random.default_rng(1)
    gaps = rng.uniform(-1e-3, 1e-3, system.contacts.members[0].n)
    gaps[rng.uniform(size=len(gaps)) < 0.2] = np.inf
    lasting, halved = ((gaps < 0.0) & (rng.uniform(size=len(gaps)) < 0.6) for _ in range(2))
    before = (PairsBefore(gaps, lasting, halved & ~lasting, 0.6),)

    def weighted(q):
        found = system.contact(q, history, 1e-3, jacobian=False, before=before)
        return found.sudden + 0.6 * found.going_on

    exact = system.contact(q, history, 1e-3, jacobian=True, before=before).d_position
    steps = 1e-7 / system.scales
    rough = np.column_stack(
        [
            (weighted(q + h * e) - weighted(q - h * e)) / (2.0 * h)
            for h, e in zip(steps, np.eye(system.n), strict=True)
        ]
    )
    # Per length on both sides, so that all coordinates count alike.
    lengths = np.outer(system.scales, system.scales)
    assert np.abs((rough - exact) / lengths).max() < 1e-6 * np.abs(exact / lengths).max()


def test_a_history_can_be_stored_and_gives_the_same_forces(flexible):
    system, q, history = flexible
    again = unpack(pack(history))
    for jacobian in (False, True):
        one, other = (system.contact(q, h, 1e-3, jacobian=jacobian) for h in (history, again))
        np.testing.assert_array_equal(one.force, other.force)
    assert one.closed[0].any() and not system.contact(q + 1.0, history, 0.0, jacobian=False).closed[0].all()


def test_a_step_does_not_search_where_the_last_one_has_ended(flexible, monkeypatch):
    """The gaps there are remembered: the same forces to the last bit, and elsewhere the search goes on."""
    system, q, rest = flexible
    history = system.accepted(0.0, q, system.contact(q, rest, 1e-6, jacobian=False).history)
    (known,), calls, search = history.contacts, [], evaluated.closest_points
    assert known.gaps is not None and len(known.gaps.slaves)
    monkeypatch.setattr(evaluated, "closest_points", lambda *words: calls.append(words) or search(*words))

    def forces(q, memory):
        answered = system.contact(q, replace(history, contacts=(memory,)), 1e-6, jacobian=True)
        return answered.force, answered.d_position

    with_gaps, found = forces(q, known), len(calls)
    without = forces(q, replace(known, gaps=None))
    assert found == 0 and len(calls) == 1 and np.abs(with_gaps[0]).max() > 0.0
    for one, other in zip(with_gaps, without, strict=True):
        np.testing.assert_array_equal(one, other)
    elsewhere = q.copy()
    elsewhere[-1] += 1e-9
    forces(elsewhere, known)
    assert len(calls) == 2


def test_cubes_that_collide_keep_momentum_and_energy():
    (one, skin), (other, corner) = block("one"), block("other")
    both = ("one", skin), ("other", corner)
    system = MultibodySystem((one, other), contacts=(contact(*both),))
    first, second = pose((0, 0, 0), (0.1, -0.05, 0.3)), pose((1.5, -1.0, 14.5), (0.6, 0.7, 0.2))
    v = np.concatenate([rates(first, (30, -10, 200), (3, -2, 4)), rates(second, (-20, 15, -900), (5, 4, -6))])
    states, _ = run(
        system, np.concatenate([first, second]), v, 3e-3, tolerance=1e-5, first_step=1e-4, largest_step=2e-4
    )

    def momenta(state):
        found = [
            p.momentum(state.q[at], state.v[at]) for p, at in zip(system.parts, system.ranges, strict=True)
        ]
        return np.sum(found, axis=0)

    linear, angular = momenta(states[0])
    size = 2e-3 * 900.0
    for state in states[1:]:
        now = momenta(state)
        np.testing.assert_allclose(now[0], linear, atol=1e-8 * size)
        np.testing.assert_allclose(
            now[1], angular, atol=1e-4 * size * 10.0
        )  # by the rotations' own error per step
    energies = [sum(system.energies(s.q, s.v, s.history)) for s in states]
    assert min(energies) < 0.9 * energies[0]  # part of it was in the contact
    assert energies[-1] == pytest.approx(energies[0], rel=0.02)
    assert not any(mask.any() for mask in states[-1].closed)
    # What the contact takes and gives back is in the balance.
    balance = EnergyBalance(system, states[0])
    for before, after in itertools.pairwise(states):
        balance.see(before, after)
    found = balance.summary()
    assert abs(found["taken by the integration"]) < 0.02 * energies[0]
    assert abs(found["work of contact"]) < 0.02 * energies[0]
    # Theorem: a smooth elastic blow has restitution one, whatever spins; and what one cube loses the other gains.
    tally = ContactTally(system, states[0])
    for number, (before, after) in enumerate(itertools.pairwise(states)):
        tally.see(before, after)
        if number % 7 == 0:
            again = ContactTally(system, states[0])
            again.restore(unpack(pack(tally.checkpoint())))
            tally = again
    told = tally.summary()["contacts"]["touch"]
    touch = told["strongest_touch"]
    assert told["touches"] == 1 and tally.restitutions == [touch["restitution"]]
    assert touch["restitution"] == pytest.approx(1.0, abs=0.03) and touch["approach_speed"] > 500.0
    assert 0.0 < touch["begins"] < touch["ends"] < 3e-3
    recorded = RecordedSystem(system, run=("impulse",))
    keys = [key.owner for key in Momenta().keys(recorded)]
    before, after = (
        np.array([*Momenta().values(recorded, SystemState(s, s.history))])[[name == "one" for name in keys]]
        for s in (states[0], states[-1])
    )
    gained = after - before
    assert np.linalg.norm(gained) == pytest.approx(touch["impulse"], rel=1e-2)
    np.testing.assert_allclose(tally.impulses()[0], -gained, atol=1e-6)


def sliding(angle, friction=COULOMB, cells=(1, 1, 1)):
    """Return (system, position at rest) of a block on a rigid plane whose weight is turned by an angle."""
    part, _ = block(size=FLAT)
    touch = contact(("ground", FLOOR), ("block", face(FLAT, cells)), friction=friction, stiffness=500.0)
    weight = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    system = MultibodySystem((Ground(), part), gravity=weight, contacts=(touch,))
    sunk = part.total_mass * G * np.cos(angle) / 100.0 / 500.0
    return system, pose((0.0, 0.0, 0.5 - sunk))


def test_a_block_comes_to_rest_on_a_plane_from_wherever_it_hovers():
    system, lying = sliding(0.0, friction=None, cells=(2, 2, 1))
    for height, turn in ((0.0, (0, 0, 0)), (0.3, (0.02, 0.01, 0.3)), (-1e-3, (0, 0, 0))):
        q = pose((0.0, 0.0, 0.5 + height), turn)
        found = find_equilibrium(system, q, system.resting_history(q, system.initial_history()), Silent())
        np.testing.assert_allclose(found.position[2], lying[2], atol=1e-9)
        (answer,) = system.contacts.respond(found.position, found.history.contacts, 0.0)
        assert answer.on_slave[2] == pytest.approx(2e-3 * G, rel=1e-6)
    # And stays there in time.
    states, _ = run(system, found.position, np.zeros(7), 5e-3, found.history)
    assert max(np.abs(s.q - found.position).max() for s in states) < 1e-7


@pytest.mark.parametrize(("share", "acts"), [(0.8, True), (0.8, False), (1.5, True)])
def test_a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above(share, acts):
    angle = np.arctan(share * MU)
    system, q = sliding(angle, COULOMB if acts else None)
    time = 0.02
    states, _ = run(system, q, np.zeros(7), time, largest_step=5e-4, tolerance=1e-4, first_step=1e-4)
    last = states[-1]
    if acts and share < 1.0:
        assert max(abs(s.q[0]) for s in states) < 1e-4  # the spring of the friction law
        rest = find_equilibrium(system, q, states[0].history, Silent())
        (answer,) = system.contacts.respond(rest.position, states[0].history.contacts, 0.0)
        assert answer.on_slave[0] == pytest.approx(-2e-3 * G * np.sin(angle), rel=1e-6)
        return
    expected = G * (np.sin(angle) - (MU * np.cos(angle) if acts else 0.0))
    # Once the law's spring is stretched.
    middle = states[len(states) // 2]
    assert (last.v[0] - middle.v[0]) / (last.time - middle.time) == pytest.approx(expected, rel=1e-4)
    balance = EnergyBalance(system, states[0])
    for before, after in itertools.pairwise(states):
        balance.see(before, after)
    rubbed = balance.summary()["friction work"]
    weight = 2e-3 * G * np.cos(angle)
    assert rubbed == pytest.approx(MU * weight * last.q[0] if acts else 0.0, rel=2e-3)
    if share > 1.0:
        with pytest.raises(SolveError, match="No static equilibrium"):
            find_equilibrium(system, q, states[0].history, Silent())


BALL = 4e-6 * np.diag([10.0, 10.0, 10.0])


@pytest.mark.parametrize("meshed", [False, True])
@pytest.mark.parametrize("held_back", [True, False])
def test_a_fast_ball_never_flies_through_a_thin_plate(meshed, held_back, monkeypatch):
    # In a step that errors and settings allow it flies thirty times its diameter.
    ball, _ = RigidPart("ball", 4e-6, BALL), None
    _, plate = block("plate", (20.0, 20.0, 1.0), (5, 5, 1))
    if meshed:
        _, cube = block("ball", (6.0, 6.0, 6.0), (2, 2, 2))
        touch = contact(("ground", plate), ("ball", cube), reach=4.0, stiffness=1e5)
    else:
        sphere = RigidSphere(np.zeros(3), 3.0)
        touch = contact(("ball", sphere), ("ground", plate), reach=2.0, stiffness=1e5)
    if not held_back:
        monkeypatch.setattr(MultibodySystem, "longest_approach", lambda *_: np.inf)
        monkeypatch.setattr(MultibodySystem, "has_overrun", lambda *_: False)
    system = MultibodySystem((Ground(), ball), contacts=(touch,))
    q = pose((0.3, 0.2, 50.0), (0.3, 0.2, 0.1))
    states, report = run(
        system, q, rates(q, (0.0, 0.0, -3e4)), 4e-3, tolerance=10.0, first_step=2e-3, largest_step=2e-3
    )
    below = min(s.q[2] for s in states) < -0.5
    assert below == (not held_back)
    if held_back:
        assert states[-1].v[2] > 0.0
        assert report.steps < 200


@pytest.mark.parametrize("kind", ["hht", "bdf"])
def test_the_impulse_of_a_contact_is_the_change_of_momentum(kind):
    part, _ = block(size=FLAT)
    touch = contact(("ground", FLOOR), ("block", face(FLAT)), friction=COULOMB, stiffness=50.0)
    system = MultibodySystem((Ground(), part), gravity=(0.0, 0.0, -G), contacts=(touch,))
    q = pose((0.0, 0.0, 2.0), (0.1, 0.05, 0.0))
    states, _ = run(
        system, q, rates(q, (100.0, 0.0, -500.0)), 6e-3, tolerance=1e-4, largest_step=1e-3, kind=kind
    )
    tally = ContactTally(system, states[0])
    for before, after in itertools.pairwise(states):
        tally.see(before, after)
    first, last = states[0], states[-1]
    gained = 2e-3 * (last.v[:3] - first.v[:3] + np.array([0.0, 0.0, G]) * (last.time - first.time))
    assert gained[2] > 1.0 and gained[0] < -0.01
    np.testing.assert_allclose(tally.impulses()[0], gained, atol=1e-6 * gained[2])


def test_a_system_without_contacts_has_none():
    part, _ = block()
    system = MultibodySystem((Ground(), part))
    q, history = pose(), system.initial_history()
    assert system.contact(q, history, 0.0, jacobian=True) is None and history.contacts == ()
    states, _ = run(system, q, rates(q, (1.0, 0.0, 0.0)), 1e-3)
    assert states[-1].contact_a is None


def test_a_system_without_contacts_runs_none_of_their_code():
    """Its steps cost what they cost before there were contacts: no call of theirs in any of them."""
    called, room = [], str(Path(contacts.__file__).parent)
    asked = ("longest_approach", "has_overrun", "but", "_followed")  # by each step of a system that may touch

    def seen(frame, event, argument):
        code = frame.f_code
        if event == "call" and (code.co_filename.startswith(room) or code.co_name in asked):
            called.append(code.co_name)

    def steps(touching):
        part, surface = block("block")
        touches = [contact(("ground", FLOOR), ("block", surface), stiffness=50.0)] if touching else []
        system = MultibodySystem((Ground(), part), contacts=touches)
        q, times = pose((0.0, 0.0, 50.0)), []

        def accepted(before, after):
            times.append(after.time)
            if len(times) == 5:  # behind the start, before the end
                sys.setprofile(seen)
            if len(times) == 15:
                sys.setprofile(None)

        start = consistent_start(system, 0.0, q, np.zeros(system.n), system.initial_history())
        scheme = integrators["hht"](fixed_step=True, first_step=1e-6, largest_step=1e-6)
        try:
            scheme.integrate(system, start, 2e-5, accepted, Silent())
        finally:
            sys.setprofile(None)
        assert len(times) >= 15

    steps(False)
    assert not called
    steps(True)
    assert called
