"""How a run goes, as plots of its stored curves: step size, energies, and the state of each joint."""

import numpy as np

from faying.plot import Axis, Plot, Series
from faying.results.results import Results
from faying.units import unit_text

_CLOSED, _SLIPPING, _DEEPEST = " closed share", " slipping share", " largest penetration"
_FEW_FRAMES = 30  # are marked one by one


def run_plots(results: Results, units: str) -> tuple[Plot, ...]:
    """Return plots of step size, energies, closed and sticking share, and penetration; those that there are.

    Args:
        results: of a run, complete or not.
        units: unit system of the project.
    """
    names = results.curve_names
    joints = [name.removesuffix(_CLOSED) for name in names if name.endswith(_CLOSED)]
    over = Axis("Time", unit_text("time", units)) if results.axis == "time" else Axis("Load factor")
    curves = {name: results.curve(name) for name in names}
    # A frame may be written between the reading of two curves.
    count = min((len(values) for values in (results.values, *curves.values())), default=0)
    x = results.values[:count]

    def series(named: dict[str, np.ndarray]) -> tuple[Series, ...]:
        points = count < _FEW_FRAMES
        return tuple(Series(n, x, y[:count], i, points) for i, (n, y) in enumerate(named.items()))

    steps = {"step size": curves["step size"]} if "step size" in names else {}
    energies = {name.removesuffix(" energy"): curves[name] for name in names if name.endswith(" energy")}
    shares: dict[str, np.ndarray] = {}
    for joint in joints:
        closed, slipping = curves[joint + _CLOSED][:count], curves[joint + _SLIPPING][:count]
        shares |= {f"{joint} closed": 100.0 * closed, f"{joint} sticking": 100.0 * (closed - slipping)}
    deepest = {joint: curves[joint + _DEEPEST] for joint in joints}
    time, energy, length = (unit_text(quantity, units) for quantity in ("time", "energy", "length"))
    plots = (
        Plot("Step size", over, Axis("Step size", time, logarithmic=True), series(steps)),
        Plot("Energy", over, Axis("Energy", energy), series(energies)),
        Plot("Contact", over, Axis("Share of the joint's area", "%", (-3.0, 103.0)), series(shares)),
        Plot("Penetration", over, Axis("Largest penetration", length), series(deepest)),
    )
    return tuple(plot for plot in plots if plot.series)
