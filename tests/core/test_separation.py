"""Separation of modes: fast coordinates follow their statics, and the run says how good that was.

Kinds of reference: closed forms, identity with the scheme alone, the whole inertia integrated with small steps.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.transient import Transient
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.progress import Silent
from faying.results.results import Results
from faying.solvers.integrators import (
    Forces,
    State,
    Unconstrained,
    consistent_start,
    integrators,
)
from faying.solvers.separation import SeparationCheck
from support.flexible_bodies import with_joint_modes
from support.plates import jointed_plates
from support.stops import LINEAR, stopped
from support.systems import jointed_plates_model, system_of
from support.systems import moved as moved_system

ALL = sorted(integrators)


class Chain(Unconstrained):
    """A slow mass under a load that turns on it, and a fast one that hangs on it and is loaded too."""

    n, scales = 2, np.ones(2)
    separable_stiffness = np.array([0.0, 1e4])

    def __init__(self, fast_mass=1e-6):
        self._mass = np.array([[1.0, 1e-4], [1e-4, fast_mass]])
        self.stiffness = np.diag([1.0, 1e4])

    def mass(self, q):
        return self._mass

    def force(self, time):
        return np.array([0.0, 5.0 * (1.0 - np.cos(2.0 * time))])

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(self.force(time) - self.stiffness @ q, -self.stiffness)


def run(kind, system, end=2.0 * np.pi, **settings):
    start = consistent_start(system, 0.0, np.array([1.0, 0.0]), np.zeros(2), system.initial_history())
    states, member = (
        [start],
        integrators[kind](tolerance=1e-5, first_step=1e-3, largest_step=0.05, **settings),
    )
    check = SeparationCheck(system, member.fast_coordinates(system, start.q))

    def accepted(before, after):
        assert before is states[-1]
        states.append(after)
        check.see(before, after)

    report = member.integrate(system, start, end, accepted, Silent())
    return states, report, check


@pytest.mark.parametrize("kind", ALL)
def test_with_nothing_to_separate_it_is_the_scheme_alone(kind):
    system = Chain()
    alone, _, _ = run(kind, system)
    same, _, check = run(kind, system, separate_modes=True, separation_frequency=1e6)
    assert check.count == 0 and check.summary() == {} and check.curves() == {}
    np.testing.assert_array_equal([s.q for s in alone], [s.q for s in same])


@pytest.mark.parametrize("kind", ALL)
def test_a_fast_coordinate_follows_its_statics_and_a_slow_one_its_motion(kind):
    states, report, check = run(kind, Chain(), separate_modes=True)
    assert check.count == 1
    fast = np.array([s.q[1] for s in states])
    wanted = np.array([5e-4 * (1.0 - np.cos(2.0 * s.time)) for s in states])
    # From the first step on, to what the iteration leaves.
    np.testing.assert_allclose(fast, wanted, atol=1e-7)
    slow = np.array([s.q[0] for s in states])
    np.testing.assert_allclose(slow, np.cos([s.time for s in states]), atol=0.03)
    assert report.steps < 2000


def test_velocities_of_fast_coordinates_are_those_of_their_places():
    states, _, _ = run("hht", Chain(), separate_modes=True)
    for before, after in pairwise(states):
        assert after.v[1] == pytest.approx((after.q - before.q)[1] / (after.time - before.time))


class Struck(Unconstrained):
    """A slow mass 1 flies on a fast coordinate, which gives way: a stiff pair in series with a compliant surface."""

    n, scales = 2, np.ones(2)
    separable_stiffness = np.array([0.0, 1e4])
    pair = 1e6

    def mass(self, q):
        return np.diag([1.0, 1e-6])

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(-self.separable_stiffness * q, -np.diag(self.separable_stiffness))

    law = LINEAR

    def contact(self, q, history, time_step, *, jacobian, before=None, last=None):
        return stopped(q[0] + q[1], np.ones(2), self.pair, before, self.law)


@pytest.mark.parametrize("kind", ALL)
def test_a_blow_on_a_surface_that_follows_its_statics_does_not_ring(kind):
    """Closed form: half a sine of the mass on both springs in series. Few steps, whatever the tolerance is."""
    system, step = Struck(), 1e-3
    spring = 1.0 / (1.0 / system.pair + 1.0 / system.separable_stiffness[1])
    start = consistent_start(system, 0.0, np.array([2e-4, 0.0]), np.array([-1.0, 0.0]), None)
    for tolerance in (1e-3, 1e-6):
        states, member = (
            [start],
            integrators[kind](
                tolerance=tolerance,
                first_step=step,
                largest_step=step,
                separate_modes=True,
                separation_frequency=1e3,
            ),
        )
        report = member.integrate(system, start, 0.06, lambda _, after, s=states: s.append(after), Silent())
        pushed = np.array([system.separable_stiffness[1] * s.q[1] for s in states])
        assert pushed.max() == pytest.approx(np.sqrt(spring), rel=0.03 if tolerance < 1e-5 else 0.1)
        # One rise and one fall, as the force has.
        turns = np.diff(np.sign(np.diff(pushed[pushed > 1e-6 * pushed.max()])))
        assert (turns[turns != 0] < 0).sum() == 1 and (turns > 0).sum() == 0
        # At every step the surface is in balance with the pair.
        pairs = np.array([-system.pair * min(s.q[0] + s.q[1], 0.0) for s in states])
        np.testing.assert_allclose(pushed, pairs, atol=1e-3 * pushed.max())
        assert report.rejected_by_iteration == 0


class StruckByHertz(Struck):
    """The same with a pair that stiffens as it closes: no correction of Newton's is the last one."""

    pair = 2e7
    law = contact_laws["power_function"](exponent=1.5, reference_penetration=1.0, reference_pressure=1.0)


@pytest.mark.parametrize("kind", ALL)
def test_what_contact_seems_to_have_given_is_what_the_mass_has_got(kind):
    """Newton's second law, however rough the tolerance: forces are told where the statics of the step's end are."""
    system, states = StruckByHertz(), []
    start = consistent_start(system, 0.0, np.array([2e-4, 0.0]), np.array([-1.0, 0.0]), None)
    member = integrators[kind](
        tolerance=1e-2, first_step=1e-3, largest_step=1e-3, separate_modes=True, separation_frequency=1e3
    )
    member.integrate(system, start, 0.06, lambda before, after: states.append((before, after)), Silent())

    def force(state):
        return system.contact(state.q, None, 0.0, jacobian=False).force[0]

    given = 0.0
    for before, after in states:
        goes_on = after.continued is not None and bool(after.continued.before[0].lasting[0])
        mean = 0.5 * (force(before) + force(after)) if goes_on else force(after)
        given += (after.time - before.time) * mean
    gained = states[-1][1].v[0] + 1.0
    assert gained > 1.5 and not force(states[-1][1])
    assert given == pytest.approx(gained, rel=1e-6)


def test_what_was_left_out_is_measured():
    """Closed form: of m (5e-4 (1 − cos 2t))'' against 5 (1 − cos 2t), over whole periods."""
    _, _, light = run("hht", Chain(), separate_modes=True)
    _, _, heavy = run("hht", Chain(fast_mass=1e3), separate_modes=True, separation_frequency=1e-3)
    assert light.count == heavy.count == 1
    assert light.summary()["separation_ratio"] < 1e-3
    assert heavy.summary()["separation_ratio"] == pytest.approx(np.sqrt(2.0 / 37.5), rel=0.02)


def test_the_curve_is_the_mean_of_the_steps_between_two_frames_weighted_by_their_length():
    """Closed form: m a against k x of one coordinate; earlier steps count no more, the largest k x does."""
    mass, stiffness, fast = 1e-2, 1e4, np.array([False, True])
    check = SeparationCheck(Chain(fast_mass=mass), fast)

    def step(time, length, acceleration, place):
        before = State(time, np.array([0.0, place]), np.zeros(2), np.zeros(2), np.zeros(0), None)
        after = replace(before, time=time + length, v=np.array([0.0, length * acceleration]))
        check.see(before, after)

    # Nothing seen, and nothing deformed yet.
    assert check.curves() == {"separation ratio": 0.0} and check.summary()["separation_ratio"] == 0.0
    step(-1.0, 0.5, 30.0, 0.0)
    assert check.curves() == {"separation ratio": 0.0}
    check = SeparationCheck(Chain(fast_mass=mass), fast)
    for a, length in ((30.0, 0.25), (50.0, 0.75)):
        step(0.0, length, a, 2e-3)
    mean = np.sqrt(0.25 * 30.0**2 + 0.75 * 50.0**2)
    assert check.curves()["separation ratio"] == pytest.approx(mass * mean / (stiffness * 2e-3))
    assert check.curves()["separation ratio"] == pytest.approx(
        mass * mean / (stiffness * 2e-3)
    )  # no step since
    step(1.0, 0.5, 70.0, 1e-3)
    assert check.curves()["separation ratio"] == pytest.approx(mass * 70.0 / (stiffness * 2e-3))
    left_out = mass**2 * (mean**2 + 0.5 * 70.0**2)
    stored = stiffness**2 * (2e-3**2 + 0.5 * 1e-3**2)
    assert check.summary()["separation_ratio"] == pytest.approx(np.sqrt(left_out / stored))


def test_only_those_above_the_frequency_are_fast():
    member = integrators["hht"](separate_modes=True, largest_step=1e-3)  # 1e5 rad/s are 16 kHz
    assert member.fast_coordinates(Chain(), np.zeros(2)).tolist() == [False, True]
    for slower in (member.with_(largest_step=1e-5), member.with_(separation_frequency=2e4)):
        assert not slower.fast_coordinates(Chain(), np.zeros(2)).any()


# --- a jointed body


@pytest.fixture(scope="module")
def body():
    plates = jointed_plates()
    joint = JointModel("joint", plates.pairs, LinearPenalty(stiffness=1e4), None)
    return BodyModel("plates", with_joint_modes(plates, 6), (joint,), plates.interfaces)


def moved(body, target, **integrator):
    impulse = LoadSpec(
        interface="TIP", force=(0.0, 0.0, -200.0), time_history={"kind": "haversine", "rise_time": 1e-3}
    )
    analysis = Transient(
        name="swing", body="plates", support="HOLD", loads=(impulse,), duration=4e-3, frames=50,
        integrator={"kind": "hht", "tolerance": 1e-3, "largest_step": 5e-5, **integrator},
    )  # fmt: skip
    report = analysis.run(body, target, Silent())
    return Results(target), report


def test_a_jointed_body_moves_as_with_all_of_its_inertia(body, tmp_path):
    whole, _ = moved(body, tmp_path / "whole.h5")
    apart, report = moved(body, tmp_path / "apart.h5", separate_modes=True, separation_frequency=1.0)
    assert report["separated_modes"] == 6
    tip, wanted = apart.curve("TIP uz"), whole.curve("TIP uz")
    assert np.abs(tip - wanted).max() < 0.02 * np.abs(wanted).max()
    ratio = apart.curve("separation ratio")
    assert ratio.shape == tip.shape and np.isfinite(ratio).all() and ratio.max() > 0.0
    assert "separation ratio" not in whole.curve_names
    energies = [r.curve("kinetic energy") + r.curve("elastic energy") for r in (apart, whole)]
    assert energies[0].max() <= 1.05 * energies[1].max()


def test_a_jointed_part_moves_as_with_all_of_its_inertia(tmp_path):
    """The plates swing about an axle at HOLD under a blow at TIP; their frame is that of their mean motion."""
    model = jointed_plates_model()
    axle = {"kind": "revolute", "name": "axle", "first": "ground.wall", "second": "plates.across"}
    push = {
        "kind": "point_force", "name": "blow", "marker": "plates.TIP", "force": (0, 0, -50.0),
        "time_history": {"kind": "haversine", "rise_time": 2e-3},
    }  # fmt: skip
    across = {"name": "across", "interface": "HOLD", "rotation": (np.pi / 2, 0, 0)}
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0), "rotation": (np.pi / 2, 0, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "markers": [across]}],
        constraints=[axle], forces=[push],
    )  # fmt: skip
    tips = []
    for name, more in (("whole", {}), ("apart", {"separate_modes": True, "separation_frequency": 1.0})):
        folder = tmp_path / name
        folder.mkdir()
        settings = {"frames": 40, "largest_step": 5e-5, "tolerance": 1e-4, "first_step": 1e-6, "alpha": -0.1}
        results = moved_system(spec, folder, 4e-3, {"plates": model}, **settings, **more)
        tips.append(results.curve("plates.TIP z"))
    assert results.report["separation_ratio"] < 0.1
    assert np.isfinite(results.curve("separation ratio")).all()
    np.testing.assert_allclose(tips[1], tips[0], atol=0.02 * np.ptp(tips[0]))
