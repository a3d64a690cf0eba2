"""Parameter sweeps: an analysis at many points, each of which is a separate project."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from faying.analyses import SystemAnalysis
from faying.analyses.sweep import Sweep
from faying.errors import ModelError
from faying.linalg.threads import physical_cores
from faying.parallel import run_parallel, where_computed
from faying.progress import PartialProgress, Progress
from faying.project.curve_catalogue import curves_called, possible_curves
from faying.project.file_names import file_content, with_file_contents, with_varied_files
from faying.project.specs import BodySpec, Project
from faying.project.stage import ResultsStage, StageContext, Target, Without, target_of
from faying.project.stages import stages
from faying.project.sweep_points import POINT, SECONDS, SweepPlan, SweepPoint, varied_decisions
from faying.project.sweep_work import (
    PointOutcome,
    SweepWork,
    carried,
    prepared,
    remove_results,
    remove_what_nobody_needs,
    solve_point,
)
from faying.results.curve_key import CurveKey
from faying.results.formula import find_field, is_field
from faying.results.interrupted import earlier_frames
from faying.results.main_effects import SWEEP_TABLE
from faying.results.results import earlier_begin, earlier_results
from faying.results.writer import ResultsWriter

TABLE = SWEEP_TABLE
_PREPARED = 0.3  # of the progress


@stages.register("sweep")
class OfSweep(ResultsStage):
    """Computes an analysis at all points of a sweep and stores a number for each response."""

    title = "sweep"
    order = 160
    per = "sweep"
    weight = 60.0

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the sweep, all decisions on which its points may depend, and the key of the analysis as decided."""
        from faying.project.stages import PIPELINE

        sweep = _sweep_of(project, target)
        varied_decisions(project, sweep)  # blocked where they are not
        analysis = project.analysis(sweep.analysis)
        bodies, systems = [], []
        if isinstance(analysis, SystemAnalysis):
            systems = [project.system(analysis.system)]
            bodies = [project.body(name) for name in systems[0].body_names()]
        else:
            bodies = [project.body(analysis.owner)]
        return {
            "sweep": Without(
                with_varied_files(
                    with_file_contents(sweep, base), project, lambda name: file_content(name, base)
                ),
                ("name", "processes", *(() if sweep.plan == "search" else ("best",))),
            ),
            "as decided": PIPELINE.key_of(project, target_of(analysis), base),
            # A point may depend on decisions that the analysis as decided does not use: the laws of a tied joint.
            "bodies": [with_file_contents(_unmarked(body), base) for body in bodies],
            "systems": [with_file_contents(system.without_looks(), base) for system in systems],
            "analyses": [
                with_file_contents(a, base)
                for a in project.analyses
                if a.stage != sweep.stage and a.owner == analysis.owner
            ],
        }

    def run(self, context: StageContext, progress: Progress) -> None:
        """Compute the points; each is a frame of the results and a row of their table."""
        project, sweep = context.project, _sweep_of(context.project, context.target)
        plan = SweepPlan(project, sweep)
        plan.require_allowed()  # before anything is computed
        store = context.store
        assert store is not None
        work = SweepWork(
            plan, sweep.analysis, sweep.responses, context.base, store.folder,
            store.below.path if store.below else None,
        )  # fmt: skip
        columns, quantities = _columns(plan, sweep), _quantities(plan, sweep, project)
        curves = [
            CurveKey("", quantities.get(label, ""), "response", label)
            for label in (response.label for response in sweep.responses)
        ]
        rows = np.full((plan.size, len(columns)), np.nan)
        points = dict(enumerate(plan.points))
        before = {path.name for path in store.folder.iterdir()}
        first = 1 + len(plan.heads)  # column of the first response, whose name may occur elsewhere
        target, failed, kept, begun = context.results_file, dict[str, str](), 0, set[str]()
        with ExitStack() as stack:
            writer = stack.enter_context(ResultsWriter(
                target, axis="point", sizes={}, joints={}, curves=curves,
                settings={**sweep.model_dump(mode="json"), "quantities": quantities},
                labels=tuple(point.label for point in plan.points) if plan.size == len(plan.points)
                else tuple(f"point {i + 1}" for i in range(plan.size)),
                tables={TABLE: (plan.size, columns)}, any_order=True, begun=earlier_begin(target),
            ))  # fmt: skip
            left: dict[int, str] = {}

            def take(outcome: PointOutcome, is_kept: bool) -> None:
                nonlocal kept
                i, kept = outcome.number, kept + is_kept
                begun.update(outcome.begun)
                rows[i] = (i + 1, *plan.numbers_of(points[i]), *outcome.values, outcome.seconds)
                if outcome.error:
                    failed[points[i].label] = outcome.error
                writer.write_table(TABLE, rows)
                writer.put(i, i + 1, curves=dict(zip(curves, outcome.values, strict=True)))
                if outcome.key:
                    left[i] = outcome.key
                ends = sweep.best_and_worst(rows[:, first])
                for number in [number for number in left if number not in ends]:
                    remove_results(store, left.pop(number))

            if sweep.plan == "search":
                earlier = {outcome.number: outcome for outcome in _earlier(target, sweep, plan.size)}
                ended = {"search": _search(work, sweep, points, earlier, take, progress)}
            else:
                ended = {}
                found = stack.enter_context(closing(_outcomes(work, project, sweep, target, progress, begun)))
                for outcome, is_kept in found:
                    take(outcome, is_kept)
            earlier_results(target).unlink(missing_ok=True)
            best, worst = sweep.best_and_worst(rows[:, first])
            own = target.name.partition(".")[0]
            mine = {path.name for path in store.folder.iterdir() if path.name.partition(".")[0] == own}
            ends = [points[number] for number in (best, worst) if number >= 0]
            remove_what_nobody_needs(work, begun, before | mine, project, ends)
            writer.close(
                {
                    "points": len(points),
                    "points_kept": kept,
                    "not_computed": failed,
                    "best": points[best].label if best >= 0 else "",
                    "worst": points[worst].label if worst >= 0 else "",
                    "best_point": best + 1,
                    "worst_point": worst + 1,
                    **ended,
                }
            )
        progress.report(1.0, "sweep")


def _unmarked(body: BodySpec) -> BodySpec:
    """Return a body without the fingerprints that are added when it is first saved."""
    return body.with_(model=body.model.with_(digest="", matrices_digest=""))


def _outcomes(
    work: SweepWork, project: Project, sweep: Sweep, target: Path, progress: Progress, begun: set[str]
) -> Generator[tuple[PointOutcome, bool]]:
    """Yield the outcome of each point, and whether it is from an interrupted run, those first.

    Keys of artifacts shared by all points are added to `begun`.
    """
    missing = {point.number: point for point in work.plan.points}
    for outcome in _earlier(target, sweep, len(missing)):
        if missing.pop(outcome.number, None) is not None:
            yield outcome, True
    if not missing:
        return
    keys = prepared(work, PartialProgress(progress, 0.0, _PREPARED))
    begun |= keys
    if where_computed():
        work = replace(work, carried=carried(work, sorted(keys), project))
    found = run_parallel(
        solve_point, work, list(missing.values()), sweep.n_processes,
        PartialProgress(progress, _PREPARED, 1.0, sweep.name), physical_cores(),
        lost=lambda point, error: PointOutcome(
            point.number, (np.nan,) * len(sweep.responses), np.nan, str(error)
        ),
    )  # fmt: skip
    with closing(found):
        yield from ((outcome, False) for _, outcome in found)


def _search(
    work: SweepWork, sweep: Sweep, points: dict[int, SweepPoint], earlier: dict[int, PointOutcome],
    take: Callable[[PointOutcome, bool], None], progress: Progress,
) -> str:  # fmt: skip
    """Find the best first result by the method of Nelder and Mead (1965), and return how it ended.

    It repeats the same points after an interruption, so that those that are known already cost nothing. A point that
    fails is worse than all others.

    Args:
        work, sweep: see above.
        points: by number; all computed ones are there at the end.
        earlier: outcomes of an interrupted run by number.
        take: stores an outcome, and whether it is an earlier one.
        progress: reports and cancels.
    """
    from scipy.optimize import minimize  # slow to import and used only here

    plan, sign = work.plan, 1.0 if sweep.best == "smallest" else -1.0
    points.clear()

    def first_result(shares: np.ndarray) -> float:
        number = len(points)
        point = points[number] = plan.point_at(number, np.clip(shares, 0.0, 1.0))
        part = PartialProgress(progress, number / plan.size, (number + 1) / plan.size, sweep.name)
        outcome = earlier[number] if number in earlier else next(solve_point(work, point, part))
        take(outcome, number in earlier)
        value = outcome.values[0]
        return sign * value if np.isfinite(value) else np.inf

    simplex = plan.first_simplex()
    first = first_result(simplex[0])
    known = {tuple(simplex[0]): first}
    scale = abs(first) if np.isfinite(first) and first else 1.0
    options: Any = {
        "initial_simplex": simplex, "maxfev": plan.size, "xatol": sweep.precision,
        "fatol": sweep.precision * scale, "adaptive": simplex.shape[1] > 3,
    }  # fmt: skip

    def not_twice(shares: np.ndarray) -> float:
        return known.pop(tuple(shares)) if tuple(shares) in known else first_result(shares)

    bounds = [(0.0, 1.0)] * simplex.shape[1]
    found = minimize(not_twice, simplex[0], method="Nelder-Mead", bounds=bounds, options=options)
    if found.success:
        return "ended at its precision"
    return f"ended after {len(points)} points without reaching its precision"


def _columns(plan: SweepPlan, sweep: Sweep) -> tuple[str, ...]:
    return (POINT, *plan.heads, *(response.label for response in sweep.responses), SECONDS)


def _quantities(plan: SweepPlan, sweep: Sweep, project: Project) -> dict[str, str]:
    """Return the physical dimension of each column that has one, for displaying the table."""
    found = {head: decision.quantity for head, decision in zip(plan.heads, plan.decisions, strict=True)}
    known = possible_curves(project, sweep.analysis)
    for response in sweep.responses:
        name = response.quantity
        quantity = next((key.dimension for key in curves_called(name, known)), "")
        if not quantity and is_field(name):
            quantity = find_field(name).quantity
        found[response.label] = quantity
    return {name: quantity for name, quantity in found.items() if quantity}


def _earlier(target: Path, sweep: Sweep, count: int) -> Iterator[PointOutcome]:
    """Yield the outcomes of points from an interrupted run; failed ones are repeated."""
    with earlier_frames(target) as results:
        if results is None:
            return
        _, rows = results.table(TABLE)
        values_of = rows[:, -1 - len(sweep.responses) : -1]  # between the decisions and the seconds
        for frame in results.frames_there[:count].tolist():
            values = tuple(float(value) for value in values_of[frame])
            if not np.isnan(values).any():
                yield PointOutcome(frame, values, float(rows[frame, -1]))


def _sweep_of(project: Project, target: Target) -> Sweep:
    found = project.analysis(target.item)
    if not isinstance(found, Sweep):
        raise ModelError(f"Analysis {target.item!r} is not a sweep.", "Choose another analysis.")
    return found
