"""How ``layered_pendulum.inp`` was made: the pendulum of the 2D car pendulum. Not needed to use it.

Run by hand as ``python make_layered_pendulum.py layered_pendulum.inp``. Three steel sheets on each other (thesis
section 4.4.1, figure 4.32): the middle one 400 mm long, the outer ones 300 mm, 20 mm wide and 1 mm thick each, all
three held rigidly at x = 0 by the car; the point mass is at the end of the middle one. Units mm, t, s, N; x along, z
through the sheets.

The source has planar elements of one node row to a sheet. Here every sheet is one layer of bricks with incompatible
modes, which bend as a beam in plane stress, so that the body moves in space. Open in the source, and chosen: the
outer sheets are linked at x = 150 and 300 mm, by beams so slender that they carry forces along z and nearly
nothing else; they have no part in the mass.
"""

import sys
from pathlib import Path

LENGTHS = {"LOWER": 300, "MIDDLE": 400, "UPPER": 300}
WIDTH, THICKNESS = 20.0, 1.0
LINKS, LINK_RADIUS = (150, 300), 0.05
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def write_deck(path: Path, size: int = 1, bonded: bool = False) -> None:
    """Write the deck.

    Args:
        path: file to be made.
        size: length of the bricks in mm, a divisor of 50.
        bonded: the sheets share their nodes and are one piece; to compare with.
    """
    numbers: dict[tuple[str | int, int, int, int], int] = {}
    lines = ["*HEADING", "three layered sheets, units mm N t s", "*NODE"]

    def add_node(x: float, y: float, z: float) -> int:
        lines.append(f"{len(numbers) + 1},{x:g},{y:g},{z:g}")
        return len(numbers) + 1

    # Each sheet has nodes of its own on both faces; bonded ones meet in the same level.
    def key(sheet: int, name: str, i: int, j: int, level: int) -> tuple[str | int, int, int, int]:
        return ("" if bonded else name, i, j, sheet + level)

    for sheet, (name, length) in enumerate(LENGTHS.items()):
        for i in range(length // size + 1):
            for j in (0, 1):
                for level in (0, 1):
                    place = key(sheet, name, i, j, level)
                    if place not in numbers:
                        z = (sheet + level - 1.5) * THICKNESS
                        numbers[place] = add_node(i * size, (j - 0.5) * WIDTH, z)

    def column(sheet: int, name: str, x: int) -> list[int]:
        return [numbers[key(sheet, name, x // size, j, level)] for j in (0, 1) for level in (0, 1)]

    held = [node for sheet, name in enumerate(LENGTHS) for node in column(sheet, name, 0)]
    rigid = {"CAR": (0.0, 0.0, sorted(set(held))), "MASS": (400.0, 0.0, column(1, "MIDDLE", 400))}
    for link in LINKS:
        rigid[f"LOWER_{link}"] = (float(link), -THICKNESS, column(0, "LOWER", link))
        rigid[f"UPPER_{link}"] = (float(link), THICKNESS, column(2, "UPPER", link))
    reference = {}
    for name, (x, z, _) in rigid.items():
        reference[name] = numbers[name, 0, 0, 0] = add_node(x, 0.0, z)

    element = 0
    for sheet, (name, length) in enumerate(LENGTHS.items()):
        lines.append(f"*ELEMENT, TYPE=C3D8I, ELSET={name}")
        for i in range(length // size):
            element += 1
            nodes = [numbers[key(sheet, name, i + a, b, level)] for level in (0, 1) for a, b in _CORNERS]
            lines.append(",".join(map(str, [element, *nodes])))
    lines.append("*ELEMENT, TYPE=B31, ELSET=LINKS")
    for link in LINKS:
        element += 1
        lines.append(f"{element},{reference[f'LOWER_{link}']},{reference[f'UPPER_{link}']}")

    for name, (_, _, nodes) in rigid.items():
        lines += [f"*NSET, NSET=REF_{name}", str(reference[name])]
        lines += [f"*SURFACE, TYPE=NODE, NAME=N_{name}", *map(str, nodes)]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={reference[name]}, SURFACE=N_{name}"]
        lines += ["*KINEMATIC", "1,6"]
    for surface, of, face in (
        ("LOWER_TOP", "LOWER", "S2"), ("MIDDLE_BOTTOM", "MIDDLE", "S1"),
        ("MIDDLE_TOP", "MIDDLE", "S2"), ("UPPER_BOTTOM", "UPPER", "S1"),
    ):  # fmt: skip
        lines += [f"*SURFACE, NAME={surface}, TYPE=ELEMENT", f"{of},{face}"]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000.,0.3", "*DENSITY", "7.85E-9"]
    lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL" for name in LENGTHS]
    lines += ["*BEAM SECTION, ELSET=LINKS, MATERIAL=STEEL, SECTION=CIRC", f"{LINK_RADIUS}", "1.,0.,0."]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    write_deck(Path(sys.argv[1]))
