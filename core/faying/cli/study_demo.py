"""Studies from the command line: numbers, tables and plots as files."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faying.atomic import replacing
from faying.csv_cells import text_cell
from faying.examples import quantities_of
from faying.examples.tables import Table
from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
from faying.plot import Plot
from faying.progress import Progress
from faying.project.outputs import file_name
from faying.studies import studies


def run_study(kind: str, folder: Path, quick: bool, progress: Progress) -> dict[str, Any]:
    """Run a study, write its tables and plots into a folder, and return the contents of ``summary.json``."""
    study = studies[kind]()
    outcome = study.run(progress, quick)
    write_tables(kind, outcome.tables, folder)
    write_plots(kind, outcome.plots, folder)
    expected = tuple(e for e in study.expected if not quick or e.name in outcome.values)
    return {
        "example": kind,
        "units": study.units,
        "quantities": quantities_of(kind, expected, outcome.values, study.units),
        "seconds": {part: round(spent, 3) for part, spent in outcome.seconds.items()},
        "counts": outcome.counts,
        "tables": {name: [table.heads, *table.rows] for name, table in outcome.tables.items()},
    }


def write_tables(kind: str, tables: Mapping[str, Table], folder: Path) -> None:
    """Write tables of an example or study into a folder, one file each; names keep the characters files may have."""
    for name, table in tables.items():
        path = folder / f"{file_name(f'{kind}-{name}')}.csv"
        with (
            replacing(path, durable=False) as beside,
            beside.open("w", newline="", encoding="utf-8") as stream,
        ):
            rows = (table.heads, *table.rows)
            csv.writer(stream).writerows([_cell(cell) for cell in row] for row in rows)


def write_plots(kind: str, plots: Mapping[str, Plot], folder: Path) -> None:
    """Write plots of an example or study into a folder, as CSV and, where a plot writer for it is installed, PNG."""
    for name, plot in plots.items():
        for extension in ("csv", "png"):
            if extension in plot_writers:
                path = folder / f"{file_name(f'{kind}-{name}')}.{extension}"
                plot_writer_for(path).write(plot, path, PictureSettings())


def _cell(value: Any) -> Any:
    return text_cell(value) if isinstance(value, str) else value
