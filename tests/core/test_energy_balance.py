"""The energy balance of a motion: what drives give, what friction and damping take, and what is left over."""

from dataclasses import dataclass

import numpy as np
import pytest

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.reduction.body import JointRows
from faying.solvers.balance import EnergyBalance, Supply, Touching
from faying.solvers.integrators import State
from support.systems import BAR, DOWN_Y, jointed_plates_model, moved, system_of

LEFT_TO_GROUND = {"first": "ground.origin", "second": "bar.left"}


def swinging(**more):
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    part = {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0)}}
    return system_of(**({"parts": [part], "gravity": DOWN_Y, "constraints": [hinge]} | more))


def test_a_drive_gives_what_the_bar_gains(tmp_path):
    """Theorem: ½ J ω² with J = 1/3 about the pin."""
    drive = {
        "kind": "prescribed_angular_speed", "name": "drive", **LEFT_TO_GROUND, "speed": 6.0,
        "time_history": {"kind": "haversine", "rise_time": 0.1},
    }  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    spec = swinging(gravity=(0, 0, 0), constraints=[hinge, drive])
    balance = moved(spec, tmp_path, 0.12, tolerance=1e-6, largest_step=1e-3).report["energy_balance"]
    assert balance["work of drives"] == pytest.approx(0.5 / 3.0 * 36.0, rel=1e-4)
    assert balance["taken by the integration"] == pytest.approx(0.0, abs=1e-3)


def test_a_damper_takes_what_the_weight_gives(tmp_path):
    brake = {
        "kind": "torsion_spring", "name": "brake", **LEFT_TO_GROUND, "stiffness": 2.0, "damping": 0.5,
    }  # fmt: skip
    results = moved(swinging(forces=[brake]), tmp_path, 0.3, tolerance=1e-6, largest_step=2e-3)
    time, angle = results.values, results.curve("hinge angle")
    taken = 0.5 * np.trapezoid(np.gradient(angle, time) ** 2, time)
    stored = 0.5 * 2.0 * angle[-1] ** 2
    assert results.curve("work of forces")[-1] == pytest.approx(-taken - stored, rel=2e-3)
    # The last step ends after the last frame.
    assert abs(results.report["energy_balance"]["taken by the integration"]) < 1e-3 * taken


def test_a_joint_that_rubs_in_motion_is_in_balance(tmp_path):
    """Theorem: work of the push = energy + friction + damping + what the scheme takes, which is little here."""
    plates = jointed_plates_model()
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "stiffness_damping": 1e-7}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "time_history": {"kind": "haversine", "rise_time": 1e-4}}],
    )  # fmt: skip
    results = moved(
        spec,
        tmp_path,
        2e-4,
        {"plates": plates},
        frames=20,
        tolerance=1e-6,
        first_step=1e-7,
        largest_step=2e-6,
    )
    balance = results.report["energy_balance"]
    assert balance["friction work"] > 0.0
    assert balance["damping work"] > 0.0
    assert (np.diff(results.curve("damping work")) >= 0.0).all()
    assert abs(balance["taken by the integration"]) < 1e-3 * balance["work of forces"]


@dataclass(frozen=True)
class Pushed:
    """Approach and slip of one pair of 2 mm² under a load and a damper, in closed form; it moves as it is told."""

    joint: JointForce

    def touching(self, q, history, time_step):
        answer = self.joint.evaluate(q, history, time_step, jacobian=False)
        return Touching(self.joint.stored_energy(answer), self.joint.friction_force(answer))

    def supply(self, state):
        return Supply(3.0 + 4.0 * state.time, np.array([5.0 - 100.0 * state.q[0], 7.0]))

    def dissipation(self, rates):
        return float(0.5 * rates @ rates)

    def own_energies(self, q, v):
        return 0.5 * float(v @ v), 20.0 * float(q @ q)


def test_every_work_is_the_integral_along_the_way():
    """Closed forms of springs that all forces are here: the trapezoidal rule is exact, one end of a step is not."""
    rows = JointRows(
        "joint", np.array([[-1.0, 0.0]]), np.array([[[0.0, 1.0], [0.0, 0.0]]]), np.array([2.0]), np.zeros(1),
        np.zeros((1, 6)), np.zeros((1, 2, 6)),
    )  # fmt: skip
    friction = Coulomb(friction_coefficient=1.0, sticking_stiffness=40.0, sliding_stiffness=0.0)
    joint = JointForce(rows, LinearPenalty(stiffness=100.0), friction)
    system, speed, history = Pushed(joint), np.array([0.1, 0.02]), joint.initial_history()

    def state(time, history):
        q = np.array([0.2, 0.0]) + time * speed
        return State(time, q, speed * (1.0 + time), np.zeros(2), np.zeros(0), history)

    history = joint.evaluate(state(0.0, history).q, history, 0.0, jacobian=False).history
    states = [state(0.0, history)]
    balance = EnergyBalance(system, states[0])
    for time in (0.4, 1.0):
        answer = joint.evaluate(states[-1].q + (time - states[-1].time) * speed, history, 0.1, jacobian=False)
        balance.see(states[-1], state(time, answer.history))
        history = answer.history
        states.append(state(time, history))
    works = {
        "work of drives": 3.0 + 2.0,
        "work of forces": 0.1 * 5.0 - 50.0 * (0.3**2 - 0.2**2) + 7.0 * 0.02,
        "work of contact": -2.0 * 50.0 * (0.3**2 - 0.2**2),
        "friction work": 2.0 * 20.0 * 0.02**2,
        "damping work": 0.5 * speed @ speed,
    }
    assert balance.curves() == pytest.approx(works, rel=1e-12)
    summary = balance.summary()
    change = 0.5 * speed @ speed * (4.0 - 1.0) + 20.0 * (states[-1].q @ states[-1].q - 0.04)
    given = works["work of drives"] + works["work of forces"] + works["work of contact"]
    taken = works["friction work"] + works["damping work"]
    assert summary["change of energy"] == pytest.approx(change, rel=1e-12)
    assert summary["taken by the integration"] == pytest.approx(given - taken - change, rel=1e-12)
    sizes = sum(abs(work) for work in works.values())
    assert summary["turned over"] == pytest.approx(2.0 * speed @ speed + sizes, rel=1e-12)
    half = balance.curves(0.5)["work of drives"]
    assert half == pytest.approx(5.0 - 0.5 * (3.0 * 0.6 + 2.0 * (1.0 - 0.16)), rel=1e-12)


class Resting:
    """A mass of 0.1 kg that lies so high that its energy is known to 1e-16 J, as it trembles by round-off."""

    def touching(self, q, history, time_step):
        return Touching(0.0, np.zeros(1))

    def supply(self, state):
        return Supply(0.0, np.zeros(1))

    def dissipation(self, rates):
        return 0.0

    def own_energies(self, q, v):
        return 0.05 * float(v @ v), 0.1 * 9.81 * (0.7 + float(q[0]))


@pytest.mark.parametrize(("drift", "lost"), [(3e-16, False), (1e-9, True)])
def test_round_off_of_the_energy_of_weight_is_no_energy_that_the_integration_made(drift, lost):
    """A rest turns over 1e-26 J or so: every digit that its height does not have would be a multiple of that."""
    state = [
        State(t, np.array([t * drift]), np.full(1, 1e-12), np.zeros(1), np.zeros(0), None) for t in (0, 1)
    ]
    system = Resting()
    balance = EnergyBalance(system, state[0])
    balance.see(*state)
    summary = balance.summary()
    assert summary["change of energy"] != 0.0 and summary["turned over"] < 1e-24
    assert (summary["taken by the integration"] != 0.0) == lost


def test_a_balance_that_is_no_number_stays_none():
    state = State(0.0, np.zeros(1), np.full(1, np.nan), np.zeros(1), np.zeros(0), None)
    balance = EnergyBalance(Resting(), state)
    assert np.isnan(balance.summary()["taken by the integration"])
