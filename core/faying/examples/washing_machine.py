"""A washing machine spins up its drum with unbalanced laundry: the suspended tub swings through its resonances.

The tub hangs on four rubber feet with tables, is damped by two friction struts, and carries the drum on its bearing. A
Campbell diagram of the balanced drum with sliding struts, which have no stiffness, tells where the resonances are.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, curves, system_project
from faying.project.specs import Project

TUB, TUB_INERTIA = 38.0, (1.7, 2.1, 2.0)  # kg, kg m² along the axle (x), across, and up (z)
DRUM, DRUM_INERTIA = 9.0, (0.42, 0.30, 0.30)
DRUM_AT = 0.06  # m along the axle, from the centre of mass of the tub
LAUNDRY, LAUNDRY_INERTIA = 0.7, 7e-4
LAUNDRY_AT = (0.14, 0.0, -0.21)  # m from the centre of mass of the tub, while the drum is at rest
FEET = tuple((x, y, -0.25) for x in (-0.18, 0.22) for y in (-0.22, 0.22))
ACROSS, DAMPING = 2500.0, 30.0  # N/m of a foot along x and y; N s/m of a foot in each direction
UP = (
    (-0.05, -700.0),
    (-0.03, -260.0),
    (-0.015, -100.0),
    (0.0, 0.0),
    (0.015, 100.0),
    (0.03, 260.0),
    (0.05, 700.0),
)
STRUTS = tuple(((0.03, y, -0.2), (0.08, 2.0 * y, -0.5)) for y in (-0.18, 0.18))
FRICTION, CREEP = 60.0, 0.04  # N, m/s: a strut resists with 60 N tanh(speed / creep)
FRONT = 0.25  # m along the axle, where the swing is measured
TOP = 80.0  # rad/s, 764 rpm
RISE, DURATION = 2.0, 2.6  # s

_SPIN_UP, _DIAGRAM = "spin-up", "Campbell diagram"
_AXLE = (0.0, 0.5 * np.pi, 0.0)  # turns z along x
_SOURCE = "Newton and Euler's equations of three bodies: tests/references/washing_machine.py"

_FREQUENCIES = (1.722092695, 1.897572793, 2.828420935, 4.305589985, 5.264450606, 5.370366016)
_CRITICAL = (11.3320509, 11.9203021, 19.3482280, 27.0384475, 30.0876740, 33.0840605)
_SWINGS = {
    "largest_swing_sideways": 0.0138350, "largest_swing_upwards": 0.0165354,
    "swing_sideways_at_speed": 5.73794e-3, "swing_upwards_at_speed": 6.00248e-3,
}  # fmt: skip


@examples.register("washing-machine")
class WashingMachine(Example):
    """Unbalance, bushings with tables, friction struts, a Campbell diagram and a spin-up through resonance."""

    title: ClassVar[str] = "Washing machine"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = (
        "A drum with unbalanced laundry spins up through the resonances of its suspended tub."
    )
    takes_long: ClassVar[bool] = True  # twenty seconds of the processor
    picture: ClassVar[tuple[str, str]] = (_SPIN_UP, "")
    film: ClassVar[tuple[str, str]] = (_SPIN_UP, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot(
            "swing", _SPIN_UP, "Displacement of the front of the tub", "length", ("sideways", "upwards")
        ),
        CurvePlot("speed", _SPIN_UP, "Speed of the drum", "angular_velocity", ("speed",)),
        CurvePlot("torque", _SPIN_UP, "Torque of the motor", "moment", ("motor moment z",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"frequency_{k + 1}_at_top_speed", "frequency", value, "independent code", 1e-6, _SOURCE)
            for k, value in enumerate(_FREQUENCIES)
        ),
        *(
            Expected(f"critical_speed_{k + 1}", "angular_velocity", value, "independent code", 2e-4, _SOURCE)
            for k, value in enumerate(_CRITICAL)
        ),
        *(Expected(name, "length", value, "independent code", 0.01, _SOURCE) for name, value in _SWINGS.items()),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick stores fewer frames."""
        analyses: list[dict[str, Any]] = [
            {
                "kind": "campbell", "name": _DIAGRAM, "system": "balanced drum", "drive": "motor", "count": 6,
                "highest_speed": TOP, "speeds": 17,
            },
            {
                "name": _SPIN_UP, "system": "washing machine", "duration": DURATION, "frames": 350 if quick else 1000,
                "from_equilibrium": True,
                "integrator": {"kind": "hht", "alpha": -0.05, "largest_step": 4e-3, "tolerance": 5e-3},
            },
        ]  # fmt: skip
        note = "A tub of 38 kg, a drum of 9 kg and 0.7 kg of laundry at one side, up to 764 rpm within 2 s."
        project = system_project(self.title, note, self._system("washing machine", True), analyses[1:])
        balanced = system_project(self.title, note, self._system("balanced drum", False), analyses[:1])
        return project.with_(
            systems=(*balanced.systems, *project.systems), analyses=(*balanced.analyses, *project.analyses)
        )

    def _system(self, name: str, loaded: bool) -> dict[str, Any]:
        """Return the system, loaded with laundry and friction in its struts, or without both."""
        feet = [{"name": f"foot {k + 1}", "position": place} for k, place in enumerate(FEET)]
        tops = [{"name": f"strut {k + 1}", "position": top} for k, (top, _) in enumerate(STRUTS)]
        floor = [{"name": f"strut {k + 1}", "position": low} for k, (_, low) in enumerate(STRUTS)]
        bearing = {"name": "bearing", "position": (DRUM_AT, 0.0, 0.0), "rotation": _AXLE}
        parts: list[dict[str, Any]] = [
            {
                "kind": "rigid", "name": "tub", "mass": TUB, "moments_of_inertia": TUB_INERTIA,
                "markers": [*feet, *tops, bearing, {"name": "front", "position": (FRONT, 0.0, 0.0)}],
                "looks": {"kind": "cylinder", "start": (-0.2, 0, 0), "end": (0.05, 0, 0), "radius": 0.28},
            },
            {
                "kind": "rigid", "name": "drum", "mass": DRUM, "moments_of_inertia": DRUM_INERTIA,
                "markers": [{"name": "bearing", "rotation": _AXLE}],
                "looks": {"kind": "cylinder", "start": (-0.1, 0, 0), "end": (0.16, 0, 0), "radius": 0.22},
                "placement": {"position": (DRUM_AT, 0.0, 0.0)},
            },
        ]  # fmt: skip
        between = {"first": "tub.bearing", "second": "drum.bearing"}
        constraints: list[dict[str, Any]] = [
            {"kind": "revolute", "name": "bearing", **between},
            {
                "kind": "prescribed_angular_speed", "name": "motor", **between, "speed": TOP,
                "time_history": {"kind": "haversine", "rise_time": RISE},
            },
        ]  # fmt: skip
        forces: list[dict[str, Any]] = [
            {
                "kind": "bushing", "name": each["name"], "first": f"ground.{each['name']}",
                "second": f"tub.{each['name']}", "stiffness": (ACROSS, ACROSS, 0.0),
                "damping": (DAMPING,) * 3,
                "z_characteristic": {"kind": "table", "points": UP},
            }
            for each in feet
        ]  # fmt: skip
        if loaded:
            parts[1]["markers"] = [
                *parts[1]["markers"], {"name": "laundry", "position": tuple(np.subtract(LAUNDRY_AT, (DRUM_AT, 0, 0)))},
            ]  # fmt: skip
            parts.append({
                "kind": "rigid", "name": "laundry", "mass": LAUNDRY, "moments_of_inertia": (LAUNDRY_INERTIA,) * 3,
                "looks": {"kind": "sphere", "radius": 0.05}, "placement": {"position": LAUNDRY_AT},
            })  # fmt: skip
            constraints.append(
                {"kind": "fixed", "name": "laundry", "first": "drum.laundry", "second": "laundry.frame"}
            )
            forces += [
                {
                    "kind": "spring_damper", "name": each["name"], "first": f"ground.{each['name']}",
                    "second": f"tub.{each['name']}", "stiffness": 0.0,
                    "damping_characteristic": {"kind": "formula", "formula": f"{FRICTION}*tanh(x/{CREEP})"},
                }
                for each in tops
            ]  # fmt: skip
        front = {"first": "ground.front", "second": "tub.front"}
        return {
            "name": name,
            "gravity": (0.0, 0.0, -GRAVITY),
            "ground": [*feet, *floor, {"name": "front", "position": (FRONT, 0.0, 0.0)}],
            "parts": parts,
            "constraints": constraints,
            "forces": forces,
            "measures": [
                {"kind": "displacement", "name": "sideways", **front, "component": "y"},
                {"kind": "displacement", "name": "upwards", **front, "component": "z"},
                {"kind": "angular_speed", "name": "speed", **between},
            ],
        }

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction in the struts."""
        balanced, system = project.systems
        smooth = tuple(force for force in system.forces if not force.name.startswith("strut"))
        return {"friction": project.with_(systems=(balanced, system.with_(forces=smooth)))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies at the top speed, critical speeds, and how far the tub swings."""
        with closing(run.results(_DIAGRAM)) as results:
            lines = sorted(float(results.curve(f"mode {k + 1} natural frequency")[-1]) for k in range(6))
            critical = [row["speed"] for row in results.report["critical_speeds"]]
        return {
            **{f"frequency_{k + 1}_at_top_speed": value for k, value in enumerate(lines)},
            **{f"critical_speed_{k + 1}": value for k, value in enumerate(critical)},
            **swings(*curves(run, _SPIN_UP, "sideways", "upwards")),
        }


def swings(time: np.ndarray, sideways: np.ndarray, upwards: np.ndarray) -> dict[str, float]:
    """Return how far the front of the tub swings: from rest while it passes resonance, and how far it does at speed.

    At speed this is √2 times the standard deviation, the amplitude of a sine, which hardly depends on how many frames
    there are.
    """
    at_speed = time >= RISE + 0.2
    return {
        "largest_swing_sideways": float(np.abs(sideways - sideways[0]).max()),
        "largest_swing_upwards": float(np.abs(upwards - upwards[0]).max()),
        "swing_sideways_at_speed": float(np.sqrt(2.0) * np.std(sideways[at_speed])),
        "swing_upwards_at_speed": float(np.sqrt(2.0) * np.std(upwards[at_speed])),
    }
