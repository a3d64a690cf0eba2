"""What the thesis says about joint modes of the preloaded friction bar: sections 4.1.2 and 4.1.3."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses.static import Static
from faying.examples import ExampleRun
from faying.examples.error_curves import ErrorCurves, error_table, percent
from faying.examples.friction_bar_preloaded import BOLT_FORCE, END_FORCE, bolted_bar, with_one_bolt
from faying.examples.measured import mounted_unreduced, with_body, with_method
from faying.examples.tables import Table
from faying.progress import Progress
from faying.project.specs import Project
from faying.studies import StatementStudy, studies
from faying.studies._bars import REASON, bar_runs
from faying.studies._convergence_record import convergence_record, curves_of
from faying.studies.statements import Agreement, Judged, Statement, alike, every, less, more, statement_table

RELATED, ALL, WITHOUT = "related derivatives", "all derivatives", "all, no preload mode"
LOADS = ("up", "down")
COUNTS = (0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
_QUICK_COUNTS = (0, 10, 25, 50)
_CONVERGED = 0.01  # error of the deflection
_NEAR = 15.0  # mm from the bolt's axis: "around PL1"
_METHODS: dict[str, dict[str, Any]] = {
    RELATED: {"kind": "weighted_pod", "derivatives": {"kind": "preload_related"}},
    ALL: {"kind": "weighted_pod"},
}
_BASES = {
    "g = 25, related derivatives": (25, RELATED, True),
    "g = 25, all derivatives": (25, ALL, True),
    "g = 25, no preload mode": (25, ALL, False),
}


@dataclass(frozen=True)
class BoltedBarErrors:
    """What was measured on one bar.

    Attributes:
        two, one: errors of the three bases up and down, with two and with one preload area.
        mounted: pressure errors around PL1 under the preload alone, "with" the preload mode and "without".
        pressed: pressure errors around PL1 under the end force up, by basis.
        vectors: component modes, rigid ones included, and constraint modes.
    """

    two: ErrorCurves
    one: ErrorCurves
    mounted: Mapping[str, float]
    pressed: Mapping[str, float]
    vectors: tuple[int, int]


def _vectors(found: BoltedBarErrors) -> Judged:
    m, s = found.vectors
    return f"s = {s}, m = {m}", Agreement.HOLDS if (m, s) == (36, 16) else Agreement.DOES_NOT


def _mode_is_the_state(found: BoltedBarErrors) -> Judged:
    told = f"{percent(found.mounted['with'])} off with it, {percent(found.mounted['without'])} without"
    return told, every(less(found.mounted["with"], 0.01), more(found.mounted["without"], 0.1))


def _faster(found: BoltedBarErrors) -> Judged:
    return _averages(found.two, RELATED, ALL), every(
        *(less(found.two[RELATED, load].mean_motion(), found.two[ALL, load].mean_motion()) for load in LOADS)
    )


def _converged_at_25(found: BoltedBarErrors) -> Judged:
    errors = [found.two[RELATED, load].motion_at(25) for load in LOADS]
    return f"{percent(errors[0])} up, {percent(errors[1])} down", every(
        *(less(e, _CONVERGED) for e in errors)
    )


def _needs_50(found: BoltedBarErrors) -> Judged:
    curves = [found.two[ALL, load] for load in LOADS]
    before = int(max(g for g in curves[0].counts if g < 50))
    errors = [[c.motion_at(g) for c in curves] for g in (before, 50)]
    told = "; ".join(
        f"with g = {g} {percent(e[0])} up, {percent(e[1])} down" for g, e in zip((before, 50), errors, strict=True)
    )  # fmt: skip
    return told, more(max(errors[0]), _CONVERGED)


def _alike_two(found: BoltedBarErrors) -> Judged:
    return _averages(found.two, ALL, WITHOUT), _alike(found.two)


def _pressures(found: BoltedBarErrors) -> Judged:
    errors = [found.pressed[basis] for basis in _BASES]
    told = ", ".join(f"{basis.removeprefix('g = 25, ')} {percent(e)}" for basis, e in found.pressed.items())
    return told, every(less(errors[0], errors[1]), less(errors[1], errors[2]))


def _slower(found: BoltedBarErrors) -> Judged:
    return _averages(found.one, RELATED, ALL), every(
        *(more(found.one[RELATED, load].mean_motion(), found.one[ALL, load].mean_motion()) for load in LOADS)
    )


def _never(found: BoltedBarErrors) -> Judged:
    left = [float(found.one[RELATED, load].motion[-1]) for load in LOADS]
    told = f"{percent(left[0])} up and {percent(left[1])} down are left with g = {found.one[RELATED, 'up'].counts[-1]}"
    return told, more(min(left), _CONVERGED)


def _alike_one(found: BoltedBarErrors) -> Judged:
    return _averages(found.one, ALL, WITHOUT), _alike(found.one)


STATEMENTS = (
    Statement("20 vibration modes and s = 16 constraint modes are m = 36 trial vectors", "4.1.2", _vectors),
    Statement(
        "two areas: with the preload mode the pressure around PL1 is that of the nonlinear FE model, "
        "without any joint mode (here: within 1 %); without it the component modes miss it (here: by more than 10 %)",
        "figure 4.12",
        _mode_is_the_state,
    ),
    Statement("two areas: related derivatives converge faster, up and down", "figure 4.13", _faster),
    Statement(
        "two areas: related derivatives have converged with g = 25 (here: to 1 %, up and down)",
        "figure 4.13",
        _converged_at_25,
    ),
    Statement(
        "two areas: all derivatives need at least g = 50 "
        "(here: with fewer more than 1 % is left, up or down)",
        "figure 4.13",
        _needs_50,
    ),
    Statement(
        "two areas: all derivatives converge alike with and without the preload mode "
        "(here: within a factor of two)",
        "figure 4.13",
        _alike_two,
    ),
    Statement(
        "two areas, up: pressures around PL1 with g = 25 are best with related derivatives, "
        "then with all, worst without preload mode",
        "figure 4.14",
        _pressures,
    ),
    Statement("one area: related derivatives converge slower, up and down", "figure 4.15", _slower),
    Statement("one area: related derivatives never converge (here: to 1 %)", "figure 4.15", _never),
    Statement(
        "one area: all derivatives converge alike with and without the preload mode "
        "(here: within a factor of two)",
        "figure 4.15",
        _alike_one,
    ),
)


@studies.register("friction-bar-preloaded")
class BoltedBarStudy(StatementStudy):
    """Preload mode and related derivatives against all derivatives and no preload mode, on two bars."""

    title: ClassVar[str] = "Friction bar: preloaded joint modes"
    summary: ClassVar[str] = "What the thesis says about the bolted bar, on two friction bars."
    note: ClassVar[str] = f"""\
Thesis of the ContactDefiner, sections 4.1.2 and 4.1.3, figures 4.12 to 4.15: bolts of {BOLT_FORCE:g} N at the outer
holes, or at the one next to the mounting alone, then {END_FORCE:g} N up or down at the free end. As in the thesis a
distributing coupling spreads each force from a node in the hole over the washer's ring; these four nodes are
interface nodes along z, so that with mounting and load there are 16 constraint modes. Twenty vibration modes,
linear penalty of 50 000 N/mm³, no friction, weighted POD. Errors are those against the unreduced model of the same
pairs; errors of pressures are root mean squares over the pairs within {_NEAR:g} mm of the bolt's axis. Kind of
reference of the errors: unreduced model; of the statements: published. What is within 5 % of a limit is undecided.

{REASON}"""

    def measure(self, work: Path, progress: Progress, quick: bool = False) -> dict[str, Any]:
        """Return errors on each bar, with two bolts and with one."""
        common = {"body": "bar", "support": "mounting", "preloads": ["bolts"]}
        up = {"interface": "load", "force": (0.0, 0.0, END_FORCE)}
        analyses: list[dict[str, Any]] = [
            {
                "kind": "convergence_study", "name": "convergence", **common, "loads": [up], "both_signs": True,
                "counts": _QUICK_COUNTS if quick else COUNTS, "methods": list(_METHODS.values()),
            },
            {"kind": "static", "name": "mounted", **common, "error_estimate": False},
            {"kind": "static", "name": "up", **common, "loads": [up], "error_estimate": False},
            {"kind": "unreduced_static", "name": "up, unreduced", **common, "loads": [up]},
        ]  # fmt: skip
        return bar_runs(work, bolted_bar(), analyses, _measured, progress, quick)

    def tables(self, record: dict[str, Any]) -> dict[str, Table]:
        """Return the statements, and the errors on each bar."""
        found = {bar: _found(of) for bar, of in record.items()}
        tables = {"Statements": statement_table(STATEMENTS, found), "Models": _models(record)}
        for bar, measured in found.items():
            tables[f"Errors with two bolts, {bar}"] = error_table(measured.two)
            tables[f"Errors with one bolt, {bar}"] = error_table(measured.one)
        return tables


def _measured(run: ExampleRun) -> dict[str, Any]:
    one = with_one_bolt(run.project)
    components = run.value("components")
    interfaces = [*run.project.bodies[0].interfaces]
    constraints = sum(len(node.components) for node in interfaces)
    pairs = run.value("pairs", "lap joint")
    slaves = run.value("model").nodes[pairs.slave_nodes]
    axis = run.value("model").nodes[run.value("model").node_sets["BOLT1_S1"][0]]
    near = np.linalg.norm(slaves[:, :2] - axis[:2], axis=1) < _NEAR
    law = run.project.bodies[0].joints[0].contact_law

    def pressures(analysis: str, project: Project | None = None) -> np.ndarray:
        with closing(run.results(analysis, project)) as results:
            return np.asarray(law.pressure(_gaps(run, analysis, results, project))[0][near])

    full = pressures("up, unreduced")
    mounted = np.asarray(law.pressure(mounted_unreduced(run).gap)[0][near])
    bases = {
        name: pressures("up", _with_basis(run.project, count, method, preload_modes))
        for name, (count, method, preload_modes) in _BASES.items()
    }
    alone = {
        name: pressures("mounted", _with_basis(run.project, 0, ALL, preload_modes))
        for name, preload_modes in (("with", True), ("without", False))
    }
    return {
        "vectors": [components.modes.shape[1] + 6, constraints],
        "two": _both(run, run.project),
        "one": _both(run, one),
        "mounted": {name: _share(p, mounted) for name, p in alone.items()},
        "pressed": {name: _share(p, full) for name, p in bases.items()},
    }


def _both(run: ExampleRun, project: Project) -> dict[str, Any]:
    """Return the record of the convergence study with preload mode, and of all derivatives without."""
    found = convergence_record(run, "convergence", list(_METHODS), LOADS, project)
    study = project.analysis("convergence")
    alone = study.with_(
        name="without preload mode", methods=(_METHODS[ALL],), preload_modes=False, unreduced=False
    )
    without = convergence_record(
        run, alone.name, [WITHOUT], LOADS, project.with_(analyses=(alone,)), found["unreduced"]
    )
    for part in ("errors", "ratios"):
        found[part] |= without[part]
    return found


def _with_basis(project: Project, count: int, method: str, preload_modes: bool) -> Project:
    return with_body(
        with_method(project, **{**_METHODS[method], "count": count}), preload_modes=preload_modes
    )


def _gaps(run: ExampleRun, name: str, results: Any, project: Project | None) -> np.ndarray:
    stored = results.gap_and_slip("lap joint", results.n_frames - 1)
    if stored is not None:
        return np.asarray(stored[0])
    analysis = (project or run.project).analysis(name)
    assert isinstance(analysis, Static)
    rows = analysis.clamped_body(run.value("body", project=project)).joints[0]
    return np.asarray(rows.initial_gaps + rows.normal @ results.coordinates(results.n_frames - 1))


def _found(record: Mapping[str, Any]) -> BoltedBarErrors:
    two, one = (curves_of(record[part]) for part in ("two", "one"))
    return BoltedBarErrors(two, one, record["mounted"], record["pressed"], tuple(record["vectors"]))


def _models(record: dict[str, Any]) -> Table:
    rows = tuple(
        (
            bar, of["nodes"], of["pairs"],
            *(value for part in ("two", "one") for load in LOADS for value in of[part]["unreduced"][load]),
        )
        for bar, of in record.items()
    )  # fmt: skip
    heads = (
        f"{what}, {part}, {load}"
        for part in ("two bolts", "one bolt") for load in LOADS for what in ("motion, mm", "‖g_N‖, mm")
    )  # fmt: skip
    return Table(("bar", "nodes", "pairs", *heads), rows)


def _alike(curves: ErrorCurves) -> Agreement:
    return every(*(alike([curves[basis, load].mean_motion() for basis in (ALL, WITHOUT)]) for load in LOADS))


def _averages(curves: ErrorCurves, *bases: str) -> str:
    means = {basis: [percent(curves[basis, load].mean_motion()) for load in LOADS] for basis in bases}
    found = ", ".join(f"{basis} {up} up and {down} down" for basis, (up, down) in means.items())
    return f"{found}, on average"


def _share(values: np.ndarray, exact: np.ndarray) -> float:
    return float(f"{np.linalg.norm(values - exact) / np.linalg.norm(exact):.5g}")
