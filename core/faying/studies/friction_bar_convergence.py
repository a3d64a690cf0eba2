"""What the thesis says about the convergence of joint modes on the friction bar in statics: section 4.1.1."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.examples import ExampleRun
from faying.examples.error_curves import ErrorCurve, ErrorCurves, error_table, percent, ratio_table
from faying.examples.projects import friction_bar
from faying.examples.tables import Table
from faying.progress import Progress
from faying.studies import StatementStudy, studies
from faying.studies._bars import REASON, bar_runs
from faying.studies._convergence_record import convergence_record, curves_of
from faying.studies._methods import DERIVATIVES, TITLES, titled
from faying.studies._trial_shapes import shape_counts
from faying.studies.statements import (
    Agreement,
    Judged,
    Statement,
    alike,
    ascending,
    between,
    every,
    exactly,
    less,
    more,
    statement_table,
)

METHODS = (*DERIVATIVES, "equilibrium_snapshots", "vibration_modes")
LOADS = ("+100 N", "-100 N", "+20 Nm", "-20 Nm")
COUNTS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100)
_QUICK_COUNTS = (0, 2, 3, 4, 5, 10, 20, 40)
_ORDER = ("pod", "weighted_pod", "pod_of_forces")


@dataclass(frozen=True)
class BarErrors:
    """Errors of all methods under the four loads on one bar; how many trial vectors bend, twist, and do neither."""

    curves: ErrorCurves
    shapes: tuple[int, int, int]

    @cached_property
    def bending(self) -> dict[str, ErrorCurve]:
        """Under the force that closes the joint, by method."""
        return {method: self.curves[method, LOADS[0]] for method in TITLES}

    @cached_property
    def torsion(self) -> dict[str, ErrorCurve]:
        """Under the moment, by method."""
        return {method: self.curves[method, LOADS[2]] for method in TITLES}

    def average(self, method: str, count: int) -> float:
        """Return the average of both errors under both loads."""
        return 0.5 * (self.bending[method].at(count) + self.torsion[method].at(count))

    def ratio(self, method: str, count: int) -> float:
        """Return w(g)."""
        return self.bending[method].ratio_at(count)


def _one_solution(found: BarErrors) -> Judged:
    most = int(found.bending["pod"].counts[-1])
    worst = max(found.bending[m].worst_at(most) for m in DERIVATIVES)
    return f"with g = {most} within {percent(worst)} of the unreduced one", less(worst, 0.01)


def _vibration_modes_miss(found: BarErrors) -> Judged:
    curve = found.bending["vibration_modes"]
    most = int(curve.counts[-1])
    errors = curve.motion_at(most), curve.gaps_at(most)
    return f"with g = {most} {percent(errors[0])} and {percent(errors[1])} off", more(max(errors), 0.01)


def _alike_rates(found: BarErrors) -> Judged:
    left = {m: [_left(c.counts, e) for e in (c.motion, c.gaps)] for m, c in found.bending.items()}
    none = found.bending["pod"]
    if min(none.motion_at(0), none.gaps_at(0)) < 0.01:
        # An error that is nearly zero by chance, on its way from one sign to the other, is no measure of a rate.
        errors = f"{percent(none.motion_at(0))} and {percent(none.gaps_at(0))}"
        return f"without joint modes {errors} off: nothing to compare rates with", Agreement.UNDECIDED
    told = ", ".join(f"{TITLES[m]} {percent(left[m][0])} and {percent(left[m][1])}" for m in DERIVATIVES)
    return told, every(*(alike(left[m]) for m in DERIVATIVES))


def _bending_order(found: BarErrors) -> Judged:
    means = {m: found.bending[m].mean() for m in _ORDER}
    return f"{titled(means)} on average", ascending(*means.values())


def _bending_at_20(found: BarErrors) -> Judged:
    errors = {m: found.bending[m].motion_at(20) for m in DERIVATIVES[:2]}
    return titled(errors), every(*(less(e, 0.01) for e in errors.values()))


def _gaps_at_20(found: BarErrors) -> Judged:
    errors = {m: found.bending[m].gaps_at(20) for m in DERIVATIVES[:2]}
    return titled(errors), every(*(less(e, 0.01) for e in errors.values()))


def _twist(found: BarErrors) -> dict[str, float]:
    return {m: c.mean_motion() for m, c in found.torsion.items()}


def _twist_alike(found: BarErrors) -> Judged:
    means = {m: _twist(found)[m] for m in DERIVATIVES}
    return f"{titled(means)} on average", alike(list(means.values()))


def _twist_of_vibration_modes(found: BarErrors) -> Judged:
    means = _twist(found)
    worst = max(means[m] for m in DERIVATIVES)
    told = f"{percent(means['vibration_modes'])} on average, the worst of the others {percent(worst)}"
    return told, more(means["vibration_modes"], 2.0 * worst)


def _torsion_smooth(found: BarErrors) -> Judged:
    grown = {m: _grown(found.torsion[m].counts, found.torsion[m].gaps) for m in DERIVATIVES}
    told = ", ".join(f"{TITLES[m]} {percent(grown[m])}" for m in DERIVATIVES)
    return told, more(grown["pod"], max(grown["weighted_pod"], grown["pod_of_forces"]))


def _torsion_slower(found: BarErrors) -> Judged:
    both = found.bending["weighted_pod"].mean(), found.torsion["weighted_pod"].mean()
    return f"weighted POD {percent(both[1])} against {percent(both[0])} on average", more(both[1], both[0])


def _shapes(found: BarErrors) -> Judged:
    return "{} bend, {} twist, {} neither".format(*found.shapes), exactly(found.shapes == (9, 4, 3))


def _ratio_of_ten(found: BarErrors) -> Judged:
    ratio = found.ratio("weighted_pod", 10)
    # In what is left over: 98 % leaves 2 %.
    return percent(ratio, 4), between(0.01, 1.0 - ratio, 0.03)


def _error_of_ten(found: BarErrors) -> Judged:
    error = found.average("weighted_pod", 10)
    return percent(error), between(0.025, error, 0.1)


def _ratio_of_four(found: BarErrors) -> Judged:
    ratio = found.ratio("pod", 4)
    return percent(ratio, 4), less(1.0 - ratio, 0.02)


def _error_of_four(found: BarErrors) -> Judged:
    error = found.average("pod", 4)
    return percent(error), between(0.04, error, 0.16)


def _third_mode(found: BarErrors) -> Judged:
    counts = found.bending["pod"].counts
    before = int(counts[np.flatnonzero(counts == 3)[0] - 1])
    errors = [found.average("pod", g) for g in (before, 3)]
    return f"{percent(errors[0])} with g = {before}, {percent(errors[1])} with g = 3", more(
        errors[1], errors[0]
    )


def _smooth_average(found: BarErrors) -> Judged:
    counts = found.bending["pod"].counts
    grown = {
        m: _grown(counts, np.array([found.average(m, int(g)) for g in counts]))
        for m in ("weighted_pod", "pod_of_forces")
    }
    return titled(grown), less(grown["weighted_pod"], 0.5 * grown["pod_of_forces"])


def _sequence(found: BarErrors) -> Judged:
    missing = {m: 1.0 - found.ratio(m, 10) for m in _ORDER}
    means = {m: found.bending[m].mean() + found.torsion[m].mean() for m in _ORDER}
    told = f"missing of w(10): {titled(missing)}; errors: {titled({m: 0.5 * e for m, e in means.items()})}"
    return told, every(ascending(*missing.values()), ascending(*means.values()))


STATEMENTS = (
    Statement("bending: all joint-mode methods reach one solution, within 1 %", "4.1.1", _one_solution),
    Statement(
        "bending: as many additional vibration modes do not reach it "
        "(here: |z_L| or ‖g_N‖ more than 1 % off)",
        "figures 4.2, 4.3",
        _vibration_modes_miss,
    ),
    Statement(
        "bending: |z_L| and ‖g_N‖ converge at nearly the same rate "
        "(here: what is left of the errors without joint modes, on average, is alike within a factor of two)",
        "figures 4.2, 4.3",
        _alike_rates,
    ),
    Statement(
        "bending: POD of TVDs converges fastest, then weighted POD, then POD of forces",
        "figures 4.2, 4.3",
        _bending_order,
    ),
    Statement(
        "bending: |z_L| is below 1 % with g = 20, "
        "both POD of TVDs (printed for motion, which is to confirm statics)",
        "4.1.1, figure 4.7",
        _bending_at_20,
    ),
    Statement(
        "bending: ‖g_N‖ is below 1 % with g = 20, both POD of TVDs (likewise)",
        "4.1.1, figure 4.8",
        _gaps_at_20,
    ),
    Statement(
        "torsion: the twist converges alike with all three (here: within a factor of two)",
        "figure 4.4",
        _twist_alike,
    ),
    Statement(
        "torsion: additional vibration modes converge much slower (here: twice the error of the worst)",
        "figure 4.4",
        _twist_of_vibration_modes,
    ),
    Statement(
        "torsion: ‖g_N‖ converges smoothly but for POD of TVDs "
        "(here: by how much its error grows in all, from one number of modes to the next)",
        "figure 4.5",
        _torsion_smooth,
    ),
    Statement("torsion converges slightly slower than bending", "4.1.1", _torsion_slower),
    Statement(
        "of 16 trial vectors nine bend the bar about y, four twist it about x, three do neither clearly",
        "4.1.1",
        _shapes,
    ),
    Statement("w(10) is about 98 % for weighted POD (here: 97 to 99 %)", "figure 4.9", _ratio_of_ten),
    Statement(
        "ten modes of weighted POD leave about 5 % on average (here: 2.5 to 10 %)",
        "figure 4.9",
        _error_of_ten,
    ),
    Statement("w(4) is above 98 % for POD of TVDs", "figure 4.9", _ratio_of_four),
    Statement(
        "four modes of POD of TVDs leave about 8 % on average (here: 4 to 16 %)", "figure 4.9", _error_of_four
    ),
    Statement("the third mode of POD of TVDs makes the average error larger", "figure 4.9", _third_mode),
    Statement(
        "the average error falls smoothly for weighted POD, and not for POD of forces "
        "(here: it grows by less than half as much in all)",
        "figure 4.9",
        _smooth_average,
    ),
    Statement(
        "the sequence of convergence is that of the ratio w: POD of TVDs, weighted POD, POD of forces",
        "figure 4.9",
        _sequence,
    ),
)


@studies.register("friction-bar-convergence")
class BarConvergenceStudy(StatementStudy):
    """Five methods, none to a hundred modes, bent and twisted both ways, on two bars."""

    title: ClassVar[str] = "Friction bar: convergence of joint modes"
    summary: ClassVar[str] = "What the thesis says about joint modes in statics, on two friction bars."
    note: ClassVar[str] = f"""\
Thesis of the ContactDefiner, section 4.1.1, figures 4.2 to 4.5 and 4.9: 100 N up or down at the free end, or 20 Nm
about the bar; ten vibration modes, linear penalty of 50 000 N/mm³, no friction. "Motion" is the deflection or the
twist of the loaded end. Errors are those against the unreduced model of the same pairs (the thesis: against 100
joint modes). Kind of reference of the errors: unreduced model; of the statements: published. What is within 5 % of
a limit is undecided. The meshes have a quarter of the thesis' 38 162 nodes, to be computed in minutes. On an older
mesh of the narrow bar with 18 850 nodes 20 modes of weighted POD miss |z_L| by 1.07 % and ‖g_N‖ by 17.3 %.

{REASON}"""

    def measure(self, work: Path, progress: Progress, quick: bool = False) -> dict[str, Any]:
        """Return errors and shapes of each bar."""
        study = {
            "kind": "convergence_study", "name": "convergence", "body": "bar", "support": "mounting",
            "loads": [
                {"interface": "load", "force": (0.0, 0.0, 100.0)},
                {"interface": "load", "moment": (20_000.0, 0.0, 0.0)},
            ],
            "both_signs": True, "counts": _QUICK_COUNTS if quick else COUNTS,
            "methods": [{"kind": method} for method in METHODS],
        }  # fmt: skip
        return bar_runs(work, friction_bar(), [study], _measured, progress, quick)

    def tables(self, record: dict[str, Any]) -> dict[str, Table]:
        """Return the statements, and errors and ratios of each bar."""
        found = {bar: BarErrors(curves_of(of), tuple(of["shapes"])) for bar, of in record.items()}
        tables = {"Statements": statement_table(STATEMENTS, found), "Models": _models(record)}
        for bar, measured in found.items():
            tables[f"Errors, {bar}"] = error_table(measured.curves)
        return tables | {f"Ratios, {bar}": ratio_table(measured.curves) for bar, measured in found.items()}


def _measured(run: ExampleRun) -> dict[str, Any]:
    model, components = run.value("model"), run.value("components")
    displacements = run.value("matrices").dofs.displacement_rows @ components.modes
    record = convergence_record(run, "convergence", METHODS, LOADS)
    return {**record, "shapes": shape_counts(model.nodes, displacements)}


def _models(record: dict[str, Any]) -> Table:
    rows = tuple(
        (bar, of["nodes"], of["pairs"], *(value for load in LOADS for value in of["unreduced"][load]))
        for bar, of in record.items()
    )
    heads = (f"{what}, {load}" for load in LOADS for what in ("motion", "‖g_N‖"))
    return Table(("bar", "nodes", "pairs", *heads), rows)


def _left(counts: np.ndarray, errors: np.ndarray) -> float:
    """Return the average error over all numbers of modes but zero, as a share of that without joint modes."""
    return float(errors[counts > 0].mean() / errors[counts == 0][0])


def _grown(counts: np.ndarray, errors: np.ndarray) -> float:
    """Return the sum of all increases of an error from one number of modes to the next, from the first mode on."""
    steps = np.diff(errors[counts > 0])
    return float(steps[steps > 0.0].sum())
