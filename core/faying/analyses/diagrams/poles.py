"""Poles of a linear system: eigenvalues in the complex plane, with rays of equal damping."""

from collections.abc import Mapping
from math import isqrt, sqrt

import numpy as np

from faying.analyses.diagrams import diagrams
from faying.analyses.state_space import MATRICES
from faying.analyses.system_modes import DAMPED, DAMPING
from faying.plot import Axis, Plot, Series
from faying.results.results import Results
from faying.units import UnitSystemName, plain_number, unit_text

_RATIOS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.7)
_LEAST_RATIO = 0.05  # of the largest damping ratio: rays below it would lie in the axis
_MOST_RATIO = 1.5
_GROWS = 1e-9  # of the size of a pole: a real part that is more than round-off of zero


@diagrams.register("poles")
def poles(results: Results, units: UnitSystemName, chosen: Mapping[str, str]) -> tuple[Plot, ...]:
    """Return the poles of the modes of a system or of its state space; the upper half of each pair shows its shape."""
    found, frames = _poles(results)
    if not len(found):
        return ()
    every = np.concatenate([found, found[found.imag > 0.0].conj()])
    shown = np.concatenate([frames, np.full(len(every) - len(found), -1)])
    shows = np.column_stack([shown, np.where(shown < 0, -1, 0)])
    grows = every.real > _GROWS * np.abs(every)
    series = [
        Series(name, every.real[own], every.imag[own], scatter=True, role=role, shows=shows[own])
        for name, own, role in (("poles", ~grows, ""), ("growing", grows, "error"))
        if own.any()
    ]
    return (
        Plot(
            "Pole map", Axis("Real part", f"1/{unit_text('time', units)}"),
            Axis("Imaginary part", unit_text("angular_velocity", units)),
            (*series, *_rays(found)),
            meaning="Poles at the left decay, those at the right grow (red). Dotted rays have the damping ratio "
            "that is written at their ends. A click on a pole shows its shape, of a state space the nearest response.",
        ),
    )  # fmt: skip


def _poles(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Return poles (n,) with an imaginary part that is not negative, and the frame of each, −1 for none."""
    if results.axis.kind == "mode" and {DAMPED, DAMPING} <= set(results.curve_texts):
        size = 2.0 * np.pi * results.values
        found = -results.curve(DAMPING) * size + 2.0j * np.pi * results.curve(DAMPED)
        return found, np.arange(results.n_frames)
    if results.axis.kind == "frequency" and results.has(MATRICES["a"]):
        entries = results.constant(MATRICES["a"], "the state space")
        n = isqrt(len(entries))
        found = np.linalg.eigvals(entries.reshape(n, n))
        found = found[found.imag >= 0.0]
        found = found[np.argsort(np.abs(found))]
        at, range_ = np.abs(found) / (2.0 * np.pi), results.values
        near = np.abs(range_[None] - at[:, None]).argmin(axis=1)
        inside = (found.imag > 0.0) & (at >= range_[0]) & (at <= range_[-1])
        return found, np.where(inside, near, -1)
    return np.zeros(0, complex), np.zeros(0, np.int64)


def _rays(found: np.ndarray) -> list[Series]:
    """Return lines of equal damping as far as the poles are, each with its ratio at its end."""
    swings = found[found.imag > 0.0]
    if not len(swings) or swings.real.min() >= 0.0:
        return []
    ratio = float(np.max(-swings.real / np.abs(swings)))
    highest, deepest = float(swings.imag.max()), float(-swings.real.min())
    rays = []
    for each in _RATIOS:
        if _LEAST_RATIO * ratio <= each <= _MOST_RATIO * ratio:
            size = min(highest / sqrt(1.0 - each**2), deepest / each)
            x, y = (np.array([0.0, part * size]) for part in (-each, sqrt(1.0 - each**2)))
            rays.append(Series("", x, y, role="muted", texts=("", f"{plain_number(100.0 * each)} %")))
            rays.append(Series("", x, -y, role="muted"))
    return rays
