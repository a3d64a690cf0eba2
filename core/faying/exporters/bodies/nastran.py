"""Reduced bodies for Nastran: a punch file of DMIG matrices between grid points (interface nodes) and scalar points.

Mass, stiffness and damping are those of `faying.reduction.boundary_coordinates`; the case control commands K2GG, M2GG
and B2GG use them. Fields have sixteen characters, so that numbers have nine digits.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import write_text
from faying.exporters.bodies import BodyWriter, body_writers
from faying.reduction.body_file import BodyFile
from faying.reduction.boundary_coordinates import Superelement, superelement

_WIDE = 16  # characters of a large field


@body_writers.register("nastran")
class NastranWriter(BodyWriter):
    """Bulk data to be included: GRID, SPOINT and DMIG cards."""

    title: ClassVar[str] = "Nastran DMIG punch"
    extensions: ClassVar[tuple[str, ...]] = (".pch", ".dmig")

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the matrices; contact in joints is left out."""
        found = superelement(body.reduced, body.damping)
        write_text(path, "\n".join(_lines(body, found)) + "\n", durable=False)
        left = [f"joint {joint.name!r}" for joint in body.reduced.joints]
        return (f"The matrices hold no contact: {', '.join(left)} slides and parts there.",) if left else ()


def _lines(body: BodyFile, found: Superelement) -> Iterator[str]:
    names = {"K2GG": ("KFAYING", found.stiffness), "M2GG": ("MFAYING", found.mass)}
    if found.damping is not None:
        names["B2GG"] = ("BFAYING", found.damping)
    yield f"$ Body {' '.join(body.name.split())[:40]}, exported by Faying; units {body.units}"
    yield "$ In case control: " + ", ".join(f"{key} = {name}" for key, (name, _) in names.items())
    ids, points = body.node_ids, body.reduced.nodes
    for row in dict.fromkeys(found.nodes.tolist()):
        x, y, z = points[row]
        yield f"{'GRID*':<8}{ids[row]:>16}{'':16}{_number(x):>16}{_number(y):>16}*"
        yield f"{'*':<8}{_number(z):>16}"
    first, count = int(ids.max()) + 1, len(found.frequencies)
    if count:
        yield (
            f"{'SPOINT':<8}{first:>8}{'THRU':>8}{first + count - 1:>8}"
            if count > 1
            else f"{'SPOINT':<8}{first:>8}"
        )
    labels = [(int(ids[row]), int(c)) for row, c in zip(found.nodes, found.components, strict=True)]
    labels += [(first + k, 0) for k in range(count)]
    for name, matrix in names.values():
        # IFO 6: symmetric, the upper triangle by columns; 2: real, double precision.
        yield f"{'DMIG':<8}{name:<8}{0:>8}{6:>8}{2:>8}{0:>8}"
        for j, (node, component) in enumerate(labels):
            rows = [i for i in range(j + 1) if matrix[i, j]]
            if not rows:
                continue
            yield f"{'DMIG*':<8}{name:<16}{node:>16}{component:>16}{'':16}*"
            for i in rows:
                yield f"{'*':<8}{labels[i][0]:>16}{labels[i][1]:>16}{_number(matrix[i, j], 'D'):>16}{'':16}*"


def _number(value: float, exponent: str = "E") -> str:
    """Return a number in sixteen characters."""
    text = f"{np.float64(value):.9E}"
    # A negative number with an exponent of three digits loses one of its own.
    return (text if len(text) <= _WIDE else f"{np.float64(value):.8E}").replace("E", exponent)
