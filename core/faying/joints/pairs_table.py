"""Contact pairs as a table of text (.csv)."""

import csv
from pathlib import Path

import numpy as np

from faying.atomic import replacing
from faying.fem.model import FeModel
from faying.joints.pairs import REASONS, ContactPairs
from faying.units import unit_text


def write_pairs_table(path: Path, pairs: ContactPairs, model: FeModel, units: str) -> None:
    """Write one row for each slave node or integration point: its pair, or the reason why it has none.

    The first column is the number of the slave node, or that of the slave facet of an integration point.

    Args:
        path: of the file.
        pairs: of one joint.
        model: of the body.
        units: the project's unit system, for the header of the table.

    Raises:
        OSError: when the file cannot be written.
    """
    length, area = unit_text("length", units), unit_text("area", units)
    with (
        replacing(path, durable=False) as beside,
        beside.open("w", encoding="utf-8", newline="") as stream,
    ):
        table = csv.writer(stream)
        table.writerow(
            [slave_name(pairs), "x", "y", "z", "normal x", "normal y", "normal z", "master facet", "xi", "eta",
             f"initial gap [{length}]", f"weight [{area}]", "without pair"]
        )  # fmt: skip
        with_pair, without = slave_numbers(pairs, model)
        columns = (
            with_pair, pairs.on_slave(model.nodes), pairs.normals, pairs.facets,
            pairs.local_coordinates, pairs.initial_gaps, pairs.weights,
        )  # fmt: skip
        for number, place, normal, facet, local, gap, weight in zip(*columns, strict=True):
            numbers = [*place, *normal]
            row = [f"{x:.9g}" for x in numbers], [f"{x:.9g}" for x in (*local, gap, weight)]
            table.writerow([int(number), *row[0], int(facet), *row[1], ""])
        others = without, pairs.on_unpaired(model.nodes), pairs.unpaired_reasons
        for number, place, reason in zip(*others, strict=True):
            there = [f"{x:.9g}" for x in place]
            table.writerow([int(number), *there, *[""] * 8, REASONS[int(reason)]])


def slave_name(pairs: ContactPairs) -> str:
    """Return the name of the things that `slave_numbers` count."""
    return "slave node" if pairs.slave_points is None else "slave facet"


def slave_numbers(pairs: ContactPairs, model: FeModel) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) and (m,) the model's numbers of slave nodes with and without a pair, or those of their facets."""
    if pairs.slave_points is not None and pairs.unpaired_points is not None:
        return pairs.slave_points.facets, pairs.unpaired_points.facets
    assert pairs.slave_nodes is not None and pairs.unpaired_nodes is not None
    return model.node_ids[pairs.slave_nodes], model.node_ids[pairs.unpaired_nodes]
