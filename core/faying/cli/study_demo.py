"""Studies from the command line: numbers, tables and plots as files."""

import csv
from pathlib import Path
from typing import Any

from faying.examples import quantities_of
from faying.examples.studies import Table, studies
from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
from faying.progress import Progress


def run_study(kind: str, folder: Path, quick: bool, progress: Progress) -> dict[str, Any]:
    """Run a study, write its tables and plots into a folder, and return what ``summary.json`` holds.

    Plots are tables and, where something here draws them, pictures.
    """
    study = studies[kind]()
    outcome = study.run(progress, quick)
    for name, table in outcome.tables.items():
        _write_table(table, folder / f"{kind}-{name}.csv")
    for name, plot in outcome.plots.items():
        for extension in ("csv", "png"):
            if extension in plot_writers:
                path = folder / f"{kind}-{name}.{extension}"
                plot_writer_for(path).write(plot, path, PictureSettings())
    expected = tuple(e for e in study.expected if not quick or e.name in outcome.values)
    return {
        "example": kind,
        "units": study.units,
        "quantities": quantities_of(kind, expected, outcome.values, study.units),
        "seconds": {part: round(spent, 3) for part, spent in outcome.seconds.items()},
        "counts": outcome.counts,
        "tables": {name: [table.heads, *table.rows] for name, table in outcome.tables.items()},
    }


def _write_table(table: Table, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([table.heads, *table.rows])
