"""A slider-crank with a plain flexible rod at 1000 rpm: a benchmark against another program."""

import math
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import bar_body, curves, fixed_interface_frequencies, system_project
from faying.examples.switched_off import without_flexibility
from faying.project.specs import Project

_FREQUENCIES = (5238.82, 6508.47, 9761.08)  # Hz, both faces held
_SOURCE = "same mesh, same modes and same frame: tests/references/flexible_beams.py"
_CRANK, _ROD, _RISE, _END = 0.0375, 0.15, 0.25, 0.3
_SPEED = 2.0 * math.pi * 1000.0 / 60.0


@examples.register("slider-crank-rod")
class SliderCrankRod(Example):
    """A closed loop without redundant equations: hinges at crank and big end, a line at the small end."""

    title: ClassVar[str] = "Slider-crank with a flexible rod"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A crank runs up to 1000 rpm; the rod bends by a micrometre."
    picture: ClassVar[tuple[str, str]] = ("run-up", "displacement")
    film: ClassVar[tuple[str, str]] = ("run-up", "displacement")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("piston", "run-up", "Way of the piston", "length", ("piston.pin x",)),
        CurvePlot(
            "bearing", "run-up", "Force on the big end", "force", ("crank pin force x", "crank pin force y")
        ),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"frequency_{k + 1}", "frequency", value, "independent code", 1e-5, _SOURCE)
            for k, value in enumerate(_FREQUENCIES)
        ),
        Expected("largest_deflection", "length", 1.040075567e-6, "independent code", 0.01, _SOURCE),
        Expected("piston_at_0.3_s", "length", 0.181299866095, "independent code", 1e-5, _SOURCE),
        Expected("bearing_force_x_at_0.3_s", "force", -684.781, "independent code", 0.002, _SOURCE),
        Expected(
            "constraint_violation", "length", 0.0, "analytical", 1e-8, "constraints are met in every step"
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates a fifth of the run-up."""
        crank = {
            "kind": "rigid",
            "name": "crank",
            "mass": 1.0,
            "moments_of_inertia": (1e-3, 1e-3, 1e-3),
            "markers": [{"name": "shaft"}, {"name": "pin", "position": (_CRANK, 0, 0)}],
        }
        rod = {
            "kind": "flexible",
            "name": "rod",
            "body": "rod",
            "frame": "start",
            "placement": {"position": (_CRANK, 0, 0)},
        }
        along = (0.0, math.pi / 2.0, 0.0)  # turns z into x
        piston = {
            "kind": "rigid",
            "name": "piston",
            "mass": 0.71,
            "moments_of_inertia": (1e-3, 1e-3, 1e-3),
            "markers": [{"name": "pin"}, {"name": "wall", "rotation": along}],
            "placement": {"position": (_CRANK + _ROD, 0, 0)},
        }
        shaft = {"first": "ground.shaft", "second": "crank.shaft"}
        constraints: list[dict[str, Any]] = [
            {"kind": "revolute", "name": "shaft", **shaft},
            {
                "kind": "prescribed_angular_speed",
                "name": "drive",
                **shaft,
                "speed": _SPEED,
                "time_history": {"kind": "haversine", "rise_time": _RISE},
            },
            {"kind": "revolute", "name": "crank pin", "first": "crank.pin", "second": "rod.start"},
            # The big end guides the rod along z already.
            {"kind": "point_on_line", "name": "piston pin", "first": "piston.pin", "second": "rod.end"},
            {"kind": "translational", "name": "cylinder", "first": "ground.wall", "second": "piston.wall"},
        ]
        system = {
            "name": "slider-crank",
            "ground": [{"name": "shaft"}, {"name": "wall", "rotation": along}],
            "parts": [crank, rod, piston],
            "constraints": constraints,
        }
        run_up = {
            "name": "run-up",
            "duration": 0.05 if quick else _END,
            "frames": 50 if quick else 600,
            "integrator": {
                "kind": "hht", "alpha": -0.05, "tolerance": 1e-9, "first_step": 1e-6, "largest_step": 1e-4,
            },
        }  # fmt: skip
        return system_project(
            "Slider-crank with a flexible rod",
            "Crank radius 37.5 mm, rod 150 mm, piston 0.71 kg, from the outer dead centre.",
            system,
            [run_up],
            [bar_body("rod", "crank_rod.inp", vibration_modes=20)],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with a rigid bar."""
        return {"flexibility": without_flexibility(project, "BAR")}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies of the held rod, how far it bends, and where the piston is."""
        reduced = run.value("body")
        frequencies = fixed_interface_frequencies(reduced)
        values = {f"frequency_{k + 1}": float(frequencies[k]) for k in range(len(_FREQUENCIES))}
        names = (
            "piston.pin x",
            "shaft angle",
            "crank pin force x",
            "crank pin force y",
            "constraint violation",
        )
        time, piston, angle, *force, violation = curves(run, "run-up", *names)
        values["constraint_violation"] = float(violation.max())
        if time[-1] >= _END:
            values["largest_deflection"] = float(np.abs(_bending(run, reduced)).max())
            values["piston_at_0.3_s"] = float(piston[-1])
            # Reactions are told along the axes of the crank's marker.
            values["bearing_force_x_at_0.3_s"] = float(
                np.cos(angle[-1]) * force[0][-1] - np.sin(angle[-1]) * force[1][-1]
            )
        return values


def _bending(run: ExampleRun, reduced: Any) -> np.ndarray:
    """Return (n_frames,) deflection of the rod's middle from the chord between its ends."""
    held = reduced.clamped_to("start")
    middle = int(np.argmin(np.linalg.norm(held.nodes - (_ROD / 2.0, 0.0, 0.0), axis=1)))
    # The end at the crank pin is the origin of the frame and does not move in it.
    row = held.displacements[3 * middle + 1] - 0.5 * held.interfaces["end"][1]
    results = run.results("run-up")
    try:
        rod = results.part("rod")
        return np.array([row @ rod.coordinates(frame) for frame in range(results.n_frames)])
    finally:
        results.close()
