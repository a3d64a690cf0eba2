"""A bar that turns steadily about its end stretches under its own centrifugal force."""

from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import bar_body, curves, spun_bar, system_project
from faying.examples.switched_off import without_flexibility
from faying.project.specs import Project

_SPEED, _RISE = 20.0, 0.2  # rad/s, s
_DENSITY, _MODULUS, _LENGTH, _AREA = 7850.0, 210e9, 1.0, 0.01 * 0.02  # SI
_STRETCH = _DENSITY * _SPEED**2 * _LENGTH**3 / (3.0 * _MODULUS)
_PULL = _DENSITY * _AREA * _SPEED**2 * _LENGTH**2 / 2.0


@examples.register("rotating-bar")
class RotatingBar(Example):
    """A flexible part with critical damping of its deformations comes to rest in its turning frame."""

    title: ClassVar[str] = "Rotating bar"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A bar turns at 20 rad/s about its end and stretches by ρω²L³/3E."
    picture: ClassVar[tuple[str, str]] = ("turning", "von_mises")
    film: ClassVar[tuple[str, str]] = ("turning", "von_mises")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("pull", "turning", "Force of the axle", "force", ("axle force x", "axle force y")),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "stretch", "length", _STRETCH, "analytical", 0.002,
            "ρ ω² L³ / 3 E; the rigid end faces hinder the contraction and stiffen the bar by a thousandth",
        ),
        Expected("pull_of_the_axle", "force", _PULL, "analytical", 1e-4, "m ω² L / 2"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick run is the whole one."""
        turning = {
            "name": "turning",
            "duration": 2.0 * _RISE,
            "frames": 80,
            "integrator": {
                "kind": "hht", "alpha": -0.3, "tolerance": 1e-9, "first_step": 1e-5, "largest_step": 1e-3,
            },
        }  # fmt: skip
        return system_project(
            "Rotating bar",
            "The bar of the flexible pendulum, its vibrations damped critically.",
            spun_bar("rotating bar", _SPEED, _RISE, rest_damping=1.0),
            [turning],
            [bar_body("bar", "pendulum_bar.inp", vibration_modes=10)],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with a rigid bar."""
        return {"flexibility": without_flexibility(project, "BAR")}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return stretch and pull, averaged over the last tenth of the time."""
        x, y, *pull = curves(
            run, "turning", "bar.end x", "bar.end y", "axle force x", "axle force y"
        )[1:]  # fmt: skip
        last = slice(-len(x) // 10, None)
        return {
            "stretch": float((np.hypot(x, y)[last] - _LENGTH).mean()),
            "pull_of_the_axle": float(np.hypot(*pull)[last].mean()),
        }
