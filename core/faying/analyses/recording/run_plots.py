"""Plots of a run, also while it is computed: step size, energies, and the state of each joint."""

from dataclasses import replace

import numpy as np

from faying.plot import Axis, Plot, Series
from faying.results.curve_key import ENERGIES, CurveKey, owner_text
from faying.results.curves import axis_curve, run_title
from faying.results.results import Results
from faying.units import unit_text

_OF_JOINTS = ("closed share", "slipping share", "largest penetration")
_MOST_JOINTS = 8  # with more of them the extremes are drawn: a hundred curves say nothing
_FEW_FRAMES = 30  # with fewer frames each one is marked by a point


def run_plots(results: Results, units: str) -> tuple[Plot, ...]:
    """Return plots of step size, energies, closed and sticking share, and penetration, as far as the run has values.

    Of many joints the smallest shares and the largest penetration are drawn.

    Args:
        results: of a run, complete or not.
        units: unit system of the project.
    """
    known = results.curve_texts
    joints = [key for key in results.curve_keys if key.quantity == _OF_JOINTS[0]]
    of_joints = [replace(key, quantity=quantity) for key in joints for quantity in _OF_JOINTS]
    with_energy = [key for key in results.curve_keys if key.quantity in ENERGIES]
    stepped = [key for key in known if key == CurveKey("step size")]
    counted = axis_curve(results)
    over = Axis(counted.name, unit_text(counted.quantity, units))
    # A system stores hundreds of curves; the window asks twice a second, so only these are read.
    curves = {key: results.curve(key) for key in (*stepped, *with_energy, *of_joints)}
    # A frame may be written between the reading of two curves.
    values = results.values
    count = min(len(read) for read in (values, *curves.values()))
    x = values[:count]

    def series(named: dict[str, np.ndarray]) -> tuple[Series, ...]:
        scatter = results.axis.discrete
        points = scatter or count < _FEW_FRAMES
        return tuple(Series(n, x, y[:count], i, points, scatter) for i, (n, y) in enumerate(named.items()))

    steps = {known[key]: curves[key] for key in stepped}
    energies = {
        f"{owner_text(key)} {key.quantity.removesuffix(' energy')}".strip(): curves[key]
        for key in with_energy
    }
    shares: dict[str, np.ndarray] = {}
    for key in joints:
        closed, slipping = (curves[replace(key, quantity=q)][:count] for q in _OF_JOINTS[:2])
        joint = owner_text(key)
        shares |= {f"{joint} closed": 100.0 * closed, f"{joint} sticking": 100.0 * (closed - slipping)}
    deepest = {owner_text(key): curves[replace(key, quantity=_OF_JOINTS[2])][:count] for key in joints}
    if len(joints) > _MOST_JOINTS:
        of_all, every = f"of {len(joints)} joints", np.array(list(shares.values()))
        shares = {
            f"closed, smallest {of_all}": every[0::2].min(axis=0),
            f"sticking, smallest {of_all}": every[1::2].min(axis=0),
        }
        deepest = {f"largest {of_all}": np.max(list(deepest.values()), axis=0)}
    time, energy, length = (unit_text(quantity, units) for quantity in ("time", "energy", "length"))
    plots = (
        Plot("Step size", over, Axis("Step size", time, logarithmic=True), series(steps)),
        Plot("Energy", over, Axis("Energy", energy), series(energies)),
        Plot(run_title("Contact", results), over, Axis("Share of area", "%", (-3.0, 103.0)), series(shares)),
        Plot("Penetration", over, Axis("Largest penetration", length), series(deepest)),
    )
    return tuple(plot for plot in plots if any(_is_drawn(series, plot.y) for series in plot.series))


def _is_drawn(series: Series, axis: Axis) -> bool:
    """Return whether a curve has a value on its axis: equilibria have no step size."""
    return bool((series.y > 0.0).any() if axis.logarithmic else np.isfinite(series.y).any())
