"""A cam opens a valve through a roller tappet with lash, against a progressive spring; the valve bounces on its seat.

The tappet follows the cam: its lift is that of the table. The valve is pushed by the tappet and by its seat, one-sided
springs with restitution, rubs in its guide, and is closed by the spring F₀ + k x + c x². The damping of a touch follows
from the speed at the last time step before it, which is off by the acceleration of the tappet times a step, 7 %.
"""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import curves, system_project
from faying.project.specs import Project

SPEED = 150.0  # rad/s
LIFT, HALF_WIDTH = 8.0, 1.0  # mm, rad: lift (1 + cos(π φ/w))²/4 within ± w of the nose, at half a turn
BASE, ROLLER = 15.0, 6.0  # mm
LASH = 0.2  # mm
TAPPET, VALVE = 6e-5, 1e-4  # t
PRELOAD, RATE, GROWTH = 120.0, 24.0, 1.5  # N, N/mm, N/mm²
CONTACT, SEAT = 6e3, 2e4  # N/mm
BOUNCE_OF_TAPPET, BOUNCE_OF_SEAT = 0.6, 0.6  # restitution
FRICTION, PRESS, STICKING = 0.1, 120.0, 800.0  # of the guide: coefficient, N by its seal, N/mm
TURN = 2.0 * np.pi / SPEED

_TURNING = "a turn"
_SOURCE = "the valve alone in steps of 0.2 µs: tests/references/valve_train.py"
_UP = (0.0, -0.5 * np.pi, 0.0)  # turns x up; the camshaft lies along −x of space


def lift(angle: np.ndarray | float) -> np.ndarray:
    """Return the lift of the tappet, of the shape of the angle of the cam, and zero on its base circle."""
    away = (np.asarray(angle) - np.pi + np.pi) % (2.0 * np.pi) - np.pi
    inside = np.abs(away) < HALF_WIDTH
    return np.where(inside, LIFT * 0.25 * (1.0 + np.cos(np.pi * np.clip(away / HALF_WIDTH, -1, 1))) ** 2, 0.0)


@examples.register("valve-train")
class ValveTrain(Example):
    """A cam by its lift, a roller, stops with restitution, a progressive spring, and friction in a guide."""

    title: ClassVar[str] = "Valve train"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = (
        "A cam opens a valve through a roller with lash; it bounces on its seat when it closes."
    )
    takes_long: ClassVar[bool] = True  # thousands of steps: 17 seconds of the processor
    picture: ClassVar[tuple[str, str]] = (_TURNING, "")
    film: ClassVar[tuple[str, str]] = (_TURNING, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("lift", _TURNING, "Lift", "length", ("lift of the tappet", "lift of the valve")),
        CurvePlot("torque", _TURNING, "Torque of the camshaft", "moment", ("drive moment z",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("cam_error", "", 0.0, "analytical", 1e-4, "lift of the table; largest deviation over the whole lift"),
        Expected("largest_lift", "length", 7.76150, "independent code", 2e-3, _SOURCE),
        Expected("landing_speed", "velocity", 469.71, "independent code", 0.01, _SOURCE),
        Expected("friction_work", "energy", 186.191, "independent code", 5e-3, _SOURCE),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick one is the same."""
        angles = np.linspace(np.pi - HALF_WIDTH, np.pi + HALF_WIDTH, 61)
        table = [(float(a), float(lift(a))) for a in angles]
        rest = BASE + ROLLER
        # A round cam that has the base circle at its back and the nose at its front.
        lobe = {
            "kind": "cylinder", "start": (-6, 0, -0.5 * LIFT), "end": (6, 0, -0.5 * LIFT),
            "radius": BASE + 0.5 * LIFT,
        }  # fmt: skip
        roller = {"kind": "cylinder", "start": (-5, 0, 0), "end": (5, 0, 0), "radius": ROLLER}
        stem = {"kind": "cylinder", "start": (0, 0, 0), "end": (0, 0, 60), "radius": 4.0}
        parts: list[dict[str, Any]] = [
            {
                "kind": "rigid", "name": "cam", "mass": 3e-4, "moments_of_inertia": (0.1, 0.1, 0.1), "looks": lobe,
                "markers": [{"name": "shaft", "rotation": _UP}],
            },
            {
                "kind": "rigid", "name": "tappet", "mass": TAPPET, "moments_of_inertia": (1e-2, 1e-2, 1e-2),
                "looks": roller, "markers": [{"name": "roller", "rotation": _UP}],
                "placement": {"position": (0, 0, rest)},
            },
            {
                "kind": "rigid", "name": "valve", "mass": VALVE, "moments_of_inertia": (1e-2, 1e-2, 1e-2),
                "looks": stem,
                "placement": {"position": (0, 0, rest + 10.0)},
            },
        ]  # fmt: skip
        shaft = {"first": "ground.shaft", "second": "cam.shaft"}
        guided = {"first": "ground.guide", "second": "valve.frame"}
        system = {
            "name": "valve train",
            "ground": [
                {"name": "shaft", "rotation": _UP}, {"name": "guide"}, {"name": "retainer", "position": (0, 0, 150.0)},
            ],
            "parts": parts,
            "constraints": [
                {"kind": "revolute", "name": "bearing", **shaft},
                {
                    "kind": "prescribed_angular_speed", "name": "drive", **shaft, "speed": SPEED,
                    "time_history": {"kind": "constant"},
                },
                {"kind": "translational", "name": "tappet guide", "first": "ground.guide", "second": "tappet.frame"},
                {"kind": "translational", "name": "guide", **guided},
                {
                    "kind": "curve_on_curve", "name": "cam face", "first": "cam.shaft", "second": "tappet.roller",
                    "curve": {
                        "kind": "cam_lift", "lift": table, "base_radius": BASE, "roller_radius": ROLLER,
                        "follower": "roller",
                    },
                    "second_curve": {"kind": "formula", "x": f"{ROLLER}*cos(s)", "y": f"{ROLLER}*sin(s)", "pieces": 60},
                },
            ],
            "measures": [
                {"kind": "displacement", "name": "height", **guided, "component": "z"},
                {"kind": "velocity", "name": "speed", **guided, "component": "z"},
                {
                    "kind": "displacement", "name": "roller height", "first": "ground.guide",
                    "second": "tappet.frame", "component": "z",
                },
                {
                    "kind": "formula", "name": "lift of the valve", "formula": f"a - {rest + 10.0}", "a": "height",
                    "quantity": "length",
                },
                {
                    "kind": "formula", "name": "lift of the tappet", "formula": f"a - {rest}", "a": "roller height",
                    "quantity": "length",
                },
            ],
            "forces": [
                {
                    "kind": "spring_damper", "name": "spring", "first": "ground.retainer", "second": "valve.frame",
                    "free_length": 150.0 - rest - 10.0, "preload": -PRELOAD,
                    "characteristic": {"kind": "polynomial", "coefficients": (0.0, RATE, -GROWTH)},
                },
                {
                    "kind": "stop", "name": "tappet pushes", "first": "tappet.frame", "second": "valve.frame",
                    "of": "z",
                    "lower": 10.0 - LASH, "stiffness": CONTACT, "restitution": BOUNCE_OF_TAPPET,
                },
                {
                    "kind": "stop", "name": "seat", **guided, "of": "z", "lower": rest + 10.0, "stiffness": SEAT,
                    "restitution": BOUNCE_OF_SEAT,
                },
                {
                    "kind": "joint_friction", "name": "guide rubs", "constraint": "guide", "preload": PRESS,
                    "friction_law": {
                        "kind": "coulomb", "friction_coefficient": FRICTION, "sticking_stiffness": STICKING,
                        "sliding_stiffness": 0.0,
                    },
                },
            ],
        }  # fmt: skip
        turning = {
            "name": _TURNING, "duration": 0.8 * TURN, "frames": 500,
            "from_equilibrium": True,
            "integrator": {
                "kind": "hht", "alpha": -0.02, "tolerance": 1e-3, "first_step": 1e-6, "largest_step": 1e-5,
            },
        }  # fmt: skip
        note = "A cam of 8 mm lift at 1432 rpm, lash 0.2 mm, valve 100 g."
        return system_project(self.title, note, system, [turning], units="mm-t-s")

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction in the guide."""
        (system,) = project.systems
        smooth = tuple(force for force in system.forces if force.name != "guide rubs")
        return {"friction": project.with_(systems=(system.with_(forces=smooth),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return how the tappet follows the cam, and what the valve does."""
        time, tappet, valve, speed, work = curves(
            run, _TURNING, "lift of the tappet", "lift of the valve", "speed", "friction work"
        )
        return {
            "cam_error": float(np.abs(tappet - lift(SPEED * time)).max() / LIFT),
            "largest_lift": float(valve.max()),
            "landing_speed": landing_speed(valve, speed),
            "friction_work": float(abs(work[-1])),
        }


def landing_speed(valve: np.ndarray, speed: np.ndarray) -> float:
    """Return the speed with which a valve first reaches its seat after it was open, from two places before."""
    top = int(valve.argmax())
    lands = top + int(np.flatnonzero(valve[top:] <= 0.0)[0])
    (first, last), (fast, slow) = valve[lands - 2 : lands], speed[lands - 2 : lands]
    return float(-slow - (slow - fast) * last / (first - last))
