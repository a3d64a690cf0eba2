"""A robot's arm swings to a new place: a PID moves each joint against weight and friction, until the elbow stops.

The set points go there by smooth steps. The elbow's lies beyond its stop, so that its motor pushes with its largest
torque in the end, and the integral of its PID is led back; joints rub by LuGre's law under their own reactions.
"""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, curves, system_project
from faying.project.specs import Project

HEIGHT = 0.4  # m, of the shoulder above ground
TURRET = 1.2  # kg m², about the vertical
LENGTHS, MASSES, THICKNESS = (0.6, 0.5), (8.0, 5.0), 0.05  # m, kg, m: upper arm and forearm, slender bars
START = (0.0, 0.7, -1.2)  # rad: turret, shoulder, elbow
GOAL = (1.4, 0.2, 0.5)
RISE = 0.8  # s
STOP, STOP_STIFFNESS = 0.3, 2e3  # rad, N m/rad: of the elbow
# Proportional, integral, derivative, filter in s, largest torque in N m.
GAINS = (
    (1500.0, 2500.0, 120.0, 5e-3, 120.0),
    (2500.0, 5000.0, 150.0, 5e-3, 150.0),
    (900.0, 2500.0, 40.0, 5e-3, 60.0),
)
TRACKING = 0.1  # s
# LuGre in the joints: radius in m, preload in N, coefficient, share at speed, speed in m/s, N/m, N s/m.
RADIUS, PRELOAD = (0.08, 0.06, 0.04), (400.0, 300.0, 200.0)
COEFFICIENT, SHARE, STRIBECK, BRISTLES, VISCOUS = 0.15, 0.7, 0.02, 1e5, 30.0
DURATION = 1.6

JOINTS = ("turret", "shoulder", "elbow")
_SWING = "swing"
_SOURCE = "Lagrange's equations with the states of controllers and bristles: tests/references/robot_arm.py"
_TILT = (0.5 * np.pi, 0.0, 0.0)  # z of the joints of the plane arm is −y of space
_AXES = (
    ("ground.base", "turret.base"),
    ("turret.shoulder", "upper arm.first"),
    ("upper arm.second", "forearm.first"),
)


@examples.register("robot-arm")
class RobotArm(Example):
    """PID controllers with limits and anti-windup, joint friction with bristles, and a stop."""

    title: ClassVar[str] = "Robot arm"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = (
        "Three joints under PID swing an arm to its place, against friction, until its elbow stops."
    )
    picture: ClassVar[tuple[str, str]] = (_SWING, "")
    film: ClassVar[tuple[str, str]] = (_SWING, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("angles", _SWING, "Angle of the joints", "angle", tuple(f"{name} angle" for name in JOINTS)),
        CurvePlot("torque", _SWING, "Torque of the motors", "moment", tuple(f"{name} torque" for name in JOINTS)),
    )  # fmt: skip
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("turret_half_way", "angle", 0.690974, "independent code", 1e-3, _SOURCE),
        Expected("shoulder_half_way", "angle", 0.432662, "independent code", 1e-3, _SOURCE),
        Expected("elbow_half_way", "angle", -0.355830, "independent code", 1e-3, _SOURCE),
        Expected("elbow_largest", "angle", 0.335289, "independent code", 1e-3, _SOURCE),
        Expected("elbow_in_the_end", "angle", 0.324786, "independent code", 1e-3, _SOURCE),
        Expected("turret_largest", "angle", 1.437507, "independent code", 1e-3, _SOURCE),
        Expected("shoulder_torque_half_way", "moment", 71.7550, "independent code", 1e-3, _SOURCE),
        Expected("friction_work", "energy", 9.63671, "independent code", 1e-3, _SOURCE),
    )

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick one is the same."""
        shoulder, elbow = START[1], START[1] + START[2]
        at_elbow = np.array([0.0, 0.0, HEIGHT]) + LENGTHS[0] * np.array(
            [np.cos(shoulder), 0.0, np.sin(shoulder)]
        )
        places = np.array([0.0, 0.0, HEIGHT]), at_elbow
        parts: list[dict[str, Any]] = [{
            "kind": "rigid", "name": "turret", "mass": 20.0, "moments_of_inertia": (TURRET,) * 3,
            "markers": [{"name": "base"}, {"name": "shoulder", "position": (0, 0, HEIGHT), "rotation": _TILT}],
            "looks": {"kind": "cylinder", "start": (0, 0, 0), "end": (0, 0, HEIGHT), "radius": 0.09},
        }]  # fmt: skip
        for name, angle, place, length, mass in zip(
            ("upper arm", "forearm"), (shoulder, elbow), places, LENGTHS, MASSES, strict=True
        ):
            about, along = mass * length**2 / 12.0, mass * THICKNESS**2 / 6.0
            middle = place + 0.5 * length * np.array([np.cos(angle), 0.0, np.sin(angle)])
            parts.append({
                "kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": (along, about, about),
                "markers": [
                    {"name": end, "position": (side * length, 0, 0), "rotation": _TILT}
                    for end, side in (("first", -0.5), ("second", 0.5))
                ],
                "looks": {
                    "kind": "link", "first": f"{name}.first", "second": f"{name}.second", "width": 0.1, "depth": 0.1,
                },
                "placement": {"position": tuple(map(float, middle)), "rotation": (0.0, -angle, 0.0)},
            })  # fmt: skip
        motors: list[dict[str, Any]] = []
        controllers: list[dict[str, Any]] = []
        for k, name in enumerate(JOINTS):
            p, i, d, filter_time, largest = GAINS[k]
            first, second = _AXES[k]
            motors += [
                {
                    "kind": "rotary_actuator", "name": f"{name} motor", "first": first, "second": second, "torque": 1.0,
                    "measure": f"{name} torque",
                },
                {
                    "kind": "joint_friction", "name": f"{name} rubs", "constraint": f"{name} joint",
                    "radius": RADIUS[k], "preload": PRELOAD[k], "stiffness": BRISTLES, "area": 1.0,
                    "friction_law": {
                        "kind": "lugre", "friction_coefficient": COEFFICIENT, "kinetic_share": SHARE,
                        "stribeck_velocity": STRIBECK, "viscous_damping": VISCOUS,
                    },
                },
            ]  # fmt: skip
            controllers.append({
                "kind": "pid", "name": f"{name} torque", "input": f"{name} angle", "quantity": "moment",
                "set_point_measure": f"{name} wanted", "proportional": p, "integral": i, "derivative": d,
                "filter_time": filter_time, "lower": -largest, "upper": largest, "tracking_time": TRACKING,
            })  # fmt: skip
        stop = {
            "kind": "rotational_stop", "name": "elbow stop", "first": _AXES[2][0], "second": _AXES[2][1],
            "lower": None, "upper": STOP, "stiffness": STOP_STIFFNESS,
        }  # fmt: skip
        wanted = f"(1 - cos(pi*min(t/{RISE}, 1)))/2"
        system = {
            "name": "robot",
            "ground": [{"name": "base"}],
            "parts": parts,
            "constraints": [
                {"kind": "revolute", "name": f"{name} joint", "first": first, "second": second}
                for name, (first, second) in zip(JOINTS, _AXES, strict=True)
            ],
            "forces": [*motors, stop],
            "measures": [
                *(
                    {"kind": "angle", "name": f"{name} angle", "first": first, "second": second}
                    for name, (first, second) in zip(JOINTS, _AXES, strict=True)
                ),
                *(
                    {
                        "kind": "formula", "name": f"{name} wanted", "quantity": "angle",
                        "formula": f"{START[k]} + {GOAL[k] - START[k]}*{wanted}",
                    }
                    for k, name in enumerate(JOINTS)
                ),
            ],
            "controllers": controllers,
            "gravity": (0.0, 0.0, -GRAVITY),
        }  # fmt: skip
        swing = {
            "name": _SWING, "duration": DURATION, "frames": 160,
            "integrator": {
                "kind": "generalized_alpha", "tolerance": 2e-5, "first_step": 1e-4, "largest_step": 4e-3,
            },
        }  # fmt: skip
        return system_project(self.title, "A turret, an upper arm and a forearm, 33 kg.", system, [swing])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction in the joints."""
        (system,) = project.systems
        smooth = tuple(force for force in system.forces if force.kind != "joint_friction")
        return {"friction": project.with_(systems=(system.with_(forces=smooth),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return angles half-way and in the end, the largest torque of the shoulder, and what friction took."""
        time, *found = curves(
            run, _SWING, *(f"{name} angle" for name in JOINTS), "shoulder torque", "friction work"
        )
        return numbers(time, np.array(found[:3]), found[3], found[4])


def numbers(time: np.ndarray, angles: np.ndarray, torque: np.ndarray, work: np.ndarray) -> dict[str, float]:
    """Return the example's numbers for curves over time: angles (3, n), torque of the shoulder, work of friction."""
    told: dict[str, float] = {}
    for name, angle in zip(JOINTS, angles, strict=True):
        told[f"{name}_half_way"] = float(np.interp(0.4, time, angle))
    return told | {
        "elbow_largest": float(angles[2].max()),
        "elbow_in_the_end": float(angles[2][-1]),
        "turret_largest": float(angles[0].max()),
        "shoulder_torque_half_way": float(np.interp(0.4, time, torque)),
        "friction_work": float(abs(work[-1])),
    }
