"""Rotation vectors θ, axis times angle: coefficients of the tangent operator T(θ) of the exponential map.

Notation of Géradin and Cardona (2001): exp(θ̃ + δθ̃) = exp((T δθ)~) exp(θ̃), with T = I + a θ̃ + b θ̃².
"""

import numpy as np

_SERIES_BELOW = 0.1  # rad; five terms are exact to rounding there, and the closed forms cancel


def coefficients(square: float) -> tuple[float, float, float, float]:
    """Return a = (1 − cos φ)/φ², b = (φ − sin φ)/φ³, (da/dφ)/φ and (db/dφ)/φ, for φ² = |θ|²."""
    if square < _SERIES_BELOW**2:
        s = square
        return (
            1 / 2 - s * (1 / 24 - s * (1 / 720 - s * (1 / 40320 - s / 3628800))),
            1 / 6 - s * (1 / 120 - s * (1 / 5040 - s * (1 / 362880 - s / 39916800))),
            -1 / 12 + s * (1 / 180 - s * (1 / 6720 - s / 453600)),
            -1 / 60 + s * (1 / 1260 - s * (1 / 60480 - s / 4989600)),
        )
    angle = np.sqrt(square)
    sine, cosine = np.sin(angle), np.cos(angle)
    a, b = (1 - cosine) / square, (angle - sine) / (square * angle)
    return a, b, (sine / angle - 2 * a) / square, ((1 - cosine) / square - 3 * b) / square
