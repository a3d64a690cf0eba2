"""Load steps of static equilibria with friction, which depend on the load path: adaptive, or a number of equal steps.

Friction within a step is a radial return from the state at the step's start. That is exact where a pair slides on along
a straight line. Where a pair changes its status within the step, the error is what it moves meanwhile: one that closes
forgets what it slid before, one that begins or ceases to slip may change direction. So the slip that a step may add is
limited, and more so for pairs that change their status. The limits are relative to the slip under the full load, which
is tried first: for surfaces that touch from the start the displacement is proportional to the load.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from faying.errors import SolveError
from faying.joints.pointwise import ContactStatus
from faying.progress import PartialProgress, Progress
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution

MOST_SLIP = 0.25  # of the slip under the full load that a step may add
MOST_TURNED = 0.05  # of it that pairs may slide in a step in which they change their status
_SMALLEST = 1e-3  # of the load
_ROUND_OFF = 1e-8  # of the slip at the start, and of the change of the gaps: less slip than that is round-off
_DIVISIONS = 6  # of a counted step, each in two halves, where no equilibrium is found

Solve = Callable[
    [float, np.ndarray, list[np.ndarray], list[np.ndarray] | None, Progress], HardContactSolution
]


@dataclass(frozen=True, eq=False)
class LoadState:
    """An equilibrium under a share of the load.

    Attributes:
        load: share of the full load.
        coordinates: (n,).
        slips: (n_pairs, 2) tangential displacements of each joint since the undeformed state.
        status: (n_pairs,) of each joint; −1 for pairs that touch without pressure, which are none of the three yet.
        histories: (n_pairs, h) of each joint after the step.
        depths: multipliers of hard contact, None before there are any.
        solution: what the solver found; None at a start that was not solved for.
    """

    load: float
    coordinates: np.ndarray
    slips: list[np.ndarray]
    status: list[np.ndarray]
    histories: list[np.ndarray]
    depths: list[np.ndarray] | None
    solution: HardContactSolution | None


@dataclass
class LoadStepReport:
    """How the steps went: their sizes, what changed in them, Newton corrections.

    Attributes:
        sizes: shares of the load, in order.
        slip: of each step, the slip that it added, √(Σ w |Δs|²).
        turned: of each step, the same of the pairs that changed their status alone.
        status: of each step, the share of the area that changed its status.
        reached: the largest slip since the start.
        iterations: Newton corrections of all steps, tried ones included.
        divided: how many steps were tried and divided.
    """

    sizes: list[float] = field(default_factory=list)
    slip: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    status: list[float] = field(default_factory=list)
    reached: float = 0.0
    iterations: int = 0
    divided: int = 0

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


def resting_state(
    joints: Sequence[AnyJointForce],
    coordinates: np.ndarray,
    mounted: HardContactSolution | None = None,
    *,
    hard: bool = False,
) -> LoadState:
    """Return the state of a body that rests: pairs that touch are closed, their slip counts from there.

    Args:
        joints: joint forces, with friction where it acts.
        coordinates: (n,) of the undeformed body, or of the mounted one.
        mounted: the equilibrium under the preload alone, found without friction.
        hard: whether contact is hard, which begins where surfaces touch, wherever the law begins.
    """
    offsets = mounted.offsets if mounted is not None else []
    if hard and not offsets:
        offsets = [np.full(len(j.rows.weights), -j.contact_law.closing_gap()) for j in joints]
    seen = [j.lifted(offset) for j, offset in zip(joints, offsets, strict=True)] if offsets else joints
    histories = [joint.resting_history(coordinates) for joint in seen]
    answers, status = [], []
    for joint, true, history in zip(seen, joints, histories, strict=True):
        answer = joint.evaluate(coordinates, history, 0.0, jacobian=False)
        touches = history[:, 0] > 0.0 if history.size else np.zeros(answer.n, bool)
        status.append(np.where(touches & (answer.status == ContactStatus.GAPING), -1, answer.status))
        answers.append(replace(answer, gap=true.gaps(coordinates)))
    slips = [joint.total_slip(coordinates) for joint in joints]
    if mounted is None:
        return LoadState(0.0, coordinates, slips, status, histories, None, None)
    solution = replace(mounted, responses=answers)
    return LoadState(0.0, coordinates, slips, status, histories, mounted.depths or None, solution)


class LoadSteps:
    """Load steps from no load to the full one: the state reached so far, and estimates for the next steps.

    Without friction the load path does not matter: one step, divided where no equilibrium is found.

    Args:
        solve: (share of the load, first guess, histories, multipliers, progress) -> equilibrium.
        joints: joint forces over the coordinates.
        start: the state without load.
        progress: reports and cancels.
        count: number of equal steps, whatever changes in them; 0 for adaptive ones.

    Attributes:
        report: how the steps went so far.
        guess: (n,) estimate of the coordinates under the full load; may be set before the first step.
        came_from: friction histories of the joints at the start of the last step.
    """

    def __init__(
        self, solve: Solve, joints: Sequence[AnyJointForce], start: LoadState, progress: Progress, *, count: int = 0
    ) -> None:  # fmt: skip
        self._solve, self._joints, self._progress, self._count = solve, list(joints), progress, count
        self._weights = [np.asarray(joint.rows.weights) for joint in joints]
        self._rubs = any(history.size for history in start.histories)
        self._start = self._now = start
        self._before: tuple[float, np.ndarray] | None = None
        self._size = 1.0 / count if count else 1.0
        self._least = _ROUND_OFF * max((float(np.abs(s).max(initial=0.0)) for s in start.slips), default=0.0)
        self._least *= float(np.sqrt(sum(float(w.sum()) for w in self._weights)))
        self._reference = 0.0  # the slip under the full load, as far as it is known
        self._tried: tuple[float, np.ndarray] | None = (
            None  # a state further on: share of the load, coordinates
        )
        self.report = LoadStepReport()
        self.guess: np.ndarray | None = None
        self.came_from = start.histories

    @property
    def state(self) -> LoadState:
        """The state reached so far; after `go_on_from` without the solution."""
        return self._now

    def states(self) -> Iterator[LoadState]:
        """Yield the accepted states; with a given number of steps only the ends of these, not of their divisions.

        Raises:
            SolveError: when no equilibrium is found however small the step.
        """
        if self.guess is not None:
            self._tried = 1.0, self.guess
        if not self._count:
            yield from self._as_needed()
        for step in range(1, self._count + 1):
            if self._now.load < step / self._count - 1e-12:
                yield self._counted(step / self._count, 1.0 / self._count)

    def memory(self) -> dict[str, Any]:
        """Return plain values from which `go_on_from` resumes as if there had been no interruption."""
        now = self._now
        return {
            "load": now.load, "coordinates": now.coordinates, "slips": now.slips, "status": now.status,
            "histories": now.histories, "depths": now.depths, "before": self._before, "size": self._size,
            "reference": self._reference, "least": self._least, "tried": self._tried, "report": asdict(self.report),
            "came_from": self.came_from,
        }  # fmt: skip

    def go_on_from(self, memory: dict[str, Any]) -> None:
        """Resume from what `memory` of interrupted steps returned."""
        slips, status, histories = (list(memory[name]) for name in ("slips", "status", "histories"))
        depths = None if memory["depths"] is None else list(memory["depths"])
        self._now = LoadState(memory["load"], memory["coordinates"], slips, status, histories, depths, None)
        self._before, self._tried = (
            None if memory[name] is None else (memory[name][0], memory[name][1])
            for name in ("before", "tried")
        )
        self._size, self._reference, self._least = memory["size"], memory["reference"], memory["least"]
        self.came_from = list(memory["came_from"])
        report: dict[str, Any] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in memory["report"].items()
        }
        self.report = LoadStepReport(**report)

    def _counted(self, load: float, size: float) -> LoadState:
        """Return the state under a load, by one step or, where no equilibrium is found, by halves of it."""
        smallest = size / 2**_DIVISIONS
        while self._now.load < load - 1e-12:
            to = min(self._now.load + size, load)
            try:
                self._accept(self._at(load if load - to < 1e-9 else to))
            except SolveError:
                self.report.divided += 1
                size *= 0.5
                if size < smallest:
                    raise
        return self._now

    def _as_needed(self) -> Iterator[LoadState]:
        """Yield the states of adaptive steps, as long as the changes within them allow."""
        while self._now.load < 1.0:
            left, size = 1.0 - self._now.load, self._size
            # No tiny step at the end.
            size = left if size > 0.999 * left else min(size, max(0.5 * left, left - size))
            to = 1.0 if size == left else self._now.load + size
            try:
                state = self._at(to)
            except SolveError:
                if size <= _SMALLEST:
                    raise
                self.report.divided += 1
                self._size = max(0.25 * size, _SMALLEST)
                continue
            much = self._much(state)
            if much > 1.0 and size > _SMALLEST:
                self.report.divided += 1
                self._tried = state.load, state.coordinates
                self._size = max(size * min(max(0.8 / much, 0.1), 0.7), _SMALLEST)
                continue
            self._accept(state)
            self._size = max(size * (min(max(0.8 / much, 0.5), 2.0) if much else 2.0), _SMALLEST)
            yield state

    def _much(self, state: LoadState) -> float:
        """Return the slip of a step over the allowed one: above one the step is too long."""
        if not self._rubs or self._reference <= self._least:
            return 0.0
        slip, turned, _ = self._changes(state)
        return max(slip / MOST_SLIP, turned / MOST_TURNED) / self._reference

    def _at(self, load: float) -> LoadState:
        """Return the equilibrium under a load, from the nearest guess, else from where the load is now."""
        now = self._now
        # With friction a long step is usually a trial only: it counts for little progress.
        end = min(load, now.load + 0.1) if self._rubs else load
        part = PartialProgress(self._progress, now.load, end, self._text(load))
        guess = self._guess(load)
        try:
            found = self._solve(load, guess, now.histories, now.depths, part)
        except SolveError:
            if guess is now.coordinates:
                raise
            found = self._solve(load, now.coordinates, now.histories, now.depths, part)
        self.report.iterations += found.report.iterations
        answers = found.responses
        x = found.coordinates
        slips = [joint.total_slip(x) for joint in self._joints] if self._rubs else now.slips
        state = LoadState(
            load, x, slips, [answer.status for answer in answers], [answer.history for answer in answers],
            found.depths or None, found,
        )  # fmt: skip
        self._learn(state)
        return state

    def _text(self, load: float) -> str:
        return f"load step {len(self.report.sizes) + 1}, to {100.0 * load:.3g} %"

    def _guess(self, load: float) -> np.ndarray:
        """Return a first guess: interpolated towards a state tried further on, else extrapolated from the last two."""
        now = self._now
        if self._tried is not None and self._tried[0] >= load:
            share = (load - now.load) / (self._tried[0] - now.load)
            return np.asarray(now.coordinates + share * (self._tried[1] - now.coordinates))
        if self._before is None or not self._rubs:
            return now.coordinates
        share = (load - now.load) / (now.load - self._before[0])
        return np.asarray(now.coordinates + share * (now.coordinates - self._before[1]))

    def _accept(self, state: LoadState) -> None:
        self.report.sizes.append(state.load - self._now.load)
        if self._rubs:
            slip, turned, status = self._changes(state)
            self.report.slip.append(slip)
            self.report.turned.append(turned)
            self.report.status.append(status)
            self.report.reached = max(self.report.reached, self._slip(self._start, state))
        self._before, self.came_from = (self._now.load, self._now.coordinates), self._now.histories
        self._now = state
        if self._tried is not None and self._tried[0] <= state.load:
            self._tried = None

    def _learn(self, state: LoadState) -> None:
        """Update the reference slip (that under the full load); at first it is taken as proportional to the load."""
        if not self._rubs:
            return
        # Pairs that are pressed without sliding slip by round-off of how far their gaps changed.
        self._least = max(self._least, _ROUND_OFF * self._pressed(state))
        size = self._slip(self._start, state)
        if not self._reference:
            size /= state.load
        self._reference = max(self._reference, size)

    def _changes(self, state: LoadState) -> tuple[float, float, float]:
        """Return the slip of a step, the part of it by pairs that changed their status, and their share of the area."""
        changed = [(old != new) & (old >= 0) for old, new in zip(self._now.status, state.status, strict=True)]
        area = sum(float(w.sum()) for w in self._weights)
        of_them = sum(float(w[at].sum()) for w, at in zip(self._weights, changed, strict=True))
        return self._slip(self._now, state), self._slip(self._now, state, changed), of_them / area

    def _pressed(self, state: LoadState) -> float:
        """Return √(Σ w Δg²) of the gaps since the start."""
        total = 0.0
        for joint, weights in zip(self._joints, self._weights, strict=True):
            moved = joint.gaps(state.coordinates) - joint.gaps(self._start.coordinates)
            total += float(weights @ moved**2)
        return float(np.sqrt(total))

    def _slip(self, first: LoadState, last: LoadState, among: list[np.ndarray] | None = None) -> float:
        """Return √(Σ w |Δs|²) between two states, over pairs that rub and are closed in one of them."""
        total = 0.0
        for i, (weights, history) in enumerate(zip(self._weights, last.histories, strict=True)):
            if not history.size:
                continue
            chosen = (first.status[i] != ContactStatus.GAPING) | (last.status[i] != ContactStatus.GAPING)
            if among is not None:
                chosen &= among[i]
            moved = last.slips[i][chosen] - first.slips[i][chosen]
            total += float(weights[chosen] @ np.einsum("ij,ij->i", moved, moved))
        return float(np.sqrt(total))
