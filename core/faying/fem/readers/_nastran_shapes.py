"""Cross sections that a Nastran deck names by shape and dimensions: PBARL and PBEAML.

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
    channel_profile,
    i_profile,
    of_rectangles,
    t_profile,
)

# By shape: number of dimensions, and what makes of them the profile and the area that carries shear along the height.
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
}


def read_shaped_section(card: BulkCard, direction: tuple[float, float, float]) -> BeamSection:
    """Return the section of a PBARL or PBEAML.

    The shear factor is that of plane 1. A PBEAML's shear centre is taken to be at its centroid.

    Raises:
        ReadError: for a shape that is not known here, or dimensions that are none.
    """
    shape = card.text(3).upper()
    if shape not in _SHAPES:
        raise card.place.error(
            f"the section {shape or '(none)'} is not known here, expected one of {', '.join(_SHAPES)}.",
            "Give its area and moments with PBAR.",
        )
    count, made = _SHAPES[shape]
    numbers = [real(card, 8 + i, "a dimension") for i in range(count)]
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
    return BeamSection(
        profile.area, profile.inertia_22, profile.inertia_11, profile.torsion, direction,
        in_shear / profile.area,
    )  # fmt: skip


def find_shape_remarks(card: BulkCard) -> list[str]:
    """Return what is not taken over of a PBARL or PBEAML."""
    if card.text(3).upper() not in _SHAPES:
        return []
    count, _ = _SHAPES[card.text(3).upper()]
    found = []
    if card.name == "PBEAML" and _is_uneven(card):
        found.append("the arm of its shear centre; it is taken to be at the centroid")
    if real(card, 8 + count, "a mass per length"):
        found.append("its non-structural mass")
    # Behind end A each station has two fields for its place, its dimensions and its mass.
    size = count + 1
    stations = range(8 + size, len(card.fields), 2 + size) if card.name == "PBEAML" else range(0)
    if any(differs(card, at + 2 + i, 8 + i) for at in stations for i in range(size)):
        found.append("its taper; it has the section of its end A all along")
    return found


def _is_uneven(card: BulkCard) -> bool:
    """Return whether a shape's shear centre and centroid differ, which matters for a PBEAML."""
    shape = card.text(3).upper()
    flanges = [(card.text(9), card.text(10)), (card.text(12), card.text(13))]
    return shape in ("T", "T2", "CHAN", "CHAN1", "HAT") or (shape == "I" and any(a != b for a, b in flanges))


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
    """Return two legs that stand along the height, and a web between them."""
    at = 0.5 * (free + leg)
    return of_rectangles([(-at, 0.0, leg, height), (0.0, 0.0, free, web), (at, 0.0, leg, height)]), (
        5.0 / 6.0 * 2.0 * leg * height
    )


def _hat(height: float, wall: float, top: float, foot: float) -> tuple[Profile, float]:
    """Return a hat: its top, two webs below the top's ends, and two feet outwards with the webs' ends."""
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
