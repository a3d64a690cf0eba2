"""Damping and frequency that a free vibration shows, over its amplitude: the logarithmic decrement."""

from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.results.signals import require_growing

_MIN_EXTREMES = 4  # extremes


@dataclass(frozen=True, eq=False)
class Decay:
    """Amplitude, frequency and damping of each period of a free vibration, (n,); the periods overlap by halves.

    Attributes:
        times: the middle of the period.
        amplitudes: half the distance from crest to trough.
        frequencies: cycles per unit of time.
        damping: damping ratio D of the single oscillator that decays as much within the period.
    """

    times: np.ndarray
    amplitudes: np.ndarray
    frequencies: np.ndarray
    damping: np.ndarray

    def between(self, start: float, end: float) -> tuple[float, float, float]:
        """Return mean amplitude, frequency and damping ratio of the periods that have their middle in a span of time.

        Raises:
            ModelError: when no period does.
        """
        chosen = (self.times >= start) & (self.times <= end)
        if not chosen.any():
            raise ModelError(
                f"The vibration has no whole period between {start:g} and {end:g}.",
                "Choose a longer span of time.",
            )
        amplitude, frequency, damping = (
            float(values[chosen].mean()) for values in (self.amplitudes, self.frequencies, self.damping)
        )
        return amplitude, frequency, damping


def free_decay(times: np.ndarray, values: np.ndarray) -> Decay:
    """Return the decay of a curve that vibrates freely in one mode, about any slowly moving mean.

    Crests and troughs are those of the cubic spline through the values. Half-distances a between neighbours do not
    depend on the mean, and ln(a₀/a₂) is the logarithmic decrement δ of a period; D = δ / √(4 π² + δ²).

    Args:
        times: (n,) ascending, ten or more to a period.
        values: (n,).

    Raises:
        ModelError: when fewer than four crests and troughs are within the curve, or times do not grow.
    """
    from scipy.interpolate import CubicSpline  # late: half a second that few runs need

    require_growing(times)
    spline = CubicSpline(times, values)
    roots = spline.derivative().roots(discontinuity=False, extrapolate=False)
    # For a piece at rest `roots` gives its start and then NaN; it has neither crest nor trough.
    rests = np.isnan(roots)
    roots = roots[~(rests | np.append(rests[1:], False))]
    extremes = spline(roots)
    if len(extremes) < _MIN_EXTREMES:
        raise ModelError(
            f"A decay needs at least {_MIN_EXTREMES} crests and troughs, here are {len(extremes)}.",
            "Run longer, or store more frames.",
        )
    halves = 0.5 * np.abs(np.diff(extremes))
    decrement = np.log(halves[:-2] / halves[2:])
    # From the middle of the first half period to that of the third.
    middles = 0.5 * (roots[:-1] + roots[1:])
    return Decay(
        middles[1:-1],
        halves[1:-1],
        1.0 / (middles[2:] - middles[:-2]),
        decrement / np.hypot(2.0 * np.pi, decrement),
    )
