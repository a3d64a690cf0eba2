"""The friction bar swings under a step of force: the error over time of every joint-mode method.

Model: thesis of the ContactDefiner, section 4.1.1 and figures 4.6 to 4.8; here with 18 844 nodes.

Errors are differences from the same motion with many modes of weighted POD, as in the thesis, but as shares of that
motion's largest value: the thesis divides by the value of the moment, which the swing brings near to zero.
"""

from contextlib import closing
from typing import ClassVar

import numpy as np

from faying.examples import CurvePlot, Example, ExampleRun, Expected, examples
from faying.examples._convergence import DERIVATIVES
from faying.examples._dynamics import TVDS, BarMotion, error_table, statement_table
from faying.examples.measured import with_method
from faying.examples.projects import FRICTION_BAR_DECK, as_before, friction_bar, project_of
from faying.examples.switched_off import without_friction
from faying.examples.tables import Table
from faying.project.specs import Project

SWING = "swing"
MOST, SNAPSHOTS = 100, 40
COUNTS = (0, 5, 10, 20, 30, 50)
_QUICK_COUNTS = (5, 20)
_DURATION, _QUICK_DURATION, _INTERVAL = 0.1, 0.02, 2.5e-4  # s
_AMPLITUDE = "of the largest deflection alone; the table of statements has what the thesis says of all times"
_CURVES = ("load uz", "lap joint gap norm")


@examples.register("friction-bar-dynamics")
class FrictionBarDynamics(Example):
    """Three methods from derivatives, none to fifty modes, against a hundred, and against snapshots."""

    title: ClassVar[str] = "Friction bar, joint modes in motion"
    summary: ClassVar[str] = "How many joint modes of which method the friction bar needs when it swings."
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = (SWING, "pressure")
    film: ClassVar[tuple[str, str]] = (SWING, "pressure")
    plots: ClassVar[tuple[CurvePlot, ...]] = (
        CurvePlot("tip", SWING, "Deflection of the loaded end", "length", _CURVES[:1]),
        CurvePlot("gap-norm", SWING, "Norm of the gaps", "length", _CURVES[1:]),
    )
    expected: ClassVar[tuple[Expected, ...]] = (
        as_before("amplitude_error_20_weighted_pod", 0.0106, 0.03, _AMPLITUDE),
        as_before("amplitude_error_20_pod", 0.0115, 0.03, _AMPLITUDE),
        Expected(
            "tip_snapshots_from_reference", "", 0.0, "regression", 0.005,
            "not a verification: two of this program's bases that know nothing of each other should give one motion; "
            f"largest difference of {SNAPSHOTS} snapshots from {MOST} modes of weighted POD, over the largest value",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick simulates the first swing, and compares fewer numbers of modes."""
        duration = _QUICK_DURATION if quick else _DURATION
        load = {
            "interface": "load",
            "force": (0.0, 0.0, 50.0),
            "course": {"kind": "haversine", "rise_time": 0.01},
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
        found = {
            f"amplitude_error_{count}_{method}": motion.swing_error(reference)
            for (method, count), motion in _motions(run).items()
        }
        if not _is_quick(run.project):
            snapshots = _motion(run, with_method(run.project, "equilibrium_snapshots", count=SNAPSHOTS))
            found["tip_snapshots_from_reference"] = snapshots.tip_error(reference)
        return {e.name: found[e.name] for e in self.expected if e.name in found}

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return the errors of all methods, and which statements of the thesis reproduce; these of a full run."""
        motions, reference = _motions(run), _motion(run, run.project)
        tables = {"errors": error_table(motions, reference)}
        return (
            tables if _is_quick(run.project) else tables | {"statements": statement_table(motions, reference)}
        )


def _is_quick(project: Project) -> bool:
    return bool(project.analysis(SWING).duration < _DURATION)


def _motions(run: ExampleRun) -> dict[tuple[str, int], BarMotion]:
    """Return the motion with each method and number of modes; only the joint modes differ, all before is shared."""
    quick = _is_quick(run.project)
    return {
        (method, count): _motion(run, with_method(run.project, method, count=count))
        for method in (TVDS if quick else DERIVATIVES)
        for count in (_QUICK_COUNTS if quick else COUNTS)
    }


def _motion(run: ExampleRun, project: Project) -> BarMotion:
    with closing(run.results(SWING, project)) as results:
        tip, gaps = (results.curve(name) for name in _CURVES)
        return BarMotion(np.asarray(results.values, float), tip, gaps)
