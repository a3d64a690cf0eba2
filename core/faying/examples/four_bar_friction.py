"""A four-bar linkage moves a load against friction in its pins, until it locks near its dead point.

The coupler transmits a force that is tangent to the friction circles of its pins, of radius μ R (Hain, "Applied
Kinematics"); links without weight, turned slowly.
"""

import re
from typing import Any, ClassVar

import numpy as np

from faying.errors import FayingError
from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import curves, system_project
from faying.project.specs import Project

CRANK, COUPLER, ROCKER, BASE = 0.10, 0.26, 0.125, 0.2845  # m
START, SPEED, DURATION = np.radians(100.0), np.radians(10.0), 4.0  # of the crank: rad, rad/s, s
LOAD = 50.0  # N m on the rocker, against its motion
PIN, FRICTION = 0.03, 0.4  # radius of the pins in m, coefficient
ALL = 8.0  # s, in which it would reach the dead point

_LIFTING, _LOCKED = "lifting", "locked"
_SOURCE = "forces tangent to friction circles: tests/references/four_bar.py"
_TORQUES = {
    1.0: 57.835051,
    20.0: 62.619015,
    40.0: 72.683410,
}  # N m of the crank, by the angle turned in degrees


def joints_at(crank: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the places (2,), (2,) of the crank pin and the rocker pin for an angle of the crank."""
    pin = CRANK * np.array([np.cos(crank), np.sin(crank)])
    away = np.array([BASE, 0.0]) - pin
    size = float(np.linalg.norm(away))
    along, up = away / size, np.array([-away[1], away[0]]) / size
    x = (COUPLER**2 - ROCKER**2 + size**2) / (2.0 * size)
    return pin, pin + x * along + np.sqrt(COUPLER**2 - x**2) * up


@examples.register("four-bar-friction")
class FourBarFriction(Example):
    """Kinematics with friction in joints, and a mechanism that friction locks."""

    title: ClassVar[str] = "Four-bar linkage with friction"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "What friction in its pins costs a linkage, and from when on it locks."
    picture: ClassVar[tuple[str, str]] = (_LIFTING, "")
    film: ClassVar[tuple[str, str]] = (_LIFTING, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("torque", _LIFTING, "Torque of the crank", "moment", ("drive moment z",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"torque_at_{turned:g}_degrees", "moment", torque, "independent code", 2e-3, _SOURCE)
            for turned, torque in _TORQUES.items()
        ),
        Expected(
            "locks_after_degrees", "", 74.391235, "independent code", 0.02,
            "friction takes the coupler's whole force there: tests/references/four_bar.py",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick one is the same."""
        pin, end = joints_at(START)
        base = np.array([BASE, 0.0])

        def link(name: str, first: np.ndarray, second: np.ndarray) -> dict[str, Any]:
            way = second - first
            length = float(np.linalg.norm(way))
            middle = 0.5 * (first + second)
            return {
                "kind": "rigid", "name": name, "mass": 1e-4, "moments_of_inertia": (1e-7, 1e-6, 1e-6),
                "markers": [
                    {"name": "first", "position": (-0.5 * length, 0, 0)},
                    {"name": "second", "position": (0.5 * length, 0, 0)},
                ],
                "looks": {
                    "kind": "link", "first": f"{name}.first", "second": f"{name}.second", "width": 0.02, "depth": 0.008,
                },
                "placement": {
                    "position": (*map(float, middle), 0), "rotation": (0, 0, float(np.arctan2(way[1], way[0]))),
                },
            }  # fmt: skip

        # A point on a line in place of a fourth hinge, whose out-of-plane equations would be redundant.
        between = {
            "main": ("revolute", "ground.main", "crank.first"),
            "crank pin": ("revolute", "crank.second", "coupler.first"),
            "rocker pin": ("point_on_line", "rocker.second", "coupler.second"),
            "bearing": ("revolute", "ground.bearing", "rocker.first"),
        }
        constraints: list[dict[str, Any]] = [
            {"kind": kind, "name": name, "first": first, "second": second}
            for name, (kind, first, second) in between.items()
        ]
        constraints.append(
            {
                "kind": "prescribed_angular_speed", "name": "drive", "first": "ground.main", "second": "crank.first",
                "speed": SPEED, "start": START, "time_history": {"kind": "constant"},
            }
        )  # fmt: skip
        friction = [
            {
                "kind": "joint_friction", "name": f"{name} rubs", "constraint": name, "radius": PIN, "stiffness": 1e9,
                "friction_law": {"kind": "coulomb", "friction_coefficient": FRICTION},
            }
            for name in ("main", "crank pin", "bearing")
        ]  # fmt: skip
        load = {
            "kind": "rotary_actuator", "name": "load", "first": "ground.bearing", "second": "rocker.first",
            "torque": -LOAD,
        }  # fmt: skip
        system = {
            "name": "four-bar",
            "ground": [{"name": "main"}, {"name": "bearing", "position": (*map(float, base), 0)}],
            "parts": [link("crank", np.zeros(2), pin), link("coupler", pin, end), link("rocker", base, end)],
            "constraints": constraints,
            "forces": [load, *friction],
        }
        lifting = {"kind": "kinematics", "name": _LIFTING, "duration": DURATION, "frames": 40}
        return system_project(
            self.title, "Pins of 30 mm radius with a friction coefficient of 0.3.", system, [lifting]
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction in the pins."""
        (system,) = project.systems
        (load, *_) = system.forces
        return {"friction": project.with_(systems=(system.with_(forces=(load,)),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the torque at some angles, and where the linkage locks."""
        time, torque = curves(run, _LIFTING, "drive moment z")
        turned = np.degrees(SPEED * time)
        values = {
            f"torque_at_{at:g}_degrees": float(np.interp(at, turned, np.abs(torque))) for at in _TORQUES
        }
        return {**values, "locks_after_degrees": _locks_after(run)}


def _locks_after(run: ExampleRun) -> float:
    """Return the angle in degrees that the crank has turned where the run says that friction locks it; NaN if not."""
    (own,) = run.project.analyses
    further = own.with_(name=_LOCKED, duration=ALL, frames=round(own.frames * ALL / own.duration))
    try:
        run.results(_LOCKED, run.project.with_(analyses=(further,))).close()
    except FayingError as error:
        found = re.search(r"t = (\S+) s", error.message)
        if found and "no drive moves it" in error.message:
            return float(np.degrees(SPEED * float(found[1])))
    return float("nan")
