"""Contact pairs as a grid of lines (.vtu), for ParaView and others: from the slave side to intersection points."""

from pathlib import Path

import numpy as np

from faying.fem.model import FeModel
from faying.fem.vtu_grid import Cells, write_grid
from faying.joints.pairs import ContactPairs
from faying.joints.pairs_table import slave_name, slave_numbers

_VERTEX, _LINE = 1, 3  # VTK's numbers of these cells


def write_pairs_grid(path: Path, pairs: ContactPairs, model: FeModel, units: str) -> None:
    """Write a line for each contact pair and a vertex for each slave node or integration point without one.

    Cells have the number of the slave node (of an integration point that of its slave facet), the master facet (-1
    without), initial gap (NaN without), weight, normal, and the `reason` why there is no pair: 0 for a pair, else 1 +
    the place in `REASONS`.

    Args:
        path: of the file.
        pairs: of one joint.
        model: of the body.
        units: the project's unit system; the numbers are in it.

    Raises:
        OSError: when the file cannot be written.
    """
    n, m = len(pairs), pairs.n_unpaired
    points = np.concatenate([pairs.on_slave(model.nodes), pairs.on_unpaired(model.nodes), pairs.points])
    lines = np.column_stack([np.arange(n), n + m + np.arange(n)]).ravel()
    cells = Cells(
        np.concatenate([lines, n + np.arange(m)]),
        np.repeat([2, 1], [n, m]),
        np.repeat([_LINE, _VERTEX], [n, m]),
    )
    in_cells = {
        slave_name(pairs): np.concatenate(slave_numbers(pairs, model)).astype(np.int64),
        "master facet": np.concatenate([pairs.facets, np.full(m, -1)]).astype(np.int64),
        "initial gap": np.concatenate([pairs.initial_gaps, np.full(m, np.nan)]),
        "weight": np.concatenate([pairs.weights, pairs.unpaired_weights]),
        "normal": np.concatenate([pairs.normals, np.zeros((m, 3))]),
        "reason": np.concatenate([np.zeros(n), 1 + pairs.unpaired_reasons]).astype(np.int32),
    }
    write_grid(path, points, cells, {}, in_cells)
