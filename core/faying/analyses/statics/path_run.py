"""The run of a static analysis: a structure is led along the load path, and each state is recorded."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from faying.analyses.recording.curve_source import BodyState
from faying.analyses.recording.recorder import OfferedCurves, Recorder
from faying.analyses.recording.run_memory import Sums
from faying.analyses.statics.bolts import lockable, require_lockable
from faying.analyses.statics.load_path import (
    LoadPath,
    PathPoint,
    PathState,
    begin,
    finished,
    point_of,
    points,
)
from faying.analyses.statics.reactions import contact_forces
from faying.analyses.statics.settings import ContactStatics
from faying.analyses.statics.step_loads import acting_temperatures
from faying.analyses.statics.structure import Structure
from faying.linalg.symmetric import is_sparse
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.reduction.load_modes import missed_share
from faying.results.interrupted import interrupted_run
from faying.solvers.load_steps import SolvedState, mounted_state, resting_state


class Watcher(Sums, Protocol):
    """Follows the states of a path for the run report; nothing to inherit."""

    def see(self, point: PathPoint) -> None:
        """Take a state into account."""

    def summary(self) -> dict[str, Any]:
        """Return entries of the run report."""


class PathRecorder:
    """Records states with their curves: a `Watcher`.

    It compares reactions with what nodes and supports carry, and reports the largest error of a reduced body's
    responses to loads.

    Args:
        structure: in which they are states.
        recorder: of the frames.
    """

    def __init__(self, structure: Structure, recorder: Recorder) -> None:
        self._structure, self._loads, self._recorder = structure, structure.settings.path_loads, recorder
        self._balance, self._load_error = structure.balance(), 0.0

    def see(self, point: PathPoint) -> None:
        """Write a frame."""
        structure, answers = self._structure, point.solution.responses
        x, data = structure.frame(point)
        amounts, at_nodes = self._loads.amounts(point.factors), self._loads.at_nodes(point.factors)
        contact = contact_forces(structure.names, answers, structure.joint_rows)
        acting = Acting(amounts, structure.settings.acting_preloads, contact)
        displaced = dict(zip(structure.displaced.components, point.reactions.tolist(), strict=True))
        reaction = structure.node.values(*at_nodes, amounts, displaced)
        self._balance.see(point.value, x, acting, *at_nodes, displaced, reaction)
        if structure.reduced_loads is not None:
            stored = float(x @ structure.equations.stiffness @ x)
            missed = missed_share(structure.reduced_loads, amounts, stored)
            self._load_error = max(self._load_error, missed)
        shown = BodyState(
            x, answers, acting, tensions=structure.tensions(point), overlaps=point.overlaps, reaction=reaction,
            displaced=displaced, applied=self._loads.components(point.factors), run=point.numbers,
        )  # fmt: skip
        self._recorder.frame(point.value, (shown,), data)

    def checkpoint(self) -> dict[str, Any]:
        """Return balance and error so far."""
        return {"balance": self._balance.checkpoint(), "load_error": self._load_error}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore balance and error of an interrupted run."""
        self._balance.restore(checkpoint["balance"])
        self._load_error = checkpoint["load_error"]

    def summary(self) -> dict[str, Any]:
        """Return the entries of curves, balance and error."""
        found = (
            self._recorder.report(self._loads.applied(self._structure.reduced_loads))
            | self._balance.summary()
        )
        has_error = self._structure.reduced_loads is not None and self._loads.names
        return found | ({"load_error": self._load_error} if has_error else {})


def run_path(
    settings: ContactStatics, structure: Structure, target: Path, progress: Progress, *,
    watchers: Mapping[str, Watcher] | None = None, share: float = 0.99,
    conclude: Callable[[PathState, dict[str, Any]], dict[str, Any]] = lambda state, report: report,
) -> dict[str, Any]:  # fmt: skip
    """Lead a structure along the load path of an analysis and stream its states; continue an interrupted run.

    Args:
        settings: of the analysis.
        structure: with the support, preload cases and displaced nodes of the analysis.
        target: the results file.
        progress: reports and cancels.
        watchers: see each state besides, by name.
        share: of the work that the load path takes; the rest is that of `conclude`.
        conclude: returns the run report with what follows from the last state.

    Returns:
        The run report.

    Raises:
        SolveError: when no equilibrium is found.
    """
    path = path_of(settings, structure)
    bolts = [structure.bolts[i].name for i in structure.controlled]
    offered = OfferedCurves(structure.recorded(
        held=structure.node.name, displaced=structure.displaced.components, loads=settings.path_loads.names,
        **settings.recorded_words(bolts),
    ))  # fmt: skip
    with interrupted_run(target) as earlier, ExitStack() as stack:
        known = earlier.memory if earlier else None
        recorder = stack.enter_context(Recorder(
            target, offered, earlier.frames if earlier else None, known["frames"] if known else 0,
            axis=settings.axis, body=structure.model.name, frame=settings.support,
            settings=settings.model_dump(mode="json"),
            constants=acting_temperatures(settings.path_loads.names, structure.loads),
        ))  # fmt: skip
        frames = PathRecorder(structure, recorder)
        watching: dict[str, Watcher] = {"frames": frames, **(watchers or {})}
        if known is not None:
            state: PathState = known["path"]
            for name, watcher in watching.items():
                watcher.restore(known["watchers"][name])
        else:
            part = PartialProgress(progress, 0.0, structure.begin_share * share)
            state, mounted = begun(settings, structure, path, part)
            if mounted is not None:
                frames.see(point_of(path, state, mounted))
        begun_from, part = state, PartialProgress(progress, 0.1 * structure.mounts, share)
        for state, point in points(path, begun_from, part):
            for watcher in watching.values():
                watcher.see(point)
            sums = {name: watcher.checkpoint() for name, watcher in watching.items()}
            recorder.remember(partial(dict, frames=recorder.n_frames, path=state, watchers=sums))
        state = finished(path, state)
        report = {
            "friction": settings.reported_friction(structure.model), **state.report.summary(),
            **settings.step_report(state.finished), **structure.report,
        }  # fmt: skip
        for watcher in watching.values():
            report |= watcher.summary()
        report = conclude(state, report)
        recorder.close(report)
    progress.report(1.0, settings.title)
    return report


def begun(
    settings: ContactStatics, structure: Structure, path: LoadPath, progress: Progress
) -> tuple[PathState, SolvedState | None]:
    """Return the value at the beginning of a path, and the mounted body, which is a frame of its own; None at rest."""
    if not structure.mounts:
        hard = bool(settings.allowed_penetration)
        rest = resting_state(path.body.joints, np.zeros(len(structure.base)), hard=hard)
        return begin(path, rest, progress), None
    mounted = structure.mounted(settings.equilibrium, PartialProgress(progress, 0.0, 1.0, "preload"))
    solved = mounted_state(path.body.joints, mounted)
    state = begin(path, solved.state, progress)
    return replace(state, report=state.report.after(mounted.report.iterations)), solved


def path_of(settings: ContactStatics, structure: Structure) -> LoadPath:
    """Return the load path of an analysis.

    Raises:
        ModelError: when there are no steps, or a bolt cannot be tightened.
    """
    bolts, controlled, loads = structure.bolts, structure.controlled, settings.path_loads
    cut = [bolt.overlap is not None for bolt in bolts]
    tightened = lockable(loads.steps, [bolt.name for bolt in bolts], cut)
    numbers = tuple(controlled.index(i) if i >= 0 else -1 for i in tightened)
    used: Sequence[int] = sorted({i for i in numbers if i >= 0})
    if used:
        rows = structure.equations.motions[used]
        dense = np.asarray(rows.toarray() if is_sparse(rows) else rows)
        require_lockable(dense, [bolts[controlled[i]].name for i in used])
    n_bolts = len(controlled)
    return LoadPath(
        steps=loads.steps,
        names=settings.step_names(),
        count=settings.load_steps,
        body=structure.equations,
        joints=structure.names,
        n_bolts=n_bolts,
        tightened=numbers,
        given=tuple({n_bolts + k: v for k, v in ends.items()} for ends in structure.displaced.ends),
        columns=structure.columns(),
        ranges=loads.ranges,
        base=structure.base,
        equilibrium=settings.equilibrium,
        first_guess=structure.first_guess,
    )
