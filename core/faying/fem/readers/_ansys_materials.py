"""Materials of an Ansys database (MP, MPDATA): isotropic, or orthotropic by EX … GXZ with PRXY or NUXY."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.elasticity import anisotropic_material, engineering_stiffness
from faying.fem.model import Material

_DIRECTIONS = ("XY", "XZ", "YZ")


def read_material(path: Path, name: str, values: dict[str, float]) -> Material:
    """Return the material from constants by label; omitted constants have Ansys's defaults.

    PRXY is the contraction along y per strain along x in tension along x; NUXY is for tension along y.

    Raises:
        ReadError: for impossible constants.
    """
    moduli = [values.get("EX", 0.0)]
    moduli += [values.get(label) or moduli[0] for label in ("EY", "EZ")]
    ratios = _ratios(values, moduli)
    shear = values.get("GXY") or moduli[0] / (2.0 * (1.0 + ratios[0]))
    shears = [shear, values.get("GXZ") or shear, values.get("GYZ") or shear]
    density = values.get("DENS", 0.0)
    alpha = values.get("ALPX", values.get("CTEX"))
    growth = [alpha or 0.0] + [values.get(f"ALP{a}", values.get(f"CTE{a}", alpha or 0.0)) for a in "YZ"]
    spread = (*growth, 0.0, 0.0, 0.0) if len(set(growth)) > 1 else ()
    alike = [*moduli, *(2.0 * (1.0 + ratios[0]) * each for each in shears)]
    if np.allclose(alike, moduli[0], rtol=1e-5, atol=0.0) and len(set(ratios)) == 1:
        return Material(name, moduli[0], ratios[0], density, alpha, expansions=spread)
    try:
        stiffness = engineering_stiffness(moduli, ratios, shears)
        made = anisotropic_material(name, "orthotropic", stiffness, density, spread)
    except ValueError as error:
        raise ReadError(
            path,
            None,
            f"the constants (MP) of {name} make no material: {error}.",
            "Mend them.",
        ) from None
    return replace(made, expansion=alpha)


def _ratios(values: dict[str, float], moduli: list[float]) -> list[float]:
    """Return PRXY, PRXZ, PRYZ."""
    pairs = {"XY": (moduli[0], moduli[1]), "XZ": (moduli[0], moduli[2]), "YZ": (moduli[1], moduli[2])}
    found: list[float] = []
    for name in _DIRECTIONS:
        first, second = pairs[name]
        if f"PR{name}" in values:
            found.append(values[f"PR{name}"])
        elif f"NU{name}" in values:
            found.append(values[f"NU{name}"] * first / second if second else values[f"NU{name}"])
        else:
            found.append(found[0] if found else 0.3)  # Ansys's default is 0.3
    return found
