"""Load path of an analysis in steps, for reduced and unreduced bodies: loads, bolts and displaced nodes of each step,
and the memory for continuing an interrupted run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from faying.analyses.displacements import DisplacedInSteps, DisplacementSpec, displaced_in_steps
from faying.analyses.held import ContactStatics, acting_amounts
from faying.analyses.load_case import LoadCase
from faying.analyses.loads import LoadSpec, all_load_columns, applied_force
from faying.analyses.step_kinds import Step, step_kinds
from faying.analyses.step_kinds.tighten import Tighten
from faying.errors import ModelError, SolveError
from faying.joints.pointwise import ContactStatus
from faying.params import member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body import ReducedBody
from faying.reduction.load_modes import missed_share, numbers_of
from faying.solvers.driven_body import DrivenBody, Leg, MotionStates
from faying.solvers.load_steps import LoadState, LoadStepReport, LoadSteps
from faying.solvers.stuck import stuck_start

_PULLED = 0.01  # stiffness of a bolt for the first guess, relative to the largest diagonal entry


class RowOfSteps(ContactStatics):
    """Steps that follow each other, each from the state that the last one left, friction and all.

    Bolts are slack at first, and locked at their length once they are tightened.
    """

    steps: tuple[member_of(step_kinds), ...] = parameter(  # type: ignore[valid-type]
        (),
        title="Steps",
        meaning="What happens, in this order: bolts are tightened, loads come, go, or swing.",
    )

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the loads at the end of each step, and at its turning points, with the bolts that are tight then.

        And the tightening of each bolt to its force.
        """
        found, before = list[LoadCase](), tuple[tuple[str, float], ...]()
        loads, body_loads = tuple[LoadSpec, ...](), tuple[ActingLoadSpec, ...]()
        for step, forces in zip(self.steps, self.bolt_forces(), strict=True):
            case = LoadCase(self.support, friction=self.friction, bolts=before)
            before = tuple(forces.items())
            if before and before != case.bolts:
                found.append(replace(case, tightened=before))
            kept, _ = step.legs[-1]
            loads, body_loads = (loads, body_loads) if kept else ((), ())
            for factor in dict.fromkeys(own for _, own in step.legs if own):
                acting = replace(
                    case,
                    loads=loads + tuple(_scaled(each, factor) for each in step.own_loads),
                    body_loads=body_loads
                    + tuple(each.with_(factor=factor * each.factor) for each in step.own_body_loads),
                    displacements=step.own_displacements,
                )
                found += [acting] if acting.acts else []
            if step.legs[-1][1]:
                loads, body_loads = acting.loads, acting.body_loads
        return tuple(found)

    def bolt_forces(self) -> list[dict[str, float]]:
        """Return the forces of the tight bolts after each step, by name, as they were tightened.

        What a bolt gains or loses after it is locked is left out, and what an angle adds to its force.
        """
        tight, found = dict[str, float](), list[dict[str, float]]()
        names = dict[str, str]()  # by which a bolt was called first
        for step in self.steps:
            if isinstance(step, Tighten) and not step.angle:
                bolt = names.setdefault(step.bolt.upper(), step.bolt)
                tight.pop(bolt, None)
                if step.force:
                    tight[bolt] = step.force
            found.append(dict(tight))
        return found

    @property
    def body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """The loads of the body that some step brings."""
        return tuple(acting for step in self.steps for acting in step.own_body_loads)

    @property
    def displacements(self) -> tuple[DisplacementSpec, ...]:
        """The displacements that some step imposes."""
        return tuple(each for step in self.steps for each in step.own_displacements)

    def applied(self, held: ReducedBody | None = None) -> float:
        """Return the sum of the magnitudes of all external forces, in the step where it is largest.

        Args:
            held: the reduced body, for the resultants of its loads; None leaves these out.
        """
        most = 0.0
        for step in self.steps:
            size = applied_force(step.own_loads)
            if held is not None and held.loads is not None:
                numbers = numbers_of([acting.load for acting in step.own_body_loads], held.loads.names)
                sizes = np.linalg.norm(held.loads.resultants[:3, numbers], axis=0)
                size += float(sizes @ np.abs([acting.factor for acting in step.own_body_loads]))
            most = max(most, size)
        return most

    @property
    def acting_loads(self) -> tuple[str, ...]:
        """Names of the loads of the body that act, each once."""
        return tuple(self.load_amounts(np.zeros(self._n_loads)))

    @property
    def loaded(self) -> tuple[tuple[str, int], ...]:
        """Interface nodes and components where loads act in any step."""
        return tuple(self.applied_loads(np.zeros(self._n_loads)))

    @property
    def _n_loads(self) -> int:
        return sum(len(step.own_loads) + len(step.own_body_loads) for step in self.steps)

    def applied_loads(self, factors: np.ndarray) -> dict[tuple[str, int], float]:
        """Return forces and moments at interface nodes, by component, from the factors of all steps' loads."""
        values, at = dict[tuple[str, int], float](), 0
        for step in self.steps:
            for load, factor in zip(step.own_loads, factors[at:], strict=False):
                for k, value in enumerate((*load.force, *load.moment)):
                    if value:
                        place = load.interface, k
                        values[place] = values.get(place, 0.0) + float(factor) * value
            at += len(step.own_loads) + len(step.own_body_loads)
        return values

    def columns(
        self, step: Step, motions: Mapping[str, Any], of_body: Callable[[Sequence[str]], np.ndarray]
    ) -> np.ndarray:
        """Return (n, k) generalised forces of a step's loads: those at nodes, then those of the body.

        Args:
            step: one of the steps.
            motions: dense motion of each interface node by name.
            of_body: function from names of loads of the body to their forces (n, k) at full size.
        """
        return all_load_columns(step.own_loads, dict(motions), step.own_body_loads, of_body)

    def displaced(self, motions: Mapping[str, Any]) -> DisplacedInSteps:
        """Return the components of interface nodes that steps displace; raises as `imposed_displacements`."""
        return displaced_in_steps([step.own_displacements for step in self.steps], motions, self.support)

    def node_loads(self, factors: np.ndarray) -> tuple[list[LoadSpec], list[float]]:
        """Return the loads at interface nodes of all steps and their factors, from the factors of all loads."""
        loads, own, at = list[LoadSpec](), list[float](), 0
        for step in self.steps:
            loads += step.own_loads
            own += factors[at : at + len(step.own_loads)].tolist()
            at += len(step.own_loads) + len(step.own_body_loads)
        return loads, own

    def load_error(self, held: ReducedBody, factors: np.ndarray, q: np.ndarray) -> float:
        """Return the error of the responses to loads of the body in a state, see `missed_share`."""
        return missed_share(held.loads, self.load_amounts(factors), float(q @ held.stiffness @ q))

    def load_amounts(self, factors: np.ndarray) -> dict[str, float]:
        """Return {load of the body: factor}, from the factors of all steps' loads."""
        acting, own = list[ActingLoadSpec](), list[float]()
        at = 0
        for step in self.steps:
            at += len(step.own_loads)
            acting += step.own_body_loads
            own += factors[at : at + len(step.own_body_loads)].tolist()
            at += len(step.own_body_loads)
        return acting_amounts(acting, own)

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
        ModelError: when a bolt does not exist, or its length cannot be locked.
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
    """Refuse bolts whose overlaps the trial vectors cannot change, or not independently of each other.

    Args:
        overlaps: (b, r) overlap rows of the bolts that are tightened.
        names: (b,) of these bolts.

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
    """An equilibrium on the load path.

    Attributes:
        value: number of finished legs plus the share of the current one.
        step: number of the step, from 1.
        cycle: number of the repetition, from 1.
        state: the equilibrium.
        factors: (n_load_columns,) of the columns of all steps' loads.
        motions: driven motions: bolts with tensions and overlaps, then displaced components with reactions and values.
        n_bolts: how many of them are bolts.
        came_from: friction histories at the start of the last load step.
        work: of loads and reactions since the beginning.
    """

    value: float
    step: int
    cycle: int
    state: LoadState
    factors: np.ndarray
    motions: MotionStates
    n_bolts: int
    came_from: list[np.ndarray]
    work: float

    @property
    def bolts(self) -> MotionStates:
        """Tensions and overlaps of the bolts alone."""
        own, now = slice(0, self.n_bolts), self.motions
        return MotionStates(now.held[own], now.forces[own], now.values[own])

    @property
    def reactions(self) -> np.ndarray:
        """(m,) at the displaced components, in their order."""
        return self.motions.forces[self.n_bolts :]

    @property
    def numbers(self) -> dict[str, float]:
        """Work and numbers of step and repetition, as curves call them."""
        return {"external work": self.work, "step": self.step, "cycle": self.cycle}


class Walk:
    """Solves the steps one after the other, leg by leg.

    Args:
        settings: of the analysis.
        body: equations of the held body; its driven motions are the cuts of bolts, then the displaced components.
        names: of its joints.
        tightened: number of the bolt that each step tightens (`lockable`), in the order of the body's motions.
        displaced: the components that steps displace.
        columns: function from a step to the generalised forces (n, k) of its loads at full size.
        start: the state at rest, before anything acts.
        progress: reports and cancels.
        first_guess: function from the forces (n,) at the end of the first leg to approximate coordinates (n,) there, or
            None; by default the linear solution with all touching pairs stuck.

    Attributes:
        report: of the load steps of all legs.
        told: entry of each step for the run report: how far joints slid since the body was mounted; for cycles the loop
            areas and the residual slip of each.
    """

    def __init__(
        self,
        settings: RowOfSteps,
        body: DrivenBody,
        names: Sequence[str],
        tightened: Sequence[int],
        displaced: DisplacedInSteps,
        columns: Callable[[Step], np.ndarray],
        start: LoadState,
        progress: Progress,
        first_guess: Callable[[np.ndarray], np.ndarray | None] | None = None,
    ) -> None:
        self._first_guess = first_guess or self._stuck
        self._settings, self._body, self._tightened, self._progress = settings, body, tightened, progress
        self._names = names
        self._steps = settings.required_steps()
        count = body.motions.shape[0]
        self._nodes = slice(count - len(displaced.components), count)
        self._given = [{self._nodes.start + k: v for k, v in ends.items()} for ends in displaced.ends]
        parts = [columns(step) for step in self._steps]
        self._columns = np.hstack(parts)
        ends = np.cumsum([0, *(part.shape[1] for part in parts)])
        self._own = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self._begun, self._factors = start, np.zeros(self._columns.shape[1])
        self._motions = MotionStates.free(count)
        # Factors and driven motions before the step; step, repetition, leg.
        self._before, self._values_before, self._at = self._factors, self._motions.values, (0, 0, 0)
        self._done, self._work = 0, 0.0
        self._areas: list[float] = []
        self._turning: list[np.ndarray] = []
        # Slip of the mounted body, and before the current repetition; residual slip of each repetition.
        self._mounted, self._slipped_before = start.slips, start.slips
        self._left: list[dict[str, list[float]]] = []
        self._now = self._motions  # in the last state
        self._last = (self._factors, start.coordinates, self._now)
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
                self._before, self._values_before = self._factors, self._motions.values
                self._areas, self._turning, self._left = [], [], []
            for turn in range(first_turn if resumed else 0, step.repetitions):
                again = resumed and turn == first_turn
                if not (again and (first_leg or self._resumed)):
                    self._turning.append(np.zeros((0, self._columns.shape[1] + len(self._given[number]))))
                    self._areas.append(-self._work)
                    self._slipped_before = self._begun.slips
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
                self._left.append(self._slip_since(self._slipped_before))
                if step.is_steady(self._areas, self._turning):
                    break
            self._tell(step, number)
            if step.tightened:
                self._mounted = self._begun.slips

    def memory(self) -> dict[str, Any]:
        """Return what `go_on_from` needs, as values that `faying.packed` can store."""
        assert self._way is not None
        begun = self._begun
        return {
            "at": self._at, "done": self._done, "work": self._work, "areas": self._areas, "turning": self._turning,
            "mounted": self._mounted, "slipped_before": self._slipped_before, "left": self._left,
            "factors": self._factors, "before": self._before, "values_before": self._values_before,
            "last": (*self._last[:2], vars(self._last[2])), "told": self.told,
            "motions": vars(self._motions), "now": vars(self._now), "report": vars(self.report),
            "way": self._way.memory(),
            "begun": {
                "coordinates": begun.coordinates, "slips": begun.slips, "status": begun.status,
                "histories": begun.histories, "depths": begun.depths,
            },
        }  # fmt: skip

    def go_on_from(self, memory: dict[str, Any]) -> None:
        """Restore the state of the interrupted run that left this memory."""
        step, turn, leg = memory["at"]
        self._at = int(step), int(turn), int(leg)
        self._done, self._work = memory["done"], memory["work"]
        self._areas, self._turning = list(memory["areas"]), list(memory["turning"])
        self._mounted, self._slipped_before = list(memory["mounted"]), list(memory["slipped_before"])
        self._left = list(memory["left"])
        self._factors, self._before = memory["factors"], memory["before"]
        self._values_before = memory["values_before"]
        factors, coordinates, motions = memory["last"]
        self._last = factors, coordinates, MotionStates(**motions)
        self.told = list(memory["told"])
        self._motions, self._now = MotionStates(**memory["motions"]), MotionStates(**memory["now"])
        self.report = _report_of(memory["report"])
        begun = memory["begun"]
        depths = None if begun["depths"] is None else list(begun["depths"])
        self._begun = LoadState(
            0.0, begun["coordinates"], list(begun["slips"]), list(begun["status"]), list(begun["histories"]),
            depths, None,
        )  # fmt: skip
        self._resumed = memory["way"]

    def _leg(self, step: Step, number: int, turn: int, leg: int) -> Iterator[Reached]:
        """Solve one leg, on which all that acts changes linearly; yield its states."""
        settings, body = self._settings, self._body
        target = step.legs[leg][0] * self._before
        target[self._own[number]] += step.legs[leg][1]
        driven = self._driven(step, number, leg, self._columns @ target)
        loads = self._columns @ self._factors
        count = settings.load_steps or step.least_steps
        legs = sum(s.repetitions * len(s.legs) for s in self._steps)
        part = PartialProgress(
            self._progress, min(self._done / legs, 0.99), min((self._done + 1) / legs, 0.99),
            f"step {number + 1}, {step.name or step.describe()}",
        )  # fmt: skip
        solve = body.solver(driven, loads, self._motions, settings.equilibrium)
        way = self._way = LoadSteps(solve, body.joints, self._begun, part, count=count)
        if self._resumed is not None:
            way.go_on_from(self._resumed)
            self._resumed = None
        elif not self._done:
            # At rest no pair presses, so the first step needs a guess.
            way.guess = self._from_rest(driven)
        for state in way.states():
            self._now = now = body.after(driven, loads, self._motions, state)
            factors = self._factors + state.load * (target - self._factors)
            self._do_work(factors, state.coordinates)
            yield Reached(
                self._done + state.load, number + 1, turn + 1, state, factors, now, self._nodes.start, way.came_from,
                self._work,
            )  # fmt: skip
        self._add_up(way.report, bool(count))
        end = way.state
        self._begun, self._factors = replace(end, load=0.0), target
        self._motions = self._locked(self._now, step, number)
        self._done += 1
        given = self._given[number]
        reactions = [self._now.forces[at] * value for at, value in given.items()]
        moved = np.concatenate([self._columns.T @ end.coordinates, reactions])
        self._turning[-1] = np.vstack([self._turning[-1], moved])

    def _driven(self, step: Step, number: int, leg: int, loads: np.ndarray) -> Leg:
        """Return loads and driven motions at the end of a leg: bolt tensions or overlaps, and displaced nodes."""
        now, (kept, own) = self._motions, step.legs[leg]
        held, forces, values = now.held.copy(), now.forces.copy(), now.values.copy()
        if isinstance(step, Tighten):
            bolt = self._tightened[number]
            held[bolt] = bool(step.angle)
            forces[bolt], values[bolt] = step.force, now.values[bolt] + step.turned
        given = self._given[number]
        for at in range(self._nodes.start, self._nodes.stop):
            if at in given:
                held[at], values[at] = True, kept * self._values_before[at] + own * given[at]
            elif not kept:
                held[at], forces[at] = False, 0.0
        return Leg(loads, held, forces, values)

    def _locked(self, now: MotionStates, step: Step, number: int) -> MotionStates:
        """Return the motions after a leg: the bolt that it tightened is locked, or slack if it has no tension."""
        if not isinstance(step, Tighten):
            return now
        held = now.held.copy()
        held[self._tightened[number]] = bool(step.angle) or step.force > 0.0
        return replace(now, held=held)

    def _from_rest(self, leg: Leg) -> np.ndarray | None:
        """Return approximate coordinates (n,) at the end of the first leg; None if there is no guess."""
        body = self._body
        if leg.held[self._nodes].any():
            rows, values = body.constrained(leg.held), body.given(leg.held, leg.values)
            return self._stuck(leg.loads, rows, values)
        turned = np.flatnonzero(leg.held)
        if not len(turned):
            return self._first_guess(leg.loads + body.motions.T @ leg.forces)
        # A bolt turned by an angle: the response to some tension, scaled to the wanted overlap.
        row, bolt = np.zeros(len(leg.held)), int(turned[0])
        stiffest = float(np.abs(body.stiffness.diagonal()).max(initial=0.0))
        row[bolt] = _PULLED * stiffest * leg.values[bolt] / float(abs(body.motions[bolt]).max()) ** 2
        found = self._first_guess(body.motions.T @ row)
        reached = 0.0 if found is None else float((body.motions[[bolt]] @ found)[0])
        return None if found is None or not reached else found * (leg.values[bolt] / reached)

    def _stuck(
        self, force: np.ndarray, constraints: Any = None, values: np.ndarray | None = None
    ) -> np.ndarray | None:
        """Return coordinates under a force (n,) with all touching pairs stuck; None without friction."""
        if not any(history.size for history in self._begun.histories):
            return None
        body = self._body
        rows = body.constraints if constraints is None else constraints
        return stuck_start(body.stiffness, force, body.joints, self._progress, rows, values)

    def _do_work(self, factors: np.ndarray, x: np.ndarray) -> None:
        """Add the work of loads and reactions since the last state, by the trapezoidal rule."""
        before, last, motions = self._last
        self._work += float(0.5 * (factors + before) @ (self._columns.T @ (x - last)))
        pushed = (self._now.forces + motions.forces)[self._nodes]
        self._work += float(0.5 * pushed @ (self._now.values - motions.values)[self._nodes])
        self._last = factors, x, self._now

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
        if not step.tightened and (slid := self._slip_since(self._mounted)):
            words["slip"] = slid
        if step.repetitions > 1:
            words |= {
                "cycles": len(self._areas),
                "steady": step.is_steady(self._areas, self._turning),
                "loop_areas": list(self._areas),
                **({"residual_slips": list(self._left)} if self._left[0] else {}),
            }
        self.told.append(words)

    def _slip_since(self, before: list[np.ndarray]) -> dict[str, list[float]]:
        """Return {"<joint>": [mean, largest] slip} since an earlier state, over the pairs that are closed now.

        The mean is weighted by area; joints without friction or closed pairs are left out.
        """
        found: dict[str, list[float]] = {}
        state = self._begun
        for name, joint, status, now, then in zip(
            self._names, self._body.joints, state.status, state.slips, before, strict=True
        ):
            closed = (status == ContactStatus.STICKING) | (status == ContactStatus.SLIPPING)
            if joint.friction_law is None or not closed.any():
                continue
            slid, area = np.linalg.norm(now - then, axis=1)[closed], np.asarray(joint.rows.weights)[closed]
            found[name] = [float(slid @ area / area.sum()), float(slid.max())]
        return found


def _report_of(memory: dict[str, Any]) -> LoadStepReport:
    words: dict[str, Any] = {n: list(v) if isinstance(v, tuple) else v for n, v in memory.items()}
    return LoadStepReport(**words)


def _scaled(load: LoadSpec, factor: float) -> LoadSpec:
    """Return a load at a multiple of its size."""
    force, moment = (tuple(factor * each for each in vector) for vector in (load.force, load.moment))
    return load.with_(force=force, moment=moment)
