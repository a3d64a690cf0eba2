"""How the solution depends on method and number of joint modes, and its error against the FE model."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import field_validator

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.basis_studies.in_processes import InProcesses
from faying.analyses.basis_studies.study_body import MethodPoints, StudyBodies, StudySolution, solve_points
from faying.analyses.harmonics.response_points import output_keys
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.statics.settings import HeldAnalysis
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import ModelError
from faying.linalg.threads import physical_cores
from faying.parallel import run_parallel
from faying.params import member_of, parameter
from faying.progress import Progress
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.joint_modes import joint_mode_methods
from faying.results.interrupted import earlier_frames
from faying.results.names import path_of
from faying.results.results import Results, earlier_begin, earlier_results
from faying.results.writer import ResultsWriter

TABLE = "convergence"
COLUMNS = (
    "method", "joint modes", "load", "motion", "gap norm", "rms gap", "ratio",
    "motion change", "gap norm change", "motion error", "gap norm error",
)  # fmt: skip
_MOTIONS = output_keys("displacement", "", "")
"""Keys of the motion of the loaded node."""


@dataclass(frozen=True)
class StudyPoint:
    """One solution of the study: number of the method (-1: unreduced model), of joint modes, number of the load."""

    method: int
    count: int
    load: int


@analyses.register("convergence_study")
class ConvergenceStudy(InProcesses, HeldAnalysis):
    """Reduced statics for each method, number of joint modes and load, beside the unreduced solution.

    The modes of a method are computed once, for the largest number: the fewer are the first of them, and then a point
    costs tens of milliseconds. So methods are computed beside each other in processes, and so are the unreduced
    solutions, which are analyses of their own. An interrupted study computes the points that are not there. The
    basis of the body does not matter, nor do methods and numbers to the unreduced solutions. Joints slide freely.
    """

    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True
    needs_joint_problem: ClassVar[bool] = True

    loads: tuple[LoadSpec, ...] = parameter(
        (),
        title="Loads",
        meaning="Forces and moments at interface nodes. Each is a load case of its own. Without one "
        "the preload cases and loads of the body alone are the load case.",
    )
    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Pressures, weight and other loads that the body declares; they act at full size in every load case.",
    )  # fmt: skip
    both_signs: bool = parameter(
        False, title="Both signs", meaning="Whether each load also acts in the opposite direction."
    )
    counts: tuple[int, ...] = parameter(
        (0, 5, 10, 20, 40), title="Numbers of joint modes", meaning="The numbers g to be compared."
    )
    methods: tuple[member_of(joint_mode_methods), ...] = parameter(  # type: ignore[valid-type]
        ({"kind": "weighted_pod"}, {"kind": "equilibrium_snapshots"}),
        title="Joint-mode methods",
        meaning="The methods to be compared; their own number of modes does not count here.",
    )
    preload_modes: bool = parameter(
        True, title="Preload modes", advanced=True,
        meaning="Whether the preload modes are trial vectors. The preload cases act either way.",
    )  # fmt: skip
    unreduced: bool = parameter(
        True, title="Against the unreduced model",
        meaning="Whether to solve the unreduced model too, once for each load.",
    )  # fmt: skip

    @field_validator("counts")
    @classmethod
    def _sorted(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        if not counts or min(counts) < 0 or max(counts) > 2000:
            raise ValueError("numbers of joint modes are 0 to 2000, at least one")
        return tuple(sorted(set(counts)))

    @property
    def sees_friction(self) -> bool:
        """False: all methods and the unreduced model are compared without friction."""
        return False

    def cases(self) -> tuple[LoadSpec, ...]:
        """Return the load cases, each load followed by its opposite if both signs are wanted.

        Preload cases and loads of the body without another load are one case: no force, at the support.
        """
        if not self.loads and (self.preloads or self.body_loads):
            return (LoadSpec(interface=self.support),)
        found: list[LoadSpec] = []
        for load in self.loads:
            found.append(load)
            if self.both_signs:
                turned = {
                    name: tuple(-value for value in getattr(load, name)) for name in ("force", "moment")
                }
                found.append(load.with_(**turned))
        return tuple(found)

    def references(self) -> tuple[UnreducedStatic, ...]:
        """Return the unreduced analysis of each load case, if they are wanted."""
        return tuple(
            UnreducedStatic(
                name=f"{self.name}, load {i + 1} unreduced",
                body=self.body,
                support=self.support,
                loads=(load,) if self.loads else (),
                body_loads=self.body_loads,
                preloads=self.preloads,
                friction=False,
            )
            for i, load in enumerate(self.cases() if self.unreduced else ())
        )

    def points(self) -> tuple[StudyPoint, ...]:
        """Return all points, in the order in which they are computed."""
        loads = range(len(self.cases()))
        reduced = [StudyPoint(m, g, i) for m in range(len(self.methods)) for g in self.counts for i in loads]
        return (*reduced, *(StudyPoint(-1, 0, i) for i in loads if self.unreduced))

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute point after point; each is a frame of the results, and a row of their table."""
        if not body.joints or body.joint_problem is None:
            raise ModelError(
                f"Body {body.name!r} has no joint, so there is nothing to converge.", "Add a joint to it."
            )
        if not self.cases() or not self.methods:
            missing = "load" if not self.cases() else "joint-mode method"
            raise ModelError(f"The convergence study {self.name!r} has no {missing}.", "Add at least one.")
        for i, load in enumerate(self.loads):
            if not any(load.force) and not any(load.moment):
                raise ModelError(
                    f"Load {i + 1} of the convergence study {self.name!r} is zero.",
                    "Give it a force or a moment.",
                )
        points, pairs = self.points(), [(j.name, len(j.pairs)) for j in body.joints]
        with ExitStack() as stack:
            writer = stack.enter_context(ResultsWriter(
                target, axis="point", body=body.name, frame=self.support,
                sizes={"displacement": 3 * needed(body.matrices).dofs.n_nodes},
                joints={name: {"gap": (n,), "slip": (n, 2)} for name, n in pairs},
                curves=_MOTIONS, settings=self.model_dump(mode="json"),
                labels=tuple(self._label(point) for point in points),
                tables={TABLE: (len(points), COLUMNS)}, any_order=True, begun=earlier_begin(target),
            ))  # fmt: skip
            solutions = stack.enter_context(closing(self._solutions(body, points, target, progress)))
            rows = np.full((len(points), len(COLUMNS)), np.nan)
            kept = 0
            for i, solution in solutions:
                kept += solution.kept
                force, moment = (np.array(v) for v in self._load_of(points[i]))
                measures = _measures(solution, force, moment)
                rows[i] = (*vars(points[i]).values(), *measures, solution.ratio, *[np.nan] * 4)
                self._compare(rows)
                writer.write_table(TABLE, rows)
                named: dict[str, Any] = {}
                for (name, _), gap, slip in zip(pairs, solution.gaps, solution.slips, strict=True):
                    named |= {path_of("joints", name, "gap"): gap, path_of("joints", name, "slip"): slip}
                motion = dict(zip(_MOTIONS, solution.motion, strict=True))
                writer.put(i, i + 1, named, motion, displacement=solution.displacement)
            earlier_results(target).unlink(missing_ok=True)
            summary = {"points": len(points), "points_kept": kept}
            writer.close(summary)
        progress.report(1.0, "convergence study")
        return summary

    def _solutions(
        self, body: BodyModel, points: tuple[StudyPoint, ...], target: Path, progress: Progress
    ) -> Generator[tuple[int, StudySolution]]:
        """Yield number and solution of each point: first those of an interrupted run; methods run in parallel."""
        joints, missing = [j.name for j in body.joints], set(range(len(points)))
        for i, solution in _earlier(target, joints, len(points)):
            missing.remove(i)
            yield i, solution
        cases = self.cases()
        for i in sorted(i for i in missing if points[i].method < 0):
            yield i, _unreduced(body.references[points[i].load], cases[points[i].load], joints)

        methods = []
        for number, method in enumerate(self.methods):
            todo = [i for i in sorted(missing) if points[i].method == number]
            if todo:
                wanted = tuple(
                    (i, self._label(points[i]), points[i].count, cases[points[i].load]) for i in todo
                )
                methods.append(MethodPoints(method, wanted))
        if self.n_processes > 1:
            # Methods without trial vector derivatives first; the others then reuse those of their process.
            methods.sort(key=lambda points: "derivatives" in type(points.method).model_fields)
        bodies = StudyBodies(body, self, max(self.counts), self.preload_modes)
        found = run_parallel(solve_points, bodies, methods, self.n_processes, progress, physical_cores())
        with closing(found):
            yield from (numbered for _, numbered in found)

    def _load_of(self, point: StudyPoint) -> tuple[tuple[float, ...], tuple[float, ...]]:
        load = self.cases()[point.load]
        return load.force, load.moment

    def _label(self, point: StudyPoint) -> str:
        method = self.methods[point.method].title if point.method >= 0 else "unreduced"
        modes = f", {point.count} joint modes" if point.method >= 0 else ""
        return f"{method}{modes}, load {point.load + 1}"

    def _compare(self, rows: np.ndarray) -> None:
        """Fill in changes relative to the most modes (thesis eq. 4.1) and errors against the FE model."""
        at = {name: i for i, name in enumerate(COLUMNS)}
        for row in rows[~np.isnan(rows[:, 0])]:
            same_load = rows[:, at["load"]] == row[at["load"]]
            same_method = rows[:, at["method"]] == row[at["method"]]
            most = rows[same_load & same_method & (rows[:, at["joint modes"]] == max(self.counts))]
            full = rows[same_load & (rows[:, at["method"]] == -1)]
            here = same_load & same_method & (rows[:, at["joint modes"]] == row[at["joint modes"]])
            for name in ("motion", "gap norm"):
                value = row[at[name]]
                if len(most) and row[at["method"]] >= 0:
                    rows[here, at[f"{name} change"]] = 1.0 - value / most[0, at[name]]
                if len(full):
                    rows[here, at[f"{name} error"]] = value / full[0, at[name]] - 1.0


def _measures(solution: StudySolution, force: np.ndarray, moment: np.ndarray) -> tuple[float, float, float]:
    """Return displacement of the loaded node along its force (or rotation about its moment), gap norm, rms gap.

    Without a load at a node the motion is NaN.
    """
    along, part = (force, solution.motion[:3]) if force.any() else (moment, solution.motion[3:])
    motion = float(part @ along / np.linalg.norm(along)) if along.any() else float("nan")
    gaps = np.concatenate(solution.gaps)
    norm = float(np.linalg.norm(gaps))
    return motion, norm, norm / np.sqrt(len(gaps))


def _earlier(target: Path, joints: list[str], most: int) -> Iterator[tuple[int, StudySolution]]:
    """Yield number and solution of the points that an interrupted run has written."""
    with earlier_frames(target) as results:
        if results is None:
            return
        columns, rows = results.table(TABLE)
        for frame in results.frames_there[:most].tolist():
            displacement = results.displacement(frame)
            both = [results.gap_and_slip(joint, frame) for joint in joints]
            if displacement is None or any(pair is None for pair in both):
                return
            gaps, slips = zip(*(pair for pair in both if pair is not None), strict=True)
            ratio = float(rows[frame, columns.index("ratio")])
            motion = np.array([results.curve_at(key, frame) for key in _MOTIONS])
            yield frame, StudySolution(displacement, motion, gaps, slips, ratio, kept=True)


def _unreduced(results: Results, load: LoadSpec, joints: list[str]) -> StudySolution:
    """Return the solution of an unreduced analysis of a load."""
    displacement = results.displacement(0)
    both = [results.gap_and_slip(joint, 0) for joint in joints]
    assert displacement is not None  # an unreduced analysis stores it, and gaps and slips
    gaps, slips = zip(*(pair for pair in both if pair is not None), strict=True)
    keys = output_keys("displacement", "interface", load.interface)
    motion = np.array([results.curve_at(key, 0) if key in results.curve_texts else 0.0 for key in keys])
    return StudySolution(displacement, motion, gaps, slips)
