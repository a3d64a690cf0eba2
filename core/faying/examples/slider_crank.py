"""The single cylinder engine: crank, piston, and a flexible rod with bolted bearing cap under its screws' preload.

Model: thesis of the ContactDefiner, section 4.2, figure 4.16 and table 4.1; the rod is that of the example
conrod-static, with a mesh of our own. Gas forces are left out, there as here.
"""

import math
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import curves
from faying.examples.conrod_static import BOLT_FORCE, ConrodStatic
from faying.params import build
from faying.project.specs import Project

_CRANK, _ROD, _RISE, _END = 37.5, 150.0, 0.25, 0.3  # mm, mm, s, s
_CRANK_MASS, _PISTON_MASS = 2.07e-3, 0.71e-3  # t
_SPEED = 2.0 * math.pi * 10_000.0 / 60.0


@examples.register("slider-crank")
class SliderCrank(Example):
    """Preload, joint modes and friction in large motion at 10 000 rpm."""

    title: ClassVar[str] = "Slider-crank with a bolted rod"
    summary: ClassVar[str] = (
        "An engine with a bolted rod runs up to 10 000 rpm; only its start is verified yet."
    )
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("gap-norm", "run-up", "Norm of the gaps", "length", ("rod: cap joint gap norm",)),
        CurvePlot(
            "bearing", "run-up", "Force on the big end", "force", ("crank pin force x", "crank pin force y")
        ),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "normal_force_at_rest", "force", 2 * BOLT_FORCE, "analytical", 1e-3,
            "equilibrium of the cap: the joint carries both bolt forces, thesis table 4.1",
        ),
        Expected(
            "piston_against_rigid", "length", 0.0, "analytical", 0.3,
            "the way of a rigid slider-crank; the rod stretches by tenths of a millimetre at most",
        ),
        Expected("constraint_violation", "length", 0.0, "analytical", 1e-3,
            "constraints are met in every step; frames lie between steps"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates the first twentieth of the run-up."""
        body = ConrodStatic().build().bodies[0]
        run_up = {
            "kind": "motion",
            "name": "run-up",
            "system": "engine",
            "duration": 0.0125 if quick else _END,
            "frames": 25 if quick else 600,
            "from_equilibrium": True,
            "integrator": {
                "kind": "hht", "alpha": -0.3, "tolerance": 1e-4, "first_step": 1e-5, "largest_step": 1e-4,
            },
        }  # fmt: skip
        words = {
            "name": "Slider-crank with a bolted rod",
            "note": "Single cylinder engine with a bolted bearing cap (thesis section 4.2).",
            "units": "mm-t-s",
            "bodies": [body],
            "systems": [_engine()],
            "analyses": [run_up],
        }
        project: Project = build(Project, words)
        return project

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the joint's force at rest, and how far the piston is from a rigid mechanism's."""
        angle, piston, normal, violation = curves(
            run,
            "run-up",
            "shaft angle",
            "piston.pin y",
            "rod: cap joint normal force",
            "constraint violation",
        )[1:]
        rigid = _CRANK * np.cos(angle) + np.sqrt(_ROD**2 - (_CRANK * np.sin(angle)) ** 2)
        return {
            "normal_force_at_rest": float(normal[0]),
            "piston_against_rigid": float(np.abs(piston - rigid).max()),
            "constraint_violation": float(violation.max()),
        }


def _engine() -> dict[str, Any]:
    """Return the mechanism at its outer dead centre: the rod lies along y, all pins along z."""
    upward = (-math.pi / 2.0, 0.0, 0.0)  # turns z into y
    crank = {
        "kind": "rigid",
        "name": "crank",
        "mass": _CRANK_MASS,
        "moments_of_inertia": (1.0, 1.0, 1.0),  # t mm²; the drive bears it
        "markers": [{"name": "shaft"}, {"name": "pin", "position": (0.0, _CRANK, 0.0)}],
    }
    rod = {
        "kind": "flexible",
        "name": "rod",
        "body": "rod",
        "frame": "big end",
        "preloads": ["bolts"],
        "placement": {"position": (0.0, _CRANK, 0.0)},
    }
    piston = {
        "kind": "rigid",
        "name": "piston",
        "mass": _PISTON_MASS,
        "moments_of_inertia": (1.0, 1.0, 1.0),
        "markers": [{"name": "pin"}, {"name": "wall", "rotation": upward}],
        "placement": {"position": (0.0, _CRANK + _ROD, 0.0)},
    }
    shaft = {"first": "ground.shaft", "second": "crank.shaft"}
    return {
        "name": "engine",
        "ground": [{"name": "shaft"}, {"name": "wall", "rotation": upward}],
        "parts": [crank, rod, piston],
        "constraints": [
            {"kind": "revolute", "name": "shaft", **shaft},
            {
                "kind": "prescribed_angular_speed",
                "name": "drive",
                **shaft,
                "speed": _SPEED,
                "course": {"kind": "haversine", "rise_time": _RISE},
            },
            {"kind": "revolute", "name": "crank pin", "first": "crank.pin", "second": "rod.big end"},
            # The big end guides the rod along z already.
            {"kind": "point_on_line", "name": "piston pin", "first": "piston.pin", "second": "rod.small end"},
            {"kind": "translational", "name": "cylinder", "first": "ground.wall", "second": "piston.wall"},
        ],
    }
