"""State space of a system: the linear model from its external inputs to its measures, for control design."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.frequency_response import operating_shape
from faying.analyses.harmonics.about_system_state import (
    AboutSystemState,
    placed_parts,
    placed_states,
    shape_sizes,
    swings,
)
from faying.analyses.harmonics.harmonic import FrequencyRangeAnalysis
from faying.analyses.recording.measure_memory import energies_by_name
from faying.errors import ModelError
from faying.load_histories.input import InputHistory, input_histories
from faying.multibody.history import History
from faying.multibody.linearized import LinearizedSystem, linearized, moved_on
from faying.multibody.measures import Measure, Observation, dimensions, in_order, measured
from faying.multibody.redundancy import system_size
from faying.multibody.state_space import state_space
from faying.multibody.system import MultibodySystem
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.writer import ResultsWriter
from faying.solvers.integrators import State, consistent_start

MATRICES = {name: f"state space/{name}" for name in "abcd"}
"""Path in the results of each matrix."""

_STEP = 1e-5  # of the system's size: how far states are moved for the derivatives of measures


@analyses.register("state_space")
class StateSpaceAnalysis(FrequencyRangeAnalysis, AboutSystemState):
    """The linear model x' = A x + B u, y = C x + D u of a system about a state, without constraint equations.

    Inputs u are the external inputs of loads ("Input from outside", as of an FMU), outputs y the measures of the
    system. States are amplitudes of the motions that the constraints allow, and their rates. Balanced truncation keeps
    those that carry most from inputs to outputs. Curves are magnitude and phase from each input to each output.
    """

    is_linearised: ClassVar[bool] = True
    title: ClassVar[str] = "State space of a system"

    points: int = parameter(
        200,
        title="Points",
        ge=2,
        le=100000,
        meaning="Number of frequencies of the curves, evenly spread by ratio.",
    )
    states: int = parameter(
        0, title="States kept", ge=0,
        meaning="Number of states after balanced truncation; 0 keeps all, and is for systems that do not decay.",
    )  # fmt: skip

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the state, linearise, and write matrices and curves."""
        about = self.state(system, PartialProgress(progress, 0.0, 0.5))
        built, at = about.built, about.state
        for problem in self.problems(system):
            raise problem
        small = linearized(built, at.q, at.v, at.all_multipliers, at.history, at.time, at.all_accelerations)
        inputs: dict[str, list[InputHistory]] = {}
        for history in input_histories(system.spec):
            inputs.setdefault(history.input, []).append(history)
        at = replace(at, history=built.followers.frozen(at.history))
        pushes = [_force_of(built, at, name, found) for name, found in inputs.items()]
        forces, rates = (np.column_stack(each) for each in zip(*pushes, strict=True))
        measures = _lasting(system.spec.scalars, set(built.followers.memories(at.history)))
        progress.report(0.6, "measures")
        look = _Outputs(built, at, small, in_order(system.spec.scalars), [each.name for each in measures])
        names = (tuple(inputs), tuple(each.name for each in measures))
        whole = state_space(
            small, forces, rates, look.by_states(), look.by_inputs(list(inputs.values())), names
        )
        model = whole.truncated(self.states) if self.states else whole
        kept, together, size = len(small.mass), whole.b.sum(axis=1).astype(complex), np.eye(len(whole.a))
        frequencies = np.geomspace(
            self.lowest_frequency or 1e-3 * self.highest_frequency, self.highest_frequency, self.points
        )
        known = dimensions(system.spec.scalars)
        keys = [CurveKey("", known[y], "measure", y, load=u) for y in model.outputs for u in model.inputs]
        every = [*keys, *(key.phase for key in keys)]
        constants = placed_states(built, at.q) | {
            path: getattr(model, name).ravel() for name, path in MATRICES.items()
        }
        with ResultsWriter(
            target, axis="frequency", system=system.spec.name, sizes=shape_sizes(built), joints={}, curves=every,
            settings=self.model_dump(mode="json"), constants=constants,
        ) as writer:  # fmt: skip
            for k, frequency in enumerate(frequencies):
                progress.report(
                    0.7 + 0.3 * k / len(frequencies), f"{k + 1} of {len(frequencies)} frequencies"
                )
                s = 2.0j * np.pi * float(frequency)
                answer = model.transfer(s).ravel()
                shape, later = operating_shape(
                    small.shapes @ np.linalg.solve(s * size - whole.a, together)[:kept]
                )
                frame = placed_parts(built, at.q + shape) | swings(built, at.q, shape, later)
                values = [*np.abs(answer).tolist(), *np.angle(answer).tolist()]
                writer.append(float(frequency), frame, curves=dict(zip(every, values, strict=True)))
            summary = {
                "states": len(model.a), "states_of_the_system": len(whole.a),
                "inputs": list(model.inputs), "outputs": list(model.outputs),
                **({"hankel_values": whole.hankel.tolist()} if self.states else {}),
                "degrees_of_freedom": about.degrees, "time": float(at.time), **about.stability,
            }  # fmt: skip
            writer.close(summary)
        progress.report(1.0, "state space")
        return summary

    def problems(self, system: SystemModel) -> Iterator[ModelError]:
        """Yield the errors that prevent a run."""
        if not any(input_histories(system.spec)):
            yield ModelError(
                f"The system {self.system!r} has no input.",
                "Give a force the time history 'Input from outside'.",
            )
        if not _lasting(system.spec.measures):
            yield ModelError(
                f"The system {self.system!r} has no measure that follows from its state.",
                "Add a measure, such as a displacement, for each output.",
            )


def _lasting(measures: Sequence[Measure], controllers: Collection[str] = ()) -> list[Measure]:
    """Return the measures that follow from the state alone, controllers only if their states are of the model."""
    return [
        each
        for each in measures
        if not each.accumulates and (not each.has_states or each.name in controllers)
    ]


def _force_of(
    system: MultibodySystem, at: State, name: str, histories: Sequence[InputHistory]
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) the force of a unit of an input, in which loads are linear, and (s,) the rates of controllers.

    Raises:
        ModelError: when it moves a drive, whose acceleration would be the input.
    """
    found, violations, rates = [], [], []
    for value in (1.0, 0.0):
        with ExitStack() as held:
            for history in histories:
                held.enter_context(history.held_at(value))
            found.append(system.forces(at.time, at.q, at.v, at.history, jacobian=False).force)
            rates.append(system.followers.control_rates(at.time, at.q, at.v, at.history))
            violations.append(system.constraints(at.time, at.q, at.history)[0])
    if np.abs(violations[0] - violations[1]).max(initial=0.0) > 0.0:
        raise ModelError(
            f"The input {name!r} moves a drive: a state space has forces as inputs.",
            "Replace the drive by a force or an actuator with that input.",
        )
    return np.asarray(found[0] - found[1]), np.asarray(rates[0] - rates[1])


@dataclass(frozen=True, eq=False)
class _Outputs:
    """Derivatives of measures about a state, by central differences.

    Attributes:
        system, at, small: the system, the state and the linearisation there.
        members: all measures, in order.
        names: of the outputs.
    """

    system: MultibodySystem
    at: State
    small: LinearizedSystem
    members: Sequence[Measure]
    names: Sequence[str]

    def by_states(self) -> np.ndarray:
        """Return (o, 2 k + s) by amplitudes, their rates, and the states of controllers."""
        size, k = system_size(self.system), len(self.small.mass)
        columns = []
        for moves in (True, False):  # amplitudes, then their rates
            for shape, rate in zip(self.small.shapes.T, self.small.rates.T, strict=True):
                step = _STEP * size / float(np.abs(self.system.scales * shape).max())
                change, speed = (shape, rate) if moves else (np.zeros_like(shape), shape)
                up, down = (self._values(h * change, h * speed) for h in (step, -step))
                columns.append((up - down) / (2.0 * step))
        names, still = self.small.control.names if self.small.control else (), np.zeros(self.system.n)
        for j in range(len(names)):
            up, down = (
                self._values(still, still, (names, h * np.eye(len(names))[j])) for h in (_STEP, -_STEP)
            )
            columns.append((up - down) / (2.0 * _STEP))
        return np.array(columns).reshape(2 * k + len(names), len(self.names)).T

    def by_inputs(self, inputs: Sequence[Sequence[InputHistory]]) -> np.ndarray:
        """Return (o, i) by unit inputs, at constant states: of accelerations and reactions."""
        still, columns = np.zeros(self.system.n), []
        for histories in inputs:
            values = []
            for value in (1.0, 0.0):
                with ExitStack() as held:
                    for history in histories:
                        held.enter_context(history.held_at(value))
                    values.append(self._values(still, still))
            columns.append(values[0] - values[1])
        return np.column_stack(columns)

    @cached_property
    def _remembered(self) -> dict[str, np.ndarray]:
        """What measures remember of the state, such as the turn from which an angle counts."""
        still = np.zeros(self.system.n)
        at, values = self._measured(still, still, {}, self.at.history)
        found = {each.name: np.array(each.memory(at, values)) for each in _lasting(self.members)}
        return {name: own for name, own in found.items() if len(own)}

    def _values(
        self, change: np.ndarray, rate: np.ndarray, states: tuple[Sequence[str], np.ndarray] | None = None
    ) -> np.ndarray:
        """Return (o,) the measures where the system is moved, with the accelerations that it has there.

        Args:
            change, rate: (n,) of coordinates and velocities.
            states: controllers and changes (s,) of their states; None for no change.
        """
        history = self.at.history
        if states is not None:
            history = self.system.followers.frozen(history, *states)
        remembered = self._remembered | self.system.followers.memories(history)
        _, found = self._measured(change, rate, remembered, history)
        return np.array([found[name] for name in self.names])

    def _measured(
        self, change: np.ndarray, rate: np.ndarray, remembered: dict[str, np.ndarray], history: History
    ) -> tuple[Observation, dict[str, float]]:
        system, at = self.system, self.at
        q = moved_on(system, at.q, change)
        state = consistent_start(system, at.time, q, at.v + rate, history)
        state = replace(state, time=at.time)

        def energies() -> dict[str, float]:
            return energies_by_name(*system.energies(q, state.v, history), system.preload_work(q))

        touched = system.contacts.respond(q, history.contacts, 0.0)
        seen = Observation(system, state, history, touched, energies, remembered)
        return seen, measured(self.members, seen)
