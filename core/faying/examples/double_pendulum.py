"""Two bars that fall from the horizontal: a chaotic motion that tells every error of an integrator."""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, UNIT_BAR, curves, system_project
from faying.examples.switched_off import without_weight
from faying.project.specs import Project

# Angles of the bars from +x at 1, 2 and 3 s.
_ANGLES = {
    1: (-2.778512564986, -2.385187349886),
    2: (-1.653554633615, -1.163434251883),
    3: (-0.545710314506, -1.075061679168),
}
_SOURCE = "Lagrange's equations in the two angles to 12 digits: tests/references/rigid_bodies.py"


@examples.register("double-pendulum")
class DoublePendulum(Example):
    """Rigid parts and revolute constraints."""

    title: ClassVar[str] = "Double pendulum"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "Two rigid bars fall from the horizontal."
    picture: ClassVar[tuple[str, str]] = ("fall", "")
    film: ClassVar[tuple[str, str]] = ("fall", "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("angles", "fall", "Angles of the hinges", "angle", ("pivot angle", "elbow angle")),
        CurvePlot(
            "energy", "fall", "Energy", "energy", ("kinetic energy", "potential energy", "total energy")
        ),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"angle_{bar}_at_{time}_s", "angle", angle, "independent code", 5e-4, _SOURCE)
            for time, angles in _ANGLES.items()
            for bar, angle in zip(("one", "two"), angles, strict=True)
        ),
        Expected(
            "energy_change", "", 0.0, "analytical", 5e-4,
            "nothing damps: change of the total energy over the largest kinetic energy",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates one second instead of three."""
        bars: list[dict[str, Any]] = [
            {**UNIT_BAR, "name": name, "placement": {"position": (x, 0, 0)}}
            for name, x in (("one", 0.5), ("two", 1.5))
        ]
        system = {
            "name": "double pendulum",
            "ground": [{"name": "pivot"}],
            "parts": bars,
            "constraints": [
                {"kind": "revolute", "name": "pivot", "first": "ground.pivot", "second": "one.left"},
                {"kind": "revolute", "name": "elbow", "first": "one.right", "second": "two.left"},
            ],
            "gravity": (0.0, -GRAVITY, 0.0),
        }
        duration = 1 if quick else 3
        fall = {
            "name": "fall",
            "duration": duration,
            "frames": 50 * duration,
            "integrator": {
                "kind": "hht", "alpha": -0.05, "tolerance": 1e-6, "first_step": 1e-4, "largest_step": 1e-3,
            },
        }  # fmt: skip
        return system_project("Double pendulum", "Two bars of 1 kg and 1 m.", system, [fall])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without gravity, the only load on the rigid bars."""
        return {"weight": without_weight(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the bars' angles at whole seconds, as far as they were simulated."""
        time, pivot, elbow, kinetic, total = curves(
            run, "fall", "pivot angle", "elbow angle", "kinetic energy", "total energy"
        )
        values: dict[str, float] = {}
        for second in _ANGLES:
            if second <= time[-1]:
                frame = int(np.argmin(np.abs(time - second)))
                values[f"angle_one_at_{second}_s"] = float(pivot[frame])
                both = pivot[frame] + elbow[frame]
                values[f"angle_two_at_{second}_s"] = float(np.arctan2(np.sin(both), np.cos(both)))
        return {**values, "energy_change": float(np.abs(total - total[0]).max() / kinetic.max())}
