"""What the thesis says about joint modes of the bolted rod under its screws alone: sections 4.2.1 to 4.2.3, statics."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses.basis_studies.study_body import StudyBodies
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.examples import ExampleRun
from faying.examples.conrod_static import ConrodStatic
from faying.examples.error_curves import ErrorCurves, error_table, percent, ratio_table
from faying.examples.measured import mounted_unreduced, with_body
from faying.examples.tables import Table
from faying.fem.stress import StressRecovery
from faying.progress import PartialProgress, Progress
from faying.project.bodies import body_model
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.studies import StatementStudy, studies
from faying.studies._convergence_record import convergence_record, curves_of
from faying.studies._methods import DERIVATIVES, titled
from faying.studies.statements import (
    Judged,
    Statement,
    alike,
    ascending,
    between,
    every,
    less,
    more,
    statement_table,
)

METHODS = (*DERIVATIVES, "vibration_modes")
COUNTS = (0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
_QUICK_COUNTS = (0, 10, 25, 30, 40, 60, 80)
_MOST_BESIDE = (
    50  # joint modes beside the preload mode: of some sixty related derivatives the last are round-off
)
_MOUNTED, _SUPPORT, _CASE = "mounted", "small end", "bolts"
_SOFT = 10_000.0  # N/mm³, figure 4.30; the preload mode was computed with 50 000
_RELATED = {"kind": "weighted_pod", "derivatives": {"kind": "preload_related"}}
_BASES: dict[str, tuple[dict[str, Any], bool]] = {
    "preload mode, related derivatives": (_RELATED, True),
    "preload mode, all derivatives": ({"kind": "weighted_pod"}, True),
    "no preload mode, all derivatives": ({"kind": "weighted_pod"}, False),
}
_WITHOUT = "no preload mode, all derivatives"
_TABLE_4_2 = {
    "weighted_pod": (30, 0.99897, 0.054),
    "pod": (40, 0.99999, 0.045),
    "pod_of_forces": (25, 0.98504, 0.05),
}
_SAME = 0.05  # stresses that differ by less than this share are called the same


_VERDICTS = """\
Where it does not: on our rod e is below 5 % with 20 joint modes already, by all three methods, where the thesis needs
25 to 40; so POD of TVDs and weighted POD, which are worse with 5 and 10, are not behind later on. The ratio w(25) of
POD of forces is the printed one. Pairs, mass and bore distance are as printed, the shape of cap and bosses is not
known."""


@dataclass(frozen=True)
class RodErrors:
    """What was measured on the rod.

    Attributes:
        curves: errors of ‖g_N‖₂ without preload mode, by method.
        stress: errors of S_yy at the slave nodes, by method, over the numbers of joint modes.
        stiff, soft: the same by basis, with the contact stiffness of the preload mode and with a fifth of it.
        softening: by how much the lower stiffness changes S_yy of the unreduced model.
    """

    curves: ErrorCurves
    counts: tuple[int, ...]
    stress: Mapping[str, list[float]]
    stiff: Mapping[str, list[float]]
    soft: Mapping[str, list[float]]
    softening: float

    def error(self, method: str, count: int) -> float:
        """Return e(g) of thesis eq. 4.1, of ‖g_N‖₂."""
        curve = self.curves[method, _MOUNTED]
        return float(curve.gaps_changes[list(curve.counts).index(count)])

    def stress_at(self, errors: list[float], count: int) -> float:
        """Return the error of S_yy with so many joint modes."""
        return errors[self.counts.index(count)]

    def missing(self, method: str, count: int) -> float:
        """Return 1 - w(g)."""
        return 1.0 - self.curves[method, _MOUNTED].ratio_at(count)


def _vibration_modes_miss(found: RodErrors) -> Judged:
    curve = found.curves["vibration_modes", _MOUNTED]
    return f"{percent(curve.gaps[-1])} off with g = {curve.counts[-1]}", more(float(curve.gaps[-1]), 0.05)


def _one_value(found: RodErrors) -> Judged:
    errors = {m: found.curves[m, _MOUNTED].gaps_at(60) for m in DERIVATIVES}
    return f"with g = 60 {titled(errors)} from the unreduced value", less(max(errors.values()), 0.05)


def _reaches(method: str) -> Any:
    count, _, printed = _TABLE_4_2[method]

    def judge(found: RodErrors) -> Judged:
        error = found.error(method, count)
        return f"e({count}) = {percent(error)}", between(0.5 * printed, error, 1.5 * printed)

    return judge


def _order(found: RodErrors) -> Judged:
    means = {
        m: float(np.mean([found.error(m, g) for g in found.counts if 0 < g <= 40]))
        for m in ("pod_of_forces", "weighted_pod", "pod")
    }
    return f"{titled(means)} on average up to g = 40", ascending(*means.values())


def _stresses(found: RodErrors) -> Judged:
    errors = {m: max(found.stress_at(found.stress[m], g) for g in (60, 80)) for m in DERIVATIVES}
    return f"{titled(errors)} off", every(*(less(e, _SAME) for e in errors.values()))


def _stresses_of_vibration_modes(found: RodErrors) -> Judged:
    error = found.stress_at(found.stress["vibration_modes"], 80)
    return f"{percent(error)} off with g = 80", more(error, 4 * _SAME)


def _stresses_at_5_percent(found: RodErrors) -> Judged:
    errors = {m: found.stress_at(found.stress[m], count) for m, (count, *_) in _TABLE_4_2.items()}
    return titled(errors), alike(list(errors.values()))


def _ratios(found: RodErrors) -> Judged:
    missing = {m: found.missing(m, 25) for m in ("pod", "weighted_pod", "pod_of_forces")}
    return f"missing of w(25): {titled(missing)}", ascending(*missing.values())


def _printed_ratio(method: str) -> Any:
    count, printed, _ = _TABLE_4_2[method]

    def judge(found: RodErrors) -> Judged:
        missing = found.missing(method, count)
        return f"w({count}) = {percent(1.0 - missing, 5)}", alike([missing, 1.0 - printed])

    return judge


def _nearly_all(found: RodErrors) -> Judged:
    missing = found.missing("pod", 40)
    return f"{percent(missing)} is missing", less(missing, 2e-5)


def _orders_differ(found: RodErrors) -> Judged:
    _, by_error = _order(found)
    _, by_ratio = _ratios(found)
    told = f"POD of forces is fastest by e: {by_error}; last by w: {by_ratio}"
    return told, every(by_error, by_ratio)


def _mode_is_the_state(found: RodErrors) -> Judged:
    errors = {b: found.stiff[b][0] for b in _BASES if b != _WITHOUT}
    return f"{percent(max(errors.values()))} off", less(max(errors.values()), 1e-3)


def _without_needs_40(errors: str) -> Any:
    def judge(found: RodErrors) -> Judged:
        curve = getattr(found, errors)[_WITHOUT]
        before, at = found.stress_at(curve, 30), found.stress_at(curve, 40)
        return f"{percent(before)} with g = 30, {percent(at)} with g = 40", every(
            more(before, _SAME), less(at, _SAME)
        )

    return judge


def _soft_is_off(found: RodErrors) -> Judged:
    error = found.soft["preload mode, related derivatives"][0]
    return f"{percent(error)} off without joint modes", between(0.01, error, 0.25)


def _soft_converged(found: RodErrors) -> Judged:
    errors = [found.stress_at(found.soft[b], 10) for b in _BASES if b != _WITHOUT]
    told = f"{percent(errors[0])} with related, {percent(errors[1])} with all derivatives"
    return told, every(*(less(e, _SAME) for e in errors))


def _softening(found: RodErrors) -> Judged:
    return f"{percent(found.softening)} of the stresses", less(found.softening, 0.2)


STATEMENTS = (
    Statement(
        "additional vibration modes do not lead to the converged ‖g_N‖ (here: more than 5 % off with 100)",
        "figure 4.17",
        _vibration_modes_miss,
    ),
    Statement(
        "all joint-mode methods converge to one ‖g_N‖ at g > 50 "
        "(here: within 5 % of the unreduced one with g = 60)",
        "figure 4.17",
        _one_value,
    ),
    Statement(
        "POD of forces: e is about 5 % with g = 25 (printed: 5.0 %; here: half to one and a half times)",
        "figure 4.17, table 4.2",
        _reaches("pod_of_forces"),
    ),
    Statement(
        "weighted POD: e is about 5 % with g = 30 (printed: 5.4 %; here: likewise)",
        "figure 4.17, table 4.2",
        _reaches("weighted_pod"),
    ),
    Statement(
        "POD of TVDs: e is about 5 % with g = 40 (printed: 4.5 %; here: likewise)",
        "figure 4.17, table 4.2",
        _reaches("pod"),
    ),
    Statement("POD of forces converges fastest, then weighted POD, then POD of TVDs", "figure 4.17", _order),
    Statement(
        "with g = 60 and 80 all joint-mode methods give stresses S_yy "
        "very similar to the nonlinear FE model's (here: within 5 %)",
        "figure 4.18",
        _stresses,
    ),
    Statement(
        "with additional vibration modes S_yy is inappropriate (here: more than 20 % off with g = 80)",
        "figure 4.18",
        _stresses_of_vibration_modes,
    ),
    Statement(
        "where e is 5 % the methods' S_yy are comparable "
        "(here: their errors are alike within a factor of two)",
        "figure 4.19",
        _stresses_at_5_percent,
    ),
    Statement("w(g) grows fastest for POD of TVDs and slowest for POD of forces", "figure 4.24", _ratios),
    Statement(
        "POD of forces: w(25) is 98.504 % (here: what is missing is alike within a factor of two)",
        "table 4.2",
        _printed_ratio("pod_of_forces"),
    ),
    Statement(
        "weighted POD: w(30) is 99.897 % (here: likewise)", "table 4.2", _printed_ratio("weighted_pod")
    ),
    Statement(
        "POD of TVDs: w(40) is about 100 % (printed: 99.999 %; here: less than 0.002 % is missing)",
        "table 4.2",
        _nearly_all,
    ),
    Statement(
        "the order of the ratios is not the order of convergence: "
        "POD of forces is fastest and has the slowest w",
        "4.2.1",
        _orders_differ,
    ),
    Statement(
        "with the preload mode S_yy is the nonlinear FE model's without any joint mode (here: within 0.1 %)",
        "figure 4.25",
        _mode_is_the_state,
    ),
    Statement(
        "without preload mode S_yy takes at least g = 40 (here: to be within 5 %)",
        "figure 4.25",
        _without_needs_40("stiff"),
    ),
    Statement(
        "a preload mode computed with 50 000 N/mm³ is not completely accurate at 10 000, "
        "but captures the stresses (here: 1 to 25 % off)",
        "figure 4.30",
        _soft_is_off,
    ),
    Statement(
        "with g = 10 beside that preload mode S_yy is converged (here: within 5 %)",
        "figure 4.30",
        _soft_converged,
    ),
    Statement(
        "without preload mode at least g = 40 again (here: likewise)",
        "figure 4.30",
        _without_needs_40("soft"),
    ),
    Statement(
        "the lower contact stiffness changes S_yy slightly (here: by less than 20 %)",
        "figure 4.30",
        _softening,
    ),
)


@studies.register("conrod-convergence")
class ConrodConvergence(StatementStudy):
    """Four methods, none to a hundred modes, on the rod under its screws; the preload mode at another stiffness."""

    title: ClassVar[str] = "Connecting rod: convergence of joint modes"
    summary: ClassVar[str] = "What the thesis says about joint modes of the bolted rod under its screws."
    verdicts: ClassVar[str] = _VERDICTS
    note: ClassVar[str] = """\
Thesis of the ContactDefiner, sections 4.2.1 to 4.2.3, figures 4.17 to 4.19, 4.24, 4.25 and 4.30, table 4.2. The rod
lies still under the force of its two screws, 16 500 N each; twenty vibration modes and sixteen constraint modes,
linear penalty of 50 000 N/mm³, no friction. e(g) is the change of ‖g_N‖ to 100 joint modes (eq. 4.1); all other
errors are those against the unreduced model of the same pairs. Errors of S_yy, the normal stress across the joint,
are root mean squares over the slave nodes that bear more than a tenth of the largest pressure. The first four
methods have no preload mode, as in section 4.2.1. Kind of reference of the errors: unreduced model; of the
statements: published. What is within 5 % of a limit is undecided. The geometry is our own after table 4.1: the
thesis prints no drawing."""

    def measure(self, work: Path, progress: Progress, quick: bool = False) -> dict[str, Any]:
        """Return errors of ‖g_N‖₂ and of the stresses."""
        counts = _QUICK_COUNTS if quick else COUNTS
        few = tuple(g for g in counts if g <= _MOST_BESIDE)
        study = {
            "kind": "convergence_study", "name": _MOUNTED, "body": "rod", "support": _SUPPORT, "preloads": [_CASE],
            "counts": counts, "methods": [{"kind": method} for method in METHODS], "preload_modes": False,
        }  # fmt: skip
        rod = ConrodStatic().build()
        project: Project = rod.with_(analyses=(study,))
        run = ExampleRun(project, ArtifactStore(work / "artifacts"), PartialProgress(progress, 0.0, 0.5))
        curves = convergence_record(run, _MOUNTED, METHODS, [_MOUNTED])
        stresses = _Stresses(run)
        with closing(run.results(_MOUNTED)) as results:
            frames = [results.displacement(i) for i in range(results.n_frames)]
        shares = [stresses.error(frame) for frame in frames if frame is not None]
        rows = len(counts)
        stress = {m: shares[i * rows : (i + 1) * rows] for i, m in enumerate(METHODS)}
        soft = with_body(
            project,
            joints=tuple(
                joint.with_(contact_law=joint.contact_law.with_(stiffness=_SOFT))
                for joint in project.bodies[0].joints
            ),
        )
        softer = _Stresses(run, soft)
        part = PartialProgress(progress, 0.5, 1.0)
        return {
            "nodes": len(run.value("model").nodes),
            "pairs": len(run.value("pairs", project.bodies[0].joints[0].name)),
            "curves": curves,
            "stress": stress,
            "stiff": _with_preload_mode(run, project, few, stresses, PartialProgress(part, 0.0, 0.5)),
            "soft": _with_preload_mode(run, soft, few, softer, PartialProgress(part, 0.5, 1.0)),
            "softening": softer.error(stresses.displacement),
        }

    def tables(self, record: dict[str, Any]) -> dict[str, Table]:
        """Return the statements, and all errors."""
        found = RodErrors(
            curves_of(record["curves"]), tuple(record["curves"]["counts"]),
            record["stress"], record["stiff"], record["soft"], record["softening"],
        )  # fmt: skip
        counts = record["curves"]["counts"]
        heads = tuple(f"g = {g}" for g in counts)
        model = (record["nodes"], record["pairs"], record["curves"]["unreduced"][_MOUNTED][1])
        bases: list[tuple[str | int | float, ...]] = [
            (stiffness, basis, *_percents(errors))
            for stiffness, of in (("50 000", record["stiff"]), ("10 000", record["soft"]))
            for basis, errors in of.items()
        ]
        changes: list[tuple[str | int | float, ...]] = [
            (m, *_percents([found.error(m, g) for g in counts])) for m in METHODS
        ]
        return {
            "Statements": statement_table(STATEMENTS, {"rod": found}),
            "Model": Table(("nodes", "pairs", "‖g_N‖ under the screws, mm"), (model,)),
            "‖g_N‖: change to 100 joint modes, e(g) in %": Table(("method", *heads), tuple(changes)),
            "‖g_N‖: error to the unreduced model in %": _gap_errors(found),
            "Ratios": ratio_table(found.curves),
            "S_yy: error to the unreduced model in %": Table(
                ("method", *heads), tuple((m, *_percents(record["stress"][m])) for m in METHODS)
            ),
            "S_yy with and without preload mode of 50 000 N/mm³, error in %": Table(
                ("contact stiffness, N/mm³", "basis", *(f"g = {g}" for g in counts if g <= _MOST_BESIDE)), tuple(bases)
            ),
        }  # fmt: skip


class _Stresses:
    """S_yy at the loaded slave nodes of the mounted rod, against that of the unreduced model of a project."""

    def __init__(self, run: ExampleRun, project: Project | None = None) -> None:
        joint = (project or run.project).bodies[0].joints[0]
        mounted = mounted_unreduced(run, project)
        pressure, _ = joint.contact_law.pressure(mounted.gap)
        self._nodes = run.value("pairs", joint.name).slave_nodes[pressure > 0.1 * pressure.max()]
        self._recovery = StressRecovery(run.value("model"))
        self.displacement = mounted.displacement
        self._exact = self._at(mounted.displacement)

    def _at(self, displacement: np.ndarray) -> np.ndarray:
        return np.asarray(self._recovery.at_nodes(displacement)[self._nodes, 1])

    def error(self, displacement: np.ndarray) -> float:
        """Return ‖S_yy − exact‖ over ‖exact‖ of (3 n_nodes,) displacements."""
        off = np.linalg.norm(self._at(displacement) - self._exact) / np.linalg.norm(self._exact)
        return float(f"{off:.5g}")


def _with_preload_mode(
    run: ExampleRun, project: Project, counts: tuple[int, ...], stresses: _Stresses, progress: Progress
) -> dict[str, list[float]]:
    """Return the errors of S_yy by basis: contact laws of `project`, preload mode computed with those of the run's."""
    spec, own = project.bodies[0], run.project.bodies[0]
    pairs = {joint.name: run.value("pairs", joint.name) for joint in own.joints}
    body = body_model(
        spec, None, run.value("model"), pairs, run.value("matrices"), run.value("preload"), run.value("joint_problem")
    )  # fmt: skip
    still = LoadSpec(interface=_SUPPORT)
    found: dict[str, list[float]] = {}
    for i, (basis, (method, preload_modes)) in enumerate(_BASES.items()):
        part = PartialProgress(progress, i / len(_BASES), (i + 1) / len(_BASES), basis)
        held = UnreducedStatic(name="mounted", body=body.name, support=_SUPPORT, preloads=(_CASE,))
        bodies = StudyBodies(body, held, max(counts), preload_modes)
        leading = bodies.of(run.project.analysis(_MOUNTED).with_(methods=(method,)).methods[0], part)
        found[basis] = [stresses.error(leading.equilibrium(g, still, part).displacement) for g in counts]
    return found


def _gap_errors(found: RodErrors) -> Table:
    table = error_table(found.curves)
    rows = tuple((row[0], *row[3:]) for row in table.rows if "g_N" in str(row[2]))
    return Table(("method", *table.heads[3:]), rows)


def _percents(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(100.0 * share, 3) for share in shares)
