"""Reduced bodies for Abaqus: a deck of nodes with matrices as *MATRIX INPUT, each in a separate file.

Mass, stiffness and damping are those of `faying.reduction.boundary_coordinates`. Coordinates that belong to no
interface node become the x displacements of additional nodes. Faying can read the matrices back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import write_text
from faying.exporters.bodies import BodyWriter, body_writers
from faying.fem.abaqus_text import line_of, name_of
from faying.reduction.body_file import BodyFile
from faying.reduction.boundary_coordinates import Superelement, superelement

_KINDS = {"stiffness": "STIFFNESS", "mass": "MASS", "damping": "VISCOUS DAMPING"}


@body_writers.register("abaqus")
class AbaqusMatricesWriter(BodyWriter):
    """A deck to be included, and a matrix file for each of its matrices."""

    title: ClassVar[str] = "Abaqus matrix input"
    extensions: ClassVar[tuple[str, ...]] = (".inp",)

    @classmethod
    def files(cls, path: Path) -> tuple[Path, ...]:
        """Return the deck and the matrix files."""
        return path, *(path.with_name(f"{path.stem}_{kind}.mtx") for kind in _KINDS)

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the matrices; contact in joints is left out."""
        found = superelement(body.reduced, body.damping)
        labels = _labels(body, found)
        lines = [
            "*HEADING",
            f"{line_of(' '.join(body.name.split()))}, exported by Faying; units {body.units}",
            "*NODE",
        ]
        places = [body.reduced.nodes[row] for row in found.nodes]
        places += [np.zeros(3)] * len(found.frequencies)
        nodes = {label: place for (label, _), place in zip(labels, places, strict=True)}
        lines += [f"{label}, {x:.15g}, {y:.15g}, {z:.15g}" for label, (x, y, z) in nodes.items()]
        given = {"stiffness": found.stiffness, "mass": found.mass, "damping": found.damping}
        names = {}
        for file, (kind, matrix) in zip(cls.files(path)[1:], given.items(), strict=True):
            if matrix is None:
                continue
            write_text(file, "\n".join(_entries(labels, matrix)) + "\n", durable=False)
            names[kind] = f"FAYING_{kind.upper()}"
            lines.append(f"*MATRIX INPUT, NAME={names[kind]}, INPUT={_file(file)}, TYPE=SYMMETRIC")
        words = [f"{_KINDS[kind]}={name}" for kind, name in names.items()]
        sets = {"_".join(name.upper().split()): row for name, row in body.reduced.interface_nodes.items()}
        lines += [f"*NSET, NSET={name_of(name)}\n{body.node_ids[row]}" for name, row in sets.items()]
        lines.append("*MATRIX ASSEMBLE, " + ", ".join(words))
        write_text(path, "\n".join(lines) + "\n", durable=False)
        left = [f"joint {joint.name!r}" for joint in body.reduced.joints]
        return (f"The matrices hold no contact: {', '.join(left)} slides and parts there.",) if left else ()


def _file(path: Path) -> str:
    """Return a file name in the form of a deck: quoted if it contains blanks or commas."""
    return f'"{path.name}"' if any(c in path.name for c in " ,=") else path.name


def _labels(body: BodyFile, found: Superelement) -> list[tuple[int, int]]:
    first = int(body.node_ids.max()) + 1
    held = [(int(body.node_ids[row]), int(c)) for row, c in zip(found.nodes, found.components, strict=True)]
    return [*held, *((first + k, 1) for k in range(len(found.frequencies)))]


def _entries(labels: list[tuple[int, int]], matrix: np.ndarray) -> Iterator[str]:
    for i, (node, component) in enumerate(labels):
        for j in range(i + 1):
            if matrix[i, j]:
                yield f"{node}, {component}, {labels[j][0]}, {labels[j][1]}, {matrix[i, j]:.16e}"
