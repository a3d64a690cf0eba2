"""Which diagram of a run the panel of curves draws, and which of its curves are left out."""

from collections.abc import Mapping
from dataclasses import replace

from faying.analyses.diagrams import diagrams_of
from faying.plot import Plot
from faying.results.results import Results
from faying.units import UnitSystemName

_MARK = "diagram:"  # before the title of one, among the views


class DrawnDiagram:
    """The diagrams of the shown run by title, and the curves that the user has unticked in each."""

    def __init__(self) -> None:
        self._plots: dict[str, Plot] = {}
        self._left_out: set[tuple[str, str]] = set()

    def read(self, results: Results, units: UnitSystemName, chosen_units: Mapping[str, str]) -> None:
        """Take the diagrams of a run."""
        self._plots = diagrams_of(results, units, chosen_units)

    @property
    def views(self) -> dict[str, str]:
        """Title of each diagram by the value that stands for it among the views."""
        return {f"{_MARK}{title}": title for title in self._plots}

    def title_of(self, view: str | None) -> str:
        """Return the title of the diagram that a view stands for; "" for views of curves."""
        return (view or "").removeprefix(_MARK) if (view or "").startswith(_MARK) else ""

    def entries(self, title: str) -> list[tuple[str, bool, bool]]:
        """Return name of each curve with one, whether it is drawn, and whether it can be left out.

        Of bars on top of each other none can.
        """
        plot = self._plots.get(title)
        return [
            (each.name, (title, each.name) not in self._left_out, each.base is None)
            for each in (plot.series if plot is not None else ())
            if each.name
        ]

    def tick(self, title: str, name: str, drawn: bool) -> None:
        """Draw a curve or leave it out."""
        (self._left_out.discard if drawn else self._left_out.add)((title, name))

    def plot(self, title: str) -> Plot | None:
        """Return what is drawn; None while a run in progress has no such diagram."""
        plot = self._plots.get(title)
        if plot is None:
            return None
        return replace(plot, series=tuple(s for s in plot.series if (title, s.name) not in self._left_out))

    def forget(self) -> None:
        """Draw all curves of all diagrams again."""
        self._plots, self._left_out = {}, set()
