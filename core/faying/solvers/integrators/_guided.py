"""A run from one given time to the next: for programs that change loads and read results in between."""

from dataclasses import replace
from typing import Any

from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import ConstrainedInertia, Output, State
from faying.solvers.integrators._cut_step import length_to
from faying.solvers.integrators._jumps import behind_jump, step_to_jump
from faying.solvers.integrators._step import Method, begin, contact_inertia, too_small


class GuidedRun:
    """Time steps that also end at given times; apart from that they are as long as in any run.

    Args:
        method: of the run.
        start: where it begins.
        first_step: length of the first step.
        give_up: shortest step.

    Attributes:
        state: accepted last.
    """

    def __init__(self, method: Method, start: State, first_step: float, give_up: float) -> None:
        self._method, self._give_up = method, give_up
        self._carried: Any = begin(method, start, first_step)
        self._inertia: ConstrainedInertia | None = None
        if start.contact_a is not None:
            self._inertia = contact_inertia(method.system, start.time, start.q, start.history)
        self._wanted = self._carried.length
        self.state = start
        self._earlier = (start, self._carried, self._inertia)
        self._why: StepDiagnosis | None = None

    def to(self, time: float, accepted: Output) -> None:
        """Continue until exactly a given time.

        Raises:
            SolveError: when the step becomes too small.
        """
        while (left := time - self.state.time) > 1e-9 * self._method.largest_step:
            self._step(length_to(left, self._wanted), accepted)

    def past(self, time: float, accepted: Output) -> None:
        """Continue until a time is reached or passed, by the steps of a run that nobody guides.

        Raises:
            SolveError: when the step becomes too small.
        """
        while time > self.state.time * (1 + 1e-12):
            self._step(self._wanted, accepted)

    def take_back(self) -> None:
        """Return to the state before the last accepted step, whose length is kept for the next one."""
        self.state, self._carried, self._inertia = self._earlier

    def _step(self, length: float, accepted: Output) -> None:
        """Try one step, and choose the length of the next."""
        begun = behind_jump(self._method, replace(self._carried, length=self._wanted))
        outcome = step_to_jump(self._method, begun, self._inertia, length)
        self._wanted = outcome.carried.length
        if outcome.accepted:
            before = self.state if begun.state is self._carried.state else begun.state
            self._earlier, self.state = (before, begun, self._inertia), outcome.carried.state
            accepted(before, self.state)
        self._why = None if outcome.accepted else outcome.why or self._why
        self._carried, self._inertia = outcome.carried, outcome.inertia
        if self._wanted < self._give_up:
            raise too_small(outcome, self._why)
