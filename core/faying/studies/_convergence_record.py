"""Records of convergence studies: errors against the unreduced model over the number of joint modes."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from faying.analyses.convergence_study import COLUMNS, TABLE
from faying.examples import ExampleRun
from faying.examples.error_curves import ErrorCurve, ErrorCurves
from faying.project.specs import Project


def convergence_record(
    run: ExampleRun,
    analysis: str,
    methods: Sequence[str],
    loads: Sequence[str],
    project: Project | None = None,
    references: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """Return the record of a convergence study against the unreduced model.

    Args:
        run: of the project.
        analysis: name of the study.
        methods, loads: names of its methods and load cases, in their order.
        project: a variant of the project that has the study.
        references: motion along the load and ‖g_N‖₂ of the unreduced model by load, for a study that has none itself.
    """
    with closing(run.results(analysis, project)) as results:
        table = results.table(TABLE)[1]
    at = {name: i for i, name in enumerate(COLUMNS)}

    def rows(method: int, load: int) -> np.ndarray:
        return np.asarray(table[(table[:, at["method"]] == method) & (table[:, at["load"]] == load)])

    columns = (at["motion"], at["gap norm"])
    known = references or {name: rows(-1, i)[0, columns].tolist() for i, name in enumerate(loads)}
    errors = {
        method: {
            load: [
                _plain(rows(m, i)[:, column] / known[load][k] - 1.0, 6) for k, column in enumerate(columns)
            ]
            for i, load in enumerate(loads)
        }
        for m, method in enumerate(methods)
    }
    return {
        "counts": rows(0, 0)[:, at["joint modes"]].astype(int).tolist(),
        "unreduced": {load: _plain(np.array(values), 8) for load, values in known.items()},
        "errors": errors,
        "ratios": {method: _plain(rows(m, 0)[:, at["ratio"]], 6) for m, method in enumerate(methods)},
    }


def curves_of(record: Mapping[str, Any]) -> ErrorCurves:
    """Return the errors of each (method, load) in a record."""
    counts, found = np.array(record["counts"]), {}
    for method, of_loads in record["errors"].items():
        ratios = np.array(record["ratios"][method], float)
        for load, (motion, gaps) in of_loads.items():
            signed = [np.array(errors, float) for errors in (motion, gaps)]
            changes = [np.abs(1.0 - (1.0 + e) / (1.0 + e[-1])) for e in signed]
            found[method, load] = ErrorCurve(
                counts, np.abs(signed[0]), np.abs(signed[1]), changes[0], changes[1], ratios
            )
    return found


def _plain(values: np.ndarray, digits: int) -> list[float | None]:
    """Return values with so many digits, None for what is no number."""
    return [float(f"{v:.{digits}g}") if np.isfinite(v) else None for v in values.tolist()]
