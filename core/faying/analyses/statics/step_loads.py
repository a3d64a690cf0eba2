"""Loads of steps that follow each other, and how much of each acts."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.analyses.statics.loads import LoadSpec, all_load_columns
from faying.analyses.step_kinds import Step
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.load_modes import LoadModes, ReducedLoads, numbers_of
from faying.results.names import path_of


def acting_amounts(acting: Sequence[ActingLoadSpec], factors: Iterable[float]) -> dict[str, float]:
    """Return {load of a body: how much of it acts}, the sum of its factors times those of its load histories."""
    amounts: dict[str, float] = {}
    for each, factor in zip(acting, factors, strict=True):
        amounts[each.load] = amounts.get(each.load, 0.0) + each.factor * float(factor)
    return amounts


def acting_temperatures(
    acting: Collection[str], loads: LoadModes | ReducedLoads | None
) -> dict[str, np.ndarray]:
    """Return the temperature changes (n,) of loads that act, by their path in the results; their factors are curves."""
    names, temperatures = ((), ()) if loads is None else (loads.names, loads.temperatures)
    return {
        path_of("temperatures", name): values
        for name, values in zip(names, temperatures, strict=True)
        if values is not None and name in acting
    }


@dataclass(frozen=True)
class StepLoads:
    """The loads of all steps, one after the other: of each step those at interface nodes, then those of the body.

    `factors` (k,) of the methods are of all of them in this order.
    """

    steps: tuple[Step, ...]

    @property
    def ranges(self) -> tuple[slice, ...]:
        """Where the loads of each step are among the factors."""
        ends = [0]
        for step in self.steps:
            ends.append(ends[-1] + len(step.own_loads) + len(step.own_body_loads))
        return tuple(map(slice, ends, ends[1:]))

    @property
    def count(self) -> int:
        """Number k of all loads."""
        return sum(len(step.own_loads) + len(step.own_body_loads) for step in self.steps)

    def columns(
        self, motions: Mapping[str, Any], of_body: Callable[[Sequence[str]], np.ndarray], size: int
    ) -> np.ndarray:
        """Return (n, k) generalised forces of the loads at full size.

        Args:
            motions: dense motion (6, n) or (3, n) of each interface node by name.
            of_body: function from names of loads of the body to their forces (n, k) at full size.
            size: n.

        Raises:
            ModelError: when a node or load does not exist, or a moment acts where nothing turns.
        """
        rows = dict(motions)
        each = [all_load_columns(s.own_loads, rows, s.own_body_loads, of_body) for s in self.steps]
        return np.hstack([np.zeros((size, 0)), *each])

    def at_nodes(self, factors: np.ndarray) -> tuple[list[LoadSpec], list[float]]:
        """Return the loads at interface nodes of all steps and their factors."""
        loads, own = list[LoadSpec](), list[float]()
        for step, at in zip(self.steps, self.ranges, strict=True):
            loads += step.own_loads
            own += factors[at][: len(step.own_loads)].tolist()
        return loads, own

    def amounts(self, factors: np.ndarray) -> dict[str, float]:
        """Return {load of the body: factor}."""
        acting, own = list[ActingLoadSpec](), list[float]()
        for step, at in zip(self.steps, self.ranges, strict=True):
            acting += step.own_body_loads
            own += factors[at][len(step.own_loads) :].tolist()
        return acting_amounts(acting, own)

    def components(self, factors: np.ndarray) -> dict[tuple[str, int], float]:
        """Return forces and moments at interface nodes, by node and number of the component."""
        values = dict[tuple[str, int], float]()
        for load, factor in zip(*self.at_nodes(factors), strict=True):
            for k, value in enumerate((*load.force, *load.moment)):
                if value:
                    place = load.interface, k
                    values[place] = values.get(place, 0.0) + factor * value
        return values

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the loads of the body that act, each once."""
        return tuple(self.amounts(np.zeros(self.count)))

    @property
    def loaded(self) -> tuple[tuple[str, int], ...]:
        """Interface nodes and components where loads act in any step."""
        return tuple(self.components(np.zeros(self.count)))

    def applied(self, loads: ReducedLoads | None, factors: np.ndarray | None = None) -> float:
        """Return the sum of the magnitudes of all external forces, in the step where it is largest.

        Args:
            loads: of the reduced body, for their resultants; None leaves these out.
            factors: (k,) largest size of each factor; one without them.
        """
        most, sizes = 0.0, np.ones(self.count) if factors is None else factors
        for step, at in zip(self.steps, self.ranges, strict=True):
            forces = [np.linalg.norm(load.force) for load in step.own_loads]
            if loads is not None:
                numbers = numbers_of([acting.load for acting in step.own_body_loads], loads.names)
                own = np.abs([acting.factor for acting in step.own_body_loads])
                forces += (np.linalg.norm(loads.resultants[:3, numbers], axis=0) * own).tolist()
            most = max(most, float(np.array(forces) @ sizes[at][: len(forces)]))
        return most
