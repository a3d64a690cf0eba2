"""Events in motions of systems, against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipk

from faying.analyses import SystemModel, analyses
from faying.analyses.recording.run_events import MotionEvents
from faying.analyses.recording.stored_state import stored_state
from faying.errors import Cancelled, SolveError
from faying.multibody.assembly import assemble
from faying.params import build
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.results.results import Results
from faying.results.run_tables import event_table
from faying.results.verdicts import facts_of
from support.systems import BAR, DOWN_Y, flexible, jointed_plates_model, moved, system_of

PRECISE = {"tolerance": 1e-8, "largest_step": 2e-3}
SCHEMES = ("hht", "generalized_alpha", "bdf")
ALONG_X = (0.0, np.pi / 2, 0.0)
G = 9.81


def run(spec, path, duration, bodies=None, **words):
    """Return the results of a motion, each in a folder of its own."""
    own = path / str(len(list(path.iterdir())))
    own.mkdir()
    return moved(spec, own, duration, bodies, **words)


def height(of: str = "ball.frame", component: str = "y") -> dict:
    """Return the measure of a marker's place."""
    return {"kind": "displacement", "name": "place", "second": of, "component": component}


def ball(*events, at=0.5, **more):
    """Return a ball above a floor that holds only at impacts."""
    floor = {
        "kind": "in_plane",
        "name": "floor",
        "first": "ground.floor",
        "second": "ball.frame",
        "active": False,
    }
    words = {
        "ground": [{"name": "floor", "rotation": (-np.pi / 2, 0, 0)}],
        "parts": [{**BAR, "name": "ball", "placement": {"position": (0, at, 0)}}],
        "constraints": [floor], "measures": [height()], "gravity": DOWN_Y, "events": list(events),
    }  # fmt: skip
    return system_of(**(words | more))


def bounce(restitution=0.5, **more):
    """Return the event of a ball that hits the floor."""
    hit = {"kind": "impact", "constraints": ["floor"], "restitution": restitution}
    return {"kind": "crossing", "name": "bounce", "measure": "place", "direction": "falling", "times": 0,
            "actions": [hit], **more}  # fmt: skip


@pytest.mark.parametrize("kind", SCHEMES)
def test_a_ball_bounces_at_the_times_of_its_restitution(tmp_path, kind):
    """t₁ = √(2h/g), then 2 eᵏ v/g each; each bounce takes (1 − e²) of the energy."""
    found = run(ball(bounce(0.8)), tmp_path, 1.5, kind=kind, **PRECISE)
    speed = np.sqrt(2 * G * 0.5)
    times = [each["time"] for each in found.report["events"]]
    exact = speed / G + np.cumsum([0.0, *(2 * 0.8**k * speed / G for k in (1, 2, 3))])
    assert len(times) == 3 and exact[2] < 1.5 < exact[3]
    np.testing.assert_allclose(times, exact[:3], atol=1e-9 if kind != "bdf" else 3e-7)
    lost = [each["energy_lost"] for each in found.report["events"]]
    np.testing.assert_allclose(lost, G * 0.5 * (1 - 0.64) * 0.64 ** np.arange(3), rtol=2e-6)
    balance = found.report["energy_balance"]
    assert balance["energy lost at events"] == pytest.approx(sum(lost))
    assert abs(balance["taken by the integration"]) < 1e-5 * balance["turned over"]
    assert found.report["event_counts"] == {"bounce": 3}


def carts(*events, speeds=(2.0, 0.0), masses=(1.0, 3.0), gap=0.4, **more):
    """Return two masses on a rail along x with a latch between them that does not hold yet."""
    along = [{"name": "slide", "rotation": ALONG_X}]
    parts = [
        {**BAR, "name": name, "mass": mass, "markers": along,
         "placement": {"position": (x, 0, 0), "velocity": (v, 0, 0)}}
        for name, mass, x, v in zip(("one", "two"), masses, (0.0, gap), speeds, strict=True)
    ]  # fmt: skip
    rails = [{"kind": "translational", "name": f"rail {name}", "first": "ground.rail", "second": f"{name}.slide"}
             for name in ("one", "two")]  # fmt: skip
    latch = {"kind": "fixed", "name": "latch", "first": "one.slide", "second": "two.slide", "active": False}
    gaps = {
        "kind": "displacement",
        "name": "gap",
        "first": "one.frame",
        "second": "two.frame",
        "component": "x",
    }
    words = {
        "ground": [{"name": "rail", "rotation": ALONG_X}], "parts": parts, "constraints": [*rails, latch],
        "measures": [gaps], "events": list(events),
    }  # fmt: skip
    return system_of(**(words | more))


def latching(**more):
    """Return the event of two masses that meet."""
    return {"kind": "crossing", "name": "meet", "measure": "gap", "direction": "falling",
            "actions": [{"kind": "activate", "constraints": ["latch"]}], **more}  # fmt: skip


@pytest.mark.parametrize("kind", SCHEMES)
def test_masses_that_latch_go_on_together(tmp_path, kind):
    """v = m₁v₁/(m₁ + m₂); ½ m₁m₂/(m₁ + m₂) v² is lost; the balance closes. Without the event they pass each other."""
    found = run(carts(latching()), tmp_path, 0.5, kind=kind, **PRECISE)
    (event,) = found.report["events"]
    assert event["time"] == pytest.approx(0.2, rel=1e-8)
    assert event["energy_lost"] == pytest.approx(0.5 * 3.0 / 4.0 * 4.0, rel=1e-9)
    for name in ("one", "two"):
        assert found.curve(f"{name}.slide vx")[-1] == pytest.approx(0.5, rel=1e-9)
    balance = found.report["energy_balance"]
    assert balance["energy lost at events"] == pytest.approx(1.5, rel=1e-9)
    assert abs(balance["taken by the integration"]) < 1e-7
    assert found.curve("energy lost at events")[0] == 0.0
    apart = run(carts(), tmp_path, 0.5, kind=kind, **PRECISE)
    assert apart.curve("one.slide vx")[-1] == pytest.approx(2.0) and apart.curve("gap")[-1] < -0.5


def pendulum(*events, angle=1.0, speed=0.0, length=0.5, **more):
    """Return a bar that swings about its left end in the plane of x and y; its angle counts from hanging."""
    turn, radius = angle - np.pi / 2, 0.5
    place = (radius * np.cos(turn), radius * np.sin(turn), 0)
    spin = {"spin": (0, 0, speed), "velocity": (-speed * place[1], speed * place[0], 0)} if speed else {}
    part = {**BAR, "name": "bar", "placement": {"position": place, "rotation": (0, 0, turn), **spin}}
    words = {
        "ground": [{"name": "pivot"}, {"name": "down", "rotation": (0, 0, -np.pi / 2)}], "parts": [part],
        "constraints": [{"kind": "revolute", "name": "pin", "first": "ground.pivot", "second": "bar.left"}],
        "measures": [{"kind": "angle", "name": "angle", "first": "ground.down", "second": "bar.left"}],
        "gravity": DOWN_Y, "events": list(events),
    }  # fmt: skip
    return system_of(**(words | more))


@pytest.mark.parametrize(("kind", "within"), [("hht", 3e-6), ("generalized_alpha", 3e-6), ("bdf", 6e-6)])
def test_a_pendulum_crosses_its_lowest_point_after_a_quarter_period(tmp_path, kind, within):
    """K(sin²(θ₀/2)) √(2 L/3 g) of a bar; the error falls with the square of the step and is not that of the search."""
    at_rest = [{"kind": "stop"}]
    event = {
        "kind": "crossing",
        "name": "lowest",
        "measure": "angle",
        "direction": "falling",
        "actions": at_rest,
    }
    exact = ellipk(np.sin(0.5) ** 2) * np.sqrt(2.0 / (3.0 * G))
    errors = []
    for step in (2e-3, 1e-3):
        found = run(
            pendulum(event), tmp_path, 2.0, kind=kind, tolerance=1e-4, largest_step=step, fixed_step=True
        )
        (told,) = found.report["events"]
        errors.append(told["time"] - exact)
        assert found.values[-1] == told["time"] < 2.0
        assert abs(found.curve("angle")[-1]) < 1e-11
    assert abs(errors[1]) < within and errors[0] / errors[1] > 2.5


def test_a_pendulum_that_is_released_flies_on(tmp_path):
    """A parabola of its mass centre and a constant spin from the state of release on; the part is told to be free."""
    release = {"kind": "crossing", "name": "let go", "measure": "angle", "level": 0.6, "direction": "rising",
               "actions": [{"kind": "release", "constraints": ["pin"]}, {"kind": "save"}]}  # fmt: skip
    found = run(pendulum(release, angle=-0.8, speed=6.0), tmp_path, 0.8, **PRECISE)
    (event,) = found.report["events"]
    at, frame = event["time"], found.report["saved_frames"]["let go"]
    assert found.values[frame] == at and event["free_parts"] == ["bar"]
    assert abs(event["energy_lost"]) < 1e-12
    # Energy of the swing gives the spin at release: ½ J ω² with J = m L²/3.
    spin = np.sqrt(36.0 + 3.0 * G * (np.cos(0.6) - np.cos(0.8)))
    assert found.curve("bar.frame x")[frame] == pytest.approx(0.5 * np.sin(0.6), abs=1e-9)
    late = found.values[-1] - at
    x = 0.5 * np.sin(0.6) + 0.5 * spin * np.cos(0.6) * late
    y = -0.5 * np.cos(0.6) + 0.5 * spin * np.sin(0.6) * late - 0.5 * G * late**2
    assert found.curve("bar.frame x")[-1] == pytest.approx(x, abs=1e-5)
    assert found.curve("bar.frame y")[-1] == pytest.approx(y, abs=1e-5)
    assert found.curve("angle")[-1] == pytest.approx(0.6 + spin * late, abs=1e-4)
    assert found.curve("pin force x")[frame + 1 :] == pytest.approx(0.0, abs=1e-12)
    assert np.abs(found.curve("pin force y")[: frame - 1]).min() > 1.0


def discs(*events, **more):
    """Return two coaxial discs, of which the first one spins, with a clutch between them that is open."""
    inertias = {"one": (0.1, 0.1, 0.2), "two": (0.2, 0.2, 0.3)}
    parts = [
        {
            **BAR,
            "name": name,
            "moments_of_inertia": of,
            "placement": {"spin": (0, 0, 10.0 if name == "one" else 0.0)},
        }
        for name, of in inertias.items()
    ]
    pins = [{"kind": "revolute", "name": f"pin {n}", "first": "ground.origin", "second": f"{n}.frame"}
            for n in inertias]  # fmt: skip
    motions = [{"first": "ground.origin", "second": f"{name}.frame", "factor": factor}
               for name, factor in (("one", 1.0), ("two", -1.0))]  # fmt: skip
    clutch = {"kind": "coupler", "name": "clutch", "motions": motions, "active": False}
    brake = {"kind": "prescribed_angular_speed", "name": "brake", "first": "ground.origin", "second": "one.frame",
             "speed": 4.0, "time_history": {"kind": "constant"}, "active": False}  # fmt: skip
    spin = {"kind": "angular_speed", "name": "spin", "second": "two.frame", "component": "z"}
    words = {
        "parts": parts,
        "constraints": [*pins, clutch, brake],
        "measures": [spin],
        "events": list(events),
    }
    return system_of(**(words | more))


def at(time, *actions, **more):
    """Return an event at a time."""
    return {"kind": "at_time", "name": f"at {time}", "time": time, "actions": list(actions), **more}


def test_a_clutch_keeps_the_angular_momentum_and_a_motor_goes_on_from_there(tmp_path):
    """ω = J₁ω₁/(J₁ + J₂) at the first time; a drive then takes over at its speed from whatever angle there is."""
    engage = {"kind": "activate", "constraints": ["clutch"], "where_they_are": True}
    drive = {"kind": "activate", "constraints": ["brake"], "where_they_are": True}
    found = run(discs(at(0.11, engage), at(0.23, drive)), tmp_path, 0.4, **PRECISE)
    first, second = found.report["events"]
    assert (first["time"], second["time"]) == pytest.approx((0.11, 0.23), rel=1e-12)
    assert first["energy_lost"] == pytest.approx(0.5 * 0.2 * 0.3 / 0.5 * 100.0, rel=3e-6)
    assert second["energy_lost"] == pytest.approx(0.0, abs=1e-5)  # it turns at 4 rad/s already
    assert found.curve("spin")[-1] == pytest.approx(4.0, rel=1e-6)
    angle = found.curve("pin one angle")[-1]
    assert angle == pytest.approx(1.1 + 4.0 * (0.4 - 0.11), abs=1e-5)
    # Without `where_they_are` the drive is violated by the angle that there is, and says so.
    with pytest.raises(SolveError, match=r"cannot activate 'brake'.*violated there, by 0\.66 ") as told:
        run(discs(at(0.11, {**drive, "where_they_are": False})), tmp_path, 0.4, **PRECISE)
    assert "0.11 [time]" in told.value.message


def test_a_latch_where_nothing_meets_is_refused(tmp_path):
    """By how much: 0.2 along x at half of the way."""
    with pytest.raises(
        SolveError, match=r"'latch: displacement along z' is violated there, by 0.2 \[length\]"
    ):
        run(carts(latching(level=0.2)), tmp_path, 0.5, **PRECISE)
    held = latching(actions=[{"kind": "activate", "constraints": ["latch"], "where_they_are": True}])
    with pytest.raises(SolveError, match="has no parameter for that"):
        run(carts(held), tmp_path, 0.5, **PRECISE)


def test_a_ball_that_comes_to_rest_chatters(tmp_path):
    """Its bounces add up to t₁ (1 + e)/(1 − e); the sentence names event and time. A limit of times ends them."""
    ends = np.sqrt(2 * 0.05 / G) * 1.5 / 0.5
    with pytest.raises(SolveError, match="'bounce' chatters") as told:
        run(ball(bounce(0.5), at=0.05), tmp_path, 1.0, **PRECISE)
    time = float(told.value.message.split("t = ")[1].split(" ")[0])
    assert time == pytest.approx(ends, rel=1e-4)
    found = run(ball(bounce(0.5, times=3), at=0.05), tmp_path, 0.3, **PRECISE)
    assert found.report["event_counts"] == {"bounce": 3} and found.curve("place")[-1] < 0.0


def test_a_ball_may_come_to_rest_on_its_floor(tmp_path):
    """The last bounce activates the floor: the ball lies there, and the floor carries its weight."""
    first, last = bounce(0.5, times=4), bounce(times=0, hysteresis=0.0)
    slow = {"kind": "formula", "name": "wait", "formula": "t", "quantity": "time"}
    last = {**last, "name": "rest", "times": 1, "actions": [{"kind": "activate", "constraints": ["floor"]}]}
    spec = ball(first, {**last, "measure": "place", "level": -1e-9}, at=0.05, measures=[height(), slow])
    found = run(spec, tmp_path, 0.5, **PRECISE)
    assert found.report["event_counts"] == {"bounce": 4, "rest": 1}
    assert found.curve("place")[-1] == pytest.approx(0.0, abs=1e-12)
    assert found.curve("floor force z")[-1] == pytest.approx(G, rel=1e-9)


class StopAfter(Silent):
    """Cancels a run before a step."""

    def __init__(self, steps):
        self.left = steps

    def report(self, fraction, text="", **values):
        self.left -= "steps" in values
        if self.left < 0:
            raise Cancelled


def motion(spec, duration, **words):
    """Return the analysis of a motion."""
    integrator = {"kind": "hht", "alpha": -0.05, "first_step": 1e-4, **PRECISE}
    usual = {"name": "run", "system": spec.name, "duration": duration, "integrator": integrator, "frames": 50}
    return build(analyses["motion"], {**usual, **words})


def braked_pendulum(save=True):
    """Return a swing that is released, then caught again by a drive that turns it, with a frame at each event."""
    pin = {"kind": "revolute", "name": "pin", "first": "ground.pivot", "second": "bar.left"}
    drive = {"kind": "prescribed_angular_speed", "name": "drive", "first": "ground.down", "second": "bar.left",
             "speed": 2.0, "time_history": {"kind": "constant"}, "active": False}  # fmt: skip
    spring = {"kind": "torsion_spring", "name": "spring", "first": "ground.down", "second": "bar.left",
              "stiffness": 3.0, "active": False}  # fmt: skip
    stored = [{"kind": "save"}] if save else []
    catch = {"kind": "crossing", "name": "catch", "measure": "angle", "level": 0.2, "direction": "falling",
             "actions": [{"kind": "activate", "constraints": ["drive"], "where_they_are": True}, *stored]}  # fmt: skip
    let_go = at(0.5, {"kind": "release", "constraints": ["drive"]}, {"kind": "switch", "on": ["spring"]}, *stored,
                name="let go")  # fmt: skip
    off = at(0.8, {"kind": "switch", "off": ["spring"]}, {"kind": "largest_step", "length": 1e-3}, name="off")
    return pendulum(catch, let_go, off, constraints=[pin, drive], forces=[spring])


def test_an_interrupted_run_keeps_what_its_events_did(tmp_path):
    """Bit for bit, wherever it was interrupted: between the events, and behind all of them."""
    spec = braked_pendulum()
    run_it = motion(spec, 1.0)
    run_it.run(SystemModel(spec, {}), tmp_path / "whole.h5", Silent())
    whole = Results(tmp_path / "whole.h5")
    steps = whole.report["steps"]
    assert [each["name"] for each in whole.report["events"]] == ["catch", "let go", "off"]
    store, key = ArtifactStore(tmp_path), "k" * 8
    for count in (steps // 3, steps // 3, steps // 4):
        with pytest.raises(Cancelled):
            run_it.run(SystemModel(spec, {}), store.begin_results(key), StopAfter(count))
    run_it.run(SystemModel(spec, {}), store.begin_results(key), Silent())
    store.complete_results(key)
    found = store.results(key).open()
    assert len(found.report["went_on_at"]) == 3
    np.testing.assert_array_equal(found.values, whole.values)
    for name in (
        "angle",
        "pin force x",
        "drive moment z",
        "spring moment z",
        "energy lost at events",
        "total energy",
    ):
        np.testing.assert_array_equal(found.curve(name), whole.curve(name))
    for entry in ("events", "event_counts", "saved_frames", "energy_balance", "steps"):
        assert found.report[entry] == whole.report[entry]


def test_a_switched_spring_and_a_drive_act_while_they_are_active(tmp_path):
    """Each by its law within its interval and not outside; the balance closes over all of it."""
    found = run(braked_pendulum(), tmp_path, 1.0, frames=200, **PRECISE)
    catch, let_go, _ = (each["time"] for each in found.report["events"])
    t, angle = found.values, found.curve("angle")
    driven = (t > catch) & (t < let_go - 1e-9)
    np.testing.assert_allclose(angle[driven], 0.2 + 2.0 * (t[driven] - catch), atol=1e-9)
    assert np.abs(found.curve("drive moment z")[(t < catch - 1e-9) | (t > let_go + 1e-9)]).max() < 1e-12
    sprung = (t > let_go + 1e-9) & (t < 0.8)
    np.testing.assert_allclose(
        np.abs(found.curve("spring moment z")[sprung]), 3.0 * np.abs(angle[sprung]), rtol=1e-6
    )
    assert np.abs(found.curve("spring moment z")[(t < let_go - 1e-9) | (t > 0.8 + 1e-9)]).max() == 0.0
    balance = found.report["energy_balance"]
    assert abs(balance["taken by the integration"]) < 1e-5 * balance["turned over"]
    assert np.diff(t).min() > 0.0


def test_a_motion_that_starts_from_a_frame_keeps_what_was_active_there(tmp_path):
    """The drive goes on where it held the bar; without that the pendulum would swing."""
    spec = braked_pendulum()
    found = run(spec, tmp_path, 0.4, **PRECISE)
    on = motion(spec, 0.05, start_from="run", start_frame=-1, frames=5)
    on.run(SystemModel(spec, {}, found), tmp_path / "on.h5", Silent())
    rest = Results(tmp_path / "on.h5")
    start = found.curve("angle")[-1]
    np.testing.assert_allclose(rest.curve("angle"), start + 2.0 * (rest.values - 0.4), atol=1e-9)


def test_events_at_times_stop_store_and_repeat(tmp_path):
    """A period hits every one of its times exactly; a stop ends the run there with a last frame."""
    tick = at(0.013, {"kind": "save", "label": "tick"}, period=0.01, times=4)
    end = at(0.0777, {"kind": "stop"}, name="end")
    each = {"kind": "every_step", "name": "step", "times": 3, "actions": [{"kind": "save"}]}
    found = run(pendulum(tick, end, each), tmp_path, 1.0, frames=100, **PRECISE)
    saved = found.report["saved_frames"]
    times = [found.values[saved[name]] for name in ("tick", "tick 2", "tick 3", "tick 4")]
    np.testing.assert_allclose(times, [0.013, 0.023, 0.033, 0.043], rtol=1e-13)
    assert found.values[-1] == pytest.approx(0.0777, rel=1e-13)
    assert found.report["event_counts"] == {"at 0.013": 4, "end": 1, "step": 3}
    regular = [0.01 * k for k in range(8)]
    assert np.isin(np.round(regular, 12), np.round(found.values, 12)).all()
    assert len(found.values) == 8 + 4 + 3 + 1
    # Steps that only store change nothing: the same motion as without.
    plain = run(pendulum(), tmp_path, 0.07, frames=7, **PRECISE)
    inside = np.interp(plain.values, found.values, found.curve("angle"))
    np.testing.assert_allclose(inside, plain.curve("angle"), atol=1e-8)


def test_friction_of_a_pin_that_is_switched_on_begins_there(tmp_path):
    """ω = ω₀ − μ m g R (t − t₁)/J of a rotor on a horizontal pin, from the time of the event on."""
    rotor = {
        **BAR,
        "name": "rotor",
        "moments_of_inertia": (0.1, 0.1, 0.2),
        "placement": {"spin": (0, 0, 10.0)},
    }
    pin = {"kind": "revolute", "name": "pin", "first": "ground.origin", "second": "rotor.frame"}
    rubs = {"kind": "joint_friction", "name": "rub", "constraint": "pin", "radius": 0.05, "stiffness": 1e6,
            "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2}, "active": False}  # fmt: skip
    spin = {"kind": "angular_speed", "name": "spin", "second": "rotor.frame", "component": "z"}
    on = at(0.31, {"kind": "switch", "on": ["rub"]})
    spec = system_of(
        parts=[rotor], constraints=[pin], forces=[rubs], measures=[spin], events=[on], gravity=DOWN_Y
    )
    found = run(spec, tmp_path, 1.0, tolerance=1e-6, largest_step=2e-3)
    expected = 10.0 - 0.2 * G * 0.05 / 0.2 * np.maximum(found.values - 0.31, 0.0)
    np.testing.assert_allclose(found.curve("spin"), expected, atol=1e-3)
    assert found.curve("rub friction work")[-1] == pytest.approx(0.1 * (100 - expected[-1] ** 2), rel=1e-3)


def test_a_hinge_takes_over_what_a_redundant_one_bore(tmp_path):
    """Of two hinges on one axis the second was left out in part; once the first is gone it holds alone."""
    ends = [{"name": "left", "position": (0, 0, -0.5)}, {"name": "right", "position": (0, 0, 0.5)},
            {"name": "tip", "position": (0.3, 0, 0)}]  # fmt: skip
    door = {**BAR, "name": "door", "markers": ends, "mass": 2.0, "moments_of_inertia": (0.2, 0.2, 0.2)}
    hinges = [
        {"kind": "revolute", "name": n, "first": f"ground.{n}", "second": f"door.{n}"}
        for n in ("left", "right")
    ]
    spec = system_of(
        parts=[door], ground=ends[:2], constraints=hinges, gravity=DOWN_Y,
        events=[at(0.05, {"kind": "release", "constraints": ["left"]})],
    )  # fmt: skip
    found = run(spec, tmp_path, 0.1, **PRECISE)
    assert len(found.report["redundant_equations"]) == 5
    late = found.values > 0.051
    assert np.abs(found.curve("left force y")[late]).max() == 0.0
    np.testing.assert_allclose(np.abs(found.curve("right force y")[late]), 2.0 * G, rtol=1e-6)
    np.testing.assert_allclose(np.abs(found.curve("right moment x")[late]), 2.0 * G * 0.5, rtol=1e-6)
    assert found.report["missed_constraint"].get("length", 0.0) < 1e-9


SLAB = """v -5 -5 -0.5\nv 5 -5 -0.5\nv 5 5 -0.5\nv -5 5 -0.5\nv -5 -5 0.5\nv 5 -5 0.5\nv 5 5 0.5\nv -5 5 0.5
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


def test_a_slab_slides_from_where_it_is_released(tmp_path):
    """a = g (sin α − μ cos α) from the release on; its friction had nothing to do before."""
    (tmp_path / "slab.obj").write_text(SLAB)
    mass, mu, g, slope, area = 2e-3, 0.3, 9810.0, np.arctan(0.45), 100.0
    slab = {
        "kind": "rigid", "name": "slab", "mass": mass,
        "moments_of_inertia": (mass * 101 / 12, mass * 101 / 12, mass * 200 / 12),
        "placement": {"position": (0.0, 0.0, 0.5 - mass * g * np.cos(slope) / area / 500.0)},
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(tmp_path / "slab.obj")}],
    }  # fmt: skip
    rub = {
        "name": "rub", "master": "ground.floor", "slave": "slab.skin", "reach": 2.0,
        "contact_law": {"kind": "linear_penalty", "stiffness": 500.0},
        "friction_law": {"kind": "coulomb", "friction_coefficient": mu, "sticking_stiffness": 1e4},
    }  # fmt: skip
    # It may still settle, and turn as contact wants.
    hold = {"kind": "prescribed_displacement", "name": "hold", "first": "ground.along", "second": "slab.frame",
            "amplitude": 0.0}  # fmt: skip
    spec = system_of(
        parts=[slab], ground_surfaces=[{"kind": "plane", "name": "floor"}], contacts=[rub], constraints=[hold],
        ground=[{"name": "along", "rotation": ALONG_X}], gravity=(g * np.sin(slope), 0.0, -g * np.cos(slope)),
        events=[at(0.00407, {"kind": "release", "constraints": ["hold"]})],
    )  # fmt: skip
    found = run(spec, tmp_path, 0.01, frames=20, first_step=1e-4, largest_step=5e-4, tolerance=1e-4)
    expected = g * (np.sin(slope) - mu * np.cos(slope)) * np.maximum(found.values - 0.00407, 0.0)
    assert expected[-1] > 7.0
    np.testing.assert_allclose(found.curve("slab.frame vx"), expected, atol=0.02 * expected[-1])
    balance = found.report["energy_balance"]
    assert abs(balance["taken by the integration"]) < 0.02 * balance["turned over"]


@pytest.mark.parametrize(("kind", "apart"), [("hht", False), ("bdf", False), ("hht", True)])
def test_a_flexible_part_is_caught_with_the_momentum_of_both(tmp_path, kind, apart):
    """Plates with contact in their joint fly into a ball joint of a mass: momentum is kept, the balance closes.

    So it does when their fast modes have no inertia, which an impulse cannot set in motion then.
    """
    plates = jointed_plates_model()
    first = {"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD",
             "placement": {"velocity": (0.0, 0.0, 200.0)}}  # fmt: skip
    mass = {"kind": "rigid", "name": "mass", "mass": 1e-4, "moments_of_inertia": (1e-3, 1e-3, 1e-3),
            "placement": {"position": (0.0, 5.0, 0.01)}}  # fmt: skip
    catch = {
        "kind": "spherical",
        "name": "catch",
        "first": "mass.frame",
        "second": "plates.HOLD",
        "active": False,
    }
    gap = {
        "kind": "displacement",
        "name": "gap",
        "first": "mass.frame",
        "second": "plates.HOLD",
        "component": "z",
    }
    meet = {"kind": "crossing", "name": "meet", "measure": "gap", "direction": "rising",
            "actions": [{"kind": "activate", "constraints": ["catch"]}]}  # fmt: skip
    spec = system_of(parts=[first, mass], constraints=[catch], measures=[gap], events=[meet])
    words = {"tolerance": 1e-6, "first_step": 1e-7, "largest_step": 2e-6}
    more = {"separate_modes": True, "separation_frequency": 1.0} if apart else {}
    found = run(spec, tmp_path, 1e-4, {"plates": plates}, kind=kind, frames=20, **words, **more)
    assert found.report.get("separated_modes", 0) == (12 if apart else 0)
    (event,) = found.report["events"]
    system = assemble(spec, {"plates": flexible(plates)}).system
    fast = apart & (system.separable_stiffness > 0.0)
    momenta = []
    for frame in range(found.n_frames):
        _, q, v, _ = stored_state(system, found, frame)
        whole = system.mass(q) @ np.where(fast, 0.0, v)
        momenta.append([whole[own][2] for own in system.ranges[1:]])
    momenta = np.array(momenta)
    np.testing.assert_allclose(momenta.sum(axis=1), momenta[0].sum(), rtol=1e-6)
    assert momenta[0, 1] == 0.0 and momenta[-1, 1] > 0.1 * momenta[-1, 0]
    assert event["time"] == pytest.approx(0.01 / 200.0, rel=1e-9)
    # Less than two rigid masses would lose, for only what is near the node is stopped at once.
    heavy = momenta[0, 0] / 200.0
    assert 0.0 < event["energy_lost"] < 0.5 * 200.0**2 / (1.0 / heavy + 1e4)
    # Statics of fast modes jump with the forces, which the balance does not know: half a per cent here.
    share = 1e-3 if kind == "hht" and not apart else 1e-2
    balance = found.report["energy_balance"]
    assert abs(balance["taken by the integration"]) < share * balance["turned over"]


def found_by_checks(spec, tmp_path, **analysis):
    """Return severity and sentence of the findings on a system with one analysis."""
    words = {"name": "run", "system": "system", **({"kind": "motion"} | analysis)}
    project = build(Project, {"name": "p", "units": "m-kg-s", "systems": [spec], "analyses": [words]})
    return [(each.severity, each.sentence) for each in run_checks(CheckedProject(project, tmp_path))]


@pytest.mark.parametrize(
    ("event", "severity", "sentence"),
    [
        ({"measure": "angel"}, "error", "there is no measure 'angel'"),
        ({"actions": [{"kind": "release", "constraints": ["pun"]}]}, "error", "there is no constraint 'pun'"),
        ({"actions": [{"kind": "switch", "on": ["sprung"]}]}, "error", "there is no force 'sprung'"),
        ({"actions": []}, "warning", "the event 'it' does nothing"),
        ({"actions": [{"kind": "release"}]}, "warning", "action 1, release constraints, names nothing"),
        (
            {"actions": [{"kind": "save"}, {"kind": "switch"}]},
            "warning",
            "action 2, switch forces, names nothing",
        ),
    ],
)
def test_what_an_event_names_has_to_be_there(tmp_path, event, severity, sentence):
    spec = pendulum({"kind": "crossing", "name": "it", "measure": "angle", **event})
    assert any(s == severity and sentence in text for s, text in found_by_checks(spec, tmp_path))


def test_what_waits_for_no_event_and_who_knows_none_is_told(tmp_path):
    spec = pendulum(constraints=[
        {"kind": "revolute", "name": "pin", "first": "ground.pivot", "second": "bar.left", "active": False}
    ])  # fmt: skip
    assert any(
        "'pin' is not active, and no event wakes it" in text for _, text in found_by_checks(spec, tmp_path)
    )
    spec = pendulum(at(0.1, {"kind": "stop"}))
    told = [text for s, text in found_by_checks(spec, tmp_path, kind="system_modes") if s == "note"]
    assert any("leaves out the events of system 'system'" in text for text in told)
    assert not any("leaves out the events" in text for _, text in found_by_checks(spec, tmp_path))


def test_the_facts_of_a_run_tell_its_events(tmp_path):
    found = run(carts(latching()), tmp_path, 0.3, **PRECISE)
    columns = {column.title: column.values for column in event_table(found)}
    assert columns["Did"] == ["activates 'latch'"] and columns["Energy lost"][0] == pytest.approx(1.5)
    facts = {fact.title: fact.text for fact in facts_of(found.report, "m-kg-s")}
    assert facts["Event 'meet'"] == "activates 'latch' at 0.2 s; 1.5 J lost"
    release = at(0.1, {"kind": "release", "constraints": ["pin"]})
    found = run(pendulum(release), tmp_path, 0.2, **PRECISE)
    facts = {fact.title: fact.text for fact in facts_of(found.report, "m-kg-s")}
    assert "nothing acts on 'bar' any more but weight" in facts["Event 'at 0.1'"]


def test_a_measure_that_dips_within_a_step_is_found(tmp_path, monkeypatch):
    """A bob on a spring swings 1e-4 beyond a level, for half a step."""
    spring = {"kind": "spring_damper", "name": "spring", "first": "ground.origin", "second": "mass.frame",
              "stiffness": 400.0}  # fmt: skip
    mass = {
        **BAR,
        "name": "mass",
        "placement": {"position": (0.1, 0, 0)},
        "markers": [{"name": "slide", "rotation": ALONG_X}],
    }
    rail = {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "mass.slide"}
    place = {"kind": "displacement", "name": "place", "second": "mass.frame", "component": "x"}
    dip = {"kind": "crossing", "name": "dip", "measure": "place", "level": -0.0999, "direction": "falling", "times": 0,
           "actions": [{"kind": "save"}]}  # fmt: skip
    spec = system_of(parts=[mass], ground=[{"name": "rail", "rotation": ALONG_X}], constraints=[rail], forces=[spring],
                     measures=[place], events=[dip])  # fmt: skip
    words = {"kind": "generalized_alpha", "spectral_radius": 1.0, "fixed_step": True, "largest_step": 8e-3}
    found = run(spec, tmp_path, 0.3, **words)
    (event,) = found.report["events"]
    assert event["time"] == pytest.approx((np.pi - np.arccos(0.999)) / 20.0, abs=2e-3)
    monkeypatch.setattr(MotionEvents, "turning", lambda *_: None)
    assert not run(spec, tmp_path, 0.3, **words).report["events"]


def test_a_crossing_at_the_very_start_of_a_step_keeps_the_velocity(tmp_path):
    """A step of 1e-13 s would turn round-off of the position into a velocity, and 0.6 J of the swing into 2600 J."""
    clock = {"kind": "time", "name": "clock"}
    angle = {"kind": "angle", "name": "angle", "first": "ground.down", "second": "bar.left"}
    event = {
        "kind": "crossing",
        "name": "now",
        "measure": "clock",
        "level": 0.1 + 1e-13,
        "actions": [{"kind": "restart"}],
    }
    words = {"fixed_step": True, "first_step": 1e-3, "largest_step": 1e-3, "kind": "generalized_alpha"}
    found = run(pendulum(event, measures=[clock, angle]), tmp_path, 0.2, frames=200, **words)
    (told,) = found.report["events"]
    assert told["time"] == pytest.approx(0.1, rel=2e-12)
    energy, turned_over = found.curve("total energy"), found.report["energy_balance"]["turned over"]
    assert np.ptp(energy[90:110]) < 5e-7 * turned_over
    plain = run(pendulum(measures=[clock, angle]), tmp_path, 0.2, frames=200, **words)
    np.testing.assert_allclose(found.curve("angle"), plain.curve("angle"), atol=1e-7)
