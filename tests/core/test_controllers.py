"""Controllers of systems: against scipy's linear systems, difference equations, and an independent integration."""

from pathlib import Path

import numpy as np
import pytest
from scipy import signal
from scipy.integrate import solve_ivp

import faying
from faying.analyses import SystemModel, analyses
from faying.errors import ModelError
from faying.exporters.state_spaces import stored_state_space
from faying.params import build
from faying.progress import Cancelled, Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.results.results import Results
from faying.session.co_simulation import CoSimulation
from support.systems import BAR, moved, system_of


class StopAfter:
    """A progress that is cancelled at its n-th report of a step."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        self.left -= "steps" in values
        if self.left < 0:
            raise Cancelled


ALONG_X = (0.0, np.pi / 2, 0.0)
MASS = 2.0
PLACE = {"kind": "displacement", "name": "x", "second": "mass.frame"}
PUSH = {"kind": "point_force", "name": "push", "marker": "mass.frame", "force": (1.0, 0.0, 0.0)}
TIME = {"kind": "time", "name": "clock"}
SPRING = {
    "kind": "spring_damper", "name": "spring", "first": "ground.origin", "second": "mass.frame",
    "stiffness": 8.0, "damping": 0.6, "free_length": 0.0,
}  # fmt: skip
PID = {"kind": "pid", "name": "pid", "input": "x", "set_point": 0.5, "proportional": 20.0, "integral": 8.0,
       "derivative": 9.0, "filter_time": 0.05}  # fmt: skip


def carriage(*controllers, x=0.0, measures=(PLACE, TIME), forces=({**PUSH, "measure": "pid"},), **more):
    """Return a mass on a rail along x that a force pushes."""
    part = {**BAR, "name": "mass", "mass": MASS, "placement": {"position": (x, 0, 0), **more},
            "markers": [{"name": "slide", "rotation": ALONG_X}]}  # fmt: skip
    rail = {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "mass.slide"}
    return system_of(
        ground=[{"name": "rail", "rotation": ALONG_X}], parts=[part], constraints=[rail], forces=forces,
        measures=measures, controllers=controllers,
    )  # fmt: skip


def closed_loop(words, mass=MASS):
    """Return (A, B) of position, speed, integral and filtered error for a constant set point."""
    p, i, d, t = (words[name] for name in ("proportional", "integral", "derivative", "filter_time"))
    # u = P e + I' + D (e − f)/T, e = r − x, f' = (e − f)/T, I' = I e.
    gain = p + d / t
    a = np.array(
        [[0, 1, 0, 0], [-gain / mass, 0, 1 / mass, -d / t / mass], [-i, 0, 0, 0], [-1 / t, 0, 0, -1 / t]]
    )
    b = np.array([[0.0], [gain / mass], [i], [1 / t]])
    return a, b


def test_a_pid_on_a_double_integrator_is_the_closed_linear_loop(tmp_path: Path):
    """Position and output against scipy's response of the four states; second order in the step."""
    a, b = closed_loop(PID)
    errors = []
    for step in (4e-3, 2e-3):
        (tmp_path / f"{step}").mkdir()
        results = moved(carriage(PID), tmp_path / f"{step}", 4.0, largest_step=step, fixed_step=True)
        t = results.values
        start = [0.0, 0.0, 0.0, 0.5]  # the filter has settled at the error
        loop = signal.StateSpace(a, b, [[1, 0, 0, 0]], [[0]])
        _, expected, _ = signal.lsim(loop, np.full(len(t), 0.5), t, X0=start)
        errors.append(np.abs(results.curve("x") - expected).max())
        assert np.abs(expected - 0.5).max() > 0.4 and np.abs(expected[-1] - 0.5) < 0.03
    assert errors[1] < 3e-5 and 3.0 < errors[0] / errors[1] < 5.0, errors


def test_a_transfer_function_has_its_step_response(tmp_path: Path):
    """A constant input of one, order three with complex poles: to 1e-9 of scipy's, though the steps are long."""
    words = {"kind": "transfer_function", "name": "filter", "input": "one", "numerator": (2.0, 30.0),
             "denominator": (1.0, 4.0, 104.0, 200.0)}  # fmt: skip
    one = {"kind": "formula", "name": "one", "formula": "1"}
    spec = carriage(words, measures=(PLACE, one), forces=({**PUSH, "measure": "filter"},))
    results = moved(spec, tmp_path, 2.0, largest_step=0.01, fixed_step=True)
    t = results.values
    _, expected = signal.step((words["numerator"], words["denominator"]), T=t)
    np.testing.assert_allclose(results.curve("filter"), expected, atol=1e-9)
    # What acts is what is shown: the mass gains its integral.
    whole = (words["numerator"], np.polymul(words["denominator"], [MASS, 0.0]))
    np.testing.assert_allclose(results.curve("mass.slide vx"), signal.step(whole, T=t)[1], atol=1e-5)


def test_steady_states_of_a_filter_stay(tmp_path: Path):
    """A low pass of the place of a mass at rest, started steady, has its output from the start on."""
    words = {"kind": "transfer_function", "name": "filter", "input": "x", "numerator": (3.0,),
             "denominator": (0.2, 1.0), "start": "steady"}  # fmt: skip
    results = moved(carriage(words, x=0.4, forces=()), tmp_path, 0.1, largest_step=0.01)
    np.testing.assert_allclose(results.curve("filter"), 1.2, atol=1e-12)


def test_lead_lag_and_state_space_are_their_transfer_functions(tmp_path: Path):
    """Three ways to say K (T₁ s + 1)/(T₂ s + 1) of one moving input give one curve, to round-off."""
    minus = {"kind": "formula", "name": "minus", "formula": "-a", "a": "x"}
    k, lead, lag = 4.0, 0.3, 0.05
    one = {"kind": "lead_lag", "name": "one", "input": "x", "gain": k, "lead_time": lead, "lag_time": lag}
    two = {"kind": "transfer_function", "name": "two", "input": "minus", "numerator": (k * lead, k),
           "denominator": (lag, 1.0)}  # fmt: skip
    three = {"kind": "state_space", "name": "three", "input": "minus", "more_inputs": ("clock",), "a": (-1 / lag,),
             "b": (1.0, 0.0), "c": (k * (1 - lead / lag) / lag,), "d": (k * lead / lag, 0.0)}  # fmt: skip
    spec = carriage(one, two, three, measures=(PLACE, TIME, minus), forces=(SPRING,), x=0.3)
    results = moved(spec, tmp_path, 1.0, largest_step=0.01)
    first = results.curve("one")
    assert np.ptp(first) > 1.0
    np.testing.assert_allclose(results.curve("two"), first, atol=1e-9)
    np.testing.assert_allclose(results.curve("three"), first, atol=1e-9)


def test_limits_with_anti_windup_against_an_independent_integration(tmp_path: Path):
    """A set point far away, −1.5 to 2 N: as solve_ivp has it; without tracking it overshoots more."""
    words = {**PID, "set_point": 3.0, "lower": -1.5, "upper": 2.0, "tracking_time": 0.4}
    p, i, d, t_f = (words[name] for name in ("proportional", "integral", "derivative", "filter_time"))

    def rates(_, y):
        x, v, integral, low = y
        e = 3.0 - x
        wanted = p * e + integral + d * (e - low) / t_f
        acting = min(max(wanted, -1.5), 2.0)
        return [v, acting / MASS, i * e + (acting - wanted) / 0.4, (e - low) / t_f]

    results = moved(carriage(words), tmp_path, 6.0, largest_step=2e-3, tolerance=1e-6)
    t = results.values
    found = solve_ivp(
        rates, (0.0, 6.0), [0.0, 0.0, 0.0, 3.0], "LSODA", t, rtol=1e-10, atol=1e-10, max_step=1e-3
    )
    np.testing.assert_allclose(results.curve("x"), found.y[0], atol=2e-4)
    pid = results.curve("pid")
    assert pid.min() == -1.5 and pid.max() == 2.0 and np.abs(found.y[0][-1] - 3.0) < 0.2
    (tmp_path / "wound").mkdir()
    wound = moved(carriage({**words, "tracking_time": 1e6}), tmp_path / "wound", 6.0, largest_step=5e-3)
    assert wound.curve("x").max() > results.curve("x").max() + 0.5


def analysed(kind, spec, path, **words):
    """Return the opened results of an analysis."""
    analysis = build(analyses[kind], {"name": "run", "system": spec.name, **words})
    analysis.run(SystemModel(spec, {}), path / f"{kind}.h5", Silent())
    return Results(path / f"{kind}.h5")


def test_modes_are_the_poles_of_the_closed_loop(tmp_path: Path):
    """The vibrating ones of the four eigenvalues, with two forces that share the controller; without it none."""
    half = {**PUSH, "force": (0.5, 0.0, 0.0), "measure": "pid"}
    spec = carriage({**PID, "set_point": 0.0}, forces=(half, {**half, "name": "other half"}))
    results = analysed("system_modes", spec, tmp_path)
    poles = np.linalg.eigvals(closed_loop(PID)[0])
    expected = poles[poles.imag > 1e-6]
    expected = expected[np.argsort(np.abs(expected))]
    found = results.report["modes"]
    assert len(found) == len(expected) >= 1
    for mode, pole in zip(found, expected, strict=True):
        assert mode["frequency"] == pytest.approx(abs(pole) / (2 * np.pi), rel=1e-6)
        assert mode["damping ratio"] == pytest.approx(-pole.real / abs(pole), rel=1e-6)
    assert results.report["motions_that_creep_back"] == 4 - 2 * len(expected)


def test_a_state_space_from_the_set_point_to_place_and_output(tmp_path: Path):
    """The closed loop's transfer functions, at frequencies below and above its bandwidth."""
    wanted = {"kind": "input", "input": "wanted"}
    spec = carriage({**PID, "set_point": 1.0, "set_point_history": wanted}, measures=(PLACE,))
    model = stored_state_space(analysed("state_space", spec, tmp_path, highest_frequency=10.0), "run")
    assert model.outputs == ("x", "pid") and len(model.a) == 4
    a, b = closed_loop(PID)
    p, i, d, t = (PID[name] for name in ("proportional", "integral", "derivative", "filter_time"))
    for s in (0.1j, 3.0j, 40.0j):
        place = np.linalg.solve(s * np.eye(4) - a, b)[0, 0]
        control = (p + i / s + d * s / (t * s + 1.0)) * (1.0 - place)
        np.testing.assert_allclose(model.transfer(s)[:, 0], [place, control], rtol=1e-6)


def test_a_sampled_controller_is_its_difference_equation(tmp_path: Path):
    """A lead of the position of a mass, every 0.05 s: position at the samples by zero-order hold, exactly."""
    period, k, lead, lag = 0.05, 30.0, 0.4, 0.04
    words = {"kind": "lead_lag", "name": "pid", "input": "x", "set_point": 0.5, "gain": k, "lead_time": lead,
             "lag_time": lag, "sample_time": period}  # fmt: skip
    results = moved(carriage(words), tmp_path, 2.0, frames=80, largest_step=0.02, tolerance=1e-5)
    ad, bd, cd, dd, _ = signal.cont2discrete(signal.tf2ss([k * lead, k], [lag, 1.0]), period, "zoh")
    controller, place = np.zeros((len(ad), 1)), np.zeros(2)
    expected, outputs = [place[0]], []
    for _ in range(40):
        error = 0.5 - place[0]
        force = float((cd @ controller)[0, 0] + dd[0, 0] * error)
        controller = ad @ controller + bd * error
        acceleration = force / MASS
        place += [period * place[1] + 0.5 * period**2 * acceleration, period * acceleration]
        outputs.append(force)
        expected.append(place[0])
    assert np.abs(np.diff(outputs)).max() > 5.0
    np.testing.assert_allclose(results.values[::2], period * np.arange(41), atol=1e-12)
    # In the middle between samples the held output is the force.
    np.testing.assert_allclose(results.curve("pid")[1::2], outputs, atol=1e-6)
    np.testing.assert_allclose(results.curve("x")[::2], expected, atol=1e-7)
    balance = results.report["energy_balance"]
    assert abs(balance["taken by the integration"]) < 1e-6 * balance["turned over"]


LEAD = {"kind": "lead_lag", "name": "pid", "input": "x", "set_point": 0.5, "gain": 30.0, "lead_time": 0.4,
        "lag_time": 0.04}  # fmt: skip


def motion_of(spec, path, duration, start=None, progress=None, **words):
    """Return the opened results of a motion in steps of its own, from a frame of another one if there is one."""
    integrator = {"kind": "generalized_alpha", "first_step": 1e-4, "largest_step": 0.01, "tolerance": 1e-6}
    words = {
        "name": "run",
        "system": spec.name,
        "duration": duration,
        "frames": 20,
        "integrator": integrator,
        **words,
    }
    analysis = build(analyses["motion"], words)
    analysis.run(SystemModel(spec, {}, start), path, progress or Silent())
    return path


@pytest.mark.parametrize("controller", [{**LEAD, "sample_time": 0.07}, PID], ids=["sampled", "continuous"])
def test_an_interrupted_run_goes_on_and_a_frame_starts_another_one(controller, tmp_path: Path):
    """Interrupted: all frames and the energy balance to the last bit. From the frame after 1 s: the same second."""
    spec, store = (
        carriage(controller, forces=({**PUSH, "measure": "pid"}, SPRING)),
        ArtifactStore(tmp_path / "store"),
    )
    whole = Results(motion_of(spec, tmp_path / "whole.h5", 2.0))
    for stop in (25, 40):
        with pytest.raises(Cancelled):
            motion_of(spec, store.begin_results("0" * 16), 2.0, progress=StopAfter(stop))
    motion_of(spec, store.begin_results("0" * 16), 2.0)
    store.complete_results("0" * 16)
    found = store.results("0" * 16).open()
    assert len(found.report["went_on_at"]) == 2 and found.report["steps"] == whole.report["steps"]
    assert found.report["energy_balance"] == whole.report["energy_balance"]
    for name in ("x", "pid", "push power", "work of forces"):
        assert (found.curve(name) == whole.curve(name)).all(), name
    second = Results(
        motion_of(spec, tmp_path / "second.h5", 1.0, whole, frames=10, start_from="first", start_frame=10)
    )
    assert np.ptp(whole.curve("pid")[10:]) > 0.5
    for name in ("x", "pid"):
        np.testing.assert_allclose(second.curve(name), whole.curve(name)[10:], atol=1e-3, err_msg=name)


@pytest.mark.parametrize("kind", ["hht", "generalized_alpha", "bdf"])
def test_jumps_at_samples_cost_no_order(kind, tmp_path: Path):
    """Held forces on a mass alone: exact between samples by each scheme that is exact for constant forces."""
    words = {**LEAD, "sample_time": 0.05}
    errors = []
    for step in (0.01, 0.005):
        path = motion_of(
            carriage(words, forces=({**PUSH, "measure": "pid"}, SPRING)), tmp_path / f"{step}.h5", 1.0,
            integrator={"kind": kind, "fixed_step": True, "largest_step": step},
        )  # fmt: skip
        errors.append(Results(path).curve("x"))
    fine = motion_of(
        carriage(words, forces=({**PUSH, "measure": "pid"}, SPRING)), tmp_path / "fine.h5", 1.0,
        integrator={"kind": "generalized_alpha", "fixed_step": True, "largest_step": 5e-4},
    )  # fmt: skip
    wanted = Results(fine).curve("x")
    coarse, half = (np.abs(each - wanted).max() for each in errors)
    assert half < 2e-3 and coarse / half > 3.0, (coarse, half)


def test_kinematics_and_quasi_static_motion_show_controllers(tmp_path: Path):
    """A low pass of a driven place: the closed form in kinematics, where nothing is integrated but the controller."""
    lag = {"kind": "transfer_function", "name": "lag", "input": "x", "denominator": (0.2, 1.0)}
    spec = carriage(lag, forces=())
    driven = {"kind": "prescribed_displacement", "name": "drive", "first": "ground.rail", "second": "mass.slide",
              "amplitude": 1.0, "time_history": {"kind": "expression", "formula": "t"}}  # fmt: skip
    spec = spec.with_(constraints=(*spec.constraints, driven))
    results = analysed("kinematics", spec, tmp_path, duration=1.0, frames=20)
    t = results.values
    np.testing.assert_allclose(results.curve("lag"), t - 0.2 * (1.0 - np.exp(-t / 0.2)), atol=1e-6)
    results = analysed("quasi_static", spec, tmp_path, duration=1.0)
    t = results.values
    np.testing.assert_allclose(results.curve("lag"), t - 0.2 * (1.0 - np.exp(-t / 0.2)), atol=1e-6)


def test_a_pid_holds_a_weight_in_equilibrium_by_its_gain(tmp_path: Path):
    """At rest the integral is as it begins: P (r − x) = k x at the start of a motion from equilibrium."""
    spec = carriage({**PID, "integral_start": 1.0}, forces=({**PUSH, "measure": "pid"}, SPRING))
    path = motion_of(spec, tmp_path / "rest.h5", 0.1, from_equilibrium=True)
    assert Results(path).curve("x")[0] == pytest.approx((20.0 * 0.5 + 1.0) / (20.0 + 8.0), rel=1e-9)


def test_a_frequency_response_is_that_of_the_closed_loop(tmp_path: Path):
    """The place under a force of 1 N, against 1/(m s² + C(s))."""
    spec = carriage({**PID, "set_point": 0.0})
    load = {"marker": "mass.frame", "force": (1.0, 0.0, 0.0)}
    results = analysed("system_frequency_response", spec, tmp_path, loads=[load], lowest_frequency=0.1,
                       highest_frequency=10.0, points=5)  # fmt: skip
    s = 2.0j * np.pi * results.values
    p, i, d, t = (PID[name] for name in ("proportional", "integral", "derivative", "filter_time"))
    expected = np.abs(1.0 / (MASS * s**2 + p + i / s + d * s / (t * s + 1.0)))
    np.testing.assert_allclose(results.curve("mass.frame ux"), expected, rtol=1e-6)


def test_co_simulation_moves_as_the_motion_does(tmp_path: Path):
    """With samples at their times, and the controller among the outputs."""
    system = carriage({**LEAD, "sample_time": 0.07}, forces=({**PUSH, "measure": "pid"}, SPRING))
    run = {"kind": "motion", "name": "run", "system": system.name, "duration": 0.5, "frames": 10,
           "integrator": {"kind": "hht", "largest_step": 0.01, "first_step": 1e-3, "tolerance": 1e-5}}  # fmt: skip
    project = build(Project, {"name": "p", "units": "m-kg-s", "systems": [system], "analyses": [run]})
    with faying.Session(project, tmp_path) as session:
        solution, motion = session.move("run"), CoSimulation(session, "run")
        rows = [motion.outputs]
        for frame in range(10):
            motion.advance(0.05 * (frame + 1))
            rows.append(motion.outputs)
        for name in ("x", "pid"):
            wanted = solution.curve(name)
            np.testing.assert_allclose([row[name] for row in rows], wanted, atol=1e-12, err_msg=name)
        assert np.ptp(solution.curve("pid")) > 1.0


def rotor_in_a_magnetic_bearing(**more):
    """Return a round disc in soft springs, driven about z, whose place along x a PID holds."""
    disc = {"kind": "rigid", "name": "disc", "mass": MASS, "moments_of_inertia": (0.05, 0.05, 0.08)}
    between = {"first": "ground.origin", "second": "disc.frame"}
    springs = {"kind": "bushing", "name": "springs", **between, "stiffness": (8.0, 8.0, 30.0),
               "torsional_stiffness": (1.0, 1.0, 0.0)}  # fmt: skip
    push = {**PUSH, "marker": "disc.frame", "measure": "pid"}
    return system_of(
        parts=[disc], constraints=[{"kind": "prescribed_angular_speed", "name": "turn", **between}],
        forces=[springs, push], measures=[{**PLACE, "second": "disc.frame"}],
        controllers=[{**PID, "set_point": 0.0, **more}],
    )  # fmt: skip


def test_a_campbell_diagram_has_the_states_of_controllers(tmp_path: Path):
    """Along x the roots of m s² + k + C(s) at every speed, along y √(k/m); without C both would be the same."""
    spec = rotor_in_a_magnetic_bearing()
    results = analysed(
        "campbell", spec, tmp_path, drive="turn", lowest_speed=5.0, highest_speed=25.0, speeds=3, count=5
    )
    p, i, d, t = (PID[name] for name in ("proportional", "integral", "derivative", "filter_time"))
    roots = np.roots(
        np.polyadd([MASS * t, MASS, 8.0 * t + p * t + d, 8.0 + p, 0.0], [0.0, 0.0, 0.0, i * t, i])
    )
    (held,) = roots[roots.imag > 1e-9]
    lines = [(results.curve(f"mode {k + 1} natural frequency"), results.curve(f"mode {k + 1} damping ratio"))
             for k in range(5)]  # fmt: skip
    for size, damping in ((abs(held), -held.real / abs(held)), (2.0, 0.0)):
        fits = [
            np.allclose(f, size / (2 * np.pi), rtol=1e-5) and np.allclose(z, damping, atol=1e-5)
            for f, z in lines
        ]
        assert sum(fits) == 1, (size, damping, lines)


def test_controllers_with_states_are_refused_in_turning_axes(tmp_path: Path):
    with pytest.raises(ModelError, match=r"\(pid\) .* count in fixed axes"):
        analysed("campbell", rotor_in_a_magnetic_bearing(), tmp_path, drive="turn", lowest_speed=5.0,
                 highest_speed=25.0, speeds=3, count=5, axes="turning")  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "sampled", "told"),
    [
        ("campbell", 0.1, True),
        ("system_modes", 0.1, True),
        ("system_modes", 0.0, False),
        ("motion", 0.1, False),
    ],
)
def test_the_check_tells_that_samples_are_held_in_linearised_analyses(tmp_path: Path, kind, sampled, told):
    spec = rotor_in_a_magnetic_bearing(sample_time=sampled)
    words = {
        "kind": kind,
        "name": "run",
        "system": spec.name,
        **({"drive": "turn"} if kind == "campbell" else {}),
    }
    project = build(Project, {"name": "p", "units": "m-kg-s", "systems": [spec], "analyses": [words]})
    found = [each.sentence for each in run_checks(CheckedProject(project, tmp_path))]
    assert any("it holds its output in 'run'" in each for each in found) == told, found


def loop_with_a_model(sample_time, **start):
    """Return a mass under P control of its place and of what a model of first order, fed by the same force, adds."""
    model = {"kind": "transfer_function", "name": "model", "input": "pid", "numerator": (0.4,),
             "denominator": (0.5, 1.0), "sample_time": sample_time, **start}  # fmt: skip
    pid = {"kind": "pid", "name": "pid", "input": "sum", "set_point": 0.5, "proportional": 3.0,
           "sample_time": sample_time}  # fmt: skip
    both = {"kind": "formula", "name": "sum", "formula": "a + b", "a": "x", "b": "model"}
    return carriage(pid, model, measures=(PLACE, both))


def test_a_loop_of_controllers_that_a_sample_breaks_is_its_difference_equation(tmp_path: Path):
    """u(k) = P (r − x(k) − C m(k)), m(k+1) = A m(k) + B u(k), with the mass under the held force; both exact."""
    period = 0.1
    results = moved(loop_with_a_model(period), tmp_path, 2.0, frames=20, largest_step=0.02, tolerance=1e-7)
    a, b, c, _, _ = signal.cont2discrete(signal.tf2ss([0.4], [0.5, 1.0]), period)
    x, v, m, wanted = 0.0, 0.0, 0.0, []
    for _ in range(20):
        u = 3.0 * (0.5 - x - c[0, 0] * m)
        wanted.append((x, u, c[0, 0] * m))
        x, v, m = (
            x + period * v + 0.5 * period**2 * u / MASS,
            v + period * u / MASS,
            a[0, 0] * m + b[0, 0] * u,
        )
    wanted = np.array(wanted)
    np.testing.assert_allclose(results.curve("x")[:20], wanted[:, 0], atol=1e-7)
    # Outputs at a frame are those that were held until then.
    np.testing.assert_allclose(results.curve("pid")[1:20], wanted[:19, 1], atol=1e-6)
    np.testing.assert_allclose(results.curve("model")[1:20], wanted[:19, 2], atol=1e-7)
    assert np.ptp(wanted[:, 2]) > 0.1


@pytest.mark.parametrize(("sample_time", "start"), [(0.0, {}), (0.1, {"start": "steady"})])
def test_loops_that_no_sample_breaks_stay_refused(sample_time, start):
    with pytest.raises(ModelError, match="needs itself, without the system in between"):
        loop_with_a_model(sample_time, **start).build({})
