"""Standard Input Data of flexible bodies (SID): for Simpack and other programs with a floating frame of reference.

O. Wallrapp, Standardization of flexible body modeling in multibody system codes, Part I: Definition of standard input
data, Mechanics of Structures and Machines 22 (1994) 283–304; symbols of Schwertassek and Wallrapp, Dynamik flexibler
Mehrkörpersysteme (1999), section 6. Each matrix is a Taylor series in the modal coordinates, M = M0 + Σ M1_l q_l. Terms
of stresses (geometric stiffening: parts of Ct, Cr, Gr, Oe, and phi of the nodes) are those of a body that has them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.atomic import write_text
from faying.exporters.bodies import BodyWriter, body_writers
from faying.exporters.bodies._integrals import integrals_of, turned_products
from faying.reduction.body_file import BodyFile
from faying.spatial.rotations import skew

_FULL, _SYMMETRIC, _ZERO = 3, 2, 0
_CENTRIFUGAL = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # of ωk ωm


@body_writers.register("sid")
class SidWriter(BodyWriter):
    """One file of text; its frames are the interface nodes."""

    title: ClassVar[str] = "Standard Input Data (SID)"
    extensions: ClassVar[tuple[str, ...]] = (".sid", ".sid_fem")

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the body without contact; geometric stiffening if it has that."""
        write_text(path, "\n".join(_lines(body)) + "\n", durable=False)
        left = [f"joint {joint.name!r}" for joint in body.reduced.joints]
        return (f"SID knows no contact: {', '.join(left)} slides and parts there.",) if left else ()


def _lines(body: BodyFile) -> Iterator[str]:
    reduced, integrals = body.reduced, integrals_of(body, "SID")
    r, bent = reduced.n_coordinates, reduced.second_order
    if bent is not None:
        integrals = bent.added_to(integrals, np.zeros(3))
    products, crossed = turned_products(integrals), integrals.coupling
    title = f"{' '.join(body.name.split())}, exported by Faying, units {body.units}"
    yield f"{len(reduced.interfaces):10d}{r:10d}   {title}"
    yield from ("part", "new modal", "refmod")
    yield f"mass = {_number(integrals.total_mass)}"
    yield f"nelastq = {r}"
    for k, label in enumerate(reduced.mode_labels()):
        yield f"ielastq ({k + 1:4d}) = {label}"
    yield from ("end refmod", "frame")
    for k, (name, row) in enumerate(reduced.interface_nodes.items()):
        bows = None if bent is None else bent.nodes[name][:3, 6:, 6:]
        yield from _node(k + 1, reduced.nodes[row], reduced.interfaces[name], bows)
    yield "end frame"
    shapes = integrals.first[:, 7:]
    yield from _taylor("mdCM", integrals.first[:, :1], shapes[:, None, :])
    inertia_slopes = products[:, :, 0, 1:] + products[:, :, 0, 1:].transpose(1, 0, 2)
    yield from _taylor("J", products[:, :, 0, 0], inertia_slopes, _SYMMETRIC)
    yield from _taylor("Ct", shapes.T, None if bent is None else bent.drift.transpose(1, 0, 2))
    # ∫ (φ_l × φ_i) · e_c, where l is the coordinate of the matrix' derivative.
    turning = crossed[:, 7:, 6:].transpose(2, 0, 1)
    yield from _taylor("Cr", crossed[:, 0, 6:].T, turning)
    yield from _taylor("Me", reduced.mass, structure=_SYMMETRIC)
    yield from _taylor(
        "Gr",
        2.0 * products[:, :, 0, 1:].transpose(0, 2, 1).reshape(3, 3 * r),
        2.0 * products[:, :, 1:, 1:].transpose(0, 3, 1, 2).reshape(3, 3 * r, r),
    )
    # ∫ 2 (e_c × φ_i) · φ_l is antisymmetric in i and l; what is symmetric is of second order, or of couplings.
    yield from _taylor("Ge", (turning.transpose(0, 2, 1) - turning.transpose(2, 0, 1)).reshape(r, 3 * r))
    first = np.stack([_of_speeds(products[:, :, 0, 1:], k, m) for k, m in _CENTRIFUGAL], axis=1)
    second = np.stack([_of_speeds(products[:, :, 1:, 1:], k, m) for k, m in _CENTRIFUGAL], axis=1)
    yield from _taylor("Oe", first, second)
    yield from _taylor("ksigma", np.zeros((r, 1)), structure=_ZERO)
    yield from _taylor("Ke", reduced.stiffness, structure=_SYMMETRIC)
    damping = np.zeros((r, r)) if body.damping is None else body.damping
    yield from _taylor("De", damping, structure=_ZERO if body.damping is None else _SYMMETRIC)
    yield from ("end modal", "end part")


def _of_speeds(products: np.ndarray, k: int, m: int) -> np.ndarray:
    """Return the modal force per ωk ωm: −∫ρ (e_k × b) · (e_m × φ) dV, plus the same with k and m exchanged if k ≠ m."""
    return np.asarray(-products[k, m] if k == m else -products[k, m] - products[m, k])


def _node(number: int, place: np.ndarray, rows: np.ndarray, bows: np.ndarray | None) -> Iterator[str]:
    shapes = rows[:3]
    turns = rows[3:] if len(rows) == 6 else np.zeros_like(shapes)
    yield f"new node = {number}"
    yield "rframe = body ref"
    yield from _taylor("origin", place[:, None], shapes[:, None, :])
    yield from _taylor("phi", shapes, bows)
    yield from _taylor("psi", turns, structure=_FULL if turns.any() else _ZERO)
    yield from _taylor("AP", np.eye(3), np.moveaxis(skew(turns.T), 0, 2))
    yield from _taylor("sigma", np.zeros((6, 1)), structure=_ZERO)
    yield "end node"


def _taylor(
    name: str, constant: np.ndarray, slopes: np.ndarray | None = None, structure: int = _FULL
) -> Iterator[str]:
    """Yield the lines of a matrix (n, m) and of its slopes (n, m, r) over the modal coordinates; zeros are left out."""
    count = 0 if slopes is None else slopes.shape[2]
    yield name
    yield f"order = {0 if slopes is None else 1}"
    yield f"nrow = {constant.shape[0]}"
    yield f"ncol = {constant.shape[1]}"
    yield f"nq = {count}"
    yield "nqn = 0"
    yield f"structure = {structure}"
    if structure != _ZERO:
        for (i, j), value in np.ndenumerate(constant):
            if value and (structure == _FULL or i <= j):
                yield f"m0({i + 1:4d},{j + 1:4d}) = {_number(value)}"
        for (i, j, k), value in np.ndenumerate(np.zeros((0, 0, 0)) if slopes is None else slopes):
            if value and (structure == _FULL or i <= j):
                yield f"m1({i + 1:4d},{k + 1:4d},{j + 1:4d}) = {_number(value)}"
    yield f"end {name}"


def _number(value: float) -> str:
    return f"{value:.15E}"
