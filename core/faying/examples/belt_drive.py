"""A motor with a falling torque runs a flywheel up by a belt, against the friction of its bearing.

With J = J₁ + (R₁/R₂)² J₂, the motor's torque M₀ (1 − ω/ω₀) and the constant friction μ N r of a preloaded bearing, seen
from the motor M_f = μ N r R₁/R₂, the speed of the motor is ω = ω∞ (1 − e^(−t/τ)) with ω∞ = ω₀ (1 − M_f/M₀) and
τ = J ω₀/M₀. The belt pulls with (J₂ ω̇₂ + μ N r)/R₂.
"""

from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import curves, system_project
from faying.project.specs import Project

STALL, IDLE = 8.0, 150.0  # N m, rad/s: torque at rest, speed without load
MOTOR, FLYWHEEL = 2e-3, 0.12  # kg m², about their axes
SMALL, LARGE = 0.04, 0.12  # m, radii of the pulleys
FRICTION, PRESS, PIN = 0.1, 2000.0, 0.015  # of the flywheel's bearing: coefficient, N, m
_SPAN = 0.4
_UP = "run-up"
_AXLE = {"mass": 4.0, "markers": [{"name": "axle"}]}


@examples.register("belt-drive")
class BeltDrive(Example):
    """A belt, a rotary actuator that follows a measure, and friction in a joint."""

    title: ClassVar[str] = "Belt drive"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A motor with a falling torque runs a flywheel up by a belt, against friction."
    picture: ClassVar[tuple[str, str]] = (_UP, "")
    film: ClassVar[tuple[str, str]] = (_UP, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("speed", _UP, "Speed of the motor", "angular_velocity", ("speed",)),
        CurvePlot("belt", _UP, "Pull of the belt", "force", ("pull",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "speed_error", "", 0.0, "analytical", 2e-3, "ω∞ (1 − e^(−t/τ)); largest deviation as a share of ω∞"
        ),
        Expected("ratio", "", SMALL / LARGE, "analytical", 1e-9, "angle of the flywheel over that of the motor, R₁/R₂"),
        Expected(
            "pull_error", "", 0.0, "analytical", 0.01, "(J₂ ω̇₂ + μ N r)/R₂; largest deviation as a share of the largest"
        ),
        Expected("friction_moment", "moment", FRICTION * PRESS * PIN, "analytical", 1e-6, "μ N r of the bearing"),
        Expected("energy_imbalance", "", 0.0, "analytical", 2e-3, "work of the motor = motion + heat of the bearing"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates half a second instead of two."""

        def wheel(name: str, inertia: float, radius: float, x: float) -> dict[str, object]:
            disc = {"kind": "cylinder", "start": (0, 0, -0.01), "end": (0, 0, 0.01), "radius": radius}
            moments = (0.6 * inertia, 0.6 * inertia, inertia)
            return {
                "kind": "rigid", "name": name, **_AXLE, "moments_of_inertia": moments, "looks": disc,
                "placement": {"position": (x, 0, 0)},
            }  # fmt: skip

        motor, flywheel = {"first": "ground.motor", "second": "motor.axle"}, {
            "first": "ground.flywheel", "second": "flywheel.axle",
        }  # fmt: skip
        system = {
            "name": "belt drive",
            "ground": [{"name": "motor"}, {"name": "flywheel", "position": (_SPAN, 0, 0)}],
            "parts": [wheel("motor", MOTOR, SMALL, 0.0), wheel("flywheel", FLYWHEEL, LARGE, _SPAN)],
            "constraints": [
                {"kind": "revolute", "name": "motor bearing", **motor},
                {"kind": "revolute", "name": "flywheel bearing", **flywheel},
                {
                    "kind": "belt", "name": "belt", "first_carrier": "ground.motor", "first_pulley": "motor.axle",
                    "second_carrier": "ground.flywheel", "second_pulley": "flywheel.axle",
                    "first_radius": SMALL, "second_radius": LARGE,
                },
            ],
            "measures": [
                {"kind": "angular_speed", "name": "speed", "first": "ground.motor", "second": "motor.axle"},
                {"kind": "force_element", "name": "rubs", "force": "bearing rubs", "quantity": "friction moment"},
                {"kind": "reaction", "name": "moment of the belt", "constraint": "belt", "quantity": "moment"},
                {
                    "kind": "formula", "name": "pull", "formula": f"a/{SMALL}", "a": "moment of the belt",
                    "quantity": "force",
                },
            ],
            "forces": [
                {
                    "kind": "rotary_actuator", "name": "torque", **motor, "torque": 1.0, "measure": "speed",
                    "characteristic": {"kind": "linear", "factor": -STALL / IDLE, "offset": STALL},
                },
                {
                    "kind": "joint_friction", "name": "bearing rubs", "constraint": "flywheel bearing", "radius": PIN,
                    "preload": PRESS, "stiffness": 1e8,
                    "friction_law": {"kind": "coulomb", "friction_coefficient": FRICTION},
                },
            ],
        }  # fmt: skip
        run_up = {
            "name": _UP, "duration": 0.5 if quick else 2.0, "frames": 50 if quick else 200,
            "integrator": {"kind": "hht", "tolerance": 1e-4, "first_step": 1e-5, "largest_step": 2e-3},
        }  # fmt: skip
        return system_project(self.title, "Pulleys of 40 and 120 mm; bearing with 2 kN.", system, [run_up])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without friction in the bearing."""
        (system,) = project.systems
        smooth = tuple(force for force in system.forces if force.name != "bearing rubs")
        measures = tuple(measure for measure in system.measures if measure.name != "rubs")
        return {"friction": project.with_(systems=(system.with_(forces=smooth, measures=measures),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return how far speed and pull are from their closed forms."""
        angles = "flywheel bearing angle", "motor bearing angle"
        time, speed, pull, driven, driving, kinetic, given = curves(
            run, _UP, "speed", "pull", *angles, "kinetic energy", "torque power"
        )
        moment = FRICTION * PRESS * PIN
        seen, inertia = moment * SMALL / LARGE, MOTOR + (SMALL / LARGE) ** 2 * FLYWHEEL
        final, constant = IDLE * (1.0 - seen / STALL), inertia * IDLE / STALL
        wanted = final * (1.0 - np.exp(-time / constant))
        rate = final / constant * np.exp(-time / constant) * SMALL / LARGE
        tension = (FLYWHEEL * rate + moment) / LARGE
        late = time > 0.05  # the bearing sticks elastically at first
        values = {
            "speed_error": float(np.abs(speed - wanted).max() / final),
            "ratio": float(driven[-1] / driving[-1]),
            "pull_error": float(np.abs(pull - tension)[late].max() / tension.max()),
        }
        work = float(np.trapezoid(given, time))
        heat = moment * float(driven[-1])
        names = run.project.systems[0].forces
        rubs = curves(run, _UP, "rubs")[1] if len(names) > 1 else np.zeros(1)
        return {
            **values,
            "friction_moment": float(np.abs(rubs[-1])),
            "energy_imbalance": float((work - kinetic[-1] - heat) / work),
        }
