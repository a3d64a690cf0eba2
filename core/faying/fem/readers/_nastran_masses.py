"""Concentrated masses (CONM2) of a Nastran deck, and its mass factor (PARAM,WTMASS)."""

import numpy as np

from faying.fem.model import PointMass
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_frames import GridPoints


def mass_factor(deck: NastranDeck) -> float:
    """Return PARAM,WTMASS, the factor of all masses: 1/g if the deck gives weights; 1 by default.

    Raises:
        ReadError: when it is not positive.
    """
    factor = 1.0
    for card in parameters(deck, "WTMASS"):
        factor = real(card, 1, "the factor of masses", 1.0)
        if not factor > 0.0:
            raise card.place.error(
                f"found PARAM,WTMASS,{factor:g}, expected a positive factor of all masses.", "Mend this line."
            )
    return factor


def parameters(deck: NastranDeck, name: str) -> list[BulkCard]:
    """Return the PARAM cards of a name from case control and bulk data; the last one is valid."""
    return [card for card in deck.having("PARAM") if card.text(0).upper() == name]


def read_point_masses(deck: NastranDeck, grid: GridPoints) -> tuple[PointMass, ...]:
    """Return the masses of all CONM2 cards, multiplied by the deck's factor.

    Raises:
        ReadError: for missing grid points or coordinate systems, a curvilinear system, or text instead of a number.
    """
    factor = mass_factor(deck)
    return tuple(_mass(card, grid, factor) for card in deck.having("CONM2"))


def _mass(card: BulkCard, grid: GridPoints, factor: float) -> PointMass:
    # Number, grid point, system, mass, offset (3), -, I11, I21, I22, I31, I32, I33.
    node, system = grid.row(card, 1), integer(card, 2, "a coordinate system", 0)
    arm = np.array([real(card, 4 + i, "an offset") for i in range(3)])
    axes = np.eye(3)
    if system == -1:
        # The centre itself is given in the basic system.
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
    # Nastran's products of inertia are ∫ρ x y dV; the tensor contains their negatives.
    tensor = factor * np.array([[i11, -i21, -i31], [-i21, i22, -i32], [-i31, -i32, i33]])
    mass = factor * real(card, 3, "a mass")
    return PointMass(f"CONM2 {card.text(0)}", node, mass, axes.T @ tensor @ axes, axes.T @ arm)
