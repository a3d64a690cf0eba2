"""How ``line_fitting_bar.inp``, ``line_fitting_cage.inp`` and ``condensed_beam.inp`` were made. Not needed to use them.

Run by hand as ``python make_reduction_bodies.py FOLDER``.

The bar is that of Makhavikou (2015, 4.1): 6 x 8 x 300 mm, 0.1 kg, 552 nodes, E = 20 GPa; Poisson's ratio is not
printed there, here it is 0.3. It lies along x. Units mm, t, s, N. Node sets of one node each: A next to the middle of a
side, B and C at the ends, S1 to S5 spread over the bar, N1 to N3 near to each other.

The cage is of the size and mass of that of Makhavikou (2015, 4.2), whose shape is not printed: 18 mm across, 24 mm
long, 3.2 g, E = 210 GPa; two rings and 16 bars, with four planes of symmetry and more. Its axis is z. Units mm, t, s,
N. Node sets of one node each: M1 to M16 in the middles of the bars outside, L2, L5, … and U2, U7, … where bars end on
the lower and upper ring. Of a hundred sets of 29 such nodes, drawn at random, these tell modes up to 12.6 kHz apart
best.

The beam is that of Oloriz (2014, 3.2): 0.5 x 1 x 0.2 m, steel, one-point bricks; with bricks of about 40 mm in place of
20 mm. Where its 42 locked nodes are is not printed; here a ring of nodes in the middle plane moves with the node BORE.
LOAD is a node of the upper face, NEAR1 to NEAR8 are those round it. Units m, kg, s, N.
"""

import sys
from collections.abc import Mapping
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path

BAR, BAR_SIZE, BAR_MASS = (45, 3, 2), (300.0, 8.0, 6.0), 1e-4
POINTS = {
    "A": (150.0, 8.0, 3.0), "B": (0.0, 0.0, 3.0), "C": (300.0, 0.0, 3.0),
    "S1": (50.0, 4.0, 0.0), "S2": (100.0, 4.0, 0.0), "S3": (150.0, 4.0, 0.0), "S4": (200.0, 4.0, 0.0),
    "S5": (250.0, 4.0, 0.0),
    "N1": (150.0, 0.0, 0.0), "N2": (150.0, 8.0, 6.0), "N3": (150.0, 0.0, 6.0),
}  # fmt: skip
BEAM, BEAM_SIZE = (12, 24, 6), (0.5, 1.0, 0.2)
RING, LOAD = (2, 3), (9, 20)  # bricks from the middle of the ring to its sides; columns of the loaded node
BARS, ACROSS_BAR, ACROSS_GAP, THROUGH = (
    16,
    4,
    8,
    3,
)  # of the cage: bars, bricks across each and the gap beside, radially
RADII, LENGTH, RING_HEIGHT, BAR_SHARE = (8.25, 9.0), 24.0, 2.4, 0.28
RING_LAYERS, BAR_LAYERS = 6, 24
LOWER, UPPER = (2, 5, 7, 10, 11, 15, 16), (2, 7, 8, 11, 13, 16)  # bars at whose ends are interface nodes
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))

Place = tuple[int, int, int]


def block(
    counts: Place, size: tuple[float, ...], element: str, name: str
) -> tuple[list[str], dict[Place, int]]:
    """Return the lines of nodes and elements of a block of bricks, and the number of the node at each place."""
    nx, ny, nz = counts
    cells = [length / count for length, count in zip(size, counts, strict=True)]
    places = [(i, j, k) for i in range(nx + 1) for j in range(ny + 1) for k in range(nz + 1)]
    number = {place: n for n, place in enumerate(places, 1)}
    lines = ["*HEADING", f"block of {nx} x {ny} x {nz} bricks", "*NODE"]
    lines += [
        ",".join([str(n), *(f"{c * cell:.10g}" for c, cell in zip(place, cells, strict=True))])
        for place, n in number.items()
    ]
    lines.append(f"*ELEMENT, TYPE={element}, ELSET={name}")
    bricks = [(i, j, k) for i in range(nx) for j in range(ny) for k in range(nz)]
    for n, (i, j, k) in enumerate(bricks, 1):
        corners = [number[i + a, j + b, k + c] for c in (0, 1) for a, b in _CORNERS]
        lines.append(",".join(map(str, [n, *corners])))
    return lines, number


def material(name: str, modulus: float, density: float) -> list[str]:
    """Return the lines of the material of a block."""
    lines = [
        f"*MATERIAL, NAME={name}_MATERIAL",
        "*ELASTIC",
        f"{modulus:.12g},0.3",
        "*DENSITY",
        f"{density:.12g}",
    ]
    return [*lines, f"*SOLID SECTION, ELSET={name}, MATERIAL={name}_MATERIAL"]


def sets(nodes: Mapping[str, int]) -> list[str]:
    """Return the lines of node sets of one node each."""
    return [line for name, node in nodes.items() for line in (f"*NSET, NSET={name}", str(node))]


def bar() -> list[str]:
    """Return the deck of the bar."""
    lines, number = block(BAR, BAR_SIZE, "C3D8I", "BAR")
    cells = [length / count for length, count in zip(BAR_SIZE, BAR, strict=True)]

    def off(place: Place, point: tuple[float, ...]) -> float:
        return sum((n * cell - x) ** 2 for n, cell, x in zip(place, cells, point, strict=True))

    at = {name: number[min(number, key=lambda place: off(place, point))] for name, point in POINTS.items()}
    density = BAR_MASS / (BAR_SIZE[0] * BAR_SIZE[1] * BAR_SIZE[2])
    return [*lines, *sets(at), *material("BAR", 20000.0, density)]


def cage() -> list[str]:
    """Return the deck of the cage."""
    pitch, around = 2.0 * pi / BARS, ACROSS_BAR + ACROSS_GAP
    bar_width, gap_width = BAR_SHARE * pitch, (1.0 - BAR_SHARE) * pitch
    angles = [
        b * pitch + (bar_width * (i / ACROSS_BAR - 0.5) if i < ACROSS_BAR else
                     0.5 * bar_width + gap_width * (i - ACROSS_BAR) / ACROSS_GAP)
        for b in range(BARS) for i in range(around)
    ]  # fmt: skip
    ring = [RING_HEIGHT * k / RING_LAYERS for k in range(RING_LAYERS)]
    middle = [RING_HEIGHT + (LENGTH - 2.0 * RING_HEIGHT) * k / BAR_LAYERS for k in range(BAR_LAYERS)]
    heights = [*ring, *middle, *(LENGTH - RING_HEIGHT + z for z in ring), LENGTH]
    radii = [RADII[0] + (RADII[1] - RADII[0]) * j / THROUGH for j in range(THROUGH + 1)]
    number: dict[Place, int] = {}
    nodes: list[str] = []
    elements: list[list[int]] = []

    def node(i: int, j: int, k: int) -> int:
        place = (i % len(angles), j, k)
        if place not in number:
            number[place] = len(number) + 1
            x, y = radii[j] * cos(angles[place[0]]), radii[j] * sin(angles[place[0]])
            nodes.append(f"{number[place]},{x:.9g},{y:.9g},{heights[k]:.9g}")
        return number[place]

    for k, _ in enumerate(pairwise(heights)):
        is_ring = k < RING_LAYERS or k >= RING_LAYERS + BAR_LAYERS
        for i in range(len(angles)):
            if is_ring or i % around < ACROSS_BAR:
                for j in range(THROUGH):
                    corners = [(i + b, j + a, k + c) for c in (0, 1) for a, b in _CORNERS]
                    elements.append([len(elements) + 1, *(node(*corner) for corner in corners)])
    lines = [
        "*HEADING",
        f"cage of {BARS} bars between two rings",
        "*NODE",
        *nodes,
        "*ELEMENT, TYPE=C3D8I, ELSET=CAGE",
    ]
    lines += [",".join(map(str, element)) for element in elements]
    half, top = RING_LAYERS + BAR_LAYERS // 2, len(heights) - 1
    at = {f"M{b + 1}": number[b * around + ACROSS_BAR // 2, THROUGH, half] for b in range(BARS)}
    for name, layer, bars in (("L", 0, LOWER), ("U", top, UPPER)):
        at |= {f"{name}{b}": number[(b - 1) * around + ACROSS_BAR // 2, THROUGH, layer] for b in bars}
    return [*lines, *sets(at), *material("CAGE", 210000.0, 7.85e-9)]


def beam() -> list[str]:
    """Return the deck of the beam."""
    lines, number = block(BEAM, BEAM_SIZE, "C3D8R", "BEAM")
    (nx, ny, nz), (across, along) = BEAM, RING
    ring = [
        number[nx // 2 + i, ny // 2 + j, nz // 2]
        for i in range(-across, across + 1)
        for j in range(-along, along + 1)
        if abs(i) == across or abs(j) == along
    ]
    bore = len(number) + 1
    first_element = lines.index("*ELEMENT, TYPE=C3D8R, ELSET=BEAM")
    lines.insert(first_element, f"{bore},{','.join(f'{length / 2:.10g}' for length in BEAM_SIZE)}")
    i, j = LOAD
    round_it = [(i + a, j + b, nz) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    at = {"BORE": bore, "LOAD": number[i, j, nz]}
    at |= {f"NEAR{n}": number[place] for n, place in enumerate(round_it, 1)}
    coupling = ["*SURFACE, TYPE=NODE, NAME=RING", *map(str, ring)]
    coupling += [f"*COUPLING, CONSTRAINT NAME=BORE, REF NODE={bore}, SURFACE=RING", "*KINEMATIC", "1,6"]
    return [*lines, *sets(at), *coupling, *material("BEAM", 210e9, 7850.0)]


if __name__ == "__main__":
    decks = {"line_fitting_bar": bar(), "line_fitting_cage": cage(), "condensed_beam": beam()}
    for name, deck in decks.items():
        (Path(sys.argv[1]) / f"{name}.inp").write_text("\n".join(deck) + "\n", encoding="ascii")
