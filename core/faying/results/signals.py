"""Signal analysis of curves over time: amplitude spectrum, orders of a turning part, envelope."""

import numpy as np

from faying.errors import ModelError

_MIN_VALUES = 8
_RESAMPLING = 2  # a run stores its frames nearly evenly; twice as many points lose nothing


def spectrum(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies (m,) and amplitudes (m,) of a curve: a sine of amplitude a shows a peak of a.

    The mean is subtracted and a Hann window applied, so that a period need not fit into the curve. Uneven times are
    resampled evenly by a cubic spline.

    Args:
        times: (n,) ascending.
        values: (n,).

    Raises:
        ModelError: for fewer than eight values, or times that do not increase.
    """
    _require(len(times))
    require_growing(times)
    even = np.linspace(times[0], times[-1], len(times))
    steps = np.diff(times)
    if np.ptp(steps) > 1e-6 * steps.mean():
        values = _spline(times, values, even)
    window = np.hanning(len(values) + 1)[:-1]
    amplitudes = 2.0 * np.abs(np.fft.rfft(window * (values - values.mean()))) / window.sum()
    # The rest of the mean has no negative frequency to add, nor has half the sampling frequency.
    amplitudes[0] *= 0.5
    if len(values) % 2 == 0:
        amplitudes[-1] *= 0.5
    return np.fft.rfftfreq(len(values), even[1] - even[0]), amplitudes


def order_spectrum(angle: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return orders (m,) (periods per revolution) and amplitudes (m,) of a curve over a turning part's angle.

    Args:
        angle: (n,) in radians, at the same times; jumps of a full turn are undone.
        values: (n,).

    Raises:
        ModelError: when the part turns back, or by less than a revolution.
    """
    _require(len(angle))
    turned = np.unwrap(np.asarray(angle, float)) / (2 * np.pi)
    turned = turned if turned[-1] > turned[0] else -turned
    if (np.diff(turned) <= 0).any() or np.ptp(turned) < 1.0:
        raise ModelError(
            "Orders need an angle that grows by at least one revolution.",
            "Choose the angle of a part that turns one way.",
        )
    even = np.linspace(turned[0], turned[-1], _RESAMPLING * len(turned))
    return spectrum(even, _spline(turned, values, even))


def envelope(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper envelope (n,): monotone curves through the troughs and through the peaks.

    Raises:
        ModelError: for times that do not grow.
    """
    require_growing(times)
    return -_through_peaks(times, -values), _through_peaks(times, values)


def _through_peaks(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    # Late: these take a second to import, and few runs need them.
    from scipy.interpolate import PchipInterpolator
    from scipy.signal import argrelmax

    peaks = argrelmax(values)[0]
    if not len(peaks):
        return values.copy()
    known = np.unique([0, *peaks, len(values) - 1])
    heights = values[known].copy()
    # The ends are no peaks: level with the nearest one, unless they are higher.
    heights[0], heights[-1] = max(heights[0], values[peaks[0]]), max(heights[-1], values[peaks[-1]])
    return np.asarray(np.maximum(PchipInterpolator(times[known], heights)(times), values))


def require_growing(times: np.ndarray) -> None:
    """Refuse times (n,) that do not grow from each frame to the next.

    Raises:
        ModelError: then.
    """
    if not (np.diff(times) > 0.0).all():
        raise ModelError(
            "Spectra, envelopes and decays need times that grow from each frame to the next.",
            "Take the curve over the time of the run.",
        )


def _spline(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(x, y)(at))


def _require(count: int) -> None:
    if count < _MIN_VALUES:
        raise ModelError(
            f"A spectrum needs at least {_MIN_VALUES} frames, here are {count}.",
            "Store more frames of the run.",
        )
