"""Material axes in the elements of a Nastran deck: THETA or MCID of shells, CORDM of PSOLID."""

from collections.abc import Sequence

import numpy as np

from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.shell_axes import shell_normals, surface_axes, turned_about_normals
from faying.fem.whole_numbers import is_whole_number


def shell_directions(
    cards: Sequence[BulkCard], at: int, grid: GridPoints, facet: str, coordinates: np.ndarray
) -> np.ndarray:
    """Return (n, 3, 3) material axes of shells, as rows; the third is the normal.

    A real number is an angle in degrees from the side between the first two corners; an integer is a coordinate system
    whose first direction (x, or the radius) is projected, or its third where the first is normal to the shell.

    Args:
        cards: cards of the elements.
        at: index of the field THETA or MCID.
        grid: with the coordinate systems.
        facet: kind of facet of the shells.
        coordinates: (n, k, 3) of their nodes.

    Raises:
        ReadError: for text instead of a number, or a system that is not defined.
    """
    normals = shell_normals(facet, coordinates)
    axes = np.zeros((len(cards), 3, 3))
    axes[:, 0] = coordinates[:, 1] - coordinates[:, 0]
    axes[:, 2] = normals  # never used, since a side is not normal to its shell
    angles = np.zeros(len(cards))
    systems: dict[int, list[int]] = {}
    for row, card in enumerate(cards):
        if is_whole_number(card.text(at)):
            systems.setdefault(integer(card, at, "a coordinate system"), []).append(row)
        else:
            angles[row] = np.radians(real(card, at, "an angle"))
    for system, rows in systems.items():
        frame = grid.frame(cards[rows[0]], system)
        axes[rows] = frame.directions(coordinates[rows].mean(axis=1))
    lengths = np.linalg.norm(axes[:, 0], axis=1)
    axes[:, 0] /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return turned_about_normals(surface_axes(normals, axes), angles)


def solid_directions(property_card: BulkCard, grid: GridPoints, coordinates: np.ndarray) -> np.ndarray | None:
    """Return (n, 3, 3) material axes of solids, as rows; None for the basic system.

    Args:
        property_card: their PSOLID.
        grid: with the coordinate systems.
        coordinates: (n, k, 3) of their nodes.

    Raises:
        ReadError: for an undefined system, and for element systems (CORDM = -1).
    """
    system = integer(property_card, 2, "a coordinate system", 0)
    if not system:
        return None
    if system < 0:
        raise property_card.place.error(
            f"PSOLID {property_card.text(0)} has the elements' own directions (CORDM = -1), which are not known here.",
            "Name a coordinate system for its material.",
        )
    return grid.frame(property_card, system).directions(coordinates.mean(axis=1))
