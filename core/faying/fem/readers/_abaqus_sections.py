"""Sections of beams (`*BEAM SECTION`, `*BEAM GENERAL SECTION`) and shells (`*SHELL SECTION`).

Shear factors are Abaqus's defaults (Abaqus Theory Guide, "Beam element overview").
"""

from math import pi

from faying.fem.model import BeamSection, ShellSection
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._profiles import Profile, box_profile, i_profile, rectangle_torsion
from faying.fem.readers._text_files import FileLine

SHAPES = ("CIRC", "RECT", "PIPE", "BOX", "I", "GENERAL")
_DEFAULT_DIRECTION = (0.0, 0.0, -1.0)


def read_beam_section(card: Card) -> BeamSection:
    """Return the section of a beam card.

    Raises:
        ReadError: for an unknown shape, or missing or impossible dimensions.
    """
    shape = card.name("SECTION") or ("GENERAL" if card.keyword == "BEAMGENERALSECTION" else "")
    # CalculiX compares only the first four letters of RECTANGULAR and CIRCULAR.
    shape = shape[:4] if shape in ("RECTANGULAR", "CIRCULAR") else shape
    if shape not in SHAPES:
        raise card.error(
            f"the beam section {shape or '(none)'} is not known here, expected SECTION={', '.join(SHAPES)}.",
            "Give its area and moments with *BEAM GENERAL SECTION, SECTION=GENERAL.",
        )
    rows = [
        (place, [real(text, place, "a dimension of the section") for text in fields] if any(fields) else [])
        for place, fields in card.rows()
    ]
    if not rows or not rows[0][1]:
        raise card.error("the section has no dimensions, expected a line of them.", "Add the line.")
    place, numbers = rows[0]
    # A blank direction line means the default; the moduli of a general section may follow.
    direction = _direction(rows[1]) if len(rows) > 1 and rows[1][1] else _DEFAULT_DIRECTION
    if shape == "GENERAL":
        of_calculix = card.keyword == "BEAMSECTION" or bool(card.name("MATERIAL"))
        return _general(place, numbers, direction, of_calculix)
    if min(numbers) <= 0.0:
        raise place.error(f"found the dimension {min(numbers):g}, expected positive ones.", "Mend this line.")
    match shape, numbers:
        case "CIRC", [radius]:
            return _ellipse(radius, radius, direction)
        case "CIRC", [first, second]:
            # CalculiX gives the two thicknesses of an ellipse instead of the radius.
            return _ellipse(first / 2.0, second / 2.0, direction)
        case "RECT", [width]:
            return _rectangle(width, width, direction)
        case "RECT", [width, height]:
            return _rectangle(width, height, direction)
        case "PIPE", [radius, thickness] if thickness <= radius:
            inner = radius - thickness
            area, inertia = pi * (radius**2 - inner**2), pi / 4.0 * (radius**4 - inner**4)
            return BeamSection(area, inertia, inertia, 2.0 * inertia, direction, 0.53)
        case "BOX", [width, height, *walls] if (
            len(walls) == 4 and width > walls[0] + walls[2] and height > walls[1] + walls[3]
        ):
            _refuse_uneven(place, walls[0] == walls[2] and walls[1] == walls[3], "walls")
            return _thin(box_profile(width, height, walls[0], walls[1]), place, direction)
        case "I", [origin, height, lower, upper, bottom, top, web] if height > bottom + top:
            even = lower == upper and bottom == top and abs(origin - 0.5 * height) <= 1e-6 * height
            _refuse_uneven(place, even, "flanges, or the node beside the middle of the height")
            return _thin(i_profile(height, lower, upper, web, bottom, top), place, direction)
    wanted = {
        "CIRC": "the radius", "RECT": "two widths", "PIPE": "outer radius and a smaller thickness",
        "BOX": "two widths and four thicknesses with room between them",
        "I": "height of the node, height, two widths and three thicknesses",
    }  # fmt: skip
    raise place.error(
        f"found {', '.join(f'{n:g}' for n in numbers)}, expected {wanted[shape]} of a {shape} section.",
        "Mend this line.",
    )


def _thin(profile: Profile, place: FileLine, direction: tuple[float, float, float]) -> BeamSection:
    if not min(profile.area, profile.inertia_11, profile.inertia_22) > 0.0:
        raise place.error("the dimensions make no section.", "Mend this line.")
    return BeamSection(profile.area, profile.inertia_11, profile.inertia_22, profile.torsion, direction, 0.44)


def _refuse_uneven(place: FileLine, is_even: bool, what: str) -> None:
    if not is_even:
        raise place.error(
            f"the section has unequal {what}, expected the node in the section's middle.",
            "Give area and moments with *BEAM GENERAL SECTION, SECTION=GENERAL.",
        )


def read_shell_section(card: Card) -> ShellSection:
    """Return the section of a shell card; the thickness of a composite is the sum of its layers.

    Raises:
        ReadError: for a thickness that is missing or not positive.
    """
    lines = [(place, fields[0] if fields else "") for place, fields in card.rows()]
    layers = [real(text, place, "the thickness") for place, text in lines]
    if not layers or not min(layers) > 0.0:
        raise card.error("expected a positive thickness of the shells.", "Add or fix the line below.")
    thickness = sum(layers) if "COMPOSITE" in card.parameters else layers[0]
    thickness *= 2.0 if "SYMMETRIC" in card.parameters else 1.0
    carried = real(card.parameters.get("DENSITY", ""), card.place, "the mass per area")
    return ShellSection(thickness, -nodes_share(card) * thickness, carried)


def nodes_share(card: Card) -> float:
    """Return the nodes' position in the thickness of shells (OFFSET): 0.5 or SPOS on the side of the normal.

    Raises:
        ReadError: when it is invalid.
    """
    text = card.name("OFFSET")
    share = {"SPOS": 0.5, "SNEG": -0.5}.get(text)
    if share is None:
        share = real(text, card.place, "OFFSET=SPOS, SNEG or a number") if text else 0.0
    return share


def _ellipse(half_1: float, half_2: float, direction: tuple[float, float, float]) -> BeamSection:
    area = pi * half_1 * half_2
    inertia_11, inertia_22 = area * half_2**2 / 4.0, area * half_1**2 / 4.0
    torsion = pi * half_1**3 * half_2**3 / (half_1**2 + half_2**2)
    return BeamSection(area, inertia_11, inertia_22, torsion, direction, 0.89)


def _rectangle(width: float, height: float, direction: tuple[float, float, float]) -> BeamSection:
    # The width lies along the first local axis, the height along the second.
    inertia_11, inertia_22 = width * height**3 / 12.0, height * width**3 / 12.0
    return BeamSection(
        width * height, inertia_11, inertia_22, rectangle_torsion(width, height), direction, 0.85
    )


def _general(
    place: FileLine, numbers: list[float], direction: tuple[float, float, float], of_calculix: bool
) -> BeamSection:
    if len(numbers) < 4 or numbers[0] <= 0.0:
        raise place.error(
            "expected area, I11, I12, I22 and the torsion constant of the section.", "Mend this line."
        )
    area, inertia_11, inertia_12, inertia_22 = numbers[:4]
    if of_calculix:
        # CalculiX reads the shear factor from the fifth field and uses the polar moment for torsion.
        shear = numbers[4] if len(numbers) > 4 else 1.0
        polar = inertia_11 + inertia_22
        return BeamSection(area, inertia_11, inertia_22, polar, direction, shear, inertia_12)
    torsion = numbers[4] if len(numbers) > 4 else inertia_11 + inertia_22
    return BeamSection(area, inertia_11, inertia_22, torsion, direction, 1.0, inertia_12)


def _direction(row: tuple[FileLine, list[float]]) -> tuple[float, float, float]:
    place, numbers = row
    x, y, z = [*numbers, 0.0, 0.0, 0.0][:3]
    if x == y == z == 0.0:
        raise place.error("the beam's first axis has length zero, expected a direction.", "Mend this line.")
    return x, y, z
