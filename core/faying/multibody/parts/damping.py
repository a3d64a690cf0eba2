"""Damping matrices of flexible parts, over their flexible coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.reduction.body import ReducedBody
from faying.reduction.quality import ritz_modes


@dataclass(frozen=True)
class DampingBand:
    """Modes up to a frequency (exclusive, in cycles per time unit) have a damping ratio."""

    below: float
    ratio: float


def rayleigh_damping(body: ReducedBody, mass_factor: float, stiffness_factor: float) -> np.ndarray:
    """Return (r, r) α M_ff + β K; the motion of the frame is not damped.

    Args:
        body: in the frame that it moves with.
        mass_factor: α, per time.
        stiffness_factor: β, time.
    """
    return np.asarray(mass_factor * body.mass + stiffness_factor * body.stiffness)


def modal_damping(body: ReducedBody, ratios: Sequence[float] | np.ndarray, rest: float = 0.0) -> np.ndarray:
    """Return (r, r) the matrix by which each vibration mode has its damping ratio.

    The modes are those of the body in its frame: free ones, or with the node at rest that it is clamped to.

    Args:
        body: in the frame that it moves with.
        ratios: of the lowest modes, in order; 1 is critical.
        rest: of all modes above them.

    Raises:
        ModelError: for a negative ratio.
    """
    frequencies, modes = ritz_modes(body.stiffness, body.mass)
    wanted = np.full(len(frequencies), rest)
    wanted[: len(ratios)] = np.asarray(ratios, float)[: len(wanted)]
    if (wanted < 0.0).any():
        raise ModelError(
            f"A damping ratio of {wanted.min():g} would feed energy to a mode.",
            "Give ratios of zero or more.",
        )
    shapes = body.mass @ modes
    return np.asarray((shapes * (4.0 * np.pi * wanted * frequencies)) @ shapes.T)


def banded_damping(body: ReducedBody, bands: Sequence[DampingBand], rest: float = 0.0) -> np.ndarray:
    """Return (r, r) modal damping with a ratio for each band of frequencies.

    Args:
        body: in the frame that it moves with.
        bands: in any order; a mode belongs to the lowest band that reaches above its frequency.
        rest: ratio of the modes above all bands.
    """
    frequencies, _ = ritz_modes(body.stiffness, body.mass)
    ratios = np.full(len(frequencies), rest)
    for band in sorted(bands, key=lambda band: band.below, reverse=True):
        ratios[frequencies < band.below] = band.ratio
    return modal_damping(body, ratios)


def period_damping(body: ReducedBody, period: float, above: float, transition: float) -> np.ndarray:
    """Return (r, r) modal damping by which all fast modes swing with one and the same damped period.

    ξ = √(1 − (ω_d/ω)²) with ω_d = 2π/period, so that no mode is faster than that for an integrator: the damped
    contact submodel of Tschigg and Seifried, section 2.4. Its printed ω_d = ω √(1 − ξ) lacks the square that the
    solution of x'' + 2ξω x' + ω² x = 0 has.

    Args:
        body: in the frame that it moves with.
        period: of the damped vibrations.
        above: frequency from which on modes count as fast; those between it and 1/period get the transition's ratio.
        transition: damping ratio.
    """
    frequencies, _ = ritz_modes(body.stiffness, body.mass)
    slowest = 1.0 / period
    ratios = np.where(frequencies > above, transition, 0.0)
    fast = frequencies > max(slowest, above)
    ratios[fast] = np.sqrt(1.0 - (slowest / frequencies[fast]) ** 2)
    return modal_damping(body, ratios)
