"""Concentrated masses (CONM2) of a Nastran deck."""

import numpy as np

from faying.fem.model import PointMass
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_frames import GridPoints


def read_point_masses(deck: NastranDeck, grid: GridPoints) -> tuple[PointMass, ...]:
    """Return the masses of all CONM2 cards.

    Raises:
        ReadError: for grid points or coordinate systems that do not exist, a frame with angles, text for a number.
    """
    return tuple(_mass(card, grid) for card in deck.having("CONM2"))


def _mass(card: BulkCard, grid: GridPoints) -> PointMass:
    # Number, grid point, system, mass, offset (3), -, I11, I21, I22, I31, I32, I33.
    node, system = grid.row(card, 1), integer(card, 2, "a coordinate system", 0)
    arm = np.array([real(card, 4 + i, "an offset") for i in range(3)])
    axes = np.eye(3)
    if system == -1:
        # The centre itself is given, in the basic system.
        arm = arm - grid.coordinates[node]
    elif system:
        frame = grid.frame(card, system)
        if frame.kind != "R":
            raise card.place.error(
                f"CONM2 {card.text(0)} is given in the coordinate system {system}, which has angles.",
                "Give the mass in a rectangular system.",
            )
        axes = frame.axes
    values = [real(card, 8 + i, "a moment of inertia") for i in range(6)]
    i11, i21, i22, i31, i32, i33 = values
    # Nastran's products of inertia are ∫ρ x y dV; the tensor has their negatives.
    tensor = np.array([[i11, -i21, -i31], [-i21, i22, -i32], [-i31, -i32, i33]])
    return PointMass(
        f"CONM2 {card.text(0)}", node, real(card, 3, "a mass"), axes.T @ tensor @ axes, axes.T @ arm
    )
