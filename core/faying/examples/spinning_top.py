"""A heavy top: fast spin, slow precession. A scheme of first order in the turning inertia gains energy at once."""

from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, curves, system_project
from faying.examples.switched_off import without_weight
from faying.project.specs import Project

# Centre of mass by time in s.
_CENTRE = {
    0.05: {"x": 0.22574112, "y": 0.97343198, "z": -0.03835518},
    1.0: {"x": 0.17334396, "y": 0.64008859, "z": -0.74849079},
}
_ENERGY = 5435.69679087
_SOURCE = "Euler's equations about the fixed point to 12 digits: tests/references/rigid_bodies.py"


@examples.register("spinning-top")
class SpinningTop(Example):
    """A rigid part with a spherical constraint."""

    title: ClassVar[str] = "Heavy top"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A top spins at 150 rad/s about its axis and precesses under its weight."
    picture: ClassVar[tuple[str, str]] = ("spin", "")
    film: ClassVar[tuple[str, str]] = ("spin", "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot(
            "centre", "spin", "Centre of mass", "length",
            ("top.centre of mass x", "top.centre of mass y", "top.centre of mass z"),
        ),
    )  # fmt: skip
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"centre_{axis}_at_{at:g}_s", "length", value, "independent code", 5e-4, _SOURCE)
            for at, centre in _CENTRE.items()
            for axis, value in centre.items()
        ),
        Expected("energy_at_the_start", "energy", _ENERGY, "analytical", 1e-9, "½ Ω J Ω about the fixed point"),
        Expected(
            "energy_change", "", 0.0, "analytical", 1e-4,
            "nothing damps: largest change of the total energy over that at the start",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates 0.05 s instead of one second."""
        top = {
            "kind": "rigid",
            "name": "top",
            "mass": 15.0,
            "centre_of_mass": (0.0, 1.0, 0.0),
            "moments_of_inertia": (0.234375, 0.46875, 0.234375),
            "placement": {"spin": (0.0, 150.0, -4.61538)},
        }
        system = {
            "name": "top",
            "ground": [{"name": "point"}],
            "parts": [top],
            "constraints": [
                {"kind": "spherical", "name": "point", "first": "ground.point", "second": "top.frame"}
            ],
            "gravity": (0.0, 0.0, -GRAVITY),
        }
        spin = {
            "name": "spin",
            "duration": 0.05 if quick else 1.0,
            "frames": 20 if quick else 200,
            # The inertia turns by a hundredth of a radian in a step; nearly no damping, so steps have to be equal.
            "integrator": {
                "kind": "hht", "alpha": -0.005, "fixed_step": True, "tolerance": 1e-7, "largest_step": 1e-4,
            },
        }  # fmt: skip
        return system_project("Heavy top", "A benchmark of rotating rigid bodies.", system, [spin])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without gravity, the only load on the rigid top."""
        return {"weight": without_weight(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the centre of mass as far as it was simulated, and the energy."""
        time, total, *centre = curves(
            run, "spin", "total energy", *(f"top.centre of mass {a}" for a in "xyz")
        )
        values = {
            f"centre_{axis}_at_{at:g}_s": float(np.interp(at, time, curve))
            for at in _CENTRE
            if at <= time[-1] * (1.0 + 1e-12)
            for axis, curve in zip("xyz", centre, strict=True)
        }
        values["energy_at_the_start"] = float(total[0])
        return {**values, "energy_change": float(np.abs(total / total[0] - 1.0).max())}
