"""A slender bar that falls from the horizontal and bends: a flexible part in large motion."""

from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, bar_body, curves, fixed_interface_frequencies, system_project
from faying.examples.switched_off import without_flexibility
from faying.project.specs import Project

# Angle of the hinged face and deflection of the tip in its frame, by time.
_MOTION = {
    0.25: (-0.45667479112, 5.409244832e-5),
    0.5: (-1.66090020725, -2.747009546e-4),
    1.0: (-3.1330175931, -5.433591624e-4),
}
_FREQUENCIES = (64.0651, 112.9951, 176.5045, 310.5689, 345.7994, 571.1933)  # Hz, both faces held
_SOURCE = "same mesh, same modes and same frame: tests/references/flexible_beams.py"


@examples.register("flexible-pendulum")
class FlexiblePendulum(Example):
    """A flexible part whose frame is clamped to its hinge, with stiffness damping."""

    title: ClassVar[str] = "Flexible pendulum"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A slender steel bar falls from the horizontal and bends by half a millimetre."
    picture: ClassVar[tuple[str, str]] = ("fall", "displacement")
    film: ClassVar[tuple[str, str]] = ("fall", "displacement")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("angle", "fall", "Angle of the hinge", "angle", ("hinge angle",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"frequency_{k + 1}", "frequency", value, "independent code", 1e-5, _SOURCE)
            for k, value in enumerate(_FREQUENCIES)
        ),
        *(
            quantity
            for time, (angle, deflection) in _MOTION.items()
            for quantity in (
                Expected(f"angle_at_{time:g}_s", "angle", angle, "independent code", 1e-4, _SOURCE),
                Expected(f"deflection_at_{time:g}_s", "length", deflection, "independent code", 0.01, _SOURCE),
            )
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates a quarter of a second instead of one."""
        bar = {
            "kind": "flexible",
            "name": "bar",
            "body": "bar",
            "frame": "start",
            "stiffness_damping": 2e-5,
        }
        system = {
            "name": "pendulum",
            "ground": [{"name": "hinge"}],
            "parts": [bar],
            "constraints": [
                {"kind": "revolute", "name": "hinge", "first": "ground.hinge", "second": "bar.start"}
            ],
            "gravity": (0.0, -GRAVITY, 0.0),
        }
        fall = {
            "name": "fall",
            "duration": 0.25 if quick else 1.0,
            "frames": 25 if quick else 100,
            "integrator": {
                "kind": "hht", "alpha": -0.05, "tolerance": 1e-9, "first_step": 1e-5, "largest_step": 1e-4,
            },
        }  # fmt: skip
        return system_project(
            "Flexible pendulum",
            "A steel bar of 1 m by 10 mm by 20 mm; its thin bricks lock in bending, here as in the reference.",
            system,
            [fall],
            [bar_body("bar", "pendulum_bar.inp", vibration_modes=10)],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with a rigid bar."""
        return {"flexibility": without_flexibility(project, "BAR")}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies of the held bar, angles, and deflections as far as they were simulated."""
        time, angle, x, y = curves(run, "fall", "hinge angle", "bar.end x", "bar.end y")
        deflection = np.cos(angle) * y - np.sin(angle) * x
        frequencies = fixed_interface_frequencies(run.value("body"))
        values = {f"frequency_{k + 1}": float(frequencies[k]) for k in range(len(_FREQUENCIES))}
        for at in _MOTION:
            if at <= time[-1]:
                frame = int(np.argmin(np.abs(time - at)))
                values[f"angle_at_{at:g}_s"] = float(angle[frame])
                values[f"deflection_at_{at:g}_s"] = float(deflection[frame])
        return values
