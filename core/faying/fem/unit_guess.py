"""Guess of a model's unit system from its materials and size."""

from math import sqrt
from typing import cast, get_args

import numpy as np

from faying.fem.model import FeModel, Material
from faying.units import UnitSystemName, factor_to_si, unit_text

# Usual ranges for machine parts in SI units: √(E/ρ), density, modulus, and diagonal of a body.
_SPEED_OF_SOUND = (300.0, 15e3)
_DENSITY = (100.0, 25e3)
_MODULUS = (1e6, 1.5e12)  # from rubber to diamond
_METAL = 5e9  # a smaller number without density is more likely a metal in N/mm² than psi
_SIZE = (0.5e-3, 100.0)
INCHES: UnitSystemName = "in-lbf-s"


def size_in_metres(model: FeModel, units: UnitSystemName) -> float:
    """Return the diagonal of the box around a model's nodes."""
    span = model.nodes.max(axis=0) - model.nodes.min(axis=0) if len(model.nodes) else np.zeros(3)
    return float(np.linalg.norm(span)) * factor_to_si("length", units)


def has_usual_size(model: FeModel, units: UnitSystemName) -> bool:
    """Return whether the model is between half a millimetre and a hundred metres long."""
    return _SIZE[0] <= size_in_metres(model, units) <= _SIZE[1]


def likely_units(model: FeModel) -> tuple[UnitSystemName, ...]:
    """Return the unit systems in which materials and size are in usual ranges; empty if none fits.

    Units named by the file take precedence. Otherwise materials decide if any has a modulus; decks for statics often
    lack densities. The size cannot distinguish a part of 200 mm from a bridge of 200 m, so a model without materials
    may fit several systems; inches are guessed from materials only.
    """
    if model.units in get_args(UnitSystemName):
        return (cast(UnitSystemName, model.units),)
    usable = [m for m in model.materials.values() if m.youngs_modulus > 0.0 and m.density >= 0.0]
    # Materials outside the ranges in every system, such as a rigid dummy, are ignored if there are others.
    telling = [m for m in usable if any(is_usual(m, units) for units in get_args(UnitSystemName))]
    usable = telling or usable
    return tuple(
        units
        for units in get_args(UnitSystemName)
        if (usable or units != INCHES)
        and has_usual_size(model, units)
        and all(is_usual(material, units) for material in usable)
    )


def as_written_in(model: FeModel, units: UnitSystemName) -> str:
    """Return size and stiffness of a model if read in a unit system: "120 mm long; STEEL: 210 GPa"."""
    # Use the size along the axes; the diagonal of the bounding box is rarely known.
    longest = float(np.ptp(model.nodes, axis=0).max()) if len(model.nodes) else 0.0
    metres = longest * factor_to_si("length", units)
    said = [f"{metres:.4g} m long" if metres >= 1.0 else f"{1e3 * metres:.4g} mm long"]
    for material in list(model.materials.values())[:1]:
        modulus = material.youngs_modulus * factor_to_si("stress", units) / 1e9
        density = material.density * factor_to_si("density", units)
        said.append(f"{material.name}: {modulus:.4g} GPa" + (f", {density:.4g} kg/m³" if density else ""))
    return "; ".join(said)


def system_title(units: UnitSystemName) -> str:
    """Return the usual name of a unit system: "mm, t, s (N, N/mm²)"."""
    base = ", ".join(unit_text(quantity, units) for quantity in ("length", "mass", "time"))
    return f"{base} ({unit_text('force', units)}, {unit_text('stress', units)})"


def is_usual(material: Material, units: UnitSystemName) -> bool:
    """Return whether density and speed of sound, or the modulus alone, are in the usual ranges."""
    modulus = material.youngs_modulus * factor_to_si("stress", units)
    density = material.density * factor_to_si("density", units)
    if not density > 0.0:
        least = _METAL if units == INCHES else _MODULUS[0]
        return not density and least <= modulus <= _MODULUS[1]
    speed = sqrt(modulus / density)
    return _DENSITY[0] <= density <= _DENSITY[1] and _SPEED_OF_SOUND[0] <= speed <= _SPEED_OF_SOUND[1]
