"""Reduced bodies for OpenFAST: a superelement of its module ExtPtfm, the substructure of a wind turbine.

Format: what `ReadFlexASCII` of OpenFAST's ExtPtfm_MCKF_IO.f90 reads (FileFormat 1); theory: Branlard and others (2020),
J. Phys.: Conf. Ser. 1452. The module knows six motions of one interface, then Craig-Bampton coordinates, of a structure
that is held.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import write_text
from faying.errors import ModelError
from faying.exporters.bodies import BodyWriter, body_writers
from faying.reduction.body_file import BodyFile
from faying.reduction.boundary_coordinates import superelement
from faying.units import factor_to_si

_LONG = 1e5  # s that the table of loads lasts
_MOTIONS = 6


@body_writers.register("extptfm")
class ExtPtfmWriter(BodyWriter):
    """Mass, stiffness and damping in SI units; the highest interface node is the interface, all others are held."""

    title: ClassVar[str] = "OpenFAST ExtPtfm superelement"
    extensions: ClassVar[tuple[str, ...]] = (".extptfm",)

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the matrices.

        Raises:
            ModelError: with less than two interface nodes, or when the highest one does not have all six motions.
        """
        found = superelement(body.reduced, body.damping)
        interfaces = body.reduced.interface_nodes
        if len(interfaces) < 2:
            raise ModelError(
                "A superelement of ExtPtfm is held at its base and moves at its interface: the body needs two "
                "interface nodes.",
                "Add one at each.",
            )
        top = max(interfaces, key=lambda name: float(body.reduced.nodes[interfaces[name], 2]))
        own = np.flatnonzero(found.nodes == interfaces[top])
        if len(own) != _MOTIONS:
            raise ModelError(
                f"The interface node {top!r}, the highest one, does not have three displacements and three rotations.",
                "Couple a surface to a node there, and take all of its components.",
            )
        chosen = np.concatenate([own, np.arange(len(found.nodes), len(found.mass))])
        modes = len(chosen) - _MOTIONS
        mass, length, time = (factor_to_si(name, body.units) for name in ("mass", "length", "time"))
        # Coordinates in SI units: displacements, angles, and amplitudes of modes whose mass stays one.
        scales = np.array([length] * 3 + [1.0] * 3 + [np.sqrt(mass) * length] * modes)
        matrices = {"Mass": (found.mass, 0), "Stiffness": (found.stiffness, 2), "Damping": (found.damping, 1)}
        si = {}
        for name, (matrix, rates) in matrices.items():
            whole = np.zeros_like(found.mass) if matrix is None else matrix
            factor = mass * length**2 / time**rates
            si[name] = factor * whole[np.ix_(chosen, chosen)] / np.outer(scales, scales)
        write_text(path, "\n".join(_lines(body.name, top, si)) + "\n", durable=False)
        held = ", ".join(repr(name) for name in interfaces if name != top)
        said = [
            f"Its interface is the highest interface node, {top!r}; held are: {held}. Axes are those of the body."
        ]
        if joints := ", ".join(repr(joint.name) for joint in body.reduced.joints):
            said.append(f"The matrices hold no contact: joint {joints} slides and parts there.")
        return tuple(said)


def _lines(name: str, interface: str, matrices: dict[str, np.ndarray]) -> Iterator[str]:
    size = len(matrices["Mass"])
    plain = " ".join(f"{name}, interface {interface}".split())
    yield f"!{plain}: written by Faying, FLEX 5 format; kg, m, s, rad"
    yield f"!Dimension: {size}"
    yield f"!Time increment in simulation: {_LONG:g}"
    yield f"!Total simulation time in file: {_LONG:g}"
    for title, matrix in matrices.items():
        yield f"!{title} Matrix"
        yield f"!Dimension: {size}"
        yield from (" ".join(f"{value:.15E}" for value in row) for row in matrix)
    yield "!Loading"
    yield "!Time and the loads on each coordinate: there are none"
    yield from (" ".join(f"{value:.6E}" for value in [time, *[0.0] * size]) for time in (0.0, _LONG))
