"""Plots of a run, also while it is computed: step size, energies, and the state of each joint."""

import numpy as np

from faying.plot import Axis, Plot, Series
from faying.results.curves import axis_curve, run_title
from faying.results.results import Results
from faying.units import unit_text

_CLOSED, _SLIPPING, _DEEPEST = " closed share", " slipping share", " largest penetration"
_STEP, _ENERGY = "step size", " energy"
_FEW_FRAMES = 30  # with fewer frames each one is marked by a point


def run_plots(results: Results, units: str) -> tuple[Plot, ...]:
    """Return plots of step size, energies, closed and sticking share, and penetration, as far as the run has them.

    Args:
        results: of a run, complete or not.
        units: unit system of the project.
    """
    names = results.curve_names
    joints = [name.removesuffix(_CLOSED) for name in names if name.endswith(_CLOSED)]
    of_joints = [joint + part for joint in joints for part in (_CLOSED, _SLIPPING, _DEEPEST)]
    with_energy = [name for name in names if name.endswith(_ENERGY)]
    stepped = [_STEP] if _STEP in names else []
    counted = axis_curve(results)
    over = Axis(counted.name, unit_text(counted.quantity, units))
    # A system stores hundreds of curves; the window asks twice a second, so only these are read.
    curves = {name: results.curve(name) for name in (*stepped, *with_energy, *of_joints)}
    # A frame may be written between the reading of two curves.
    values = results.values
    count = min(len(read) for read in (values, *curves.values()))
    x = values[:count]

    def series(named: dict[str, np.ndarray]) -> tuple[Series, ...]:
        points = count < _FEW_FRAMES
        return tuple(Series(n, x, y[:count], i, points) for i, (n, y) in enumerate(named.items()))

    steps = {name: curves[name] for name in stepped}
    energies = {name.removesuffix(_ENERGY): curves[name] for name in with_energy}
    shares: dict[str, np.ndarray] = {}
    for joint in joints:
        closed, slipping = curves[joint + _CLOSED][:count], curves[joint + _SLIPPING][:count]
        shares |= {f"{joint} closed": 100.0 * closed, f"{joint} sticking": 100.0 * (closed - slipping)}
    deepest = {joint: curves[joint + _DEEPEST] for joint in joints}
    time, energy, length = (unit_text(quantity, units) for quantity in ("time", "energy", "length"))
    plots = (
        Plot("Step size", over, Axis("Step size", time, logarithmic=True), series(steps)),
        Plot("Energy", over, Axis("Energy", energy), series(energies)),
        Plot(run_title("Contact", results), over, Axis("Share of area", "%", (-3.0, 103.0)), series(shares)),
        Plot("Penetration", over, Axis("Largest penetration", length), series(deepest)),
    )
    return tuple(plot for plot in plots if plot.series)
