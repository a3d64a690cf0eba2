"""One time step is a pure function of what the last one hands over; all integrators take it by the same walk."""

import numpy as np
import pytest

from faying.packed import pack, unpack
from faying.progress import Silent
from faying.solvers.integrators import (
    ContactForces,
    Forces,
    State,
    Unconstrained,
    consistent_start,
    integrators,
    interpolate,
)
from faying.solvers.integrators._newton import Accuracy
from faying.solvers.integrators._step import (
    Carried,
    Method,
    begin,
    contact_inertia,
    judge,
    longest_step,
    take_step,
)
from faying.testing.pendulum import Pendulum
from support.stops import stopped


class Pressed(Unconstrained):
    """Two masses on a spring between them; the first one bounces on a stiff stop."""

    n, scales = 2, np.ones(2)

    def __init__(self):
        self._mass = np.diag([1.0, 3.0])

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        spring = np.array([[50.0, -50.0], [-50.0, 50.0]])
        return Forces(-np.array([1.0, 10.0]) - spring @ q, -spring)

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q[0], np.eye(2)[0], 1e5, before)


class Spinning(Pendulum):
    """The pendulum, of which is said that something turns in it."""

    def fastest_spin(self, v):
        return 40.0


SYSTEMS = {
    "pendulum": (Pendulum(), np.array([1.0, 0.0]), np.zeros(2)),
    "contact": (Pressed(), np.array([1e-4, 1e-4]), np.array([-0.5, -0.5])),
}


def method_of(kind, system, **settings):
    scheme = integrators[kind](**settings)
    accuracy = Accuracy.of(system, scheme.tolerance, scheme.iterations)
    return Method(
        system, scheme.scheme(), accuracy, scheme.largest_step, scheme.largest_rotation, scheme.fixed_step
    )


def same(one: Carried, other: Carried) -> bool:
    return pack(one) == pack(other)


@pytest.mark.parametrize("kind", sorted(integrators))
@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_step_changes_nothing_and_gives_the_same_twice(kind, name):
    """Steps that stand, steps that are refused; also from what was read back from a file."""
    system, q, v = SYSTEMS[name]
    method = method_of(kind, system, tolerance=1e-5, largest_step=1e-2)
    start = consistent_start(system, 0.0, q, v, None)
    carried, seen = begin(method, start, 1e-2), set()
    for _ in range(60):
        state = carried.state
        inertia = None
        if state.contact_a is not None:
            inertia = contact_inertia(system, state.time, state.q, state.history)
        before = pack(carried)
        outcome = take_step(method, carried, inertia)
        assert pack(carried) == before
        assert same(take_step(method, carried, inertia).carried, outcome.carried)
        assert same(take_step(method, unpack(before), inertia).carried, outcome.carried)
        if not outcome.accepted:
            assert outcome.carried.state is carried.state
            assert outcome.carried.length < carried.length
        seen.add(outcome.accepted)
        carried = outcome.carried
    assert True in seen and carried.state.time > 0.0
    if name == "contact" and kind != "bdf":
        assert False in seen  # it meets the stop


@pytest.mark.parametrize("kind", sorted(integrators))
def test_a_run_is_that_walk(kind):
    system, q, v = SYSTEMS["contact"]
    settings = {"tolerance": 1e-5, "largest_step": 1e-2, "first_step": 1e-3}
    method, start = method_of(kind, system, **settings), consistent_start(system, 0.0, q, v, None)
    states = [start]
    report = integrators[kind](**settings).integrate(
        system, start, 0.2, lambda before, after: states.append(after), Silent()
    )
    carried, inertia, walked, refused = (
        begin(method, start, 1e-3),
        contact_inertia(system, 0.0, q, None),
        [start],
        0,
    )
    while carried.state.time < 0.2:
        outcome = take_step(method, carried, inertia)
        carried, inertia = outcome.carried, outcome.inertia
        walked += [carried.state] if outcome.accepted else []
        refused += not outcome.accepted
    assert [pack(s) for s in walked] == [pack(s) for s in states]
    assert report.steps == len(walked) - 1
    assert report.rejected_by_error + report.rejected_by_iteration == refused


def test_the_least_of_all_limits_counts():
    system, q, v = Spinning(), *SYSTEMS["pendulum"][1:]
    start = consistent_start(system, 0.0, q, v, None)
    method = method_of("hht", system, largest_step=1e-2, largest_rotation=0.1)
    assert longest_step(method, start) == pytest.approx(0.1 / 40.0)
    assert begin(method, start, 1e-2).length == pytest.approx(0.9 * 0.1 / 40.0)
    fixed = method_of("hht", system, largest_step=1e-2, largest_rotation=0.1, fixed_step=True)
    assert longest_step(fixed, start) == 1e-2


def test_a_cubic_between_two_states_is_found_again():
    """Analytical: places and velocities of polynomials of third order; in the middle, near the ends, and at them."""
    rng = np.random.default_rng(8)
    cubics = [np.polynomial.Polynomial(c) for c in rng.normal(size=(5, 4))]

    def at(time):
        q, v, a = (np.array([each.deriv(k)(time) if k else each(time) for each in cubics]) for k in range(3))
        return State(time, q, v, a, np.zeros(0), None)

    before, after = at(0.7), at(1.1)
    for time in (0.7, 0.74, 0.9, 1.05, 1.1):
        q, v = interpolate(before, after, time)
        np.testing.assert_allclose(q, at(time).q, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(v, at(time).v, rtol=1e-11, atol=1e-11)


class Balking(Unconstrained):
    """A mass with a force that is no number in steps longer than a limit, until a given time."""

    n, scales = 1, np.ones(1)

    def __init__(self, limit, until):
        self.limit, self.until, self._mass = limit, until, np.eye(1)

    def initial_history(self):
        return 0.0

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(np.ones(1), np.zeros((1, 1)))

    def contact(self, q, history, time_step, *, jacobian, before=None):
        balks = time_step > self.limit and history < self.until
        force = np.full(1, np.nan if balks else 0.0)
        return ContactForces(force, history, np.zeros((1, 1)), closed=(np.zeros(1, bool),))

    def accepted(self, time, q, history, v=None, multipliers=None):
        return time


@pytest.mark.parametrize("kind", sorted(integrators))
def test_a_length_that_failed_is_not_tried_again_and_again(kind):
    """Each step that stood doubled the next one: every third try failed."""
    lengths = {}
    system = Balking(1e-3, 0.2)
    start = consistent_start(system, 0.0, np.zeros(1), np.zeros(1), 0.0)
    report = integrators[kind](tolerance=1e-2, first_step=1e-4, largest_step=1e-2).integrate(
        system,
        start,
        0.5,
        lambda before, after: lengths.update({after.time: after.time - before.time}),
        Silent(),
    )
    hindered = [length for time, length in lengths.items() if 0.01 < time < 0.2]
    assert report.rejected_by_iteration <= 0.05 * len(hindered)
    assert np.mean(hindered) > 0.5e-3
    # What lasts no longer is found out, if late.
    assert max(lengths.values()) == pytest.approx(1e-2)
    assert sum(hindered) < report.shortened_time < 1.5 * sum(hindered)
    assert 0.5e-3 < report.shortened_time / report.shortened_steps < 1e-3


def test_corrections_that_get_nowhere_end_soon():
    """A force that jumps to and fro: a try ends after eight corrections that do not halve the next, not after 100."""

    class Jumping(Balking):
        def contact(self, q, history, time_step, *, jacobian, before=None):
            size = 0.0 if time_step == 0.0 else np.copysign(1e6, -q[0])
            return ContactForces(np.full(1, size), history, None, closed=(np.zeros(1, bool),))

    system = Jumping(1.0, 0.0)
    start = consistent_start(system, 0.0, np.zeros(1), np.zeros(1), 0.0)
    method = method_of("hht", system, tolerance=1e-6, iterations=100)
    outcome = take_step(method, begin(method, start, 1e-2), contact_inertia(system, 0.0, start.q, 0.0))
    assert not outcome.accepted and outcome.why is not None
    assert outcome.effort.iterations <= 60


@pytest.mark.parametrize(("kind", "order"), [("hht", 3), ("bdf", 2)])
def test_a_refused_step_is_shortened_as_where_contact_makes_it_of_lower_order(kind, order):
    """Local errors grow with the step to the power of the order, by one less where contact comes or goes."""
    system, q, v = SYSTEMS["pendulum"]
    start = consistent_start(system, 0.0, q, v, None)
    method = method_of(kind, system, largest_step=1.0)
    carried = begin(method, start, 1e-3)
    accepted, refused = (judge(method, carried, start, error) for error in (0.5, 8.0))
    assert accepted.accepted and not refused.accepted
    assert refused.length == pytest.approx(0.9e-3 * 8.0 ** (-1 / (order - 1)))
    # An accepted step grows by its own order, to no more than the double.
    assert judge(method, carried, start, 0.3).length == pytest.approx(0.9e-3 * 0.3 ** (-1 / order))
