"""How ``flex_plates.inp`` was made: three flex plates between a crankshaft and a flywheel. Not needed to use it.

Run by hand as ``python make_flex_plates.py flex_plates.inp``. Three annular steel plates on each other, after thesis
section 4.5.1 and figure 4.41, which gives no dimensions; all of these are chosen: radii 40 and 120 mm, 1 mm thick
each. Their inner edges are held rigidly by the hub (REF_HUB, the crankshaft), their outer ones by the rim. The rim's
node REF_RIM lies 40 mm along the axis and carries the flywheel, 4 kg with its rotary inertia: a radial force there
tilts the plates, an axial one moves them along. Six bolts at the hub and six at the rim press on patches of the outer
faces. Units mm, t, s, N; z is the axis.

Every plate is one layer of bricks with incompatible modes.
"""

import math
import sys
from pathlib import Path

PLATES = ("FRONT", "MIDDLE", "BACK")
INNER, OUTER, THICKNESS = 40.0, 120.0, 1.0
BOLTS, BOLT_RADII = 6, {"HUB": 52.0, "RIM": 108.0}
RIM_OFFSET, RIM_MASS = 40.0, 4e-3
RIM_INERTIA = (30.0, 30.0, 60.0)  # t mm², about REF_RIM
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def write_deck(path: Path, rings: int = 10, sectors: int = 48) -> None:
    """Write the deck.

    Args:
        path: file to be made.
        rings: elements from the inner to the outer edge.
        sectors: elements around, a multiple of twice the bolts.
    """
    lines = ["*HEADING", "three flex plates, units mm N t s", "*NODE"]
    nodes: dict[tuple[str, int, int, int], int] = {}
    for plate, name in enumerate(PLATES):
        for ring in range(rings + 1):
            radius = INNER + (OUTER - INNER) * ring / rings
            for sector in range(sectors):
                angle = 2.0 * math.pi * sector / sectors
                for level in (0, 1):
                    nodes[name, ring, sector, level] = len(nodes) + 1
                    x, y = radius * math.cos(angle), radius * math.sin(angle)
                    lines.append(f"{len(nodes)},{x:.6f},{y:.6f},{(plate + level - 1.5) * THICKNESS:g}")
    hub, rim = len(nodes) + 1, len(nodes) + 2
    lines += [f"{hub},0,0,0", f"{rim},0,0,{RIM_OFFSET:g}"]

    elements: dict[tuple[str, int, int], int] = {}
    for name in PLATES:
        lines.append(f"*ELEMENT, TYPE=C3D8I, ELSET={name}")
        for ring in range(rings):
            for sector in range(sectors):
                elements[name, ring, sector] = len(elements) + 1
                corners = [
                    nodes[name, ring + a, (sector + b) % sectors, level]
                    for level in (0, 1)
                    for a, b in _CORNERS
                ]
                lines.append(",".join(map(str, [len(elements), *corners])))

    for reference, number, ring in (("HUB", hub, 0), ("RIM", rim, rings)):
        edge = [number for (_, at, _, _), number in nodes.items() if at == ring]
        lines += [f"*NSET, NSET=REF_{reference}", str(number)]
        lines += [f"*SURFACE, TYPE=NODE, NAME=N_{reference}", *map(str, edge)]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{reference}, REF NODE={number}, SURFACE=N_{reference}"]
        lines += ["*KINEMATIC", "1,6"]
    for surface, name, face in (
        ("FRONT_TOP", "FRONT", "S2"), ("MIDDLE_BOTTOM", "MIDDLE", "S1"),
        ("MIDDLE_TOP", "MIDDLE", "S2"), ("BACK_BOTTOM", "BACK", "S1"),
    ):  # fmt: skip
        lines += [f"*SURFACE, NAME={surface}, TYPE=ELEMENT", f"{name},{face}"]
    for circle, radius in BOLT_RADII.items():
        ring = int((radius - INNER) / (OUTER - INNER) * rings)
        for bolt in range(BOLTS):
            # Two elements around, on both sides of the bolt's axis.
            middle = (2 * bolt + 1) * sectors // (2 * BOLTS)
            for side, name, face in (("HEAD", "FRONT", "S1"), ("NUT", "BACK", "S2")):
                lines.append(f"*SURFACE, NAME={circle}{bolt + 1}_{side}, TYPE=ELEMENT")
                lines += [f"{elements[name, ring, s]},{face}" for s in (middle - 1, middle)]

    tag = len(elements)
    lines += [
        "*ELEMENT, TYPE=MASS, ELSET=FLYWHEEL",
        f"{tag + 1},{rim}",
        "*MASS, ELSET=FLYWHEEL",
        f"{RIM_MASS:g}",
    ]
    lines += ["*ELEMENT, TYPE=ROTARYI, ELSET=FLYWHEEL_INERTIA", f"{tag + 2},{rim}"]
    lines += ["*ROTARY INERTIA, ELSET=FLYWHEEL_INERTIA", ",".join(f"{j:g}" for j in (*RIM_INERTIA, 0, 0, 0))]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000.,0.3", "*DENSITY", "7.85E-9"]
    lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL" for name in PLATES]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    write_deck(Path(sys.argv[1]))
