"""The friction bar swings under a step of force: 20 joint modes against many, and against snapshots.

Model: thesis of the ContactDefiner, section 4.1.1 and figures 4.6 to 4.8; here with 18 844 nodes.

What the thesis says of the errors over time is put to the test by the study of the same name.
"""

from contextlib import closing
from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples.measured import BarMotion, with_method
from faying.examples.projects import FRICTION_BAR_DECK, as_before, friction_bar, project_of
from faying.examples.switched_off import without_friction
from faying.project.specs import Project

SWING = "swing"
MOST, SNAPSHOTS = 100, 40
METHODS, COUNT = ("weighted_pod", "pod"), 20
_DURATION, _QUICK_DURATION, _INTERVAL = 0.1, 0.02, 2.5e-4  # s
_AMPLITUDE = (
    "of the largest deflection alone; `faying studies friction-bar-dynamics` has the errors over time"
)
_CURVES = ("load uz", "lap joint gap norm")


@examples.register("friction-bar-dynamics")
class FrictionBarDynamics(Example):
    """Twenty modes of two methods from derivatives against a hundred, and against snapshots."""

    title: ClassVar[str] = "Friction bar, joint modes in motion"
    group: ClassVar[str] = "Reduction bases"
    summary: ClassVar[str] = "How many joint modes of which method the friction bar needs when it swings."
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = (SWING, "pressure")
    film: ClassVar[tuple[str, str]] = (SWING, "pressure")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("tip", SWING, "Deflection of the loaded end", "length", _CURVES[:1]),
        CurvePlot("gap-norm", SWING, "Norm of the gaps", "length", _CURVES[1:]),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        as_before("amplitude_error_20_weighted_pod", 0.01093, 0.03, _AMPLITUDE),
        as_before("amplitude_error_20_pod", 0.00886, 0.03, _AMPLITUDE),
        Expected(
            "tip_snapshots_from_reference", "", 0.0, "regression", 0.005,
            "not a verification: two of this program's bases that know nothing of each other should give one motion; "
            f"largest difference of {SNAPSHOTS} snapshots from {MOST} modes of weighted POD, over the largest value",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates the first swing."""
        duration = _QUICK_DURATION if quick else _DURATION
        load = {
            "interface": "load",
            "force": (0.0, 0.0, 50.0),
            "time_history": {"kind": "haversine", "rise_time": 0.01},
        }
        return project_of(
            "Friction bar, joint modes in motion",
            "A step of 50 N bends the bar; contact with friction (thesis section 4.1.1).",
            FRICTION_BAR_DECK,
            friction_bar(friction_coefficient=0.15, joint_modes={"kind": "weighted_pod", "count": MOST}),
            [
                {
                    "kind": "transient",
                    "name": SWING,
                    "body": "bar",
                    "support": "mounting",
                    "loads": [load],
                    "duration": duration,
                    "frames": round(duration / _INTERVAL),
                }
            ],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that slide freely."""
        return {"friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return errors of the largest deflection, and how far snapshots are from the reference; that of a full run."""
        reference = _motion(run, run.project)
        motions = {method: _motion(run, with_method(run.project, method, count=COUNT)) for method in METHODS}
        found = {
            f"amplitude_error_{COUNT}_{method}": motion.swing_error(reference)
            for method, motion in motions.items()
        }
        if not _is_quick(run.project):
            snapshots = _motion(run, with_method(run.project, "equilibrium_snapshots", count=SNAPSHOTS))
            found["tip_snapshots_from_reference"] = snapshots.tip_error(reference)
        return {e.name: found[e.name] for e in self.expected if e.name in found}


def _is_quick(project: Project) -> bool:
    return bool(project.analysis(SWING).duration < _DURATION)


def _motion(run: ExampleRun, project: Project) -> BarMotion:
    with closing(run.results(SWING, project)) as results:
        tip, gaps = (results.curve(name) for name in _CURVES)
        return BarMotion(np.asarray(results.values, float), tip, gaps)
