"""A bar that is spun up about its end: it lags behind by a tenth of its length, and is pulled straight again."""

from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import bar_body, curves, spun_bar, system_project
from faying.examples.switched_off import without_flexibility
from faying.project.specs import Project

SPEED, RISE = 120.0, 0.5  # rad/s, s


@examples.register("beam-spin-up")
class BeamSpinUp(Example):
    """A flexible part under a prescribed angular speed.

    At rest the bar vibrates at 63.2 rad/s. Spun at twice that speed it is held straight by its centrifugal tension:
    without geometric stiffening it would bend without bounds.
    """

    title: ClassVar[str] = "Spin-up of a flexible bar"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = (
        "A slender bar is spun up to 120 rad/s about its end, lags behind, and is pulled straight."
    )
    picture: ClassVar[tuple[str, str]] = ("spin-up", "displacement")
    film: ClassVar[tuple[str, str]] = ("spin-up", "displacement")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("moment", "spin-up", "Moment of the drive", "moment", ("drive moment z",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "smallest_deflection", "length", -1.021933e-1, "independent code", 1e-2,
            "a beam under centrifugal tension, as stiff as the bar: tests/references/flexible_beams.py",
        ),
        Expected(
            "angle_at_the_end", "angle", SPEED * RISE / 2, "analytical", 1e-6,
            "the integral of the prescribed speed",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick stops when the tip has begun to catch up."""
        spin_up = {
            "name": "spin-up",
            "duration": 0.6 * RISE if quick else RISE,
            "frames": 150 if quick else 250,
            "integrator": {
                "kind": "hht", "alpha": -0.05, "tolerance": 1e-7, "first_step": 1e-5, "largest_step": 5e-4,
            },
        }  # fmt: skip
        return system_project(
            "Spin-up of a flexible bar",
            "The bar of the flexible pendulum, turned by its end.",
            spun_bar("spinning bar", SPEED, RISE, stiffness_damping=2e-5),
            [spin_up],
            [{**bar_body("bar", "pendulum_bar.inp", vibration_modes=10), "geometric_stiffening": True}],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with a rigid bar."""
        return {"flexibility": without_flexibility(project, "BAR")}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the smallest deflection of the tip in the frame of the driven end, and the angle."""
        time, angle, x, y = curves(run, "spin-up", "axle angle", "bar.end x", "bar.end y")
        turned = np.unwrap(angle)
        deflection = np.cos(turned) * y - np.sin(turned) * x
        values = {"smallest_deflection": float(deflection.min())}
        return {**values, "angle_at_the_end": float(turned[-1])} if time[-1] >= RISE else values
