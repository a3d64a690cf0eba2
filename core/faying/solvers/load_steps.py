"""Load steps of static equilibria with friction, which depend on the load path: adaptive, or a number of equal steps.

Friction within a step is a radial return from the state at the step's start. That is exact where a pair slides on along
a straight line. If a pair changes its status within the step, the error is its motion in the meantime: one that closes
loses its previous slip, one that begins or ceases to slip may change direction. So the slip that a step may add is
limited, and more so for pairs that change their status. The limits are relative to the slip under the full load, which
is tried first: for surfaces that touch from the start the displacement is proportional to the load.

A step is a list of named stages. Each is a pure function: it leaves its arguments as they are and returns all results.
What one step hands to the next is one value, `LoadMarch`; to restart a run is to store it.

    begin     the state without load, a first guess                `begin`
    aim       up to which share of the load                        `aim`
    march     the equilibrium there; its estimate of slip          `march`
    judge     whether its slip is allowed; size of the next step   `judge`
    accept    the state from which the next step continues         `accept`

`take_step` runs them once, `marched` until the full load is reached.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from faying.errors import SolveError
from faying.joints.pointwise import ContactStatus
from faying.progress import PartialProgress, Progress
from faying.records import record
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution

MOST_SLIP = 0.25  # of the slip under the full load that a step may add
MOST_TURNED = 0.05  # of it that pairs may slide in a step in which they change their status
_SMALLEST = 1e-3  # of the load
_ROUND_OFF = 1e-8  # of the slip at the start, and of the change of the gaps: smaller slip is round-off
_DIVISIONS = 6  # of a counted step, each in two halves, where no equilibrium is found

Arrays = tuple[np.ndarray, ...]  # one of each joint
Solve = Callable[[float, np.ndarray, Arrays, Arrays | None, Progress], HardContactSolution]


@record("load state")
class LoadState:
    """An equilibrium under a share of the load.

    Attributes:
        load: share of the full load.
        coordinates: (n,).
        slips: (n_pairs, 2) tangential displacements of each joint since the undeformed state.
        status: (n_pairs,) of each joint; −1 for pairs that touch without pressure, which have none of the three yet.
        histories: (n_pairs, h) of each joint after the step.
        depths: multipliers of hard contact, None before there are any.
    """

    load: float
    coordinates: np.ndarray
    slips: Arrays
    status: Arrays
    histories: Arrays
    depths: Arrays | None

    @property
    def has_friction(self) -> bool:
        """Whether friction acts in any joint."""
        return any(history.size for history in self.histories)


class SolvedState(NamedTuple):
    """A state with the solution from which it was made."""

    state: LoadState
    solution: HardContactSolution


@record("load step report")
class LoadStepReport:
    """Sizes of the steps, what changed in them, Newton corrections.

    Attributes:
        sizes: shares of the load, in order.
        slip: of each step, the slip that it added, √(Σ w |Δs|²).
        turned: of each step, the same of the pairs that changed their status alone.
        status: of each step, the share of the area that changed its status.
        reached: the largest slip since the start.
        iterations: Newton corrections of all steps, tried ones included.
        divided: how many steps were tried and divided.
    """

    sizes: tuple[float, ...] = ()
    slip: tuple[float, ...] = ()
    turned: tuple[float, ...] = ()
    status: tuple[float, ...] = ()
    reached: float = 0.0
    iterations: int = 0
    divided: int = 0

    def after(self, iterations: int) -> "LoadStepReport":
        """Return the report with the corrections made before the steps added."""
        return replace(self, iterations=self.iterations + iterations)

    def plus(self, segment: "LoadStepReport", *, counted: bool) -> "LoadStepReport":
        """Return the report of several segments of a load path, with a further one.

        Args:
            segment: its report; its slips are added relative to the largest of them.
            counted: whether its number of steps has another reason than friction, so that their slip is not reported.
        """
        found = replace(
            self, sizes=self.sizes + segment.sizes, iterations=self.iterations + segment.iterations,
            divided=self.divided + segment.divided,
        )  # fmt: skip
        if counted or not segment.slip:
            return found
        reached = segment.reached or 1.0
        return replace(
            found, slip=self.slip + tuple(size / reached for size in segment.slip),
            turned=self.turned + tuple(size / reached for size in segment.turned),
            status=self.status + segment.status, reached=1.0,
        )  # fmt: skip

    def summary(self) -> dict[str, Any]:
        """Return plain numbers for a run report; changes, as shares of the largest slip, only where friction acts."""
        found: dict[str, Any] = {"iterations": self.iterations, "load_steps": len(self.sizes)}
        if len(self.sizes) > 1 or self.divided:
            found |= {"smallest_load_step": min(self.sizes), "largest_load_step": max(self.sizes)}
        if self.divided:
            found["divided_load_steps"] = self.divided
        if self.slip:
            reached = self.reached or 1.0
            found |= {
                "largest_change_of_slip": max(self.slip) / reached,
                "largest_change_of_slip_with_status": max(self.turned) / reached,
                "largest_change_of_status": max(self.status),
            }
        return found


@dataclass(frozen=True, eq=False)
class LoadStepping:
    """What is constant during a march. Without friction the load path does not matter: one step.

    Attributes:
        solve: (share of the load, first guess, histories, multipliers, progress) -> equilibrium.
        joints: joint forces over the coordinates.
        count: number of equal steps, whatever changes in them; 0 for adaptive ones.
    """

    solve: Solve
    joints: tuple[AnyJointForce, ...]
    count: int = 0

    @property
    def weights(self) -> list[np.ndarray]:
        """(n_pairs,) areas of each joint."""
        return [np.asarray(joint.rows.weights) for joint in self.joints]


@record("load march")
class LoadMarch:
    """All that one load step hands to the next.

    Attributes:
        start: the state without load.
        state: accepted last.
        came_from: friction histories of the joints at the start of the last step.
        size: of the next step, as a share of the load.
        before: load and coordinates of the state before the last one; None at the start.
        tried: load and coordinates of a state further on, or of a first guess; None for none.
        reference: the slip under the full load, as far as it is known.
        least: slip that is round-off.
        report: of the steps so far.
    """

    start: LoadState
    state: LoadState
    came_from: Arrays
    size: float
    before: tuple[float, np.ndarray] | None = None
    tried: tuple[float, np.ndarray] | None = None
    reference: float = 0.0
    least: float = 0.0
    report: LoadStepReport = LoadStepReport()

    @property
    def at_end(self) -> bool:
        """Whether the full load is reached."""
        return self.state.load >= 1.0


class Aim(NamedTuple):
    """Share of the load up to which a step goes, and its size."""

    load: float
    size: float


class StepVerdict(NamedTuple):
    """Whether a step is accepted, and the size of the next one (or of the same one, tried again)."""

    accepted: bool
    size: float


def resting_state(
    joints: Sequence[AnyJointForce], coordinates: np.ndarray, *, hard: bool = False
) -> LoadState:
    """Return the state of an undeformed body that rests: pairs that touch are closed, their slip counts from there.

    Args:
        joints: joint forces, with friction where it acts.
        coordinates: (n,).
        hard: whether contact is hard, which begins where surfaces touch, wherever the law begins.
    """
    closed = [np.full(len(j.rows.weights), -j.contact_law.closing_gap()) for j in joints]
    return _at_rest(joints, coordinates, closed if hard else [])[0]


def mounted_state(joints: Sequence[AnyJointForce], mounted: HardContactSolution) -> SolvedState:
    """Return the state of a mounted body that rests: pairs that touch are closed, their slip counts from there.

    Args:
        joints: joint forces, with friction where it acts.
        mounted: the equilibrium under the preload alone, found without friction.
    """
    state, answers = _at_rest(joints, mounted.coordinates, mounted.offsets)
    return SolvedState(
        replace(state, depths=tuple(mounted.depths) or None), replace(mounted, responses=answers)
    )


def _at_rest(
    joints: Sequence[AnyJointForce], coordinates: np.ndarray, offsets: Sequence[np.ndarray]
) -> tuple[LoadState, list[Any]]:
    """Return the state of a body that rests and the responses of its joints; `offsets` of hard contact, if any."""
    seen = [j.lifted(offset) for j, offset in zip(joints, offsets, strict=True)] if offsets else joints
    histories = tuple(joint.resting_history(coordinates) for joint in seen)
    answers, status = [], []
    for joint, true, history in zip(seen, joints, histories, strict=True):
        answer = joint.evaluate(coordinates, history, 0.0, jacobian=False)
        touches = history[:, 0] > 0.0 if history.size else np.zeros(answer.n, bool)
        status.append(np.where(touches & (answer.status == ContactStatus.GAPING), -1, answer.status))
        answers.append(replace(answer, gap=true.gaps(coordinates)))
    slips = tuple(joint.total_slip(coordinates) for joint in joints)
    return LoadState(0.0, coordinates, slips, tuple(status), histories, None), answers


def begin(method: LoadStepping, start: LoadState, guess: np.ndarray | None = None) -> LoadMarch:
    """Begin: return what the first step continues from.

    Args:
        method: of the march.
        start: the state without load.
        guess: (n,) estimate of the coordinates under the full load; None for none.
    """
    least = _ROUND_OFF * max((float(np.abs(s).max(initial=0.0)) for s in start.slips), default=0.0)
    least *= float(np.sqrt(sum(float(w.sum()) for w in method.weights)))
    size, tried = 1.0 / (method.count or 1), None if guess is None else (1.0, guess)
    return LoadMarch(start, start, start.histories, size, tried=tried, least=least)


def marched(
    method: LoadStepping, march: LoadMarch, progress: Progress
) -> Iterator[tuple[LoadMarch, SolvedState]]:
    """Yield the accepted states; of a counted step its end alone, not those of its divisions.

    Raises:
        SolveError: when no equilibrium is found however small the step.
    """
    while not march.at_end:
        march, solved = take_step(method, march, progress)
        if solved is not None and (not method.count or march.size == 1.0 / method.count):
            yield march, solved


def take_step(
    method: LoadStepping, last: LoadMarch, progress: Progress
) -> tuple[LoadMarch, SolvedState | None]:
    """Return the result of a step, the stages one after the other; without a state when it has to be tried again.

    Raises:
        SolveError: when no equilibrium is found and the step is too small to be divided.
    """
    wanted = aim(method, last)
    try:
        tried, solved = march(method, last, wanted.load, progress)
    except SolveError:
        smaller = _divided(method, wanted.size)
        if smaller is None:
            raise
        return _refused(last, smaller), None
    verdict = judge(method, tried, solved.state, wanted.size)
    if not verdict.accepted:
        return _refused(replace(tried, tried=(wanted.load, solved.state.coordinates)), verdict.size), None
    return accept(method, tried, solved.state, verdict.size), solved


def aim(method: LoadStepping, last: LoadMarch) -> Aim:
    """Aim: return up to which share of the load the next step goes."""
    load, size = last.state.load, last.size
    if method.count:
        end = (int(load * method.count + 1e-9) + 1) / method.count
        return Aim(end if end - load - size < 1e-9 else load + size, size)
    left = 1.0 - load
    # No tiny step at the end.
    size = left if size > 0.999 * left else min(size, max(0.5 * left, left - size))
    return Aim(1.0 if size == left else load + size, size)


def march(
    method: LoadStepping, last: LoadMarch, load: float, progress: Progress
) -> tuple[LoadMarch, SolvedState]:
    """March: return the equilibrium under a load, and the march with what that says about the slip to be expected.

    Raises:
        SolveError: when it is found neither from the nearest guess nor from the last state.
    """
    now = last.state
    # With friction a long step is usually a trial only: it counts for little progress.
    end = min(load, now.load + 0.1) if now.has_friction else load
    text = f"load step {len(last.report.sizes) + 1}, to {100.0 * load:.3g} %"
    part, guess = PartialProgress(progress, now.load, end, text), _guess(last, load)
    try:
        found = method.solve(load, guess, now.histories, now.depths, part)
    except SolveError:
        if guess is now.coordinates:
            raise
        found = method.solve(load, now.coordinates, now.histories, now.depths, part)
    x, answers = found.coordinates, found.responses
    state = LoadState(
        load, x, tuple(joint.total_slip(x) for joint in method.joints) if now.has_friction else now.slips,
        tuple(answer.status for answer in answers), tuple(answer.history for answer in answers),
        tuple(found.depths) or None,
    )  # fmt: skip
    tried = replace(last, report=last.report.after(found.report.iterations))
    return _learned(method, tried, state), SolvedState(state, found)


def judge(method: LoadStepping, last: LoadMarch, state: LoadState, size: float) -> StepVerdict:
    """Judge: return whether a step of a size is accepted by the slip that it adds, and the size of the next one."""
    if method.count:
        whole = 1.0 / method.count
        at_end = abs(state.load * method.count - round(state.load * method.count)) < 1e-9
        return StepVerdict(True, whole if at_end else last.size)
    # The slip of the step over the allowed one: above one the step is too long.
    excess = 0.0
    if state.has_friction and last.reference > last.least:
        slip, turned, _ = _changes(method, last.state, state)
        excess = max(slip / MOST_SLIP, turned / MOST_TURNED) / last.reference
    if excess > 1.0 and size > _SMALLEST:
        return StepVerdict(False, max(size * min(max(0.8 / excess, 0.1), 0.7), _SMALLEST))
    growth = min(max(0.8 / excess, 0.5), 2.0) if excess else 2.0
    return StepVerdict(True, max(size * growth, _SMALLEST))


def accept(method: LoadStepping, last: LoadMarch, state: LoadState, size: float) -> LoadMarch:
    """Accept: return the state from which the next step, of a given size, continues."""
    now, report = last.state, last.report
    report = replace(report, sizes=(*report.sizes, state.load - now.load))
    if state.has_friction:
        slip, turned, status = _changes(method, now, state)
        report = replace(
            report, slip=(*report.slip, slip), turned=(*report.turned, turned), status=(*report.status, status),
            reached=max(report.reached, _slip(method, last.start, state)),
        )  # fmt: skip
    ahead = last.tried if last.tried is not None and last.tried[0] > state.load else None
    return replace(
        last, state=state, came_from=now.histories, size=size, before=(now.load, now.coordinates), tried=ahead,
        report=report,
    )  # fmt: skip


def _divided(method: LoadStepping, size: float) -> float | None:
    """Return the next smaller size after a step of a size without equilibrium; None if it cannot be smaller."""
    if method.count:
        return 0.5 * size if 0.5 * size >= 1.0 / method.count / 2**_DIVISIONS else None
    return max(0.25 * size, _SMALLEST) if size > _SMALLEST else None


def _refused(last: LoadMarch, size: float) -> LoadMarch:
    return replace(last, size=size, report=replace(last.report, divided=last.report.divided + 1))


def _guess(last: LoadMarch, load: float) -> np.ndarray:
    """Return a first guess: interpolated towards a state tried further on, else extrapolated from the last two."""
    now = last.state
    if last.tried is not None and last.tried[0] >= load:
        share = (load - now.load) / (last.tried[0] - now.load)
        return np.asarray(now.coordinates + share * (last.tried[1] - now.coordinates))
    if last.before is None or not now.has_friction:
        return now.coordinates
    share = (load - now.load) / (now.load - last.before[0])
    return np.asarray(now.coordinates + share * (now.coordinates - last.before[1]))


def _learned(method: LoadStepping, last: LoadMarch, state: LoadState) -> LoadMarch:
    """Return the march with the slip under the full load that a state suggests; at first proportional to the load."""
    if not state.has_friction:
        return last
    # Pairs that are pressed without sliding slip by round-off of how far their gaps changed.
    pressed = 0.0
    for joint, weights in zip(method.joints, method.weights, strict=True):
        moved = joint.gaps(state.coordinates) - joint.gaps(last.start.coordinates)
        pressed += float(weights @ moved**2)
    size = _slip(method, last.start, state)
    if not last.reference:
        size /= state.load
    least = max(last.least, _ROUND_OFF * float(np.sqrt(pressed)))
    return replace(last, least=least, reference=max(last.reference, size))


def _changes(method: LoadStepping, first: LoadState, last: LoadState) -> tuple[float, float, float]:
    """Return the slip of a step, the part of it by pairs that changed their status, and their share of the area."""
    changed = [(old != new) & (old >= 0) for old, new in zip(first.status, last.status, strict=True)]
    area = sum(float(w.sum()) for w in method.weights)
    of_them = sum(float(w[at].sum()) for w, at in zip(method.weights, changed, strict=True))
    return _slip(method, first, last), _slip(method, first, last, changed), of_them / area


def _slip(
    method: LoadStepping, first: LoadState, last: LoadState, among: Sequence[np.ndarray] | None = None
) -> float:
    """Return √(Σ w |Δs|²) between two states, over pairs with friction that are closed in one of them."""
    total = 0.0
    for i, (weights, history) in enumerate(zip(method.weights, last.histories, strict=True)):
        if not history.size:
            continue
        chosen = (first.status[i] != ContactStatus.GAPING) | (last.status[i] != ContactStatus.GAPING)
        if among is not None:
            chosen &= among[i]
        moved = last.slips[i][chosen] - first.slips[i][chosen]
        total += float(weights[chosen] @ np.einsum("ij,ij->i", moved, moved))
    return float(np.sqrt(total))
