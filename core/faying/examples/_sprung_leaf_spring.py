"""Closed forms of the car pendulum: a leaf spring of sheets on a car on a spring, and how to see it in a motion."""

import numpy as np
import scipy.linalg as la

from faying.examples.layered_pendulum import DENSITY, LONG, MODULUS, SHORT, THICKNESS, WIDTH

_ELEMENTS = 80


def natural_frequencies(car: float, spring: float, point: float) -> np.ndarray:
    """Return (n,) all natural frequencies of Euler-Bernoulli beams as stiff as three sheets up to the short ones' end.

    Args:
        car: mass that holds the beam's start, without rotation.
        spring: stiffness that holds the car.
        point: mass at the beam's end.
    """
    h, n = LONG / _ELEMENTS, 2 * (_ELEMENTS + 1)
    bend = np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
         [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    ) / h**3  # fmt: skip
    move = (h / 420.0) * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
         [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
    )  # fmt: skip
    stiffness, mass = np.zeros((n, n)), np.zeros((n, n))
    for k in range(_ELEMENTS):
        sheets = 3 if (k + 0.5) * h < SHORT else 1
        at = slice(2 * k, 2 * k + 4)
        stiffness[at, at] += sheets * MODULUS * WIDTH * THICKNESS**3 / 12.0 * bend
        mass[at, at] += sheets * DENSITY * WIDTH * THICKNESS * move
    stiffness[0, 0] += spring
    mass[0, 0] += car
    mass[-2, -2] += point
    free = np.delete(np.arange(n), 1)
    values = la.eigh(stiffness[np.ix_(free, free)], mass[np.ix_(free, free)], eigvals_only=True)
    return np.asarray(np.sqrt(values) / (2.0 * np.pi))


def fitted_frequencies(time: np.ndarray, values: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Return the frequencies of the undamped vibrations about a mean whose sum is nearest to a curve.

    Args:
        time, values: (n,) the curve.
        guess: (k,) frequencies to start from.
    """

    def rest(frequencies: np.ndarray) -> np.ndarray:
        angles = 2.0 * np.pi * np.outer(time, frequencies)
        shapes = np.hstack([np.ones((len(time), 1)), np.cos(angles), np.sin(angles)])
        return np.asarray(values - shapes @ np.linalg.lstsq(shapes, values, rcond=None)[0])

    from scipy.optimize import least_squares  # late: it takes long to import

    return np.asarray(least_squares(rest, guess, x_scale=guess).x)
