"""Bars of the modes of a system: shares of parts, joints and forces in energies and in damping."""

from collections.abc import Mapping

import numpy as np

from faying.analyses.diagrams import diagrams
from faying.plot import Axis, Plot, Series
from faying.results.curve_key import owner_text
from faying.results.results import Results
from faying.units import UnitSystemName

_MOST = 7  # owners with bars of their own; the others together are one more
_TITLES = {
    "Kinetic energy": (("kinetic energy",), Axis("Share", "%")),
    "Potential energy": (
        ("potential energy", "potential energy of weight and reactions"),
        Axis("Share", "%"),
    ),
    "Damping": (("damping ratio",), Axis("Damping ratio", "%")),
}
_NONE = 1e-9  # of the largest: an owner without any


@diagrams.register("mode_energies")
def mode_energies(results: Results, units: UnitSystemName, chosen: Mapping[str, str]) -> tuple[Plot, ...]:
    """Return a plot of stacked bars for each kind of energy and for damping, a bar for each mode."""
    if results.axis.kind != "mode":
        return ()
    plots = []
    for title, (quantities, axis) in _TITLES.items():
        of_whole = "damping ratio" in quantities
        keys = [k for k in results.curve_keys if k.quantity in quantities and (k.kind or not of_whole)]
        found = {
            owner_text(key) or key.quantity.removeprefix("potential energy of "): 100.0 * results.curve(key)
            for key in keys
        }
        if series := _stacked(found):
            modes = tuple((k + 1.0, str(k + 1)) for k in range(results.n_frames))
            plots.append(
                Plot(
                    title, Axis("Mode", ticks=modes), axis, series,
                    meaning="A bar for each mode, of what parts, joints and forces have. A click shows the mode.",
                )
            )  # fmt: skip
    return tuple(plots)


def _stacked(found: dict[str, np.ndarray]) -> tuple[Series, ...]:
    """Return bars on top of each other, the largest owners first; negative ones hang below zero."""
    sizes = {name: float(np.abs(values).sum()) for name, values in found.items()}
    largest = max(sizes.values(), default=0.0)
    names = sorted((n for n, size in sizes.items() if size > _NONE * largest), key=lambda n: -sizes[n])
    if not names:
        return ()
    drawn = {name: found[name] for name in names[:_MOST]}
    if len(names) > _MOST:
        drawn[f"{len(names) - _MOST} others"] = np.sum([found[name] for name in names[_MOST:]], axis=0)
    count = len(found[names[0]])
    x, above, below = np.arange(1.0, count + 1.0), np.zeros(count), np.zeros(count)
    shows = np.column_stack([np.arange(count), np.zeros(count, np.int64)])
    series = []
    for style, (name, values) in enumerate(drawn.items()):
        base = np.where(values >= 0.0, above, below)
        above, below = above + np.maximum(values, 0.0), below + np.minimum(values, 0.0)
        series.append(Series(name, x, base + values, style, base=base, shows=shows))
    return tuple(series)
