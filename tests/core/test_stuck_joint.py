"""A joint that sticks and never opens is a linear spring: its motion has the scheme's order, damping and energy.

Where it slips and is damped, steps take few corrections.

References: modes of the linear body in closed form; the amplification matrix of the scheme (Hughes 1987, section 9.3).
"""

import itertools

import numpy as np
import pytest
import scipy.linalg as la

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.progress import Silent
from faying.solvers.balance import EnergyBalance
from faying.solvers.clamped_body import ClampedBody
from faying.solvers.integrators import Delegated, consistent_start
from faying.solvers.integrators.generalized_alpha import GeneralizedAlpha
from faying.solvers.integrators.hht import Hht
from support.systems import jointed_plates_model

STIFFNESS, PRESSURE = 5e4, 20.0  # N/mm³, N/mm²
STICKS = Coulomb(friction_coefficient=10.0, sticking_stiffness=3e4, sliding_stiffness=0.0)


class Stuck:
    """Plates that a uniform pressure clamps together, held at one end, and the modes of the linear body they are."""

    def __init__(self, friction=STICKS, force=0.0, stiffness_damping=0.0):
        body = jointed_plates_model().reduced.clamped_to("HOLD")
        (rows,) = body.joints
        joint = JointForce(rows, LinearPenalty(stiffness=STIFFNESS), friction)
        joint = joint.lifted(np.full(len(rows.weights), PRESSURE / STIFFNESS))
        clamp = -rows.normal.T @ (rows.weights * PRESSURE)
        shaken = body.interfaces["TIP"][:3].T @ np.array([5.0 * force, 0.0, force])

        def load(time):
            return clamp + np.sin(2e4 * time) * shaken

        self.system = ClampedBody(body, [joint], load, stiffness_damping)
        self.rest = np.zeros(body.n_coordinates)
        self.history = self.system.resting_history(self.rest)
        tangent = joint.evaluate(self.rest, self.history[0], 0.0, jacobian=True).jacobian
        self.stiffness = body.stiffness - tangent
        squares, self.modes = la.eigh(self.stiffness, body.mass)
        self.rates = np.sqrt(squares)

    def start(self, q):
        return consistent_start(self.system, 0.0, q, np.zeros_like(q), self.history)

    def swings(self, integrator, step, swings, fast=0.0):
        """Return the states of a free vibration in the first mode, beside it the fastest with a change of the gaps."""
        gaps = np.abs(self.system.joints[0].rows.normal @ self.modes).max(axis=0)
        shape = self.modes[:, 0] * 1e-3 / np.abs(self.modes[:, 0]).max() + self.modes[:, -1] * fast / gaps[-1]
        start = self.start(shape)
        states = [start]
        run = integrator.with_(tolerance=1e-9, fixed_step=True, largest_step=step)
        run.integrate(
            self.system, start, swings * 2 * np.pi / self.rates[0], lambda _, s: states.append(s), Silent()
        )
        return states


@pytest.fixture(scope="module")
def stuck():
    return Stuck()


SCHEMES = {
    "hht mild": (Hht(alpha=-0.05), 0.0, 0.05),
    "hht": (Hht(alpha=-0.3), 0.0, 0.3),
    "generalized-α": (GeneralizedAlpha(spectral_radius=0.6), 0.125, 0.375),
}


@pytest.fixture(params=sorted(SCHEMES))
def scheme(request):
    return SCHEMES[request.param]


def damping_ratio(alpha_m, alpha_f, phase):
    """Return that of the scheme for ω h = phase, by eigenvalues of its amplification matrix over (d, h v, h² a)."""
    gamma, beta, square = 0.5 - alpha_m + alpha_f, 0.25 * (1.0 - alpha_m + alpha_f) ** 2, phase**2
    after = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - alpha_f) * square, 0, 1 - alpha_m]])
    before = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-alpha_f * square, 0, -alpha_m]])
    return ratio_of(np.linalg.eigvals(np.linalg.solve(after, before)))


def ratio_of(eigenvalues):
    """Return the damping ratio of the vibration among the eigenvalues of a step."""
    largest = eigenvalues[np.argmax(np.abs(eigenvalues.imag))]
    return -np.log(np.abs(largest)) / np.abs(np.angle(largest))


@pytest.mark.parametrize(("steps", "fast"), [(20, 0.0), (40, 0.0), (40, 0.5)])
def test_a_stuck_joint_is_damped_as_the_scheme_damps_a_spring(stuck, scheme, steps, fast):
    """Theory: the amplification matrix. With the mean of contact forces it was 14 % less.

    Nor does it change with a vibration too fast for the steps, by whose velocity the joint would open at once.
    """
    integrator, alpha_m, alpha_f = scheme
    period = 2 * np.pi / stuck.rates[0]
    states = stuck.swings(integrator, period / steps, 12, fast * PRESSURE / STIFFNESS)
    assert all(state.closed[0].all() for state in states)
    amplitudes = np.array([stuck.modes[:, 0] @ stuck.system.mass(s.q) @ s.q for s in states[steps:]])
    # In free vibration each step follows from the last two.
    known = np.column_stack([amplitudes[1:-1], amplitudes[:-2]])
    first, second = np.linalg.lstsq(known, amplitudes[2:])[0]
    measured = ratio_of(np.roots([1.0, -first, -second]))
    assert measured == pytest.approx(damping_ratio(alpha_m, alpha_f, 2 * np.pi / steps), rel=0.01)


def test_a_stuck_joint_moves_with_second_order(stuck, scheme):
    """Closed form: two modes of the linear body."""
    q = stuck.modes[:, 0] * 1e-3 / np.abs(stuck.modes[:, 0]).max()
    q += stuck.modes[:, 1] * 5e-4 / np.abs(stuck.modes[:, 1]).max()
    amounts = stuck.modes.T @ stuck.system.mass(q) @ q
    end, errors = 2.0 * 2 * np.pi / stuck.rates[0], []
    for steps in (100, 200, 400):
        states = []
        run = scheme[0].with_(tolerance=1e-10, fixed_step=True, largest_step=end / steps)
        run.integrate(stuck.system, stuck.start(q), end, lambda _, s, to=states: to.append(s), Silent())
        exact = [stuck.modes @ (amounts * np.cos(stuck.rates * s.time)) for s in states]
        errors.append(max(np.abs(s.q - right).max() for s, right in zip(states, exact, strict=True)))
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, atol=0.1)


def test_the_energy_of_a_joint_that_never_opens_goes_where_the_scheme_says(stuck):
    """Theory: HHT takes 1 − exp(−4 π ζ) of a vibration's energy in each swing."""
    steps, swings = 40, 12
    period = 2 * np.pi / stuck.rates[0]
    states = stuck.swings(Hht(alpha=-0.05), period / steps, swings)
    balance = EnergyBalance(stuck.system, states[0])
    for before, after in itertools.pairwise(states):
        balance.see(before, after)
    found = balance.summary()
    q = states[0].q
    stored = 0.5 * q @ stuck.stiffness @ q
    lost = 1.0 - np.exp(-4 * np.pi * damping_ratio(0.0, 0.05, 2 * np.pi / steps) * swings)
    assert 2e-3 < lost < 4e-3
    assert found["taken by the integration"] / stored == pytest.approx(lost, rel=0.05)


class Counted(Delegated):
    """A system that counts how often its contact is asked for, without and with a Jacobian."""

    def __init__(self, system):
        super().__init__(system)
        self.asked = [0, 0]

    def contact(self, q, history, time_step, *, jacobian, before=None, last=None):
        self.asked[jacobian] += 1
        return super().contact(q, history, time_step, jacobian=jacobian, before=before, last=last)


@pytest.mark.parametrize("alpha", [-0.05, -0.3])
def test_friction_under_preload_and_damping_takes_few_corrections(alpha):
    """Pairs slip and part at the rim; damping of fast joint modes saw a part of the velocity by contact, and a third of
    all tries failed."""
    slipping = Coulomb(friction_coefficient=0.15, sticking_stiffness=3e4, sliding_stiffness=0.0)
    shaken = Stuck(slipping, force=100.0, stiffness_damping=2e-6)
    system, states = Counted(shaken.system), []
    report = Hht(alpha=alpha, tolerance=1e-4, first_step=1e-6, largest_step=1e-5).integrate(
        system, shaken.start(shaken.rest), 1e-3, lambda _, state: states.append(state), Silent()
    )
    slips = max(len(np.unique(state.history[0][:, 3])) for state in states)
    assert slips > 2 and len({int(state.closed[0].sum()) for state in states}) > 1
    tries = report.steps + report.rejected_by_error + report.rejected_by_iteration
    assert report.rejected_by_iteration <= 0.05 * tries
    assert system.asked[True] <= 4 * report.steps and system.asked[False] <= 15 * report.steps
