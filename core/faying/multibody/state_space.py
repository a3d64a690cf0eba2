"""A linearised system as a state-space model: y = C x + D u, x' = A x + B u, and its balanced truncation."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.multibody.linearized import LinearizedSystem

_NONE = 1e-14  # of the largest Hankel singular value: states below have no effect


@dataclass(frozen=True, eq=False)
class StateSpace:
    """A model x' = A x + B u, y = C x + D u about a state.

    Attributes:
        a, b, c, d: (s, s), (s, i), (o, s), (o, i).
        inputs, outputs: their names.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def transfer(self, s: complex) -> np.ndarray:
        """Return C (s I − A)⁻¹ B + D (o, i)."""
        states = la.solve(s * np.eye(len(self.a)) - self.a, self.b.astype(complex)) if len(self.a) else self.b
        return np.asarray(self.c @ states + self.d)

    @cached_property
    def hankel(self) -> np.ndarray:
        """(s,) Hankel singular values, descending: what each balanced state carries from inputs to outputs.

        Raises:
            ModelError: when the model has motions that do not decay.
        """
        return self._balanced[0]

    def truncated(self, order: int) -> "StateSpace":
        """Return the model of the leading balanced states (Moore 1981; square-root form of Laub et al. 1987).

        Its transfer function is off by at most twice the sum of the Hankel singular values left out (Glover 1984).

        Args:
            order: number of states.

        Raises:
            ModelError: when the model has motions that do not decay.
        """
        values, to_states, from_states = self._balanced
        kept = min(order, int(np.count_nonzero(values > _NONE * values.max(initial=0.0))))
        right, left = to_states[:, :kept], from_states[:kept]
        return replace(self, a=left @ self.a @ right, b=left @ self.b, c=self.c @ right)

    @cached_property
    def _balanced(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Hankel singular values (s,), and the transformations x = T z, z = T⁻¹ x."""
        if len(self.a) and la.eigvals(self.a).real.max() >= 0.0:
            raise ModelError(
                "A motion of the linearised system does not decay, so that its states cannot be ranked.",
                "Hold and damp the system, or keep all states (0).",
            )
        controlled = la.solve_continuous_lyapunov(self.a, -self.b @ self.b.T)
        observed = la.solve_continuous_lyapunov(self.a.T, -self.c.T @ self.c)
        first, second = _root(controlled), _root(observed)
        left, values, right = la.svd(second.T @ first)
        known = values > _NONE * values.max(initial=0.0)
        shares = np.zeros_like(values)
        shares[known] = values[known] ** -0.5
        return values, first @ right.T * shares, (left * shares).T @ second.T


def state_space(
    small: LinearizedSystem,
    forces: np.ndarray,
    control: np.ndarray,
    outputs: np.ndarray,
    through: np.ndarray,
    names: tuple[tuple[str, ...], tuple[str, ...]],
) -> StateSpace:
    """Return a linearised system as a state-space model.

    Its states are the amplitudes x of the shapes, then x', then the states of continuous controllers.

    Args:
        small: the system.
        forces: (n, i) generalised forces of unit inputs.
        control: (s, i) rates of the states of controllers by unit inputs.
        outputs: (o, s) by the states.
        through: (o, i) outputs by the inputs at constant states.
        names: of inputs and outputs.
    """
    a = small.first_order()
    k, b = len(small.mass), np.zeros((len(a), forces.shape[1]))
    b[k : 2 * k] = la.solve(small.mass, small.shapes.T @ forces)
    b[2 * k :] = control
    return StateSpace(a, b, outputs, through, *names)


def _root(gramian: np.ndarray) -> np.ndarray:
    """Return R with R Rᵀ a symmetric matrix without its negative eigenvalues, which are round-off."""
    values, vectors = la.eigh(0.5 * (gramian + gramian.T))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
