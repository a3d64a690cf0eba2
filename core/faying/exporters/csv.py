"""Tables of a field as text: one row per point, one column per frame."""

import csv
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.csv_cells import text_cell
from faying.exporters import ExportContent, Exporter, ExportSettings, exporters
from faying.exporters.output import check_frames, chosen_field, field_name, named, replacing
from faying.progress import Progress
from faying.results.fields import Field


@exporters.register("csv")
class CsvExporter(Exporter):
    """Comma-separated values (UTF-8): node number, undeformed position, area for joints, a column per frame."""

    title: ClassVar[str] = "Table (CSV)"

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the table; a joint field has one row per contact pair, a body field one per node."""
        check_frames(content, settings)
        field, joints = chosen_field(content, settings)
        tables = [self._table(content, settings, field, joint, progress) for joint in joints]
        with replacing(path) as target, target.open("w", newline="", encoding="utf-8") as stream:
            out = csv.writer(stream)
            out.writerow([text_cell(head) for head in self._heads(content, settings, field)])
            for joint, (labels, numbers) in zip(joints, tables, strict=True):
                for label, row in zip(labels, numbers, strict=True):
                    out.writerow([*([text_cell(joint)] if joint else []), label, *(f"{v:.9g}" for v in row)])

    def _heads(self, content: ExportContent, settings: ExportSettings, field: Field) -> list[str]:
        heads = ["node", *(named(c, "length", content) for c in "xyz")]
        if field.location == "joint":
            heads = ["joint", *heads, named("area", "area", content)]
            if any(pairs.slave_points is not None for pairs in content.pairs.values()):
                heads[1] = "node or pair"
        parts = ("",) if field.components == 1 else (" x", " y", " z")
        frames = content.context.frames
        name = field_name(field, content)
        return heads + [f"{name}{p} at {frames.label(i)}" for i in settings.frames for p in parts]

    def _table(
        self, content: ExportContent, settings: ExportSettings, field: Field, joint: str, progress: Progress
    ) -> tuple[list[int], np.ndarray]:
        nodes = content.model.nodes
        labels, columns = content.model.node_ids, [nodes]
        if joint:
            pairs = content.pairs[joint]
            # Integration points have no numbers of their own: they are counted from 1.
            at = pairs.slave_nodes
            labels = np.arange(1, 1 + len(pairs)) if at is None else labels[at]
            columns = [pairs.on_slave(nodes), pairs.weights[:, None]]
        for i, frame in enumerate(settings.frames):
            progress.report(i / len(settings.frames), f"Table: frame {frame}")
            values = np.asarray(field.evaluate(content.body_context, joint, frame), float)
            columns.append(values.reshape(len(labels), -1))
        return labels.tolist(), np.hstack(columns)
