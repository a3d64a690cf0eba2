"""Reduced bodies as Nastran OUTPUT4 text files: stiffness, mass and damping as named matrices.

Read by pyNastran, MATLAB toolboxes and Nastran's INPUTT4. The coordinates are those of
`faying.reduction.boundary_coordinates`: six motions of each interface node, then those of held vibration modes. Format:
MSC Nastran DMAP programmer's guide, module OUTPUT4, non-sparse ASCII with sixteen digits.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import write_text
from faying.exporters.bodies import BodyWriter, body_writers
from faying.reduction.body_file import BodyFile
from faying.reduction.boundary_coordinates import superelement

_SYMMETRIC, _DOUBLE = 6, 2
_ACROSS = 3  # numbers in a line


@body_writers.register("op4")
class Output4Writer(BodyWriter):
    """Matrices KGG, MGG and, with damping, BGG; no nodes."""

    title: ClassVar[str] = "Nastran OUTPUT4 matrices"
    extensions: ClassVar[tuple[str, ...]] = (".op4",)

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the matrices; contact in joints, and the places of the nodes, are left out."""
        found = superelement(body.reduced, body.damping)
        given = {"KGG": found.stiffness, "MGG": found.mass, "BGG": found.damping}
        lines = [
            line for name, matrix in given.items() if matrix is not None for line in _matrix(name, matrix)
        ]
        write_text(path, "\n".join(lines) + "\n", durable=False)
        ids = body.node_ids
        nodes = ", ".join(str(ids[row]) for row in dict.fromkeys(found.nodes.tolist()))
        left = [f"joint {joint.name!r}" for joint in body.reduced.joints]
        left_out = [
            f"The file holds matrices alone. Their rows are the motions 1 to 6 of the nodes {nodes}, then "
            f"{len(found.frequencies)} coordinates of vibration modes; where the nodes are is in a .pch of the body."
        ]
        left_out += (
            [f"The matrices hold no contact: {', '.join(left)} slides and parts there."] if left else []
        )
        return tuple(left_out)


def _matrix(name: str, matrix: np.ndarray) -> Iterator[str]:
    """Yield the lines of a matrix, column by column from its first to its last nonzero."""
    size = len(matrix)
    yield f"{size:8d}{size:8d}{_SYMMETRIC:8d}{_DOUBLE:8d}{name:<8}1P,{_ACROSS}E24.16"
    for j, column in enumerate(matrix.T):
        rows = np.flatnonzero(column)
        if not len(rows):
            continue
        first, last = int(rows[0]), int(rows[-1])
        values = column[first : last + 1].tolist()
        yield f"{j + 1:8d}{first + 1:8d}{2 * len(values):8d}"
        for k in range(0, len(values), _ACROSS):
            yield "".join(f"{x:24.16E}" for x in values[k : k + _ACROSS])
    yield f"{size + 1:8d}{1:8d}{2:8d}"
    yield f"{1.0:24.16E}"
