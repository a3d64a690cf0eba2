"""Events in motions of systems, against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipk

from faying.errors import SolveError
from support.systems import BAR, DOWN_Y, moved, system_of

PRECISE = {"tolerance": 1e-8, "largest_step": 2e-3}
SCHEMES = ("hht", "generalized_alpha", "bdf")
ALONG_X = (0.0, np.pi / 2, 0.0)
G = 9.81


def run(spec, path, duration, **words):
    """Return the results of a motion, each in a folder of its own."""
    own = path / str(len(list(path.iterdir())))
    own.mkdir()
    return moved(spec, own, duration, **words)


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
    print(kind, np.array(times) - exact[: len(times)])
    print([e["energy_lost"] for e in found.report["events"]], found.report["energy_balance"])


def carts(*events, speeds=(2.0, 0.0), masses=(1.0, 3.0), gap=0.4, **more):
    """Return two masses on a rail along x with a latch between them that does not hold yet."""
    along = [{"name": "slide", "rotation": ALONG_X}]
    parts = [
        {**BAR, "name": name, "mass": mass, "markers": along, "placement": {"position": (x, 0, 0), "velocity": (v, 0, 0)}}
        for name, mass, x, v in zip(("one", "two"), masses, (0.0, gap), speeds, strict=True)
    ]
    rails = [{"kind": "translational", "name": f"rail {name}", "first": "ground.rail", "second": f"{name}.slide"}
             for name in ("one", "two")]  # fmt: skip
    latch = {"kind": "fixed", "name": "latch", "first": "one.slide", "second": "two.slide", "active": False}
    gaps = {"kind": "displacement", "name": "gap", "first": "one.frame", "second": "two.frame", "component": "x"}
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


@pytest.mark.parametrize(("kind", "within"), [("hht", 3e-6), ("generalized_alpha", 3e-6), ("bdf", 3e-6)])
def test_a_pendulum_crosses_its_lowest_point_after_a_quarter_period(tmp_path, kind, within):
    """K(sin²(θ₀/2)) √(2 L/3 g) of a bar; the error falls with the square of the step and is not that of the search."""
    at_rest = [{"kind": "stop"}]
    event = {"kind": "crossing", "name": "lowest", "measure": "angle", "direction": "falling", "actions": at_rest}
    exact = ellipk(np.sin(0.5) ** 2) * np.sqrt(2.0 / (3.0 * G))
    errors = []
    for step in (2e-3, 1e-3):
        found = run(pendulum(event), tmp_path, 2.0, kind=kind, tolerance=1e-4, largest_step=step, fixed_step=True)
        (told,) = found.report["events"]
        errors.append(told["time"] - exact)
        assert found.values[-1] == told["time"] < 2.0
        print(found.curve("angle")[-1])
    print(kind, errors)
