"""Cross sections made of rectangles: area, second moments, torsion constant."""

from dataclasses import dataclass
from math import pi, tanh

import numpy as np


@dataclass(frozen=True)
class Profile:
    """A cross section in its axes 1 and 2.

    `inertia_11` and `inertia_22` are the second moments of area about axes 1 and 2 through the centroid, `product` is
    the product moment ∫ x₁ x₂ dA, `torsion` the torsion constant, `centroid` the centroid's coordinates.
    """

    area: float
    inertia_11: float
    inertia_22: float
    product: float
    torsion: float
    centroid: tuple[float, float]


Rectangle = tuple[float, float, float, float]  # centre along 1 and 2, size along 1 and 2


def of_rectangles(parts: list[Rectangle], torsion: float | None = None) -> Profile:
    """Return the section of non-overlapping rectangles; a negative size along axis 1 subtracts the rectangle.

    Args:
        parts: the rectangles.
        torsion: torsion constant of a closed section; None, for open sections, sums those of the rectangles.

    Raises:
        ValueError: for a rectangle of negative size along axis 2.
    """
    if min(h for _, _, _, h in parts) < 0.0:
        raise ValueError("the parts overlap")
    areas = [w * h for _, _, w, h in parts]
    total = sum(areas)
    first = sum(a * x for a, (x, _, _, _) in zip(areas, parts, strict=True)) / total
    second = sum(a * y for a, (_, y, _, _) in zip(areas, parts, strict=True)) / total
    i11 = sum(a * (h**2 / 12.0 + (y - second) ** 2) for a, (_, y, _, h) in zip(areas, parts, strict=True))
    i22 = sum(a * (w**2 / 12.0 + (x - first) ** 2) for a, (x, _, w, _) in zip(areas, parts, strict=True))
    i12 = sum(a * (x - first) * (y - second) for a, (x, y, _, _) in zip(areas, parts, strict=True))
    if torsion is None:
        torsion = sum(rectangle_torsion(w, h) for _, _, w, h in parts)
    return Profile(total, i11, i22, i12, torsion, (first, second))


def box_profile(width: float, height: float, across_1: float, across_2: float) -> Profile:
    """Return a hollow rectangle; the walls normal to axis 1 are `across_1` thick, those normal to axis 2 `across_2`.

    Torsion by Bredt's formula, 4 A² / Σ (s / t), with the area A enclosed by the walls' middle lines.

    Raises:
        ValueError: for walls that leave no cavity.
    """
    inner, inner_height = width - 2.0 * across_1, height - 2.0 * across_2
    if not min(inner, inner_height) > 0.0:
        raise ValueError("the walls leave no room between them")
    a, b = width - across_1, height - across_2
    torsion = 4.0 * (a * b) ** 2 / (2.0 * a / across_2 + 2.0 * b / across_1)
    return of_rectangles([(0.0, 0.0, width, height), (0.0, 0.0, -inner, inner_height)], torsion)


def i_profile(
    height: float, lower: float, upper: float, web: float, lower_flange: float, upper_flange: float
) -> Profile:
    """Return an I section with its height along axis 2, from height, flange widths, and web and flange thicknesses."""
    free = height - lower_flange - upper_flange
    return of_rectangles(
        [
            (0.0, 0.5 * (lower_flange - height), lower, lower_flange),
            (0.0, 0.5 * (lower_flange - upper_flange), web, free),
            (0.0, 0.5 * (height - upper_flange), upper, upper_flange),
        ]
    )


def t_profile(width: float, height: float, flange: float, web: float) -> Profile:
    """Return a T section with its flange along axis 1 at the top of the web."""
    return of_rectangles(
        [(0.0, 0.5 * (height - flange), width, flange), (0.0, -0.5 * flange, web, height - flange)]
    )


def channel_profile(width: float, height: float, web: float, flange: float) -> Profile:
    """Return a channel section with its web along axis 2 and two flanges along axis 1."""
    return of_rectangles(
        [
            (0.0, 0.5 * (height - flange), width, flange),
            (0.5 * (web - width), 0.0, web, height - 2.0 * flange),
            (0.0, 0.5 * (flange - height), width, flange),
        ]
    )


def hexagon_profile(width: float, height: float, tip: float) -> Profile:
    """Return a hexagon with corners at left and right; horizontal edges end `tip` before these.

    Torsion by Saint-Venant's approximation A⁴ / 40 (I11 + I22), 1 % too stiff for the regular hexagon.

    Raises:
        ValueError: for tips that leave no horizontal edge.
    """
    free = width - 2.0 * tip
    if free < 0.0:
        raise ValueError("the tips overlap")
    # A rectangle and four right-angled triangles; those of b × h have b h³ / 12 about the leg b, and b³ h / 36.
    area = free * height + tip * height
    half = 0.5 * height
    i11 = free * height**3 / 12.0 + 4.0 * tip * half**3 / 12.0
    away = 0.5 * free + tip / 3.0
    i22 = height * free**3 / 12.0 + 4.0 * (half * tip**3 / 36.0 + 0.5 * tip * half * away**2)
    return Profile(area, i11, i22, 0.0, area**4 / (40.0 * (i11 + i22)), (0.0, 0.0))


def cells_torsion(cells: list[tuple[float, float, float]], standing: list[float]) -> float:
    """Return the torsion constant of a thin-walled section of cells in a row, by Bredt and Batho.

    For unit twist and modulus the shear flows q solve Σ q s/t = 2 A in each cell; the constant is 2 Σ A q.

    Args:
        cells: for each cell, area A enclosed by the middle lines, height, and Σ s/t of its horizontal walls.
        standing: thicknesses of the upright walls, one more than cells.
    """
    n = len(cells)
    matrix = np.zeros((n, n))
    for k, (_, high, lying) in enumerate(cells):
        matrix[k, k] = lying + high / standing[k] + high / standing[k + 1]
        if k:
            shared = 0.5 * (high + cells[k - 1][1]) / standing[k]
            matrix[k, k - 1] = matrix[k - 1, k] = -shared
    areas = np.array([area for area, _, _ in cells])
    return float(2.0 * areas @ np.linalg.solve(matrix, 2.0 * areas))


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant by Saint-Venant's series, whose terms decrease with the fifth power."""
    long, short = max(width, height), min(width, height)
    series = sum(tanh(k * pi * long / (2.0 * short)) / k**5 for k in range(1, 40, 2))
    return long * short**3 * (1.0 / 3.0 - 64.0 / pi**5 * short / long * series)
