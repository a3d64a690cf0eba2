"""The mesh with shapes and fields as a universal file, for test systems, Salome and other FE programs.

Written from the public description of the format (Structural Dynamics Research Laboratory, University of Cincinnati,
"Universal file formats for modal analysis testing", datasets 55, 164, 2411 and 2412): nodes and elements, then for each
frame a dataset 55 of the displacements and one of the field, in SI units.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.exporters import ExportContent, Exporter, ExportSettings, exporters
from faying.exporters.output import at_nodes, check_frames, chosen_field, replacing
from faying.exporters.universal_text import MARK, fixed, units
from faying.fem.elements import element_kinds
from faying.fem.universal_elements import BEAMS, descriptor_of
from faying.progress import Progress
from faying.results.fields import Field, fields
from faying.units import factor_to_si

_STRUCTURAL, _REAL = 1, 2
_STATIC, _MODES, _TRANSIENT, _RESPONSE = 1, 2, 4, 5
_ANALYSES = {"time": _TRANSIENT, "frequency": _RESPONSE, "mode": _MODES, "shape": _MODES}
_DISPLACEMENT, _STRESS, _VELOCITY, _ACCELERATION = 8, 2, 11, 12
_DATA = {"length": _DISPLACEMENT, "stress": _STRESS, "velocity": _VELOCITY, "acceleration": _ACCELERATION}


@exporters.register("unv")
class UnvExporter(Exporter):
    """UNV: nodes, elements, and displacement and field of each frame; nodes without a value are left out."""

    title: ClassVar[str] = "Mesh, shapes and fields (universal file)"

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the mesh once, and displacement and field for every frame.

        Raises:
            ModelError: for a mesh with elements that the format does not have, and a field of tensors.
        """
        check_frames(content, settings)
        field, joints = chosen_field(content, settings)
        if field.components not in (1, 3):
            raise ModelError(
                f"{path.name}: {field.title} has {field.components} components, and such files hold numbers and "
                "vectors.",
                "Export one of its components.",
            )
        shown: list[tuple[Field, tuple[str, ...]]] = [(fields["displacement"](), ("",))]
        shown += [] if field.text == "displacement" else [(field, joints)]
        mesh = list(_mesh(content, path))
        with replacing(path) as target, target.open("w", encoding="ascii", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in [*units(), *mesh])
            for k, frame in enumerate(settings.frames):
                progress.report(k / len(settings.frames), f"UNV: frame {frame}")
                for each, where in shown:
                    stream.writelines(f"{line.rstrip()}\n" for line in _frame(content, each, where, frame))


def _mesh(content: ExportContent, path: Path) -> Iterator[str]:
    """Yield datasets 2411 and 2412."""
    model, metre = content.model, factor_to_si("length", content.units)
    yield from (MARK, f"{2411:6d}")
    for number, place in zip(model.node_ids.tolist(), (metre * model.nodes).tolist(), strict=True):
        yield f"{number:10d}{1:10d}{1:10d}{11:10d}"
        yield "".join(f"{x:25.16E}" for x in place).replace("E", "D")
    yield from (MARK, MARK, f"{2412:6d}")
    for block in model.blocks:
        n_nodes = element_kinds[block.element].n_nodes
        found = descriptor_of(block.element, n_nodes)
        if found is None:
            raise ModelError(
                f"{path.name}: universal files have no elements of the kind {block.element!r}.",
                "Export the mesh as .pvd or .vtkhdf.",
            )
        descriptor, order = found
        numbers = np.empty_like(block.connectivity)
        numbers[:, order] = model.node_ids[block.connectivity]
        for element, own in zip(block.ids.tolist(), numbers.tolist(), strict=True):
            yield f"{element:10d}{descriptor:10d}{1:10d}{1:10d}{7:10d}{n_nodes:10d}"
            if descriptor in BEAMS:
                yield f"{0:10d}{1:10d}{1:10d}"
            for first in range(0, n_nodes, 8):
                yield "".join(f"{node:10d}" for node in own[first : first + 8])
    yield MARK


def _frame(content: ExportContent, field: Field, joints: tuple[str, ...], frame: int) -> Iterator[str]:
    """Yield dataset 55 of one field in one frame."""
    frames = content.context.frames
    axis, value = frames.axis, float(frames.values[frame])
    value *= factor_to_si(axis.quantity, content.units) if axis.quantity else 1.0
    analysis = _ANALYSES.get(axis.kind, _STATIC)
    quantity = field.quantity_over(axis)
    width = 3 if field.components == 3 else 1
    yield from (MARK, f"{55:6d}", fixed(field.title, 80), fixed(content.title, 80))
    yield from (fixed(frames.label(frame), 80), "NONE", "NONE")
    kind = (_STRUCTURAL, analysis, 2 if width == 3 else 1, _DATA.get(quantity, 0), _REAL, width)
    yield "".join(f"{number:10d}" for number in kind)
    if analysis == _MODES:
        yield f"{2:10d}{4:10d}{1:10d}{frame + 1:10d}"
        yield "".join(f"{number:13.5E}" for number in (value, 1.0, 0.0, 0.0))
    elif analysis == _STATIC:
        yield f"{1:10d}{1:10d}{frame + 1:10d}"
        yield f"{value:13.5E}"
    else:
        yield f"{2:10d}{1:10d}{1:10d}{frame + 1:10d}"
        yield f"{value:13.5E}"
    factor = factor_to_si(quantity, content.units) if quantity else 1.0
    for joint in joints:
        rows, values = at_nodes(content, field, joint, frame)
        values = factor * values.reshape(len(rows), width)
        known = np.isfinite(values).all(axis=1)
        ids = content.model.node_ids[rows[known]]
        for number, own in zip(ids.tolist(), values[known].tolist(), strict=True):
            yield f"{number:10d}"
            yield "".join(f"{x:13.5E}" for x in own)
    yield MARK
