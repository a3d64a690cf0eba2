"""The whole mesh with a field over all frames, for ParaView and other readers of VTKHDF files.

Format: VTKHDF 2.0, unstructured grid with static geometry and time steps (VTK documentation, "VTKHDF file
format"). Written by h5py alone.
"""

from pathlib import Path
from typing import ClassVar

import h5py
import numpy as np

from faying.exporters import ExportContent, Exporter, ExportSettings, exporters
from faying.exporters.output import at_nodes, check_frames, chosen_field, is_true, replacing
from faying.fem.model import FeModel
from faying.fem.vtu_grid import cells_of
from faying.progress import Progress
from faying.results.fields import Field, fields
from faying.units import unit_text


@exporters.register("vtkhdf")
class VtkHdfExporter(Exporter):
    """VTKHDF: displacement and the field at every node; a joint's field is NaN away from the joint.

    For pairs at integration points, a node gets the mean of the values around it.
    """

    title: ClassVar[str] = "Mesh and field for ParaView (VTKHDF)"

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the mesh once, and displacement and field for every frame."""
        check_frames(content, settings)
        field, joints = chosen_field(content, settings)
        with replacing(path) as target, h5py.File(target, "w") as file:
            root = file.create_group("VTKHDF")
            root.attrs["Version"] = (2, 0)
            root.attrs.create("Type", b"UnstructuredGrid", dtype=h5py.string_dtype("ascii", 16))
            _write_mesh(root, content.model)
            steps = _write_steps(root, content, settings)
            _write_field(
                root, steps, content, settings, "displacement", ("",), fields["displacement"](), progress
            )
            if field.text != "displacement":
                _write_field(root, steps, content, settings, field.text, joints, field, progress)


def _write_mesh(root: h5py.Group, model: FeModel) -> None:
    cells = cells_of(model)
    offsets = np.concatenate([[0], np.cumsum(cells.sizes)]).astype(np.int64)
    for name, value in (
        ("NumberOfPoints", [len(model.nodes)]),
        ("NumberOfCells", [len(offsets) - 1]),
        ("NumberOfConnectivityIds", [len(cells.points)]),
    ):
        root.create_dataset(name, data=np.asarray(value, np.int64))
    root.create_dataset("Points", data=np.asarray(model.nodes, float))
    root.create_dataset("Connectivity", data=cells.points.astype(np.int64))
    root.create_dataset("Offsets", data=offsets)
    root.create_dataset("Types", data=cells.types.astype(np.uint8))
    root.create_dataset("CellData/element", data=model.element_ids)


def _write_steps(root: h5py.Group, content: ExportContent, settings: ExportSettings) -> h5py.Group:
    # Geometry does not change: every step refers to the same part, points and cells.
    count = len(settings.frames)
    steps = root.create_group("Steps")
    steps.attrs["NSteps"] = count
    steps.create_dataset(
        "Values", data=np.asarray(content.context.frames.values, float)[list(settings.frames)]
    )
    steps.create_dataset("NumberOfParts", data=np.ones(count, np.int64))
    zeros = np.zeros(count, np.int64)
    for name in ("PartOffsets", "PointOffsets"):
        steps.create_dataset(name, data=zeros)
    for name in ("CellOffsets", "ConnectivityIdOffsets"):
        steps.create_dataset(name, data=zeros[:, None])
    steps.create_dataset("CellDataOffsets/element", data=zeros)
    return steps


def _write_field(
    root: h5py.Group, steps: h5py.Group, content: ExportContent, settings: ExportSettings,
    name: str, joints: tuple[str, ...], field: Field, progress: Progress,
) -> None:  # fmt: skip
    n, count = len(content.model.nodes), len(settings.frames)
    tail = () if field.components == 1 else (field.components,)
    name = name.replace("/", "÷")  # a formula must not create groups
    dataset = root.create_dataset(f"PointData/{name}", shape=(n * count, *tail), dtype=np.float32)
    dataset.attrs["unit"] = unit_text(field.quantity_over(content.context.frames.axis), content.units)
    if is_true(field, content):
        dataset.attrs["model"] = "FE model"
    for i, frame in enumerate(settings.frames):
        progress.report(i / count, f"VTKHDF: {name}, frame {frame}")
        values = np.full((n, *tail), np.nan, np.float32)
        for joint in joints:
            rows, there = at_nodes(content, field, joint, frame)
            values[rows] = there
        dataset[i * n : (i + 1) * n] = values
    steps.create_dataset(f"PointDataOffsets/{name}", data=n * np.arange(count, dtype=np.int64))
