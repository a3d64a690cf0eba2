"""The convergence of joint modes on the friction bar: every method, and what the thesis says about it.

Model: thesis of the ContactDefiner, section 4.1.1 and figures 4.2 to 4.5 and 4.9; here with 18 844 nodes.
"""

import math
from contextlib import closing
from typing import ClassVar

import numpy as np

from faying.analyses.convergence_study import TABLE
from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples._convergence import DERIVATIVES, courses_of, error_table, statement_table
from faying.examples._measured import with_method
from faying.examples._projects import FRICTION_BAR_DECK, friction_bar, project_of
from faying.examples.tables import Table
from faying.project.specs import Project

METHODS = (*DERIVATIVES, "equilibrium_snapshots", "vibration_modes")
COUNTS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
QUICK_COUNTS = (0, 10, 20, 40)

# Motion of the loaded end along the load, by a separate program; ‖g_N‖₂ of this program's unreduced solution.
UNREDUCED = {"force": (28.4834, 21.56586), "moment": (0.268341, 23.92687)}
_SAME_MODEL = "unreduced Newton solution of the same deck, pairs and law by a separate program"


@examples.register("friction-bar-convergence")
class FrictionBarConvergence(Example):
    """Five methods, none to a hundred modes, against the unreduced model."""

    title: ClassVar[str] = "Friction bar, convergence of joint modes"
    summary: ClassVar[str] = "How many joint modes of which method the friction bar needs, bent and twisted."
    picture: ClassVar[tuple[str, str]] = ("convergence", "displacement")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("tip_20_snapshots", "length", UNREDUCED["force"][0], "independent code", 5e-4, _SAME_MODEL),
        Expected("tip_40_weighted_pod", "length", UNREDUCED["force"][0], "independent code", 1.5e-3, _SAME_MODEL),
        Expected("twist_20_snapshots", "", UNREDUCED["moment"][0], "independent code", 5e-4, _SAME_MODEL),
        Expected("twist_40_weighted_pod", "", UNREDUCED["moment"][0], "independent code", 6e-3, _SAME_MODEL),
        Expected(
            "gap_norm_20_snapshots", "length", 0.406 * math.sqrt(2821), "independent code", 2e-3,
            f"root mean square gap 0.406 mm over 2821 pairs; {_SAME_MODEL}",
        ),
        Expected(
            "pod_ratio_10", "", 0.985, "published", 0.0152, "w(10) of 98 to 99 %, thesis section 4.1.1",
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer numbers of modes, one sign, and recorded unreduced solutions."""
        study = {
            "kind": "convergence_study",
            "name": "convergence",
            "body": "bar",
            "support": "mounting",
            "loads": [
                {"interface": "load", "force": (0.0, 0.0, 100.0)},
                {"interface": "load", "moment": (20_000.0, 0.0, 0.0)},
            ],
            "counts": QUICK_COUNTS if quick else COUNTS,
            "methods": [{"kind": method} for method in METHODS],
            "unreduced": not quick,
        }
        return project_of(
            "Friction bar, convergence",
            "All joint-mode methods under a force of 100 N and a moment of 20 Nm (thesis section 4.1.1).",
            FRICTION_BAR_DECK,
            friction_bar(joint_modes={"kind": "weighted_pod", "count": 10}),
            [study],
        )

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return motions, gaps and the ratio w(10)."""
        table, methods = _study(run), {method: i for i, method in enumerate(METHODS)}

        def value(method: str, count: int, load: int, column: int) -> float:
            rows = (table[:, 0] == methods[method]) & (table[:, 1] == count) & (table[:, 2] == load)
            return float(table[rows, column][0])

        return {
            "tip_20_snapshots": value("equilibrium_snapshots", 20, 0, 3),
            "tip_40_weighted_pod": value("weighted_pod", 40, 0, 3),
            "twist_20_snapshots": value("equilibrium_snapshots", 20, 1, 3),
            "twist_40_weighted_pod": value("weighted_pod", 40, 1, 3),
            "gap_norm_20_snapshots": value("equilibrium_snapshots", 20, 0, 4),
            "pod_ratio_10": float(_ratios(run)["weighted_pod"][9]),
        }

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return the errors of all methods, and which statements of the thesis reproduce."""
        courses = courses_of(_study(run), METHODS, UNREDUCED)
        return {"errors": error_table(courses), "statements": statement_table(courses, _ratios(run))}


def _study(run: ExampleRun) -> np.ndarray:
    with closing(run.results("convergence")) as results:
        return results.table(TABLE)[1]


def _ratios(run: ExampleRun) -> dict[str, np.ndarray]:
    """Return w(1), w(2), … of each method of derivatives."""
    found = {}
    for method in DERIVATIVES:
        basis = run.value("basis", project=with_method(run.project, method, count=10))
        found[method] = np.array([basis.pod_ratio(g) for g in range(1, 11)])
    return found
