"""The convergence of joint modes on the friction bar: every method.

Model: thesis of the ContactDefiner, section 4.1.1 and figures 4.2 to 4.5 and 4.9; here with 18 844 nodes.
What the thesis says about them is put to the test by the study of the same name.
"""

from collections.abc import Mapping
from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.analyses.convergence_study import COLUMNS, TABLE, ConvergenceStudy
from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.error_curves import ErrorCurves, error_curves, error_table, ratio_table
from faying.examples.joint_stresses import (
    RICH_BASIS,
    correction_table,
    corrections,
    joint_expectations,
    worst_errors,
)
from faying.examples.projects import FRICTION_BAR_DECK, friction_bar, no_error, project_of
from faying.examples.switched_off import with_soft_contact
from faying.examples.tables import Table
from faying.project.specs import Project

DERIVATIVES = ("weighted_pod", "pod", "pod_of_forces")
LOADS = ("+100 N", "-100 N", "+20 Nm", "-20 Nm")
METHODS = (*DERIVATIVES, "equilibrium_snapshots", "vibration_modes")
SELECTIONS = ("self", "modal_interaction", "modal_virtual_work")
COUNTS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100)
QUICK_COUNTS = (0, 3, 4, 10, 20, 40)
SELECTION_COUNTS = (10, 20, 40, 60)
_COMMON = {"body": "bar", "support": "mounting"}
_USUAL_BASIS = {"kind": "weighted_pod", "count": 40}

# Motion of the loaded end along its load, and ‖g_N‖₂: what a full run finds on the unreduced model.
RECORDED: Mapping[str, tuple[float, float]] = {
    "+100 N": (28.48266, 21.56586),
    "-100 N": (33.76748, 46.86077),
    "+20 Nm": (0.2683407, 23.92687),
    "-20 Nm": (0.2683239, 23.57544),
}
_OTHER = "unreduced solution of the same deck, pairs and law: tests/references/friction_bar.py"
_TIP_UP, _TIP_DOWN, _TWIST, _RMS_UP = 28.48328, 33.76810, 0.2683388, 0.406014


def _independent(name: str, reference: float, tolerance: float, quantity: str = "length") -> Expected:
    return Expected(name, quantity, reference, "independent code", tolerance, _OTHER)


@examples.register("friction-bar-convergence")
class FrictionBarConvergence(Example):
    """Five methods, none to a hundred modes, bent and twisted both ways, against the unreduced model."""

    title: ClassVar[str] = "Friction bar, convergence of joint modes"
    group: ClassVar[str] = "Reduction bases"
    summary: ClassVar[str] = "How many joint modes of which method the friction bar needs, bent and twisted."
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = ("convergence", "displacement")
    expected: ClassVar[tuple[Expected, ...]] = (
        _independent("tip_up_unreduced", _TIP_UP, 1e-4),
        _independent("tip_down_unreduced", _TIP_DOWN, 1e-4),
        _independent("twist_unreduced", _TWIST, 1e-4, ""),
        _independent("tip_up_20_snapshots", _TIP_UP, 5e-4),
        _independent("tip_down_20_snapshots", _TIP_DOWN, 5e-4),
        _independent("twist_20_snapshots", _TWIST, 5e-4, ""),
        _independent("rms_gap_up_20_snapshots", _RMS_UP, 2e-3),
        _independent("tip_up_40_weighted_pod", _TIP_UP, 1.5e-3),
        _independent("tip_down_40_weighted_pod", _TIP_DOWN, 3e-3),
        _independent("twist_40_weighted_pod", _TWIST, 6e-3, ""),
        no_error("gap_norm_up_error_40_weighted_pod", 0.015),
        no_error("worst_error_20_snapshots", 0.005, "the larger of both errors under the worst of the four loads"),
        no_error("worst_error_40_snapshots", 0.001, "the larger of both errors under the worst of the four loads"),
        *joint_expectations(0.06, 0.12, ", worst load"),
        Expected("pod_ratio_10", "", 0.98, "published", 0.01, "w(10) of about 98 %, thesis section 4.1.1"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer numbers of modes, and recorded unreduced solutions."""
        common = {
            "kind": "convergence_study",
            **_COMMON,
            "loads": [_loads()["+100 N"], _loads()["+20 Nm"]],
            "both_signs": True,
            "unreduced": not quick,
        }
        selections = [{"kind": "weighted_pod", "derivatives": {"kind": kind}} for kind in SELECTIONS]
        return project_of(
            "Friction bar, convergence",
            "All joint-mode methods under forces of ±100 N and moments of ±20 Nm (thesis section 4.1.1).",
            FRICTION_BAR_DECK,
            friction_bar(joint_modes={"kind": "weighted_pod", "count": 10}),
            [
                {
                    **common,
                    "name": "convergence",
                    "counts": QUICK_COUNTS if quick else COUNTS,
                    "methods": [{"kind": method} for method in METHODS],
                },
                {
                    **common,
                    "name": "selections",
                    "counts": SELECTION_COUNTS[:2] if quick else SELECTION_COUNTS,
                    "methods": selections[:1] if quick else selections,
                },
            ],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that hardly feel each other."""
        return {"contact": with_soft_contact(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return motions, gaps and the ratio w(10)."""
        table, curves = _table(run, "convergence"), _error_curves(run, "convergence", METHODS)
        at = {name: i for i, name in enumerate(COLUMNS)}

        def value(method: int, count: int, load: int, column: str = "motion") -> float:
            wanted = {"method": method, "joint modes": count, "load": load}
            rows = np.all([table[:, at[name]] == number for name, number in wanted.items()], axis=0)
            return float(table[rows, at[column]][0])

        def worst(method: str, count: int) -> float:
            return max(curves[method, load].worst_at(count) for load in LOADS)

        weighted, snapshots = (METHODS.index(method) for method in ("weighted_pod", "equilibrium_snapshots"))
        loads = {"tip_up": 0, "tip_down": 1, "twist": 2}
        found = {f"{name}_20_snapshots": value(snapshots, 20, load) for name, load in loads.items()}
        found |= {f"{name}_40_weighted_pod": value(weighted, 40, load) for name, load in loads.items()}
        if _study(run, "convergence").unreduced:
            found |= {f"{name}_unreduced": value(-1, 0, load) for name, load in loads.items()}
            found |= worst_errors(corrections(run, RICH_BASIS, _loads(), _COMMON))
        return found | {
            "rms_gap_up_20_snapshots": value(snapshots, 20, 0, "rms gap"),
            "gap_norm_up_error_40_weighted_pod": curves["weighted_pod", LOADS[0]].gaps_at(40),
            "worst_error_20_snapshots": worst("equilibrium_snapshots", 20),
            "worst_error_40_snapshots": worst("equilibrium_snapshots", 40),
            "pod_ratio_10": value(weighted, 10, 0, "ratio"),
        }

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return the errors of all methods, and w(g)."""
        curves = _error_curves(run, "convergence", METHODS)
        selections = _error_curves(run, "selections", _selections(run))
        found = {
            "errors": error_table(curves),
            "changes": error_table(curves, changes=True),
            "errors_of_selections": error_table(selections),
            "ratios": ratio_table(curves),
        }
        if not _study(run, "convergence").unreduced:
            return found
        bases = {"60 equilibrium snapshots": RICH_BASIS, "40 weighted POD": _USUAL_BASIS}
        corrected = {basis: corrections(run, method, _loads(), _COMMON) for basis, method in bases.items()}
        return {**found, "joint_stresses": correction_table(corrected)}


def _loads() -> dict[str, dict[str, Any]]:
    """Return the loads by name, in the order of the study: each with its opposite."""
    given = (("force", (0.0, 0.0, 100.0)), ("moment", (20_000.0, 0.0, 0.0)))
    turned = [
        {"interface": "load", what: tuple(sign * v for v in vector)}
        for what, vector in given
        for sign in (1, -1)
    ]
    return dict(zip(LOADS, turned, strict=True))


def _study(run: ExampleRun, name: str) -> ConvergenceStudy:
    study = run.project.analysis(name)
    assert isinstance(study, ConvergenceStudy)
    return study


def _selections(run: ExampleRun) -> tuple[str, ...]:
    return SELECTIONS[: len(_study(run, "selections").methods)]


def _table(run: ExampleRun, name: str) -> np.ndarray:
    with closing(run.results(name)) as results:
        return results.table(TABLE)[1]


def _error_curves(run: ExampleRun, name: str, methods: tuple[str, ...]) -> ErrorCurves:
    """Return the curves of a study; a quick run has recorded references."""
    table = _table(run, name)
    rows = table[table[:, COLUMNS.index("method")] == -1]
    motion, gaps = COLUMNS.index("motion"), COLUMNS.index("gap norm")
    found = {load: (float(row[motion]), float(row[gaps])) for load, row in zip(LOADS, rows, strict=False)}
    return error_curves(table, methods, found or RECORDED)
