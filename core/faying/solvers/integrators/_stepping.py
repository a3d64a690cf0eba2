"""Step control, the same for every scheme."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from time import process_time

import numpy as np

from faying.errors import SolveError
from faying.params import parameter
from faying.progress import Progress
from faying.solvers.integrators import (
    DynamicSystem,
    Integrator,
    Laps,
    Output,
    Recall,
    RunMemory,
    RunReport,
    State,
    consistent_start,
)
from faying.solvers.integrators._contact_inertia import ContactInertia
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._followed import followed_velocity
from faying.solvers.integrators._newton import StepNewton
from faying.solvers.integrators._scheme import Scheme
from faying.solvers.integrators._step import Step
from faying.solvers.separation import SeparatedSystem, fast_coordinates

_GIVE_UP = 1e-9  # of the largest step: below it the run stops with a sentence
_TINY = (
    1e-7  # of the largest step, as what is hardly longer; where the first step was not meant to be so short
)


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
        meaning="Whether fast joint modes follow their statics: their inertia is left out. The run reports how large "
        "it would have been.",
    )  # fmt: skip
    separation_frequency: float = parameter(
        0.0, title="Separation frequency", quantity="frequency", ge=0.0, advanced=True,
        meaning="Joint modes that vibrate above it are fast; zero for those whose period is shorter than the largest "
        "step.",
    )  # fmt: skip

    def fast_coordinates(self, system: DynamicSystem, q: np.ndarray) -> np.ndarray:
        """Return (n,) which coordinates follow their statics in a run from q."""
        if not self.separate_modes:
            return super().fast_coordinates(system, q)
        return fast_coordinates(system, q, self.separation_frequency or 1.0 / self.largest_step)

    @abstractmethod
    def scheme(self, start: State) -> Scheme:
        """Return the scheme for a run."""

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
    ) -> RunReport:
        """Integrate until `end_time` is reached or passed; see `Integrator`."""
        report, cpu = RunReport(), 0.0
        if memory is not None:
            report = RunReport(**memory.report)
            cpu = process_time() - report.processor_seconds
        fast, seen = self.fast_coordinates(system, start.q), start
        separated = SeparatedSystem(system, fast, self.largest_step) if fast.any() else None
        if separated is not None:
            system = separated
        if separated is not None and memory is None:
            start = consistent_start(system, start.time, start.q, start.v, start.history)
        laps = Laps(report.seconds)
        scheme, newton = self.scheme(start), StepNewton(system, self.tolerance, self.iterations, report)
        state, begun = start, start.time
        ahead = Extrapolation(system.scales, start.time, np.concatenate([start.a, start.multipliers]))
        length = self.largest_step if self.fixed_step else min(self.first_step, self.largest_step)
        inertia = ContactInertia(system)
        if memory is not None:
            state, seen, length, begun = memory.state, memory.shown, memory.length, memory.begun
            scheme.recall(memory.scheme)
            newton.recall(memory.newton)
            ahead.recall(memory.ahead)

        settled = True  # what is remembered is of one and the same step

        def recall() -> RunMemory | None:
            if not settled:
                return None
            so_far = replace(report, processor_seconds=process_time() - cpu if report.steps else 0.0)
            return RunMemory(
                begun, state, seen, length, scheme.memory(), newton.memory(), ahead.memory(), so_far.summary()
            )

        longest = self._longest(system, state)
        while state.time < end_time * (1 - 1e-12):
            progress.report(
                (state.time - begun) / (end_time - begun),
                f"t = {state.time:.5g}",
                step=length,
                steps=report.steps,
            )
            if length > longest:  # a little below it, so that it need not follow each change of the spin
                length = 0.9 * longest
            rule, taken = scheme.rule(state, length), False
            laps.end("iteration")
            step = Step(system, state, ahead, rule, inertia, laps)
            after = newton.solve(step)
            if after is None:
                report.rejected_by_iteration += 1
                length /= 4
            else:
                error = (
                    0.0
                    if self.fixed_step
                    else newton.filtered(step, scheme.error(state, after) + step.contact_error(after))
                )
                order = scheme.error_order
                if error <= 1.0:
                    settled = False
                    after = _drawn(step, after, newton)
                    report.steps += 1
                    if report.steps == 1:
                        cpu = process_time()
                    report.smallest_step = min(report.smallest_step, length)
                    report.largest_step = max(report.largest_step, length)
                    report.tiny_steps += length < min(_TINY * self.largest_step, self.first_step)
                    scheme.accept(rule, state, after)
                    laps.end("iteration")
                    shown = after if separated is None else separated.shown(seen, after)
                    accepted(seen, shown)
                    laps.end("output")
                    state, seen = after, shown
                    longest = self._longest(system, state)
                    if not step.touches:
                        ahead.remember(after.time, np.concatenate([after.a, after.multipliers]))
                    report.last_time = state.time
                    taken = True
                else:
                    report.rejected_by_error += 1
                    order -= 1  # a step that fails met contact: its error is of lower order
                factor = min(max(0.9 * max(error, 1e-12) ** (-1 / max(order, 1)), 0.1), 2.0)
                changed = min(length * factor, longest)
                # Dead band: few changes, few Jacobians.
                grows = factor > 1.25 and (changed == self.largest_step or changed > 1.25 * length)
                if error > 1.0 or factor < 0.9 or grows:
                    length = changed
            settled = True
            if taken and remember is not None:
                remember(recall)
                laps.end("output")
            if length < _GIVE_UP * self.largest_step:
                raise SolveError(
                    f"The time step became too small at t = {state.time:.6g}{newton.trouble}.", newton.hint
                )
        progress.report(1.0, f"t = {state.time:.5g}", steps=report.steps)
        laps.end("iteration")
        report.processor_seconds = process_time() - cpu if report.steps else 0.0
        return report

    def _longest(self, system: DynamicSystem, state: State) -> float:
        """Return how long a step from a state may be."""
        spin = 0.0 if self.fixed_step else system.fastest_spin(state.v)
        return min(self.largest_step, self.largest_rotation / spin) if spin > 0.0 else self.largest_step


def _drawn(step: Step, after: State, newton: StepNewton) -> State:
    """Return an accepted state with the velocity that curves through the steps have there."""
    if not step.touches or newton.jacobian is None:
        return after
    return replace(after, followed_v=followed_velocity(step, after, newton.jacobian))
