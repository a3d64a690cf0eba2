"""Contact pairs as a table of text (.csv)."""

import csv
from pathlib import Path

from faying.atomic import replacing
from faying.fem.model import FeModel
from faying.joints.pairs import REASONS, ContactPairs
from faying.units import unit_text


def write_pairs_table(path: Path, pairs: ContactPairs, model: FeModel, units: str) -> None:
    """Write one row for each slave node: its pair, or the reason why it has none.

    Args:
        path: of the file.
        pairs: of one joint.
        model: of the body.
        units: the project's unit system, for the head of the table.

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
            ["slave node", "x", "y", "z", "normal x", "normal y", "normal z", "master facet", "xi", "eta",
             f"initial gap [{length}]", f"weight [{area}]", "without pair"]
        )  # fmt: skip
        columns = (
            model.node_ids[pairs.slave_nodes], model.nodes[pairs.slave_nodes], pairs.normals, pairs.facets,
            pairs.local_coordinates, pairs.initial_gaps, pairs.weights,
        )  # fmt: skip
        for node, point, normal, facet, local, gap, weight in zip(*columns, strict=True):
            numbers = [*point, *normal]
            row = [f"{x:.9g}" for x in numbers], [f"{x:.9g}" for x in (*local, gap, weight)]
            table.writerow([int(node), *row[0], int(facet), *row[1], ""])
        for node, reason in zip(pairs.unpaired_nodes, pairs.unpaired_reasons, strict=True):
            point = [f"{x:.9g}" for x in model.nodes[node]]
            table.writerow([int(model.node_ids[node]), *point, *[""] * 8, REASONS[int(reason)]])
