"""An engine on three rubber mounts: its six modes, what the firing moment shakes, and a linear model for control."""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import system_project
from faying.exporters.state_spaces import stored_state_space
from faying.project.specs import Project

# Place in m, stiffness in N/m and damping in N s/m along x (crankshaft), y and z (up).
MOUNTS: dict[str, tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]] = {
    "left": ((0.05, 0.42, 0.06), (90e3, 120e3, 260e3), (150.0, 200.0, 420.0)),
    "right": ((-0.10, -0.40, 0.02), (90e3, 120e3, 240e3), (150.0, 200.0, 400.0)),
    "torque rod": ((-0.30, 0.05, -0.25), (160e3, 15e3, 15e3), (260.0, 30.0, 30.0)),
}
FIRING = 20.0  # Hz, where the response is compared
_PROGRAM = "mass and stiffness matrices of six coordinates: tests/references/rigid_bodies.py"
_FREQUENCIES = (3.38754934, 5.86252526, 7.16688452, 7.96250637, 8.54742044, 16.603306)


@examples.register("engine-mount")
class EngineMount(Example):
    """Modes, frequency response and state space of a rigid part on bushings."""

    title: ClassVar[str] = "Engine on its mounts"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "Six modes of an engine on rubber mounts, and what its firing moment shakes."
    picture: ClassVar[tuple[str, str]] = ("modes", "")
    plots: ClassVar[tuple[CurvePlot, ...]] = ()
    expected: ClassVar[tuple[Expected, ...]] = (
        *(
            Expected(f"frequency_{k + 1}", "frequency", value, "independent code", 1e-5, _PROGRAM)
            for k, value in enumerate(_FREQUENCIES)
        ),
        Expected("damping_of_mode_1", "", 1.80588348e-2, "independent code", 1e-4, _PROGRAM),
        Expected("heave_at_20_Hz", "length", 1.21117874e-5, "independent code", 1e-4, _PROGRAM),
        Expected("roll_per_moment_at_rest", "", 1.558735989e-5, "independent code", 1e-6, _PROGRAM),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick computes fewer frequencies."""
        mounts = [{"name": name, "position": place} for name, (place, _, _) in MOUNTS.items()]
        crank = {"name": "crank", "rotation": (0.0, np.pi / 2, 0.0)}  # its z along the crankshaft
        engine = {
            "kind": "rigid", "name": "engine", "mass": 182.0,
            "moments_of_inertia": (8.2, 15.5, 14.1), "products_of_inertia": (0.4, -1.1, 0.2),
            "markers": [*mounts, crank],
            "looks": {"kind": "box", "edges": (0.62, 0.58, 0.60)},
        }  # fmt: skip
        bushings = [
            {
                "kind": "bushing", "name": name, "first": f"ground.{name}", "second": f"engine.{name}",
                "stiffness": stiffness, "damping": damping,
            }
            for name, (_, stiffness, damping) in MOUNTS.items()
        ]  # fmt: skip
        firing = {
            "kind": "point_force", "name": "firing", "marker": "engine.frame", "moment": (1.0, 0.0, 0.0),
            "time_history": {"kind": "input", "input": "moment"},
        }  # fmt: skip
        system: dict[str, Any] = {
            "name": "engine bay",
            "ground": [*mounts, crank],
            "parts": [engine],
            "forces": [*bushings, firing],
            "measures": [
                {"kind": "angle", "name": "roll", "first": "ground.crank", "second": "engine.crank"},
                {"kind": "displacement", "name": "heave", "second": "engine.frame", "component": "z"},
            ],
        }
        band = {"lowest_frequency": 2.0, "highest_frequency": 40.0, "points": 20 if quick else 191}
        shaken = {
            "kind": "system_frequency_response", "name": "firing moment", **band,
            "loads": [{"marker": "engine.frame", "moment": (100.0, 0.0, 0.0)}],
        }  # fmt: skip
        analyses: list[dict[str, Any]] = [
            {"kind": "system_modes", "name": "modes", "count": 6},
            shaken,
            {"kind": "state_space", "name": "state space", **band},
        ]
        return system_project("Engine on its mounts", "A rigid engine on three bushings.", system, analyses)

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project without the torque rod."""
        system = project.systems[0]
        forces = tuple(force for force in system.forces if force.name != "torque rod")
        return {"torque rod": project.with_(systems=(system.with_(forces=forces),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies, damping, the response to the firing moment and the gain of the state space at rest."""
        with closing(run.results("modes")) as results:
            frequencies, damping = results.values, results.curve("damping ratio")
        with closing(run.results("firing moment")) as results:
            heave = np.interp(FIRING, results.values, results.curve("engine.frame uz"))
        with closing(run.results("state space")) as results:
            model = stored_state_space(results, "state space")
        gain = model.d - model.c @ np.linalg.solve(model.a, model.b)
        return {
            **{f"frequency_{k + 1}": float(value) for k, value in enumerate(frequencies)},
            "damping_of_mode_1": float(damping[0]),
            "heave_at_20_Hz": float(heave),
            "roll_per_moment_at_rest": float(gain[0, 0]),
        }
