"""A linear controller by its matrices, of several measures."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import model_validator

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
    a: tuple[Row, ...] = parameter((), title="A", meaning="Rows of A; none for a controller without states.")
    b: tuple[Row, ...] = parameter((), title="B", meaning="Rows of B, each with a number for every input.")
    c: Row = parameter((), title="C", meaning="The row C, with a number for every state.")
    d: Row = parameter((), title="D", meaning="The row D, with a number for every input; none for zeros.")
    start: Start = start_parameter()

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with a state."""
        return {**super().example(), "a": ((-1.0,),), "b": ((1.0,),), "c": (1.0,)}

    @model_validator(mode="after")
    def _fits(self) -> "StateSpaceController":
        states, inputs = len(self.a), 1 + len(self.more_inputs)
        wanted = {"a": [states] * states, "b": [inputs] * states}
        for name, sizes in wanted.items():
            if [len(row) for row in getattr(self, name)] != sizes:
                raise ValueError(
                    f"{name.upper()} does not have {states} rows of {sizes[0] if sizes else 0} numbers"
                )
        if len(self.c) != states:
            raise ValueError(f"C has {len(self.c)} numbers instead of {states}")
        if len(self.d) not in (0, inputs):
            raise ValueError(f"D has {len(self.d)} numbers instead of {inputs}")
        return self

    def needs(self) -> tuple[str, ...]:
        """Return the inputs."""
        return tuple(dict.fromkeys((self.input, *self.more_inputs)))

    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return (i,) the inputs."""
        return np.array([values[name] for name in (self.input, *self.more_inputs)])

    def problem(self) -> tuple[str, str]:
        """Return that its output is always zero, or that there is no steady state."""
        if not any(self.c) and not any(self.d):
            return "has no output: C and D are zero", "Give a row C, a row D, or both."
        return super().problem()

    def matrices(self) -> LinearMatrices:
        """Return the matrices that were given."""
        return _arrays(self.a, self.b, self.c, self.d or (0.0,) * (1 + len(self.more_inputs)))


@lru_cache(maxsize=256)
def _arrays(a: tuple[Row, ...], b: tuple[Row, ...], c: Row, d: Row) -> LinearMatrices:
    return LinearMatrices(
        np.array(a).reshape(len(c), len(c)), np.array(b).reshape(len(c), len(d)), np.array(c), np.array(d)
    )
