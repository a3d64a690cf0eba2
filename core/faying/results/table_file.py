"""A table of a study or run as comma-separated values, with the names of its rows."""

import csv
import io
from collections.abc import Sequence

import numpy as np

from faying.csv_cells import text_cell
from faying.errors import ModelError
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES, full_cells
from faying.units import UnitSystemName, unit_text

_QUANTITIES = {
    "frequency": "frequency", "highest frequency": "frequency", "admissible step": "time",
    "gap norm": "length", "rms gap": "length",
}  # fmt: skip
_OF_FRAMES = ("method", "point")  # first columns of tables with the frames as rows


def table_text(results: Results, name: str, units: UnitSystemName) -> str:
    """Return a table with full precision, empty cells for unknown values, and units in the heads.

    If rows could not be computed, a last column has the reasons.

    Args:
        results: of a study.
        name: of the table: of a study, or one that follows from any run (`faying.results.run_tables`); "" for the table
            of a study with a row for each frame.
        units: of the project.

    Raises:
        ModelError: when there is no such table; names the existing ones.
    """
    if name not in results.table_names and name in RUN_TABLES and (found := RUN_TABLES[name][1](results)):
        return _as_text([column.head(units) for column in found], full_cells(found))
    tables = {each: results.table(each) for each in results.table_names}
    if not name:
        name = next((each for each, (heads, _) in tables.items() if heads[0] in _OF_FRAMES), "")
    if name not in tables:
        others = [each for each, (_, make) in RUN_TABLES.items() if make(results)]
        known = ", ".join(repr(each) for each in (*tables, *others))
        if known and not name:
            raise ModelError("The analysis has no table of bases or points.", f"Name one of: {known}.")
        wanted = f"no table called {name!r}" if name else "no table"
        raise ModelError(f"The analysis has {wanted}.", f"It has: {known or 'none; studies have tables'}.")
    heads, rows = tables[name]
    of_frames = heads[0] in _OF_FRAMES
    failed = results.report.get("not_computed", {}) if of_frames else {}
    reasons = {each: why if isinstance(why, str) else " ".join(why).strip() for each, why in failed.items()}
    quantities = _QUANTITIES | results.settings.get("quantities", {})
    columns = [_head(head, quantities, units) for head in heads]
    cells = [
        [
            *([text_cell(results.label(i))] if of_frames else ()),
            *("" if np.isnan(value) else repr(float(value)) for value in row),
            *([text_cell(reasons.get(results.label(i), ""))] if reasons else ()),
        ]
        for i, row in enumerate(rows)
        if not np.isnan(row).all()
    ]
    return _as_text(
        [*(["name"] if of_frames else []), *columns, *(["not computed"] if reasons else [])], cells
    )


def _as_text(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\n")
    out.writerow([text_cell(head) for head in heads])
    out.writerows(rows)
    return written.getvalue()


def _head(name: str, quantities: dict[str, str], units: UnitSystemName) -> str:
    unit = unit_text(quantities[name], units) if name in quantities else ""
    return f"{name} [{unit}]" if unit else name
