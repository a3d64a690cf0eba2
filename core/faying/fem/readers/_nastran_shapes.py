"""Cross sections given by shape and dimensions in a Nastran deck: PBARL and PBEAML.

The height lies in plane 1, along the beam's first local axis. Dimensions as in the Quick Reference Guide.
"""

from collections.abc import Callable
from math import pi

from faying.fem.model import BeamSection
from faying.fem.readers._nastran_cards import BulkCard
from faying.fem.readers._nastran_fields import differs, real
from faying.fem.readers._profiles import (
    Profile,
    box_profile,
    cells_torsion,
    channel_profile,
    hexagon_profile,
    i_profile,
    of_rectangles,
    t_profile,
)

# By shape: number of dimensions, and a function that returns the profile and the shear area along the height.
_Shape = Callable[..., tuple[Profile, float]]
_SHAPES: dict[str, tuple[int, _Shape]] = {
    "ROD": (1, lambda r: _tube(r, 0.0, 0.9)),
    "TUBE": (2, lambda outer, inner: _tube(outer, inner, 0.5)),
    "TUBE2": (2, lambda outer, wall: _tube(outer, outer - wall, 0.5)),
    "BAR": (2, lambda w, h: (of_rectangles([(0.0, 0.0, w, h)]), 5.0 / 6.0 * w * h)),
    "BOX": (4, lambda w, h, flange, web: (box_profile(w, h, web, flange), 2.0 * web * (h - 2.0 * flange))),
    "I": (6, lambda h, low, up, web, t, s: (i_profile(h, low, up, web, t, s), web * (h - t - s))),
    "I1": (4, lambda w, web, free, h: _even_i(h, w + web, web, 0.5 * (h - free))),
    "H": (4, lambda free, legs, h, web: _lying_h(free, 0.5 * legs, h, web)),
    "T": (4, lambda w, h, flange, web: (t_profile(w, h, flange, web), web * (h - flange))),
    "T2": (4, lambda w, h, flange, web: (t_profile(w, h, flange, web), web * (h - flange))),
    "CHAN": (4, lambda w, h, web, flange: _channel(w, h, web, flange)),
    "CHAN1": (4, lambda free, web, inner, h: _channel(free + web, h, web, 0.5 * (h - inner))),
    "HAT": (4, lambda h, t, top, foot: _hat(h, t, top, foot)),
    "CROSS": (4, lambda arms, web, h, t: (_cross(arms, web, h, t), 5.0 / 6.0 * web * h)),
    "T1": (4, lambda h, foot, flange, web: (_lying_t(h, foot, flange, web), 5.0 / 6.0 * flange * h)),
    "Z": (4, lambda foot, web, inner, h: (_zee(foot, web, 0.5 * (h - inner), h), web * inner)),
    "CHAN2": (4, lambda leg, base, h, w: (_upright_channel(w, h, leg, base), 2.0 * leg * (h - base))),
    "L": (4, lambda w, h, flange, web: (_angle(w, h, flange, web), web * (h - flange))),
    "HEXA": (3, lambda tip, w, h: (hexagon_profile(w, h, tip), 5.0 / 6.0 * (w - tip) * h)),
    "BOX1": (6, lambda w, h, up, low, right, left: _box(w, h, [left, right], [(low, up)])),
    "DBOX": (
        10,
        lambda w, h, middle, left, mid, right, *walls: _double_box(w, h, middle, left, mid, right, walls),
    ),
    "HAT1": (5, lambda w, h, top, t, plate: _hat_on_plate(w, h, top, t, plate)),
}
_UNEVEN = ("T", "T1", "T2", "CHAN", "CHAN1", "CHAN2", "HAT", "HAT1", "L", "BOX1", "DBOX")


def read_shaped_section(
    card: BulkCard, direction: tuple[float, float, float], mass_factor: float
) -> BeamSection:
    """Return the section of a PBARL or PBEAML.

    The shear factor is that of plane 1. A PBEAML's shear centre is taken to be at its centroid.

    Args:
        card: the property.
        direction: direction of plane 1.
        mass_factor: factor of all masses of the deck.

    Raises:
        ReadError: for an unsupported shape or invalid dimensions.
    """
    shape = card.text(3).upper()
    if shape not in _SHAPES:
        raise card.place.error(
            f"the section {shape or '(none)'} is not known here, expected one of {', '.join(_SHAPES)}.",
            "Give its area and moments with PBAR.",
        )
    count, made = _SHAPES[shape]
    numbers = _dimensions(card, shape, count)
    if min(numbers) < 0.0 or not numbers[0] > 0.0:
        raise card.place.error("a dimension of the section is not positive.", "Mend this card.")
    try:
        profile, in_shear = made(*numbers)
    except (ValueError, ZeroDivisionError):
        profile, in_shear = None, 0.0
    if profile is None or not min(profile.area, profile.inertia_11, profile.inertia_22, in_shear) > 0.0:
        raise card.place.error(
            f"the dimensions {', '.join(f'{n:g}' for n in numbers)} make no {shape}.", "Mend this card."
        )
    # Axis 2 of the profile, its height, is the first of the beam.
    return BeamSection(
        profile.area, profile.inertia_22, profile.inertia_11, profile.torsion, direction,
        in_shear / profile.area, profile.product, mass_factor * real(card, 8 + count, "a mass per length"),
    )  # fmt: skip


def _dimensions(card: BulkCard, shape: str, count: int) -> list[float]:
    """Return the dimensions; missing wall thicknesses of a DBOX have the Guide's defaults."""
    numbers = [real(card, 8 + i, "a dimension") for i in range(count)]
    if shape == "DBOX":
        for at in range(4, 10):
            if not card.text(8 + at):
                numbers[at] = numbers[3] if at < 8 else numbers[5]
    return numbers


def find_shape_remarks(card: BulkCard) -> list[str]:
    """Return remarks on unsupported fields of a PBARL or PBEAML."""
    if card.text(3).upper() not in _SHAPES:
        return []
    count, _ = _SHAPES[card.text(3).upper()]
    found = []
    if card.name == "PBEAML" and _is_uneven(card):
        found.append("the arm of its shear centre; it is taken to be at the centroid")
    # After end A each station has two position fields, its dimensions and its mass.
    size = count + 1
    stations = range(8 + size, len(card.fields), 2 + size) if card.name == "PBEAML" else range(0)
    if any(differs(card, at + 2 + i, 8 + i) for at in stations for i in range(size)):
        found.append("its taper; it has the section of its end A all along")
    return found


def _is_uneven(card: BulkCard) -> bool:
    """Return whether a shape's shear centre and centroid differ, which a PBEAML takes into account."""
    shape = card.text(3).upper()
    flanges = [(card.text(9), card.text(10)), (card.text(12), card.text(13))]
    return shape in _UNEVEN or (shape == "I" and any(a != b for a, b in flanges))


def _tube(outer: float, inner: float, factor: float) -> tuple[Profile, float]:
    if inner < 0.0:
        raise ValueError("the wall is thicker than the outer radius")
    area, inertia = pi * (outer**2 - inner**2), pi / 4.0 * (outer**4 - inner**4)
    return Profile(area, inertia, inertia, 0.0, 2.0 * inertia, (0.0, 0.0)), factor * area


def _even_i(height: float, width: float, web: float, flange: float) -> tuple[Profile, float]:
    return i_profile(height, width, width, web, flange, flange), web * (height - 2.0 * flange)


def _channel(width: float, height: float, web: float, flange: float) -> tuple[Profile, float]:
    return channel_profile(width, height, web, flange), web * (height - 2.0 * flange)


def _lying_h(free: float, leg: float, height: float, web: float) -> tuple[Profile, float]:
    """Return two upright legs with a web between them."""
    at = 0.5 * (free + leg)
    return of_rectangles([(-at, 0.0, leg, height), (0.0, 0.0, free, web), (at, 0.0, leg, height)]), (
        5.0 / 6.0 * 2.0 * leg * height
    )


def _hat(height: float, wall: float, top: float, foot: float) -> tuple[Profile, float]:
    """Return a hat: a top, two webs below its ends, and two feet pointing outwards from the webs' ends."""
    if top < 2.0 * wall:
        raise ValueError("the webs overlap")
    web = height - 2.0 * wall
    at, side = 0.5 * (top - wall), 0.5 * (top + foot) - 0.5 * wall
    profile = of_rectangles(
        [
            (0.0, 0.5 * (height - wall), top, wall),
            (-at, 0.0, wall, web), (at, 0.0, wall, web),
            (-side, 0.5 * (wall - height), foot + wall, wall),
            (side, 0.5 * (wall - height), foot + wall, wall),
        ]
    )  # fmt: skip
    return profile, 2.0 * wall * web


def _cross(arms: float, web: float, height: float, thickness: float) -> Profile:
    """Return an upright bar with an arm of half the length on each side."""
    at, arm = 0.5 * web + 0.25 * arms, 0.5 * arms
    return of_rectangles([(0.0, 0.0, web, height), (-at, 0.0, arm, thickness), (at, 0.0, arm, thickness)])


def _lying_t(height: float, foot: float, flange: float, web: float) -> Profile:
    """Return an upright flange with a web to the left of its middle."""
    return of_rectangles([(0.0, 0.0, flange, height), (-0.5 * (flange + foot), 0.0, foot, web)])


def _zee(foot: float, web: float, flange: float, height: float) -> Profile:
    """Return a web with a flange to the left at its top, and one to the right at its bottom."""
    at, up = 0.5 * (web + foot), 0.5 * (height - flange)
    return of_rectangles([(0.0, 0.0, web, height), (-at, up, foot, flange), (at, -up, foot, flange)])


def _upright_channel(width: float, height: float, leg: float, base: float) -> Profile:
    """Return a base with an upright leg at each end."""
    at, free = 0.5 * (width - leg), height - base
    if width < 2.0 * leg:
        raise ValueError("the legs overlap")
    return of_rectangles(
        [(0.0, 0.5 * base, width, base)] + [(x, base + 0.5 * free, leg, free) for x in (-at, at)]
    )


def _angle(width: float, height: float, flange: float, web: float) -> Profile:
    """Return an upright web with a flange at its bottom to the right."""
    if width < web:
        raise ValueError("the web is wider than the flange")
    free = height - flange
    return of_rectangles(
        [(0.5 * width, 0.5 * flange, width, flange), (0.5 * web, flange + 0.5 * free, web, free)]
    )


def _box(
    width: float, height: float, standing: list[float], lying: list[tuple[float, float]], middle: float = 0.0
) -> tuple[Profile, float]:
    """Return a box of one or two adjacent cells, and the shear area along the height.

    Args:
        width, height: outer dimensions.
        standing: thicknesses of the upright walls, from left to right.
        lying: thicknesses of the lower and upper wall of each cell.
        middle: distance of the middle wall's centre from the left.
    """
    ends = [0.0, width] if len(standing) == 2 else [0.0, middle - 0.5 * standing[1], width]
    starts = [ends[0], *ends[1:-1], width - standing[-1]]
    parts = [(x + 0.5 * t, 0.5 * height, t, height) for x, t in zip(starts, standing, strict=True)]
    shear, cells = 0.0, []
    for k, (low, up) in enumerate(lying):
        left, right = starts[k] + standing[k], starts[k + 1]
        free = height - low - up
        if not min(right - left, free) > 0.0:
            raise ValueError("the walls leave no room between them")
        parts += [
            (0.5 * (left + right), 0.5 * low, right - left, low),
            (0.5 * (left + right), height - 0.5 * up, right - left, up),
        ]
        wide, high = right - left + 0.5 * (standing[k] + standing[k + 1]), height - 0.5 * (low + up)
        cells.append((wide * high, high, wide / low + wide / up))
        shear += 0.5 * free * (standing[k] + standing[k + 1])
    # An outer wall belongs to one cell, the wall between two cells to both.
    shear += 0.5 * sum((height - sum(lying[k])) * t for k, t in ((0, standing[0]), (-1, standing[-1])))
    return of_rectangles(parts, cells_torsion(cells, standing)), shear


def _double_box(
    width: float,
    height: float,
    middle: float,
    left: float,
    mid: float,
    right: float,
    walls: tuple[float, ...],
) -> tuple[Profile, float]:
    up_left, low_left, up_right, low_right = walls
    lying = [(low_left, up_left), (low_right, up_right)]
    return _box(width, height, [left, mid, right], lying, middle)


def _hat_on_plate(
    width: float, height: float, top: float, wall: float, plate: float
) -> tuple[Profile, float]:
    """Return a hat with its feet on a plate."""
    free, foot = height - plate - wall, 0.5 * (width - top)
    if top < 2.0 * wall or foot < 0.0 or not free > 0.0:
        raise ValueError("the walls overlap")
    web, foot_at = 0.5 * (top - wall), 0.5 * (top + foot)
    parts = [
        (0.0, 0.5 * plate, width, plate),
        (0.0, height - 0.5 * wall, top, wall),
        *((x, plate + 0.5 * free, wall, free) for x in (-web, web)),
        *((x, plate + 0.5 * wall, foot, wall) for x in (-foot_at, foot_at) if foot),
    ]
    wide, high = top - wall, height - 0.5 * (plate + wall)
    torsion = cells_torsion([(wide * high, high, wide / wall + wide / plate)], [wall, wall])
    return of_rectangles(parts, torsion), 2.0 * wall * free
