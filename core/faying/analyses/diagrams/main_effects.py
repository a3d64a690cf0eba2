"""Main effects of a sweep: mean of a result at each level of each decision, side by side."""

from collections.abc import Mapping

import numpy as np

from faying.analyses.diagrams import diagrams
from faying.plot import Axis, Plot, Series
from faying.results.main_effects import MainEffect
from faying.results.main_effects import main_effects as effects_of
from faying.results.results import Results
from faying.units import UnitSystemName, shown_unit

_WIDTH = 0.7  # of the room of a decision
TITLE = "Main effects on "


@diagrams.register("main_effects")
def main_effects(results: Results, units: UnitSystemName, chosen: Mapping[str, str]) -> tuple[Plot, ...]:
    """Return a plot for each result of a sweep, with a line for each decision from its lowest to its highest value."""
    found: dict[str, list[MainEffect]] = {}
    for effect in effects_of(results):
        found.setdefault(effect.response, []).append(effect)
    return tuple(_plot(response, effects, units, chosen) for response, effects in found.items())


def _plot(response: str, effects: list[MainEffect], units: UnitSystemName, chosen: Mapping[str, str]) -> Plot:
    unit, factor = shown_unit(effects[0].quantity, units, chosen)
    series, ticks = [], []
    for k, effect in enumerate(effects):
        places = np.arange(len(effect.levels), dtype=float)
        if np.ptp(effect.levels) > 0.0:
            places = (effect.levels - effect.levels.min()) / np.ptp(effect.levels)
        places = k + _WIDTH * (places - 0.5)
        series.append(Series(effect.decision, places, factor * effect.means, k, points=True))
        ticks += list(zip(places.tolist(), effect.texts, strict=True))
    mean = factor * float(np.average(effects[0].means, weights=effects[0].counts))
    ends = np.array([-0.5, len(effects) - 0.5])
    series.append(Series("", ends, np.array([mean, mean]), role="muted"))
    return Plot(
        f"{TITLE}{response}", Axis("Values of the decisions", "", (-0.6, len(effects) - 0.4), ticks=tuple(ticks)),
        Axis(f"Mean of {response}", unit), tuple(series),
        meaning="The mean of the result at each value of a decision, over all values of the others: the steeper a "
        "line, the more its decision matters. The dotted line is the mean of all points.",
    )  # fmt: skip
