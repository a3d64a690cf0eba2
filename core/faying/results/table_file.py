"""A table of a study as comma-separated values, with the names of what its rows are of."""

import csv
import io

import numpy as np

from faying.csv_cells import text_cell
from faying.errors import ModelError
from faying.results.results import Results
from faying.units import UnitSystemName, unit_text

_QUANTITIES = {
    "frequency": "frequency", "highest frequency": "frequency", "admissible step": "time",
    "gap norm": "length", "rms gap": "length",
}  # fmt: skip
_OF_FRAMES = "method"  # first column of the tables whose rows are the frames


def table_text(results: Results, name: str, units: UnitSystemName) -> str:
    """Return a table in full numbers, empty cells where nothing is known, units in the heads.

    Args:
        results: of a study.
        name: of the table; "" for the one with a row for each frame.
        units: of the project.

    Raises:
        ModelError: when there is no such table; tells those that there are.
    """
    tables = {found: results.table(found) for found in results.table_names}
    if not name:
        name = next((found for found, (heads, _) in tables.items() if heads[0] == _OF_FRAMES), "")
    if name not in tables:
        known = ", ".join(repr(found) for found in tables) or "none; studies have tables"
        wanted = f"no table called {name!r}" if name else "no table"
        raise ModelError(f"The analysis has {wanted}.", f"It has: {known}.")
    heads, rows = tables[name]
    of_frames = heads[0] == _OF_FRAMES
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\n")
    out.writerow([*(["name"] if of_frames else []), *(text_cell(_head(head, units)) for head in heads)])
    for i, row in enumerate(rows):
        label = [text_cell(results.label(i))] if of_frames else []
        if not np.isnan(row).all():
            out.writerow([*label, *("" if np.isnan(value) else repr(float(value)) for value in row)])
    return written.getvalue()


def _head(name: str, units: UnitSystemName) -> str:
    unit = unit_text(_QUANTITIES[name], units) if name in _QUANTITIES else ""
    return f"{name} [{unit}]" if unit else name
