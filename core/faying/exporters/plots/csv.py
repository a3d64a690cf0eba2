"""Plots as tables."""

import csv
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.csv_cells import text_cell
from faying.exporters.output import replacing
from faying.exporters.plots import PictureSettings, PlotWriter, plot_writers
from faying.plot import Plot


@plot_writers.register("csv")
class PlotTable(PlotWriter):
    """Comma-separated values (UTF-8): one column for x, one for each curve; two for each if their x differ."""

    title: ClassVar[str] = "Table (CSV)"

    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Write the table; the settings of pictures have no effect."""
        heads: list[str] = []
        columns: list[np.ndarray] = []
        for series in plot.series:
            if not columns or not _shared(plot):
                heads.append(plot.x.label)
                columns.append(series.x)
            heads.append(f"{series.name}: {(series.counts or plot.axis_of(series)).label}")
            columns.append(series.y)
        with replacing(path) as target, target.open("w", newline="", encoding="utf-8") as stream:
            out = csv.writer(stream)
            out.writerow([text_cell(head) for head in heads])
            for row in zip_longest(*columns):
                out.writerow(["" if value is None else f"{value:.9g}" for value in row])


def _shared(plot: Plot) -> bool:
    return all(np.array_equal(series.x, plot.series[0].x) for series in plot.series)
