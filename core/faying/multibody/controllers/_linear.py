"""What linear controllers share: x' = A x + B u, y = C x + D u."""

from abc import abstractmethod
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import scipy.linalg as la

from faying.multibody.controllers import Controller
from faying.params import parameter

Numbers = tuple[float, ...]

Start = Literal["rest", "steady"]
_POLE_AT_ZERO = 1e-12  # of the largest entry of A, as a singular value


class LinearMatrices(NamedTuple):
    """A (s, s), B (s, i), C (s,) and D (i,) of a linear controller."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray


def start_parameter() -> Start:
    """Return the declaration of the states at the start."""
    found: Start = parameter(
        "rest", title="Start",
        meaning="States at the start of a run: rest, all zero; steady, those that stay for the inputs at the start.",
    )  # fmt: skip
    return found


class LinearController(Controller):
    """A controller by four matrices, exact for inputs that change linearly within a step."""

    @abstractmethod
    def matrices(self) -> LinearMatrices:
        """Return its matrices."""

    @property
    def order(self) -> int:
        """Number of states."""
        return len(self.matrices().c)

    @property
    def feeds_through(self) -> bool:
        """Whether D is not zero, or it starts steady."""
        return bool(self.matrices().d.any()) or getattr(self, "start", "rest") != "rest"

    @property
    def input_count(self) -> int:
        """Number of inputs."""
        return len(self.matrices().d)

    def output(self, states: np.ndarray, inputs: np.ndarray) -> float:
        """Return C x + D u."""
        own = self.matrices()
        return float(own.c @ states + own.d @ inputs)

    def rates(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Return (s,) A x + B u."""
        own = self.matrices()
        return np.asarray(own.a @ states + own.b @ inputs)

    def advanced(self, states: np.ndarray, before: np.ndarray, inputs: np.ndarray, step: float) -> np.ndarray:
        """Return the exact states (s,) after a step with inputs that change linearly."""
        if not len(states):
            return states
        own = self.matrices()
        stay, held, rising = _over(own.a.tobytes(), own.b.tobytes(), own.b.shape, step)
        return np.asarray(stay @ states + held @ before + rising @ (inputs - before))

    def poles(self) -> np.ndarray:
        """Return (s,) the eigenvalues of A."""
        return np.asarray(la.eigvals(self.matrices().a)) if self.order else np.zeros(0, complex)

    def first_states(self, inputs: np.ndarray) -> np.ndarray:
        """Return (s,) zeros, or the states that stay for the inputs."""
        if getattr(self, "start", "rest") == "rest" or not self.order:
            return np.zeros(self.order)
        own = self.matrices()
        return np.asarray(la.solve(own.a, -own.b @ inputs))

    def problem(self) -> tuple[str, str]:
        """Return that there is no steady state, where it is to start from one."""
        if getattr(self, "start", "rest") == "steady" and self.order:
            sizes = la.svdvals(self.matrices().a)
            if sizes[-1] <= _POLE_AT_ZERO * sizes[0]:
                return "has a pole at zero, so that no states stay for any input", "Let it start from rest."
        return "", ""


@lru_cache(maxsize=512)
def _over(
    a: bytes, b: bytes, shape: tuple[int, int], step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the factors of x₀, of u₀ and of u₁ − u₀ in x₁ (Franklin, Powell and Workman 1998, section 6.3.2).

    They are blocks of the exponential of [A h, B h, 0; 0, 0, 1; 0, 0, 0].
    """
    order, inputs = shape
    whole = np.zeros((order + 2 * inputs,) * 2)
    whole[:order, :order] = step * np.frombuffer(a).reshape(order, order)
    whole[:order, order : order + inputs] = step * np.frombuffer(b).reshape(shape)
    whole[order : order + inputs, order + inputs :] = np.eye(inputs)
    found = la.expm(whole)[:order]
    return found[:, :order], found[:, order : order + inputs], found[:, order + inputs :]
