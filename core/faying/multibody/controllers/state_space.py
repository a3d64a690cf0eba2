"""A linear controller by its matrices, of several measures."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.multibody.controllers import controllers
from faying.multibody.controllers._linear import LinearController, LinearMatrices, Start, start_parameter
from faying.params import parameter

Row = tuple[float, ...]


@controllers.register("state_space")
class StateSpaceController(LinearController):
    """x' = A x + B u, y = C x + D u of the measures u, such as state feedback with an observer."""

    input: str = parameter(title="Input", choices="measure", meaning="The first of the measures u.")
    more_inputs: tuple[str, ...] = parameter(
        (), title="More inputs", choices="measure", meaning="The other measures u, in order."
    )
    c: Row = parameter((), title="C", meaning="The row C, with a number for each of s states.")
    a: Row = parameter((), title="A", meaning="The s·s numbers of A, row by row.")
    b: Row = parameter(
        (), title="B", meaning="The s·i numbers of B, row by row, with a column for each of i inputs."
    )
    d: Row = parameter((), title="D", meaning="The row D, with a number for each input; none for zeros.")
    start: Start = start_parameter()

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with a state."""
        return {**super().example(), "a": (-1.0,), "b": (1.0,), "c": (1.0,)}

    def needs(self) -> tuple[str, ...]:
        """Return the inputs."""
        return tuple(dict.fromkeys((self.input, *self.more_inputs)))

    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return (i,) the inputs."""
        return np.array([values[name] for name in (self.input, *self.more_inputs)])

    def problem(self) -> tuple[str, str]:
        """Return that a matrix has another size, that its output is always zero, or that there is no steady state."""
        states, inputs = len(self.c), 1 + len(self.more_inputs)
        for name, rows, columns in (("a", states, states), ("b", states, inputs), ("d", 1, inputs)):
            found = len(getattr(self, name))
            if found != rows * columns and not (name == "d" and not found):
                return (
                    f"has {found} numbers in {name.upper()} instead of {rows} × {columns}, for {states} states and "
                    f"{inputs} inputs", "Give matrices that fit, row by row.",
                )  # fmt: skip
        if not any(self.c) and not any(self.d):
            return "has no output: C and D are zero", "Give a row C, a row D, or both."
        return super().problem()

    def matrices(self) -> LinearMatrices:
        """Return the matrices that were given.

        Raises:
            ModelError: when they do not fit each other.
        """
        inputs = 1 + len(self.more_inputs)
        try:
            return _arrays(self.a, self.b, self.c, self.d or (0.0,) * inputs, inputs)
        except ValueError:  # a size
            clause, hint = StateSpaceController.problem(self)
            raise ModelError(f"The controller {self.name!r} {clause}.", hint) from None


@lru_cache(maxsize=256)
def _arrays(a: Row, b: Row, c: Row, d: Row, inputs: int) -> LinearMatrices:
    states = len(c)
    square, entering = np.array(a, float).reshape(states, states), np.array(b, float).reshape(states, inputs)
    return LinearMatrices(square, entering, np.array(c, float), np.array(d, float).reshape(inputs))
