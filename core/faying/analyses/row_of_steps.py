"""The way through a row of steps, for bodies reduced or not: what acts, what the bolts do, what is remembered."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from faying.analyses.held import ContactStatics
from faying.analyses.loads import LoadSpec, applied_force
from faying.analyses.step_kinds import Step, step_kinds
from faying.analyses.step_kinds.tighten import Tighten
from faying.errors import ModelError, SolveError
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.solvers.load_steps import LoadState, LoadStepReport, LoadSteps
from faying.solvers.stuck import stuck_start
from faying.solvers.tightening import BoltedBody, BoltStates, Leg, released

_COMPONENTS = ("force x", "force y", "force z", "moment x", "moment y", "moment z")
WORK = "external work"
_PULLED = 0.01  # of the stiffest coordinate's: about what resists a bolt that is turned


class RowOfSteps(ContactStatics):
    """Steps that follow each other, each from the state that the last one left, friction and all.

    Bolts are slack at first, and locked at their length once they are tightened.
    """

    steps: tuple[member_of(step_kinds), ...] = parameter(  # type: ignore[valid-type]
        (),
        title="Steps",
        meaning="What happens, in this order: bolts are tightened, loads come, go, or swing.",
    )

    @property
    def applied(self) -> float:
        """Size of all forces that act from outside in the step where that is most."""
        return max((applied_force(step.own_loads) for step in self.steps), default=0.0)

    def load_curves(self) -> list[tuple[str, str, int]]:
        """Return name, interface node and component of each curve of what acts from outside."""
        found: dict[str, tuple[str, str, int]] = {}
        for step in self.steps:
            for load in step.own_loads:
                for k, value in enumerate((*load.force, *load.moment)):
                    if value:
                        name = f"{load.interface} {_COMPONENTS[k]}"
                        found[name] = (name, load.interface, k)
        return [found[name] for name in sorted(found)]

    def required_steps(self) -> tuple[Step, ...]:
        """Return the steps.

        Raises:
            ModelError: when there are none.
        """
        if not self.steps:
            raise ModelError(
                f"Analysis {self.name!r} has no steps.",
                "Add one: tighten a bolt, load, unload or a cyclic load.",
            )
        return self.steps


def lockable(steps: Sequence[Step], names: Sequence[str], cut: Sequence[bool]) -> list[int]:
    """Return for each step the number of the bolt that it tightens, −1 for none.

    Args:
        steps: in a row.
        names: of the bolts and bolt-like beams.
        cut: which of them are cut.

    Raises:
        ModelError: when a bolt is not there, or its length cannot be locked.
    """
    numbers = []
    known = ", ".join(name for name, is_cut in zip(names, cut, strict=True) if is_cut) or "none"
    for step in steps:
        wanted, found = step.tightened, -1
        if isinstance(step, Tighten):
            # Names of a deck match in any case, unless two of them differ in nothing else.
            alike = [i for i, name in enumerate(names) if name == wanted] or [
                i for i, name in enumerate(names) if name.upper() == wanted.strip().upper()
            ]
            if not alike:
                raise ModelError(f"There is no bolt called {wanted!r} to tighten.", f"There are: {known}.")
            found = alike[0]
            if not cut[found]:
                raise ModelError(
                    f"The length of {wanted!r} cannot be locked: it is a beam that is not cut.",
                    f"Cut it in the deck (*PRE-TENSION SECTION), or tighten one of: {known}.",
                )
        numbers.append(found)
    return numbers


def require_lockable(overlaps: np.ndarray, names: Sequence[str]) -> None:
    """Refuse bolts whose cuts the trial vectors do not move, or not each by itself.

    Args:
        overlaps: (b, r) of the bolts that are tightened.
        names: of these.

    Raises:
        ModelError: naming the bolt.
    """
    sizes = np.linalg.norm(overlaps, axis=1)
    for i, name in enumerate(names):
        if not sizes[i]:
            raise ModelError(
                f"The length of bolt {name!r} cannot be locked: no trial vector moves its cut.",
                "Reduce the body anew; its component modes then hold the response to the bolt's tension.",
            )
        others = overlaps[:i] / sizes[:i, None]
        left = overlaps[i] / sizes[i]
        if i:
            left = left - others.T @ np.linalg.lstsq(others.T, left, rcond=None)[0]
        if np.linalg.norm(left) < 1e-8:
            raise ModelError(
                f"The length of bolt {name!r} cannot be locked: its cut moves only together with those of "
                f"{' and '.join(names[:i])}.",
                "Take more component modes, or look whether two bolts are one and the same.",
            )


@dataclass(frozen=True, eq=False)
class Reached:
    """A state on the way.

    Attributes:
        value: how many legs are done, and the share of the one at hand.
        step: number of the step, from 1.
        cycle: number of the repetition, from 1.
        state: the equilibrium.
        factors: (n_load_columns,) of the columns of all steps' loads.
        bolts: tensions and overlaps.
        work: of the loads since the beginning.
    """

    value: float
    step: int
    cycle: int
    state: LoadState
    factors: np.ndarray
    bolts: BoltStates
    work: float


class Walk:
    """Goes through the steps.

    Args:
        settings: of the analysis.
        body: equations of the held body.
        tightened: number of the bolt that each step tightens (`lockable`), in the order of the body's overlaps.
        columns: generalised forces (n, k) of loads at full size.
        start: the state at rest, before anything acts.
        progress: reports and cancels.
        first_guess: from forces (n,) at the end of the first leg the coordinates there, about, or None; by default as
            if all pairs stuck that touch.

    Attributes:
        report: of the load steps of all legs.
        told: what came of each step, for the run report.
    """

    def __init__(
        self,
        settings: RowOfSteps,
        body: BoltedBody,
        tightened: Sequence[int],
        columns: Callable[[tuple[LoadSpec, ...]], np.ndarray],
        start: LoadState,
        progress: Progress,
        first_guess: Callable[[np.ndarray], np.ndarray | None] | None = None,
    ) -> None:
        self._first_guess = first_guess or self._stuck
        self._settings, self._body, self._tightened, self._progress = settings, body, tightened, progress
        self._steps = settings.required_steps()
        parts = [columns(step.own_loads) for step in self._steps]
        self._columns = np.hstack(parts)
        ends = np.cumsum([0, *(part.shape[1] for part in parts)])
        self._own = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self._begun, self._factors = start, np.zeros(self._columns.shape[1])
        self._bolts = BoltStates.slack(body.overlaps.shape[0])
        self._before, self._at = self._factors, (0, 0, 0)  # factors before the step; step, repetition, leg
        self._done, self._work = 0, 0.0
        self._areas: list[float] = []
        self._turning: list[np.ndarray] = []
        self._last = (self._factors, start.coordinates)
        self._now = self._bolts  # in the last state
        self._way: LoadSteps | None = None
        self._resumed: dict[str, Any] | None = None
        self.report, self.told = LoadStepReport(), list[dict[str, Any]]()

    def states(self) -> Iterator[Reached]:
        """Yield the states to be shown.

        Raises:
            SolveError: naming the step, when no equilibrium is found.
        """
        first_step, first_turn, first_leg = self._at
        for number in range(first_step, len(self._steps)):
            step, resumed = self._steps[number], number == first_step
            if not (resumed and (first_turn or first_leg or self._resumed)):
                self._before, self._areas, self._turning = self._factors, [], []
            for turn in range(first_turn if resumed else 0, step.repetitions):
                again = resumed and turn == first_turn
                if not (again and (first_leg or self._resumed)):
                    self._turning.append(np.zeros((0, self._columns.shape[1])))
                    self._areas.append(-self._work)
                for leg in range(first_leg if again else 0, len(step.legs)):
                    self._at = number, turn, leg
                    try:
                        yield from self._leg(step, number, turn, leg)
                    except SolveError as error:
                        what = (
                            f"Step {number + 1} of {self._settings.name!r} ({step.name or step.describe()})"
                        )
                        raise SolveError(f"{what}: {error.message}", error.hint) from error
                self._areas[-1] += self._work
                if step.is_steady(self._areas, self._turning):
                    break
            self._tell(step, number)

    def memory(self) -> dict[str, Any]:
        """Return in plain words what `go_on_from` needs."""
        assert self._way is not None
        begun = self._begun
        return {
            "at": self._at, "done": self._done, "work": self._work, "areas": self._areas, "turning": self._turning,
            "factors": self._factors, "before": self._before, "last": self._last, "told": self.told,
            "bolts": vars(self._bolts), "now": vars(self._now), "report": vars(self.report), "way": self._way.memory(),
            "begun": {
                "coordinates": begun.coordinates, "slips": begun.slips, "status": begun.status,
                "histories": begun.histories, "depths": begun.depths,
            },
        }  # fmt: skip

    def go_on_from(self, memory: dict[str, Any]) -> None:
        """Take the place of the walk that left this memory."""
        step, turn, leg = memory["at"]
        self._at = int(step), int(turn), int(leg)
        self._done, self._work = memory["done"], memory["work"]
        self._areas, self._turning = list(memory["areas"]), list(memory["turning"])
        self._factors, self._before = memory["factors"], memory["before"]
        self._last = memory["last"][0], memory["last"][1]
        self.told = list(memory["told"])
        self._bolts, self._now = BoltStates(**memory["bolts"]), BoltStates(**memory["now"])
        self.report = _report_of(memory["report"])
        begun = memory["begun"]
        depths = None if begun["depths"] is None else list(begun["depths"])
        self._begun = LoadState(
            0.0, begun["coordinates"], list(begun["slips"]), list(begun["status"]), list(begun["histories"]),
            depths, None,
        )  # fmt: skip
        self._resumed = memory["way"]

    def _leg(self, step: Step, number: int, turn: int, leg: int) -> Iterator[Reached]:
        """Walk one leg."""
        settings, body = self._settings, self._body
        target = step.legs[leg][0] * self._before
        target[self._own[number]] += step.legs[leg][1]
        driven = self._driven(step, number, self._columns @ target)
        loads = self._columns @ self._factors
        count = settings.load_steps or step.least_steps
        legs = sum(s.repetitions * len(s.legs) for s in self._steps)
        part = PartialProgress(
            self._progress, min(self._done / legs, 0.99), min((self._done + 1) / legs, 0.99),
            f"step {number + 1}, {step.name or step.describe()}",
        )  # fmt: skip
        solve = body.solver(driven, loads, self._bolts, settings.equilibrium)
        way = self._way = LoadSteps(solve, body.joints, self._begun, part, count=count)
        if self._resumed is not None:
            way.go_on_from(self._resumed)
            self._resumed = None
        elif not self._done:
            # From rest nothing presses yet.
            way.guess = self._from_rest(driven)
        for state in way.states():
            self._now = body.after(driven, loads, self._bolts, state)
            factors = self._factors + state.load * (target - self._factors)
            self._do_work(factors, state.coordinates)
            yield Reached(
                self._done + state.load, number + 1, turn + 1, state, factors, self._now, self._work
            )
        self._add_up(way.report, bool(count))
        end = way.state
        self._begun, self._factors = replace(end, load=0.0), target
        self._bolts = released(self._now, driven)
        self._done += 1
        moved = self._columns.T @ end.coordinates
        self._turning[-1] = np.vstack([self._turning[-1], moved])

    def _driven(self, step: Step, number: int, loads: np.ndarray) -> Leg:
        if not isinstance(step, Tighten):
            return Leg(loads)
        bolt = self._tightened[number]
        return Leg(loads, bolt, None, step.turned) if step.angle else Leg(loads, bolt, step.force)

    def _from_rest(self, leg: Leg) -> np.ndarray | None:
        """Return coordinates at the end of the first leg, about; None where that cannot be told."""
        body = self._body
        if leg.bolt < 0 or leg.tension is not None:
            tensions = body.at(leg, self._bolts, 1.0).tensions
            return self._first_guess(leg.loads + body.overlaps.T @ tensions)
        # A bolt that is turned: as under some tension, grown to the overlap that the angle makes.
        row = np.zeros(len(self._bolts.tensions))
        stiffest = float(np.abs(body.stiffness.diagonal()).max(initial=0.0))
        row[leg.bolt] = _PULLED * stiffest * leg.turned / float(abs(body.overlaps[leg.bolt]).max()) ** 2
        found = self._first_guess(body.overlaps.T @ row)
        reached = 0.0 if found is None else float((body.overlaps[[leg.bolt]] @ found)[0])
        return None if found is None or not reached else found * (leg.turned / reached)

    def _stuck(self, force: np.ndarray) -> np.ndarray | None:
        """Return coordinates under a force with all pairs stuck that touch; None without friction."""
        if not any(history.size for history in self._begun.histories):
            return None
        body = self._body
        return stuck_start(body.stiffness, force, body.joints, self._progress, body.constraints)

    def _do_work(self, factors: np.ndarray, x: np.ndarray) -> None:
        """Add what the loads do on the way from the last state, along which they and the motion go linearly."""
        before, last = self._last
        self._work += float(0.5 * (factors + before) @ (self._columns.T @ (x - last)))
        self._last = factors, x

    def _add_up(self, report: LoadStepReport, counted: bool) -> None:
        total = self.report
        total.sizes += report.sizes
        total.iterations += report.iterations
        total.divided += report.divided
        if not counted:
            total.slip += [size / (report.reached or 1.0) for size in report.slip]
            total.turned += [size / (report.reached or 1.0) for size in report.turned]
            total.status += report.status
            total.reached = 1.0 if total.slip else 0.0

    def _tell(self, step: Step, number: int) -> None:
        words: dict[str, Any] = {"step": number + 1, "what": step.name or step.describe()}
        if step.repetitions > 1:
            words |= {
                "cycles": len(self._areas),
                "steady": step.is_steady(self._areas, self._turning),
                "loop_areas": list(self._areas),
            }
        self.told.append(words)


def _report_of(memory: dict[str, Any]) -> LoadStepReport:
    words: dict[str, Any] = {n: list(v) if isinstance(v, tuple) else v for n, v in memory.items()}
    return LoadStepReport(**words)


def load_values(settings: RowOfSteps, factors: np.ndarray) -> dict[str, float]:
    """Return the value of each curve of what acts from outside, with the factors of all steps' loads."""
    values = {name: 0.0 for name, _, _ in settings.load_curves()}
    every = [load for step in settings.steps for load in step.own_loads]
    for factor, load in zip(factors, every, strict=True):
        for k, value in enumerate((*load.force, *load.moment)):
            if value:
                values[f"{load.interface} {_COMPONENTS[k]}"] += float(factor) * value
    return values
