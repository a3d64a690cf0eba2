"""The mesh with a field as a series of VTK grids, for older ParaView, pyvista and other readers of .pvd collections.

A collection names a grid (.vtu) for each frame with its time (ParaView users' guide, "PVD file format").
"""

from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

import numpy as np

from faying.exporters import ExportContent, Exporter, ExportSettings, exporters
from faying.exporters.output import at_nodes, check_frames, chosen_field, field_name, replacing
from faying.fem.vtu_grid import cells_of, write_grid
from faying.progress import Progress
from faying.results.fields import Field, fields


@exporters.register("pvd")
class PvdExporter(Exporter):
    """PVD: displacement and the field at every node; a joint's field is NaN away from the joint."""

    title: ClassVar[str] = "Mesh and field as a series of grids (PVD)"

    def files(self, settings: ExportSettings, path: Path) -> tuple[Path, ...]:
        """Return the collection and a grid for each frame, next to it."""
        return path, *(path.with_name(f"{path.stem}_{frame:04d}.vtu") for frame in settings.frames)

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the grids, then the collection that names them."""
        check_frames(content, settings)
        field, joints = chosen_field(content, settings)
        moved = fields["displacement"]()
        shown: list[tuple[Field, tuple[str, ...]]] = [(moved, ("",))]
        shown += [] if field.text == "displacement" else [(field, joints)]
        cells, values = cells_of(content.model), np.asarray(content.context.frames.values, float)
        numbers = {"node": content.model.node_ids.astype(np.int64)}
        root = ElementTree.Element("VTKFile", type="Collection", version="0.1", byte_order="LittleEndian")
        collection = ElementTree.SubElement(root, "Collection")
        for k, (frame, file) in enumerate(zip(settings.frames, self.files(settings, path)[1:], strict=True)):
            progress.report(k / len(settings.frames), f"PVD: frame {frame}")
            at_points = {
                field_name(each, content): _of_nodes(content, each, where, frame) for each, where in shown
            }
            with replacing(file) as target:
                write_grid(target, content.model.nodes, cells, numbers | at_points, {})
            ElementTree.SubElement(
                collection, "DataSet", timestep=repr(float(values[frame])), part="0", file=file.name
            )
        with replacing(path) as target:
            ElementTree.ElementTree(root).write(target, encoding="utf-8", xml_declaration=True)


def _of_nodes(content: ExportContent, field: Field, joints: tuple[str, ...], frame: int) -> np.ndarray:
    """Return (n_nodes, …) values of a field, NaN where it has none."""
    shape = (
        (len(content.model.nodes),) if field.components == 1 else (len(content.model.nodes), field.components)
    )
    values = np.full(shape, np.nan)
    for joint in joints:
        rows, there = at_nodes(content, field, joint, frame)
        values[rows] = there
    return values
