"""Diagrams of whole runs: Campbell, poles, energies of modes, main effects. A member is one function in one file.

Window, report, export and scripts draw the same plot. A value that is of a shape names its frame (`Series.shows`).
"""

from collections.abc import Callable, Mapping

from faying.errors import ModelError, there_are
from faying.plot import Plot
from faying.registry import Registry
from faying.results.results import Results
from faying.units import UnitSystemName

__all__ = ["Diagram", "diagram_called", "diagrams", "diagrams_of"]

Diagram = Callable[[Results, UnitSystemName, Mapping[str, str]], tuple[Plot, ...]]
"""Returns plots of a run, () where it has nothing to draw of it.

Arguments are the results, the unit system, and chosen units by quantity.
"""

diagrams: Registry[Diagram] = Registry("diagram", __name__)


def diagrams_of(
    results: Results, units: UnitSystemName, chosen_units: Mapping[str, str] | None = None
) -> dict[str, Plot]:
    """Return the diagrams of a run by title; none of one without frames.

    Args:
        results: of the run.
        units: of the numbers.
        chosen_units: by quantity, in place of the unit system's.
    """
    if not results.n_frames:
        return {}
    return {
        plot.title: plot for _, make in diagrams.items() for plot in make(results, units, chosen_units or {})
    }


def diagram_called(results: Results, title: str, units: UnitSystemName) -> Plot:
    """Return a diagram of a run by its title, written in any case; "" is the first one.

    Raises:
        ModelError: when the run has no such diagram.
    """
    found = diagrams_of(results, units)
    for name, plot in found.items():
        if title.strip().lower() in ("", name.lower()):
            return plot
    hint = (
        there_are(title, found) if found else "Campbell diagrams, modes, state spaces and sweeps have some."
    )
    raise ModelError(
        f"The run has no diagram called {title!r}." if title else "The run has no diagram.", hint
    )
