"""Rotation vectors θ, axis times angle: coefficients of the tangent operator T(θ) of the exponential map.

Notation of Géradin and Cardona (2001): exp(θ̃ + δθ̃) = exp((T δθ)~) exp(θ̃), with T = I + a θ̃ + b θ̃².
"""

import numpy as np

_SERIES_BELOW = 0.1  # rad; five terms are exact to rounding there, and the closed forms cancel


def coefficients(theta: np.ndarray) -> tuple[float, float, float, float]:
    """Return a = (1 − cos φ)/φ², b = (φ − sin φ)/φ³, (da/dφ)/φ and (db/dφ)/φ, with φ = |θ|."""
    square = float(theta @ theta)
    if square < _SERIES_BELOW**2:
        s = square
        return (
            1 / 2 - s / 24 + s**2 / 720 - s**3 / 40320 + s**4 / 3628800,
            1 / 6 - s / 120 + s**2 / 5040 - s**3 / 362880 + s**4 / 39916800,
            -1 / 12 + s / 180 - s**2 / 6720 + s**3 / 453600,
            -1 / 60 + s / 1260 - s**2 / 60480 + s**3 / 4989600,
        )
    angle = np.sqrt(square)
    sine, cosine = np.sin(angle), np.cos(angle)
    a, b = (1 - cosine) / square, (angle - sine) / (square * angle)
    return a, b, (sine / angle - 2 * a) / square, ((1 - cosine) / square - 3 * b) / square
