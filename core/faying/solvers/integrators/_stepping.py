"""Runs of implicit integrators: settings, and the loop over the steps, common to all schemes."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter, process_time
from typing import Any

import numpy as np

from faying.params import parameter
from faying.progress import Progress
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import (
    ConstrainedInertia,
    DynamicSystem,
    Integrator,
    Output,
    Recall,
    RunMemory,
    RunReport,
    State,
    consistent_start,
)
from faying.solvers.integrators._compiled_step import CompiledStep
from faying.solvers.integrators._events import begun_anew, take_watched_step
from faying.solvers.integrators._guided import GuidedRun
from faying.solvers.integrators._jumps import behind_jump, step_to_jump
from faying.solvers.integrators._newton import Accuracy
from faying.solvers.integrators._run_pace import RunPace
from faying.solvers.integrators._scheme import NewmarkScheme, Scheme
from faying.solvers.integrators._step import Method, begin, contact_inertia, too_small
from faying.solvers.integrators._timers import TimedSystem, Timers
from faying.solvers.run_events import RunEvents
from faying.solvers.separation import SeparatedSystem, fast_coordinates

# Of the largest step, and of the first one: where a step becomes shorter than both the run stops with a sentence.
_GIVE_UP, _GIVE_UP_FIRST = 1e-9, 1e-3
# Of the largest step: shorter steps are reported as tiny, unless the first step is set shorter still.
_TINY_STEP = 1e-7


class SteppedIntegrator(Integrator):
    """An implicit scheme with error estimate and step control."""

    tolerance: float = parameter(
        1e-4, title="Error per step", quantity="length", gt=0.0,
        meaning="Allowed local error of the displacements (root mean square over the trial vectors, each "
        "measured at its largest displacement).",
    )  # fmt: skip
    first_step: float = parameter(
        1e-6, title="First step", quantity="time", gt=0.0, meaning="Length of the first time step."
    )
    largest_step: float = parameter(
        5e-4, title="Largest step", quantity="time", gt=0.0, meaning="No time step is longer than this."
    )
    largest_rotation: float = parameter(
        0.1, title="Largest rotation per step", quantity="angle", gt=0.0, advanced=True,
        meaning="No part of a system turns further within a step, unless the step is fixed. Of a free body's energy "
        "HHT with its default damping takes 0.004 % a turn at 0.1 rad, the eightfold at twice that.",
    )  # fmt: skip
    fixed_step: bool = parameter(
        False, title="Fixed step", advanced=True,
        meaning="Always take the largest step and do not judge its error (the iterations still converge to it).",
    )  # fmt: skip
    iterations: int = parameter(
        15, title="Iterations per step", ge=2, le=100, advanced=True,
        meaning="Corrections before a step is tried again with a quarter of its length.",
    )  # fmt: skip

    separate_modes: bool = parameter(
        False, title="Separate modes",
        meaning="Whether fast joint modes and contact shapes follow their statics: their inertia is left out. The run "
        "reports how large it would have been.",
    )  # fmt: skip
    separation_frequency: float = parameter(
        0.0, title="Separation frequency", quantity="frequency", ge=0.0, advanced=True,
        meaning="Joint modes and contact shapes that vibrate above it are fast; zero for those whose period is shorter "
        "than the largest step.",
    )  # fmt: skip

    def fast_coordinates(self, system: DynamicSystem, q: np.ndarray) -> np.ndarray:
        """Return (n,) which coordinates are quasi-static in a run from q."""
        if not self.separate_modes:
            return super().fast_coordinates(system, q)
        return fast_coordinates(system, q, self.separation_frequency or 1.0 / self.largest_step)

    def least_steps(self, duration: float) -> float:
        """Return the number of steps of a run if each has the longest length allowed."""
        return duration / self.largest_step

    @property
    def suits_damped_contact(self) -> bool:
        """Whether the scheme suits it, see `Scheme.suits_damped_contact`."""
        return self.scheme().suits_damped_contact

    @abstractmethod
    def scheme(self) -> Scheme[Any]:
        """Return the formulas of a step: how the unknown acceleration leads to its end."""

    def integrate(
        self,
        system: DynamicSystem,
        start: State,
        end_time: float,
        accepted: Output,
        progress: Progress,
        *,
        memory: RunMemory | None = None,
        remember: Callable[[Recall], None] | None = None,
        events: RunEvents | None = None,
    ) -> RunReport:
        """Integrate until `end_time` is reached or passed; see `Integrator`.

        A single step is described in `faying.solvers.integrators._step`.
        """
        report, cpu = RunReport(), 0.0
        if memory is not None:
            report = RunReport(**memory.report)
            cpu = process_time() - report.processor_seconds
        timers, seen = Timers(report.seconds), start
        # Fast coordinates lose their inertia; then the start is to be consistent without it.
        fast = self.fast_coordinates(system, start.q)
        separated = SeparatedSystem(system, fast) if fast.any() else None
        if separated is not None and memory is None:
            start = consistent_start(separated, start.time, start.q, start.v, start.history)
        largest_step = events.largest_step if events is not None else None
        method = self._method(TimedSystem(separated or system, timers), largest_step)
        # Begin or resume the run.
        if memory is None:
            carried, begun = begin(method, start, self.first_step), start.time
        else:
            carried, seen, begun = memory.carried, memory.shown, memory.begun
        inertia = _inertia_at(method, carried.state)
        pace = RunPace(end_time)
        whole = True
        why: StepDiagnosis | None = None

        def recall() -> RunMemory | None:
            if not whole:  # part of the data is of the next step already
                return None
            timers.count_rest()
            so_far = replace(report, processor_seconds=process_time() - cpu if report.steps else 0.0)
            return RunMemory(begun, seen, carried, so_far.summary())

        while carried.state.time < end_time * (1 - 1e-12) and not (events is not None and events.ended):
            progress.report(
                (carried.state.time - begun) / (end_time - begun),
                f"t = {carried.state.time:.5g}",
                step=carried.length,
                steps=report.steps,
                **pace.left(report.steps, carried.state.time),
            )
            ending, carried = carried.state, behind_jump(method, carried)
            if carried.state is not ending:  # a jump was due: the step begins after it
                seen = carried.state
            begins_anew = False
            if events is None:
                outcome = step_to_jump(method, carried, inertia, carried.length)
            else:
                outcome, begins_anew = take_watched_step(method, carried, inertia, events)
            length = carried.length
            if outcome.accepted and (events is not None or method.system.next_jump(carried.state) < np.inf):
                length = outcome.carried.state.time - carried.state.time
            report.iterations += outcome.effort.iterations
            report.jacobians += outcome.effort.jacobians
            if outcome.accepted:
                whole = False
                report.count_step(length, outcome.carried.state.time)
                if length == carried.length:  # not one that an event ended
                    report.tiny_steps += length < min(_TINY_STEP * self.largest_step, self.first_step)
                if carried.failed is not None and carried.failed.left:
                    report.shortened_steps += 1
                    report.shortened_time += length
                if report.steps == 1:
                    cpu = process_time()
                after = outcome.carried.state
                since = perf_counter()
                accepted(seen, after)
                new = events.act(seen, after) if events is not None else None
                report.seconds["output"] += perf_counter() - since
                seen = after
            elif outcome.why is None:
                report.rejected_by_error += 1
            else:
                report.rejected_by_iteration += 1
            why = None if outcome.accepted else outcome.why or why
            carried, inertia = outcome.carried, outcome.inertia
            if begins_anew:
                carried = begin(method, carried.state, self.first_step)
            while outcome.accepted and new is not None and events is not None:
                method = self._method(self._of_run(new.system, new.q, timers), new.largest_step)
                before, seen = seen, begun_anew(method.system, seen, new)
                new = events.begun(before, seen)
                carried = begin(method, seen, self.first_step)
                inertia = _inertia_at(method, carried.state)
            whole = True
            if outcome.accepted and remember is not None:
                remember(recall)
            if carried.length < self._give_up:
                raise too_small(outcome, why)
        progress.report(1.0, f"t = {carried.state.time:.5g}", steps=report.steps)
        timers.count_rest()
        report.processor_seconds = process_time() - cpu if report.steps else 0.0
        return report

    def guided(self, system: DynamicSystem, start: State) -> GuidedRun:
        """Return a run that advances from one given time to the next, see `GuidedRun`."""
        fast = self.fast_coordinates(system, start.q)
        moved = SeparatedSystem(system, fast) if fast.any() else system
        start = consistent_start(moved, start.time, start.q, start.v, start.history)
        return GuidedRun(self._method(moved), start, self.first_step, self._give_up)

    @property
    def _give_up(self) -> float:
        """Shortest step; a run that is to begin with shorter ones may still refine them."""
        return min(_GIVE_UP * self.largest_step, _GIVE_UP_FIRST * self.first_step)

    def _of_run(self, system: DynamicSystem, q: np.ndarray, timers: Timers) -> TimedSystem:
        """Return a system as a run from q moves it: fast coordinates without inertia, times taken."""
        fast = self.fast_coordinates(system, q)
        return TimedSystem(SeparatedSystem(system, fast) if fast.any() else system, timers)

    def _method(self, system: DynamicSystem, largest_step: float | None = None) -> Method:
        """Return the constants of a run of a system; with another largest step than that of the settings if given."""
        accuracy, scheme = Accuracy.of(system, self.tolerance, self.iterations), self.scheme()
        tables = system.tables() if isinstance(scheme, NewmarkScheme) else None
        compiled = None
        if tables is not None and isinstance(scheme, NewmarkScheme):
            compiled = CompiledStep(system, tables, scheme, accuracy, self.fixed_step)
        longest = self.largest_step if largest_step is None else largest_step
        return Method(system, scheme, accuracy, longest, self.largest_rotation, self.fixed_step, compiled)


def _inertia_at(method: Method, state: State) -> ConstrainedInertia | None:
    """Return the factored equations for accelerations by contact at a state; None for a system without contact."""
    if state.contact_a is None:
        return None
    return contact_inertia(method.system, state.time, state.q, state.history)
