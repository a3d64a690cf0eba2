"""Computation of sweep points: in a process with access to the store, or on a cluster worker with copies."""

import shutil
import tempfile
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from faying.analyses import BodyAnalysis
from faying.analyses.measured import measured_curve
from faying.analyses.sweep import ResponseSpec, taken
from faying.errors import Cancelled, FayingError, ModelError, there_are
from faying.progress import PartialProgress, Progress
from faying.project.bodies import body_of_results
from faying.project.curve_catalogue import curves_called
from faying.project.edits import rename
from faying.project.file_names import files_read, with_absolute_files, with_file_names
from faying.project.friction_laws import friction_laws_of
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore
from faying.project.sweep_points import SweepPlan, SweepPoint
from faying.results.fields import FieldContext
from faying.results.formula import find_field, is_field
from faying.results.results import Results


@dataclass(frozen=True)
class PointOutcome:
    """Outcome of a point.

    Attributes:
        number: of the point.
        values: values of the responses; NaN if it failed.
        seconds: computing time.
        error: why it failed; "" if it succeeded.
        key: key of its results if they are kept in the store, else "".
        begun: keys of all artifacts computed for it in the store, including failed ones.
    """

    number: int
    values: tuple[float, ...]
    seconds: float
    error: str = ""
    key: str = ""
    begun: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CopiedInputs:
    """Copies of shared inputs, for a worker without access to the store and the project's files.

    Attributes:
        artifacts: contents of artifact files by key.
        recipes: their recipes by key.
        files: contents of decks and included files by path.
    """

    artifacts: dict[str, bytes]
    recipes: dict[str, str]
    files: dict[str, bytes]

    def unpack(self, folder: Path) -> None:
        """Write all copies into a folder."""
        for key, content in self.artifacts.items():
            (folder / f"{key}.h5").write_bytes(content)
        for key, text in self.recipes.items():
            (folder / f"{key}.json").write_text(text, encoding="utf-8")
        for name, content in self.files.items():
            place = _place_of_copy(folder, Path(name))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def reading_copies(project: Project, base: Path, folder: Path) -> Project:
    """Return the project with its files replaced by copies in a folder (`CopiedInputs.unpack`)."""
    there = with_absolute_files(project, base)  # folders of copies must not be named ".."
    return with_file_names(there, lambda name: str(_place_of_copy(folder, Path(name))))


def _place_of_copy(folder: Path, path: Path) -> Path:
    """Return the place of a file's copy; copies keep the relative positions of the files."""
    return folder / "files" / Path(*path.parts[1:])


@dataclass(frozen=True, eq=False)
class SweepWork:
    """Data shared by all points.

    Attributes:
        plan: plan of the sweep.
        analysis: name of the computed analysis.
        responses: evaluated responses.
        base: folder of relative paths.
        folder, below: folder and project file of the store.
        carried: copies for remote workers; None for processes with access to the store.
    """

    plan: SweepPlan
    analysis: str
    responses: tuple[ResponseSpec, ...]
    base: Path
    folder: Path
    below: Path | None
    carried: CopiedInputs | None = None
    memory: Memory = field(default_factory=Memory)

    @cached_property
    def place(self) -> Path:
        """The folder of the store, or of the copies, which are unpacked once and removed with this object."""
        if self.carried is None:
            return self.folder
        folder = tempfile.mkdtemp(prefix="faying-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.carried.unpack(Path(folder))
        return Path(folder)

    def project_of(self, point: SweepPoint) -> Project:
        """Return the project of a point; raises as `SweepPlan.project_of`."""
        project = with_own_name(self.plan.project_of(point), self.analysis)
        return project if self.carried is None else reading_copies(project, self.base, self.place)

    @cached_property
    def store(self) -> ArtifactStore:
        """The store in which points are computed."""
        return ArtifactStore(self.place, None if self.carried is not None else self.below)


def _own_name(analysis: str) -> str:
    return f"{analysis} (point of a sweep)"


def with_own_name(project: Project, analysis: str) -> Project:
    """Return the project with an analysis renamed to a name used only at points of a sweep.

    Keys do not depend on names, but results of a point must not appear as earlier results of the analysis.
    """
    number = [each.name for each in project.analyses].index(analysis)
    return rename(("analyses", number), _own_name(analysis))(project)


def solve_point(work: SweepWork, point: SweepPoint, progress: Progress) -> Iterator[PointOutcome]:
    """Yield the outcome of a point, including errors that a user can fix."""
    began = time.perf_counter()
    begun = set[str]()
    try:
        values, key = _values_of(work, point, PartialProgress(progress, 0.0, 1.0, point.label), begun)
        error = ""
    except Cancelled:
        raise
    except FayingError as failure:
        values, key, error = (float("nan"),) * len(work.responses), "", str(failure)
    left = frozenset(begun if work.carried is None else ())
    yield PointOutcome(point.number, values, time.perf_counter() - began, error, key, left)


def _values_of(
    work: SweepWork, point: SweepPoint, progress: Progress, begun: set[str]
) -> tuple[tuple[float, ...], str]:
    """Return the values of a point and the key of its results; keys of computed artifacts are added to `begun`."""
    from faying.project.stages import PIPELINE

    project, store = work.project_of(point), work.store
    target = target_of(project.analysis(_own_name(work.analysis)))
    key = PIPELINE.key_of(project, target, work.base)
    was_there = store.results(key) is not None
    place = PIPELINE.run(
        project, target, store, work.base, progress, work.memory, on_begin=lambda step: begun.add(step.key)
    )
    with closing(place.open()) as results:
        found = _Responses(project, target, results, PIPELINE, work, progress)
        values = tuple(found.value(response) for response in work.responses)
    if work.carried is not None:
        remove_results(store, key)
    return values, "" if was_there or work.carried is not None else key


def remove_results(store: ArtifactStore, key: str) -> None:
    """Remove the unneeded results of a point."""
    for path in (store.results_path(key), store.partial_path(key)):
        with suppress(OSError):
            path.unlink(missing_ok=True)


class _Responses:
    """Evaluates responses from the results of a point."""

    def __init__(
        self,
        project: Project,
        target: Target,
        results: Results,
        pipeline: Pipeline,
        work: SweepWork,
        progress: Progress,
    ) -> None:
        self._project, self._target, self._results = project, target, results
        self._pipeline, self._work, self._progress = pipeline, work, progress

    def value(self, response: ResponseSpec) -> float:
        """Return the number of a response.

        Raises:
            ModelError: when the analysis has no response of that name.
        """
        name = response.quantity
        numbers = [k for k, value in self._results.report.items() if isinstance(value, (bool, int, float))]
        if curves_called(name, self._results.curve_keys):
            curve = self._results.curve(name)
            return self._off(response, curve) if response.measured else taken(curve, response.take)
        if response.measured:
            raise ModelError(
                f"Only a curve can be compared with a measured one, and {name!r} is none.",
                there_are(name, self._results.curve_names, "Curves are"),
            )
        if name in numbers:
            return float(self._results.report[name])
        if is_field(name):
            return self._of_field(response)
        raise ModelError(
            f"Analysis {self._target.item!r} has no result {name!r}.",
            there_are(name, [*self._results.curve_names, *numbers], "Curves and numbers are"),
        )

    def _off(self, response: ResponseSpec, curve: np.ndarray) -> float:
        """Return the root mean square of a curve's differences from a measured one, at the measured points."""
        work, path = self._work, Path(response.measured)
        path = work.base / path if work.carried is None else _place_of_copy(work.place, path)
        places, measured = measured_curve(path, self._project.units)
        axis = self._results.values
        within = (places >= axis.min()) & (places <= axis.max())
        if not within.any():
            raise ModelError(
                f"{path.name} has no point between {axis.min():.6g} and {axis.max():.6g}, where {response.quantity!r} "
                "is computed.",
                "Check the unit of its first column.",
            )
        order = np.argsort(axis, kind="stable")
        found = np.interp(places[within], axis[order], curve[order])
        return float(np.sqrt(np.mean((found - measured[within]) ** 2)))

    def _of_field(self, response: ResponseSpec) -> float:
        shown, context = find_field(response.quantity), self._context
        joint = response.joint
        if shown.location == "joint" and not joint:
            if len(context.pairs) != 1:
                raise ModelError(
                    f"{shown.title} lives in a joint, and it is not said in which.",
                    f"There are: {', '.join(context.pairs) or 'none'}.",
                )
            joint = next(iter(context.pairs))
        elif joint and joint not in context.pairs:
            raise ModelError(f"There is no joint called {joint!r}.", there_are(joint, context.pairs))
        return taken(shown.shown(context, joint, context.frames.n_frames - 1), response.take)

    @cached_property
    def _context(self) -> FieldContext:
        """The context of fields."""
        analysis = self._project.analysis(self._target.item)
        if not isinstance(analysis, BodyAnalysis):
            raise ModelError(
                f"Analysis {analysis.name!r} moves a whole system, so that fields are of its parts.",
                "Take a curve; a probe of a body makes one of a field.",
            )
        body = with_absolute_files(self._project.body(analysis.body), self._work.base)

        def value(stage: str, item: str = "") -> Any:
            return self._pipeline.run(
                self._project, Target(stage, body.name, item), self._work.store, self._work.base, self._progress,
                self._work.memory,
            )  # fmt: skip

        model, results = value("model"), self._results
        pairs = {joint.name: value("pairs", joint.name) for joint in body.contact_joints}
        reduced = body_of_results(
            analysis, body, model, pairs, results.frame_of_reference, partial(value, "body")
        )
        return FieldContext(
            results, reduced,
            {joint.name: joint.contact_law for joint in body.contact_joints},
            friction_laws_of(body.contact_joints, model, pairs),
            pairs, model, progress=self._progress, strengths=body.strengths,
        )  # fmt: skip


def prepared(work: SweepWork, progress: Progress) -> set[str]:
    """Compute artifacts shared by all points, and return the keys of stored ones.

    They are found by comparing the plans of the first, second, middle and last point.

    Raises:
        FayingError: when they cannot be computed, so that every point would fail.
    """
    from faying.project.stages import PIPELINE

    points = work.plan.points
    some = [points[i] for i in dict.fromkeys((0, min(1, len(points) - 1), len(points) // 2, len(points) - 1))]
    projects = [with_own_name(work.plan.project_of(point), work.analysis) for point in some]
    name = _own_name(work.analysis)
    plans = [
        PIPELINE.plan(project, target_of(project.analysis(name)), work.store, work.base, work.memory)
        for project in projects
    ]
    shared = set.intersection(*({step.key for step in plan} for plan in plans))
    steps = [step for step in plans[0] if step.key in shared]
    wanted = [step for step in steps if PIPELINE.stages[step.target.stage].keeps != "memory"]
    for i, step in enumerate(wanted):
        if not step.ready:
            part = PartialProgress(progress, i / len(wanted), (i + 1) / len(wanted))
            PIPELINE.run(projects[0], step.target, work.store, work.base, part, work.memory)
    return {step.key for step in wanted}


def remove_what_nobody_needs(
    work: SweepWork, begun: Iterable[str], before: set[str], project: Project, points: Sequence[SweepPoint]
) -> None:
    """Remove artifacts of points from the store unless the present project or a given point needs them.

    Other processes may use the same store: their artifacts and those being computed are kept.

    Args:
        work: data of the sweep.
        begun: keys computed for the points.
        before: names of files that existed before.
        project: the decisions as they stand.
        points: whose artifacts are kept.
    """
    from faying.project.stages import PIPELINE

    kept = set[str]()
    for each in (project, *(work.plan.project_of(point) for point in points)):
        recipes = PIPELINE.recipes(each, work.base)
        with suppress(FayingError):  # the analysis as decided may be impossible
            recipes.of(target_of(each.analysis(work.analysis)))
        kept |= set(recipes.by_key())
    names = {path.name for path in work.store.folder.iterdir()}
    gone = {key for key in begun if key not in kept and f"{key}.lock" not in names}
    for name in names - before:
        if name.partition(".")[0] in gone and name.endswith((".h5", ".json")):
            with suppress(OSError):
                (work.store.folder / name).unlink()


def carried(work: SweepWork, keys: Sequence[str], project: Project) -> CopiedInputs:
    """Return copies of artifacts by key, and of the files read by a project and the points of its sweeps."""
    artifacts, recipes = {}, dict[str, str]()
    for key in keys:
        path, recipe = work.store.artifact_path(key), work.store.recipe(key)
        if not path.exists() and work.store.has(key):
            work.store.write(key, work.store.read(key), recipe)  # of the project file below
        if path.exists():
            artifacts[key] = path.read_bytes()
        if isinstance(recipe, Recipe):
            recipes[key] = recipe.to_text()
    files = {}
    for file in files_read(project, work.base):
        with suppress(OSError):  # the reader will report the error
            files[str(file)] = file.read_bytes()
    return CopiedInputs(artifacts, recipes, files)
