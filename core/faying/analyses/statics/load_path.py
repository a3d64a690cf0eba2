"""The load path of a static analysis: segment by segment, with bolts that are tightened and nodes that are displaced.

As a time step, a path is a list of named stages over one value. Each stage is a pure function: it leaves its arguments
as they are and returns all results. To restart an interrupted run is to store the value, `PathState`.

    begin     the body at rest, or mounted; a first guess        `begin`
    segment   what acts at its end                               `segment_of`
    march     one load step on it (aim, march, judge, accept)    `faying.solvers.load_steps.take_step`
    accept    controlled motions and work in the state found     `accept`
    end       repetitions, steps, what the report says of them   `end_segment`

`points` runs them until the last step is done.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from faying.analyses.step_kinds import Step
from faying.errors import SolveError
from faying.joints.pointwise import ContactStatus
from faying.linalg.symmetric import is_sparse
from faying.progress import PartialProgress, Progress
from faying.records import record
from faying.solvers import load_steps
from faying.solvers.displacement_controlled_body import DisplacementControlledBody, LoadSegment, MotionStates
from faying.solvers.hard_contact import HardContactSolution
from faying.solvers.load_steps import Arrays, LoadMarch, LoadState, LoadStepping, LoadStepReport, SolvedState
from faying.solvers.stuck import stuck_start

_PULLED = 0.01  # stiffness of a bolt for the first guess, relative to the largest diagonal entry


class Guess(NamedTuple):
    """Approximate coordinates (n,), and the Newton corrections that they took."""

    coordinates: np.ndarray
    iterations: int = 0


@dataclass(frozen=True, eq=False)
class LoadPath:
    """What is constant on a path.

    Attributes:
        steps: what happens, in this order.
        names: of the steps, for messages; "" for a step that needs none.
        count: load steps of each segment; 0 leaves them to its step.
        body: equations of the held body; its controlled motions are the cuts of bolts, then the displaced components.
        joints: names of its joints.
        n_bolts: how many of the controlled motions are bolts.
        tightened: number of the bolt that each step tightens; −1 for none.
        given: of each step, by number of the controlled motion, the displacements that it gives.
        columns: (n, k) loads of all steps at full size.
        ranges: where the loads of each step are among them.
        base: (n,) loads that act all the time.
        equilibrium: solver with the arguments of `faying.solvers.hard_contact.solve_hard_contact`.
        first_guess: returns approximate coordinates under a force (n,), from rest; where it returns None, they are the
            linear solution with all touching pairs stuck.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...]
    count: int
    body: DisplacementControlledBody
    joints: tuple[str, ...]
    n_bolts: int
    tightened: tuple[int, ...]
    given: tuple[Mapping[int, float], ...]
    columns: np.ndarray
    ranges: tuple[slice, ...]
    base: np.ndarray
    equilibrium: Callable[..., HardContactSolution]
    first_guess: Callable[[np.ndarray, Progress], Guess | None]

    def heading(self, number: int) -> str:
        """Return what progress says of a step; "" where it needs no name."""
        return f"step {number + 1}, {self.steps[number].label}" if self.names[number] else ""

    def named(self, error: SolveError, number: int) -> SolveError:
        """Return an error with the name of the step in which it came up."""
        name = self.names[number]
        return SolveError(f"{name}: {error.message}" if name else error.message, error.hint)

    @property
    def n_segments(self) -> int:
        """Number of all segments, if no step ends before its last repetition."""
        return sum(step.repetitions * len(step.segments) for step in self.steps)

    @property
    def nodes(self) -> slice:
        """Where the displaced components are among the controlled motions."""
        return slice(self.n_bolts, self.body.motions.shape[0])


@record("path state")
class PathState:
    """All that one stage hands to the next.

    Attributes:
        step, repetition, segment: numbers, from 0; `step` is that of all steps at the end of the path.
        done: number of finished segments.
        factors: (k,) of the loads at the start of the segment.
        motions: the controlled motions there.
        march: load steps on the segment; at the end of the path those of the last one.
        last_factors, last_coordinates, last_motions: in the last state.
        work: of loads and reactions since the beginning.
        step_factors, step_values: factors and values of the controlled motions before the step.
        areas: work of each repetition of the step.
        turning: of each repetition (segments, loads), see `Step.is_steady`.
        residual_slips: slip that each repetition left, by joint.
        slips: before the repetition.
        mounted_slips: after the last bolt was tightened.
        report: of the load steps of finished segments.
        finished: entry of each finished step for the run report.
    """

    step: int
    repetition: int
    segment: int
    done: int
    factors: np.ndarray
    motions: MotionStates
    march: LoadMarch
    last_factors: np.ndarray
    last_coordinates: np.ndarray
    last_motions: MotionStates
    work: float
    step_factors: np.ndarray
    step_values: np.ndarray
    areas: tuple[float, ...]
    turning: Arrays
    residual_slips: tuple[dict[str, list[float]], ...]
    slips: Arrays
    mounted_slips: Arrays
    report: LoadStepReport
    finished: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, eq=False)
class PathPoint:
    """An equilibrium on the load path.

    Attributes:
        value: number of finished segments plus the share of the current one.
        step, cycle: numbers of step and repetition, from 1.
        state: the equilibrium.
        solution: from which the state was made.
        factors: (k,) of the loads of all steps.
        motions: controlled motions: bolts with tensions and overlaps, then displaced components with reactions.
        n_bolts: how many of them are bolts.
        came_from: friction histories at the start of the last load step.
        work: of loads and reactions since the beginning.
    """

    value: float
    step: int
    cycle: int
    state: LoadState
    solution: HardContactSolution
    factors: np.ndarray
    motions: MotionStates
    n_bolts: int
    came_from: Arrays
    work: float

    @property
    def tensions(self) -> np.ndarray:
        """(b,) of the bolts."""
        return self.motions.forces[: self.n_bolts]

    @property
    def overlaps(self) -> np.ndarray:
        """(b,) of the bolts."""
        return self.motions.values[: self.n_bolts]

    @property
    def reactions(self) -> np.ndarray:
        """(m,) at the displaced components, in their order."""
        return self.motions.forces[self.n_bolts :]

    @property
    def numbers(self) -> dict[str, float]:
        """Work and numbers of step and repetition, by the names of their curves."""
        return {"external work": self.work, "step": self.step, "cycle": self.cycle}


def points(path: LoadPath, state: PathState, progress: Progress) -> Iterator[tuple[PathState, PathPoint]]:
    """Yield the states to be shown, each with the value from which the path continues.

    Args:
        path: what is constant.
        state: at the beginning, or of an interrupted run.
        progress: reports and cancels.

    Raises:
        SolveError: naming the step, when no equilibrium is found.
    """
    while state.step < len(path.steps):
        first, last = (min((state.done + k) / path.n_segments, 0.99) for k in (0, 1))
        part = PartialProgress(progress, first, last, path.heading(state.step))
        method, segment = stepping(path, state), segment_of(path, state)
        try:
            for march, solved in load_steps.marched(method, state.march, part):
                state = accept(path, replace(state, march=march), path.body.motions_at(segment, solved))
                yield state, point_of(path, state, solved)
        except SolveError as error:
            raise path.named(error, state.step) from error
        state = end_segment(path, state)


def finished(path: LoadPath, state: PathState) -> PathState:
    """Return the value at the end of a path from that of its last state."""
    return end_segment(path, state) if state.step < len(path.steps) else state


def begin(path: LoadPath, start: LoadState, progress: Progress) -> PathState:
    """Begin: return the value before anything but the base load acts.

    Args:
        path: what is constant.
        start: the body at rest, or mounted.
        progress: of a guess at the end of the first segment, which a body at rest needs: no pair presses there.

    Raises:
        SolveError: naming the step, when a part of the body is held by nothing.
    """
    factors, motions = np.zeros(path.columns.shape[1]), MotionStates.free(path.body.motions.shape[0])
    motions = replace(motions, values=np.asarray(path.body.motions @ start.coordinates).ravel())
    march = LoadMarch(start, start, start.histories, 1.0)
    state = PathState(
        step=0, repetition=0, segment=0, done=0, factors=factors, motions=motions, march=march, last_factors=factors,
        last_coordinates=start.coordinates, last_motions=motions, work=0.0, step_factors=factors,
        step_values=motions.values, areas=(), turning=(), residual_slips=(), slips=start.slips,
        mounted_slips=start.slips, report=LoadStepReport(),
    )  # fmt: skip
    try:
        guess = None if start.coordinates.any() else _from_rest(path, state, progress)
    except SolveError as error:
        raise path.named(error, 0) from error
    state = replace(state, report=LoadStepReport(iterations=guess.iterations if guess else 0))
    return _begin_segment(path, _begin_repetition(path, state), start, guess)


def segment_of(path: LoadPath, state: PathState) -> LoadSegment:
    """Return the segment on which a path is: what acts at its start and its end."""
    step = path.steps[state.step]
    kept, own = step.segments[state.segment]
    now, given = state.motions, path.given[state.step]
    held, forces, values = now.held.copy(), now.forces.copy(), now.values.copy()
    if step.tightening is not None:
        bolt, wanted = path.tightened[state.step], step.tightening
        held[bolt], forces[bolt] = wanted.overlap is not None, wanted.force
        values[bolt] = now.values[bolt] + (wanted.overlap or 0.0)
    for at in range(path.nodes.start, path.nodes.stop):
        if at in given:
            held[at], values[at] = True, kept * state.step_values[at] + own * given[at]
        elif not kept:
            held[at], forces[at] = False, 0.0
    first, last = (path.base + path.columns @ each for each in (state.factors, end_factors(path, state)))
    return LoadSegment(first, last, now, MotionStates(held, forces, values))


def end_factors(path: LoadPath, state: PathState) -> np.ndarray:
    """Return (k,) factors of the loads at the end of the segment."""
    kept, own = path.steps[state.step].segments[state.segment]
    factors = kept * state.step_factors
    factors[path.ranges[state.step]] += own
    return factors


def stepping(path: LoadPath, state: PathState) -> LoadStepping:
    """Return how the load steps of the segment are taken."""
    count = path.count or path.steps[state.step].least_steps
    solve = path.body.solver(segment_of(path, state), path.equilibrium)
    return LoadStepping(solve, tuple(path.body.joints), count)


def _begin_segment(
    path: LoadPath, state: PathState, start: LoadState, guess: Guess | None = None
) -> PathState:
    """Segment: return the value with which the load steps of a segment begin."""
    return replace(state, march=load_steps.begin(stepping(path, state), start, guess and guess.coordinates))


def accept(path: LoadPath, state: PathState, motions: MotionStates) -> PathState:
    """Accept: return the value in a state that was reached, with the work until there by the trapezoidal rule."""
    x, load = state.march.state.coordinates, state.march.state.load
    factors = state.factors + load * (end_factors(path, state) - state.factors)
    moved = path.columns.T @ (x - state.last_coordinates)
    work = state.work + float(0.5 * (factors + state.last_factors) @ moved)
    pushed = (motions.forces + state.last_motions.forces)[path.nodes]
    work += float(0.5 * pushed @ (motions.values - state.last_motions.values)[path.nodes])
    return replace(state, work=work, last_factors=factors, last_coordinates=x, last_motions=motions)


def point_of(path: LoadPath, state: PathState, solved: SolvedState) -> PathPoint:
    """Return the state in which a path is."""
    return PathPoint(
        state.done + solved.state.load, state.step + 1, state.repetition + 1, solved.state, solved.solution,
        state.last_factors, state.last_motions, path.n_bolts, state.march.came_from, state.work,
    )  # fmt: skip


def end_segment(path: LoadPath, state: PathState) -> PathState:
    """End: return the value at the start of the next segment, of the same repetition, step, or the next one."""
    step, end, motions = path.steps[state.step], state.march.state, state.last_motions
    if step.tightening is not None:
        held = motions.held.copy()
        held[path.tightened[state.step]] = step.tightening.locks
        motions = replace(motions, held=held)
    reactions = [motions.forces[at] * value for at, value in path.given[state.step].items()]
    moved = np.concatenate([path.columns.T @ end.coordinates, reactions])
    counted = not path.count and step.least_steps > 0  # by the step: as many as its loop is to have points
    state = replace(
        state, segment=state.segment + 1, done=state.done + 1, factors=end_factors(path, state), motions=motions,
        report=state.report.plus(state.march.report, counted=counted),
        turning=(*state.turning[:-1], np.vstack([state.turning[-1], moved])),
    )  # fmt: skip
    if state.segment == len(step.segments):
        state = _end_repetition(path, state)
    return _begin_segment(path, state, replace(end, load=0.0)) if state.step < len(path.steps) else state


def _begin_repetition(path: LoadPath, state: PathState) -> PathState:
    nothing = np.zeros((0, path.columns.shape[1] + len(path.given[state.step])))
    return replace(
        state, slips=state.march.state.slips, areas=(*state.areas, -state.work), turning=(*state.turning, nothing)
    )  # fmt: skip


def _end_repetition(path: LoadPath, state: PathState) -> PathState:
    """Return the value at the start of the next repetition, of the same step or the next one."""
    step = path.steps[state.step]
    state = replace(
        state, segment=0, repetition=state.repetition + 1,
        areas=(*state.areas[:-1], state.areas[-1] + state.work),
        residual_slips=(*state.residual_slips, slip_since(path, state, state.slips)),
    )  # fmt: skip
    if state.repetition < step.repetitions and not step.is_steady(state.areas, state.turning):
        return _begin_repetition(path, state)
    state = replace(
        state, step=state.step + 1, repetition=0, finished=(*state.finished, _entry(path, state)),
        step_factors=state.factors, step_values=state.motions.values, areas=(), turning=(), residual_slips=(),
        mounted_slips=state.mounted_slips if step.tightening is None else state.march.state.slips,
    )  # fmt: skip
    return _begin_repetition(path, state) if state.step < len(path.steps) else state


def _entry(path: LoadPath, state: PathState) -> dict[str, Any]:
    """Return the entry of a step that ends for the run report.

    How far joints slid since the body was mounted; of cycles the loop areas and the residual slip of each.
    """
    step = path.steps[state.step]
    words: dict[str, Any] = {"step": state.step + 1, "what": step.label}
    if step.tightening is None and (slid := slip_since(path, state, state.mounted_slips)):
        words["slip"] = slid
    if step.repetitions > 1:
        words |= {
            "cycles": len(state.areas),
            "steady": step.is_steady(state.areas, state.turning),
            "loop_areas": list(state.areas),
            **({"residual_slips": list(state.residual_slips)} if state.residual_slips[0] else {}),
        }
    return words


def slip_since(path: LoadPath, state: PathState, before: Arrays) -> dict[str, list[float]]:
    """Return {"<joint>": [mean, largest] slip} since an earlier state, over the pairs that are closed now.

    The mean is weighted by area; joints without friction or closed pairs are left out.
    """
    found: dict[str, list[float]] = {}
    now = state.march.state
    for name, joint, status, slips, then in zip(
        path.joints, path.body.joints, now.status, now.slips, before, strict=True
    ):
        closed = (status == ContactStatus.STICKING) | (status == ContactStatus.SLIPPING)
        if joint.friction_law is None or not closed.any():
            continue
        slid, area = np.linalg.norm(slips - then, axis=1)[closed], np.asarray(joint.rows.weights)[closed]
        found[name] = [float(slid @ area / area.sum()), float(slid.max())]
    return found


def _from_rest(path: LoadPath, state: PathState, progress: Progress) -> Guess | None:
    """Return approximate coordinates at the end of the first segment; None if there is no guess."""
    body, segment = path.body, segment_of(path, state)
    last = segment.last
    if last.held[path.nodes].any():
        return _stuck(path, state, segment.last_loads, progress, last)
    turned = np.flatnonzero(last.held)
    if not len(turned):
        return _under(path, state, segment.last_loads + body.motions.T @ last.forces, progress)
    # A bolt turned by an angle: the response to some tension, scaled to the wanted overlap.
    row, bolt = np.zeros(len(last.held)), int(turned[0])
    stiffest = float(np.abs(body.stiffness.diagonal()).max(initial=0.0))
    row[bolt] = _PULLED * stiffest * last.values[bolt] / float(abs(body.motions[bolt]).max()) ** 2
    found = _under(path, state, body.motions.T @ row, progress)
    reached = 0.0 if found is None else float((body.motions[[bolt]] @ found.coordinates)[0])
    if found is None or not reached:
        return None
    return found._replace(coordinates=found.coordinates * (last.values[bolt] / reached))


def _under(path: LoadPath, state: PathState, force: np.ndarray, progress: Progress) -> Guess | None:
    """Return approximate coordinates under a force (n,); None without a guess."""
    return path.first_guess(force, progress) or _stuck(path, state, force, progress)


def _stuck(
    path: LoadPath, state: PathState, force: np.ndarray, progress: Progress, held: MotionStates | None = None
) -> Guess | None:
    """Return coordinates under a force (n,) with all touching pairs stuck; None without friction.

    Motions that are given are held. On the FE model pairs count as stuck also without friction: surfaces that only
    touch resist nothing yet, and parts would fly off.
    """
    body = path.body
    if not state.march.start.has_friction and not is_sparse(body.stiffness):
        return None
    rows, values = body.constraints, None
    if held is not None:
        rows, values = body.constrained(held.held), body.given(held.held, held.values)
    found = stuck_start(body.stiffness, force, body.joints, progress, rows, values)
    return None if found is None else Guess(found)
