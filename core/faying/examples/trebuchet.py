"""A trebuchet throws a ball: three events in one motion.

A counterweight hangs on the short end of an arm; from the long end a sling drags the ball through a trough. The trough
lets the ball go when it presses on it no more, the sling when the ball flies at 45°, and the run ends when it lands.
"""

from typing import Any, ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._systems import GRAVITY, system_project
from faying.project.specs import Project

HEIGHT, LONG, SHORT = 3.0, 4.0, 1.0  # m: of the pivot, and the two ends of the arm
HANGER, SLING, TIP = (
    1.2,
    3.2,
    0.3,
)  # m: counterweight below its pin, rope, and the tip above the trough at the start
ARM, COUNTERWEIGHT, PROJECTILE = 120.0, 1500.0, 20.0  # kg
BOX = COUNTERWEIGHT * 0.9**2 / 6.0  # kg m², of a cube
_THROW = "throw"
_SOURCE = "three angles with multipliers: tests/references/trebuchet.py"


def start_angles() -> np.ndarray:
    """Return (3,) angles of the arm and the sling from x, and of the hanger from hanging down, at the start."""
    return np.array([np.pi + np.arcsin((HEIGHT - TIP) / LONG), 0.0, -np.arcsin(TIP / SLING)])


@examples.register("trebuchet")
class Trebuchet(Example):
    """Events that release constraints and end a run."""

    title: ClassVar[str] = "Trebuchet"
    group: ClassVar[str] = "Systems in motion"
    summary: ClassVar[str] = "A ball leaves its trough, then its sling, and lands: events in a motion."
    picture: ClassVar[tuple[str, str]] = (_THROW, "")
    film: ClassVar[tuple[str, str]] = (_THROW, "")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("speed", _THROW, "Speed of the ball", "velocity", ("forward", "up")),
        CurvePlot("sling", _THROW, "Pull of the sling", "force", ("pull",)),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("lift_off", "time", 0.312584329158, "independent code", 1e-4, _SOURCE),
        Expected("release", "time", 0.921534507535, "independent code", 1e-4, _SOURCE),
        Expected("release_speed", "velocity", 39.8182994687, "independent code", 2e-4, _SOURCE),
        Expected("range", "length", 166.34058088, "independent code", 5e-4, f"from below the pivot; {_SOURCE}"),
        Expected("landing", "time", 6.95858860592, "independent code", 5e-4, _SOURCE),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick one is the same."""
        arm, _, sling = start_angles()
        along = np.array([np.cos(arm), np.sin(arm)])
        pivot = np.array([0.0, HEIGHT])
        middle = pivot + 0.5 * (LONG - SHORT) * along
        weight = pivot - SHORT * along - np.array([0.0, HANGER])
        ball = pivot + LONG * along + SLING * np.array([np.cos(sling), np.sin(sling)])
        half, edge = 0.5 * (LONG + SHORT), 0.9
        about = ARM * (2.0 * half) ** 2 / 12.0

        def part(
            name: str, mass: float, moments: Any, at: np.ndarray, looks: dict[str, Any], **more: Any
        ) -> Any:
            place = {"position": (*map(float, at), 0.0), **more.pop("turned", {})}
            return {
                "kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": moments, "placement": place,
                "looks": looks, **more,
            }  # fmt: skip

        parts = [
            part(
                "arm", ARM, (0.02 * about, about, about), middle,
                {"kind": "box", "edges": (2.0 * half, 0.2, 0.2)}, turned={"rotation": (0.0, 0.0, float(arm))},
                markers=[
                    {"name": "tip", "position": (half, 0, 0)}, {"name": "short", "position": (-half, 0, 0)},
                    {"name": "pivot", "position": (-0.5 * (LONG - SHORT), 0, 0)},
                ],
            ),
            part(
                "counterweight", COUNTERWEIGHT, (BOX, BOX, BOX), weight, {"kind": "box", "edges": (edge, edge, edge)},
                markers=[{"name": "pin", "position": (0, HANGER, 0)}],
            ),
            part("ball", PROJECTILE, (0.1, 0.1, 0.1), ball, {"kind": "sphere", "radius": 0.15}),
        ]  # fmt: skip
        system = {
            "name": "trebuchet", "gravity": (0.0, -GRAVITY, 0.0), "parts": parts,
            "ground": [
                {"name": "pivot", "position": (0.0, HEIGHT, 0.0)}, {"name": "trough", "rotation": (-np.pi / 2, 0, 0)},
            ],
            "constraints": [
                {"kind": "revolute", "name": "pivot", "first": "ground.pivot", "second": "arm.pivot"},
                {"kind": "revolute", "name": "hanger", "first": "arm.short", "second": "counterweight.pin"},
                {"kind": "distance", "name": "sling", "first": "arm.tip", "second": "ball.frame", "distance": SLING},
                {"kind": "in_plane", "name": "trough", "first": "ground.trough", "second": "ball.frame"},
            ],
            "measures": [
                {"kind": "reaction", "name": "press", "constraint": "trough", "component": "z"},
                {"kind": "reaction", "name": "pull", "constraint": "sling", "component": "amount"},
                {"kind": "velocity", "name": "forward", "second": "ball.frame", "component": "x"},
                {"kind": "velocity", "name": "up", "second": "ball.frame", "component": "y"},
                {"kind": "formula", "name": "steepness", "formula": "b - a", "a": "forward", "b": "up",
                 "quantity": "velocity"},
                {"kind": "displacement", "name": "height", "second": "ball.frame", "component": "y"},
            ],
            "events": [
                {"kind": "crossing", "name": "lift off", "measure": "press", "direction": "falling",
                 "actions": [{"kind": "release", "constraints": ["trough"]}, {"kind": "save"}]},
                {"kind": "crossing", "name": "let go", "measure": "steepness", "direction": "falling",
                 "actions": [{"kind": "release", "constraints": ["sling"]}, {"kind": "save"}]},
                # It has to rise first: in the trough its height is zero.
                {"kind": "crossing", "name": "landing", "measure": "height", "direction": "falling", "hysteresis": 1.0},
            ],
        }  # fmt: skip
        throw = {
            "name": _THROW, "duration": 20.0, "frames": 1000,
            "integrator": {"kind": "hht", "tolerance": 1e-6, "first_step": 1e-4, "largest_step": 5e-3},
        }  # fmt: skip
        return system_project(self.title, "Counterweight of 1.5 t, ball of 20 kg.", system, [throw])

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project whose trough holds the ball until the sling lets go."""
        (system,) = project.systems
        return {"lift off": project.with_(systems=(system.with_(events=system.events[1:]),))}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return times, speed and range of the shot."""
        results = run.results(_THROW)
        try:
            when = {each["name"]: each["time"] for each in results.report["events"]}
            frame = results.report.get("saved_frames", {}).get("let go", -1)
            speed = np.hypot(results.curve("forward")[frame], results.curve("up")[frame])
            place = results.curve("ball.frame x")[-1]
        finally:
            results.close()
        return {
            "lift_off": when.get("lift off", np.nan), "release": when.get("let go", np.nan),
            "landing": when.get("landing", np.nan),
            "release_speed": float(speed), "range": float(place),
        }  # fmt: skip
