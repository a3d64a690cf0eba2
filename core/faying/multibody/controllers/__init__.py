"""Controllers: scalars of a system with states of their own, wherever a measure can be. A member is one file.

A controller is a measure of motion that remembers: forces, drives and other measures take its output by its name. Its
states are no unknowns of a step. They follow, within each correction, from those at the start of the step, from its
inputs there and from its inputs at the trial state; so its output is a function of the trial state alone, whose
derivative is part of Newton's matrix. Linear controllers are exact for inputs that change linearly within a step.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from faying.multibody.markers import MarkersAt
from faying.multibody.measures import Dimension, Measure
from faying.params import parameter
from faying.registry import Registry

controllers: Registry[type["Controller"]] = Registry("controller", __name__)

_BEGUN, _START, _TIME, _OUTPUT, _INPUTS = range(5)  # of what it remembers; states follow the inputs
_DUE = 1e-9  # of the sample time, as rounding of times


class Controller(Measure):
    """A scalar y = g(x, u) of inputs u (i,) and states x (s,) with x' = f(x, u), or sampled and held.

    It begins at the first state of a run, and remembers of an accepted one: whether it has begun, when, the time of the
    state or of the last sample, the output there, inputs and states.
    """

    of_motion_alone: ClassVar[bool] = True
    has_states: ClassVar[bool] = True

    quantity: Dimension = parameter("number", title="Quantity", meaning="What its output is, for the unit.")
    sample_time: float = parameter(
        0.0, title="Sample time", quantity="time", ge=0.0,
        meaning="Time from sample to sample, between which the output is held; zero for a continuous controller. A "
        "time step ends at each sample.",
    )  # fmt: skip

    @property
    @abstractmethod
    def order(self) -> int:
        """Number of states s."""

    @abstractmethod
    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return the inputs u (i,) for the values of the measures that it needs."""

    @abstractmethod
    def first_states(self, inputs: np.ndarray) -> np.ndarray:
        """Return the states (s,) at the start of a run for its inputs (i,)."""

    @abstractmethod
    def output(self, states: np.ndarray, inputs: np.ndarray) -> float:
        """Return y for states (s,) and inputs (i,)."""

    @abstractmethod
    def rates(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Return x' (s,) for states (s,) and inputs (i,)."""

    @abstractmethod
    def advanced(self, states: np.ndarray, before: np.ndarray, inputs: np.ndarray, step: float) -> np.ndarray:
        """Return the states (s,) after a step in which the inputs (i,) go from `before` to `inputs`."""

    @abstractmethod
    def poles(self) -> np.ndarray:
        """Return its complex poles (s,), without limits."""

    @property
    def feeds_through(self) -> bool:
        """Whether its output, or its states at the start, depend on the inputs at the same time."""
        return True

    @property
    def breaks_loops(self) -> bool:
        """Whether its output is known before its inputs: it has been held since the last sample."""
        return self.sample_time > 0.0 and not self.feeds_through

    def problem(self) -> tuple[str, str]:
        """Return what keeps it from working, as a clause, and a hint; twice "" where nothing does."""
        return "", ""

    # --- as a measure

    @property
    def memory_size(self) -> int:
        """Return how many numbers it remembers."""
        return _INPUTS + self.input_count + self.order

    @property
    @abstractmethod
    def input_count(self) -> int:
        """Number of inputs i."""

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the quantity that was given."""
        return "" if self.quantity == "number" else self.quantity

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return the output at a trial state: the one that is held, or that of the states there."""
        return float(self._followed(at, values)[_OUTPUT])

    def memory(self, at: MarkersAt, values: Mapping[str, float]) -> tuple[float, ...]:
        """Return what it remembers of an accepted state.

        A sample whose time has passed is taken now: late, where no step has ended at its time.
        """
        found = self._followed(at, values)
        passed = self.sample_time > 0.0 and at.time > self.next_sample(found) + _DUE * self.sample_time
        return tuple(self._sampled(found, at, values) if passed else found)

    def next_sample(self, memory: np.ndarray) -> float:
        """Return the time of the next sample; infinity for a continuous controller."""
        if self.sample_time == 0.0 or not memory[_BEGUN]:
            return math.inf
        done = round((memory[_TIME] - memory[_START]) / self.sample_time)
        return float(memory[_START] + (done + 1) * self.sample_time)

    def after_sample(self, at: MarkersAt, values: Mapping[str, float]) -> np.ndarray:
        """Return (k,) what it remembers once a sample that is due is taken; as it was where none is due."""
        last = np.asarray(at.remembered[self.name])
        if at.time < self.next_sample(last) - _DUE * self.sample_time:
            return last
        return self._sampled(last, at, values)

    def frozen(self, memory: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers, so that its states stay at that time for whatever inputs."""
        found = np.array(memory)
        found[_START] = -math.inf if self.sample_time == 0.0 else found[_START]
        return found

    def states_of(self, memory: np.ndarray) -> np.ndarray:
        """Return the states (s,) in what it remembers."""
        return np.asarray(memory[_INPUTS + self.input_count :])

    def with_states(self, memory: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers with other states (s,)."""
        return np.concatenate([memory[: _INPUTS + self.input_count], states])

    def _followed(self, at: MarkersAt, values: Mapping[str, float]) -> np.ndarray:
        """Return what it would remember of a trial state, without new samples."""
        last = at.remembered.get(self.name)
        # Speeds may not have been known when it first looked.
        begins = last is None or not last[_BEGUN] or at.time <= last[_START]
        if last is not None and not begins and self.sample_time > 0.0:
            return np.array(last)
        now = self._inputs(at, values)
        if last is None or begins:
            states = self.first_states(now)
            return np.concatenate([[1.0, at.time, at.time, self.output(states, now)], now, states])
        count = self.input_count
        before, states = last[_INPUTS : _INPUTS + count], last[_INPUTS + count :]
        states = self.advanced(states, before, now, max(at.time - last[_TIME], 0.0))
        return np.concatenate([[1.0, last[_START], at.time, self.output(states, now)], now, states])

    def _sampled(self, last: np.ndarray, at: MarkersAt, values: Mapping[str, float]) -> np.ndarray:
        """Return what it remembers after the latest sample up to a time; the one before was held until then."""
        now, count = self._inputs(at, values), self.input_count
        steps = math.floor((at.time - last[_TIME]) / self.sample_time + _DUE)
        held, states = last[_INPUTS : _INPUTS + count], last[_INPUTS + count :]
        states = self.advanced(states, held, held, steps * self.sample_time)
        time = last[_TIME] + steps * self.sample_time
        return np.concatenate([[1.0, last[_START], time, self.output(states, now)], now, states])

    def _inputs(self, at: MarkersAt, values: Mapping[str, float]) -> np.ndarray:
        """Return the inputs (i,); what is not known yet counts as zero where the output does not need it."""
        if self.breaks_loops:
            values = dict.fromkeys(self.needs(), 0.0) | dict(values)
        return self.inputs(at.time, values)

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a measure."""
        words = super().example()
        return {**words, "input": "stretch"} if "input" in cls.model_fields else words
