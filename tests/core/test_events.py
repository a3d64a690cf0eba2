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


def height(of: str = "ball.frame", component: str = "y") -> dict:
    """Return the measure of a marker's place."""
    return {"kind": "displacement", "name": "place", "second": of, "component": component}


def ball(*events, at=0.5, **more):
    """Return a ball above a floor that holds only at impacts."""
    floor = {"kind": "in_plane", "name": "floor", "first": "ground.floor", "second": "ball.frame", "active": False}
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
    found = moved(ball(bounce(0.8)), tmp_path, 1.5, kind=kind, **PRECISE)
    speed = np.sqrt(2 * G * 0.5)
    times = [each["time"] for each in found.report["events"]]
    exact = speed / G + np.cumsum([0.0, *(2 * 0.8**k * speed / G for k in (1, 2, 3))])
    print(kind, np.array(times) - exact[: len(times)])
    print([e["energy_lost"] for e in found.report["events"]], found.report["energy_balance"])
