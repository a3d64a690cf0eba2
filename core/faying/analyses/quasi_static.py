"""Statics of a system: its equilibrium, or a sequence of equilibria along prescribed motions and loads."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel, analyses
from faying.analyses.motion import first_rest, with_angles
from faying.analyses.recording.stability_check import StabilityCheck
from faying.analyses.recording.system_records import SystemRecords
from faying.errors import SolveError
from faying.linalg.threads import one_thread
from faying.multibody.assembly import assemble
from faying.multibody.history import History
from faying.multibody.linearized import Equilibrium, find_equilibrium, followed_step, moved_on
from faying.multibody.part import RIGID
from faying.multibody.stable_rest import find_downhill, find_stable
from faying.multibody.system import MultibodySystem
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.records import record
from faying.results.interrupted import InterruptedRun, interrupted_run
from faying.solvers.integrators import State
from faying.units import amount

_LEAST = 1.0 / 16.0  # of the way from one frame to the next, as the shortest step


@analyses.register("quasi_static")
class QuasiStatic(SystemAnalysis):
    """The equilibrium of a system, and how it moves on along prescribed motions and load histories: no inertia.

    A duration of zero gives the equilibrium at the start alone, and whether it is stable. Newton's method may find one
    that is not; with *Stable* the system is pushed off it and goes downhill to one that is. For gears in mesh, cams or
    mechanisms at the pace of an assembly, where what counts is how load is shared and not what vibrates. Friction goes
    its way from frame to frame. Whatever prescribed motions leave free has to be held by contacts, springs or loads.
    """

    title: ClassVar[str] = "Equilibrium, quasi-static motion"

    duration: float = parameter(
        1.0, title="Duration", quantity="time", ge=0.0,
        meaning="How long prescribed motions and load histories are followed; 0 for the equilibrium alone.",
    )  # fmt: skip
    frames: int = parameter(
        40, title="Frames", ge=1, le=1_000_000,
        meaning="Number of equilibria stored, evenly spaced, besides the first; steps between them are shorter where "
        "none is found.",
    )  # fmt: skip

    stable: bool = parameter(
        False, title="Stable",
        meaning="Whether an unstable equilibrium at the start is left along the motion that leaves it, downhill to a "
        "stable one; the report says which part left it. Where Newton's method finds none, it goes downhill at once.",
    )  # fmt: skip

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Assemble, find an equilibrium at each frame, and stream them; continue an interrupted run."""
        progress.report(0.0, "assembly; the very first run also makes machine code")
        at = assemble(system.spec, system.flexible_bodies())
        freedom = at.freedom
        built = at.independent
        with interrupted_run(target) as earlier, one_thread():
            if earlier is None:
                history = with_angles(built, at.position, at.history)
                first = PartialProgress(progress, 0.0, 0.0, "equilibrium")
                left: dict[str, Any] = {}
                try:
                    found = first_rest(system.spec, built, at.position, history, first)
                except SolveError:
                    if not self.stable:
                        raise
                    lying = built.resting_history(at.position, history)
                    found = find_downhill(built, at.position, lying, first)
                if self.stable:
                    rest = find_stable(built, found, first)
                    found = rest.equilibrium
                    if rest.left:
                        left = {"left_unstable": {"parts": list(rest.left), "distance": rest.distance}}
                path = FollowedPath(_state(built, 0.0, found, np.zeros(built.n)), 0, found.iterations)
            else:
                path, left = earlier.memory["path"], earlier.memory.get("left", {})
            return self._follow(
                system, built, path, target, earlier, progress, freedom.degrees, freedom.names, left
            )

    def _follow(
        self, system: SystemModel, built: MultibodySystem, path: "FollowedPath", target: Path,
        earlier: InterruptedRun | None, progress: Progress, degrees: int, redundant: tuple[str, ...],
        left: dict[str, Any],
    ) -> dict[str, Any]:  # fmt: skip
        start: State = earlier.memory["start"] if earlier else path.last
        went_on = [*earlier.memory["went_on"], path.last.time] if earlier else []
        with SystemRecords(
            self, system, built, start, target, earlier.frames if earlier else None
        ) as records:
            stability = StabilityCheck(built)
            records.sums["stability"] = stability
            if earlier is None:
                records.frame(start, start.history, 0.0)
                stability.see(start)
            else:
                for name, sums in records.sums.items():
                    sums.restore(earlier.memory[name])
            while (number := records.frames.n_frames) <= (self.frames if self.duration else 0):
                progress.report((number - 1) / self.frames, f"frame {number} of {self.frames}")
                for following in followed(built, path, self.duration * number / self.frames, progress):
                    before, path = path.last, following
                    records.see(before, path.last)
                records.frame(path.last, path.last.history, 0.0)
                stability.see(path.last)
                known = {"start": start, "went_on": went_on, "path": path, "left": left}
                known |= {name: sums.checkpoint() for name, sums in records.sums.items()}
                records.frames.remember(partial(dict, known))
            summary = {
                "degrees_of_freedom": degrees,
                "redundant_equations": list(redundant),
                "steps": path.steps,
                "iterations": path.iterations,
                **records.summary(),
                **stability.summary(),
                **left,
                **({"went_on_at": went_on} if went_on else {}),
            }
            records.frames.close(summary)
        return summary


@record("followed path")
class FollowedPath:
    """Where a path through equilibria is.

    Attributes:
        last: the last equilibrium; its velocities are the mean ones of the step that led to it.
        steps, iterations: their numbers so far.
    """

    last: State
    steps: int
    iterations: int


def followed(
    system: MultibodySystem, path: FollowedPath, time: float, progress: Progress
) -> Iterator[FollowedPath]:
    """Follow a path up to a time; yield it after each step.

    Steps are predicted along the tangent to the path, and halved when no equilibrium is found near the prediction.
    When none is near even for the shortest step (a node slips off an edge), one further away is accepted.

    Raises:
        SolveError: when none is found.
    """
    whole = step = time - path.last.time
    while path.last.time < time:
        before, step = path.last, min(step, time - path.last.time)
        # A remainder this small is round-off.
        end = time if time - before.time - step <= 1e-9 * whole else before.time + step
        try:
            found = _next_equilibrium(system, before, end, progress, far=0.5 * step < _LEAST * whole)
        except SolveError as error:
            step *= 0.5
            if step < _LEAST * whole:
                raise SolveError(f"At t = {amount(end, 'time', 6)}: {error.message}", error.hint) from error
            continue
        rates = (found.position - before.q) / (end - before.time)
        last = _state(system, end, found, rates)
        path = FollowedPath(last, path.steps + 1, path.iterations + found.iterations)
        step *= 2.0
        yield path


def _next_equilibrium(
    system: MultibodySystem, last: State, time: float, progress: Progress, *, far: bool
) -> Equilibrium:
    """Return the equilibrium at a time, near the tangent to the path, or with `far` also far from it."""
    step = time - last.time
    at = Equilibrium(last.q, last.multipliers, last.history, 0)
    steady = PartialProgress(progress, 0.0, 0.0, f"t = {time:.4g}")
    tangent = moved_on(system, last.q, followed_step(system, at, last.time, step))
    search = partial(find_equilibrium, system, history=last.history, progress=steady, time=time)
    if not len(system.contacts):
        return search(tangent)
    near = min(contact.most_approach for contact in system.contacts.members)
    # On flat facets the tangent prediction may err by more than the penetration; that by the mean rates of the last
    # step averages over facets.
    mean = moved_on(system, last.q, step * _of_frames(system, last.v))
    for ahead in (tangent, mean):
        if not _lets_go(system, last, ahead):
            with suppress(SolveError):
                return search(ahead, held=False, within=near)
    # Surfaces that the prediction separates slightly are closed again by the damped search.
    return search(tangent, within=np.inf if far else near)


def _lets_go(system: MultibodySystem, last: State, q: np.ndarray) -> bool:
    """Return whether some contact that pressed at the last equilibrium is fully open at q."""
    answer = system.contact(q, last.history, 0.0, jacobian=False)
    assert answer is not None and answer.closed is not None
    pressed = [memory.normals.any() for memory in last.history.contacts]
    presses = [closed.any() for closed in answer.closed[-len(pressed) :]]
    return any(was and not now for was, now in zip(pressed, presses, strict=True))


def _of_frames(system: MultibodySystem, change: np.ndarray) -> np.ndarray:
    """Return a change of coordinates (n,) with those of flexible coordinates set to zero."""
    moved = np.zeros_like(change)
    for at in system.ranges:
        moved[at.start : at.start + RIGID] = change[at.start : at.start + RIGID]
    return moved


def _state(system: MultibodySystem, time: float, found: Equilibrium, rates: np.ndarray) -> State:
    history: History = found.history
    return State(time, found.position, rates, np.zeros(system.n), found.multipliers, history)
