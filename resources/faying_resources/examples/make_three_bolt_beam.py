"""How the decks of the three-bolt beam were made: two beams with a lap joint of half their thickness.

Not needed to use them. Run by hand as ``python make_three_bolt_beam.py FOLDER``, or import `Beam` and `write_deck`
for one of other dimensions. The left beam goes from x = −length/2 to the end of the lap, the right one is its image,
turned by 180° about y; they touch in the plane z = 0. Bolts are beams through holes in a row along x; their ends
follow the mean motion of washers, which are rings of faces round the holes. Both end faces are rigid and move with the
nodes REF_LEFT and REF_RIGHT. Units mm, t, s, N; steel; bricks with incompatible modes.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Beam:
    """Dimensions in mm, and numbers of elements.

    Attributes:
        length: of both beams together.
        width, thickness: of the section; each beam has half the thickness in the lap.
        lap: length of the lap.
        play: between the end of a beam and the step of the other.
        bolts: positions of the bolts along x, symmetric about zero, at least a width apart.
        hole, washer, shank: radii.
        side: elements along a side of the square round a hole, even.
        rings: of elements between a washer and the square.
        layers: of elements through half the thickness.
        arm: elements along a beam outside of the lap.
    """

    length: float = 720.0
    width: float = 25.0
    thickness: float = 25.0
    lap: float = 120.0
    play: float = 1.0
    bolts: tuple[float, ...] = (-30.0, 0.0, 30.0)
    hole: float = 4.25
    washer: float = 8.0
    shank: float = 4.0
    side: int = 8
    rings: int = 2
    layers: int = 4
    arm: int = 92


DECKS = {
    "three_bolt_beam": Beam(),
    "three_bolt_beam_coarse": Beam(side=4, rings=1, layers=2, arm=20),
}


def on_square(ray: int, beam: Beam) -> Point:
    """Return the point of a ray on the square round a hole, from its corner in the first quadrant on."""
    half = beam.width / 2
    turn, step = divmod(ray % (4 * beam.side), beam.side)
    along = half * (1.0 - 2.0 * step / beam.side)
    return ((along, half), (-half, along), (-along, -half), (half, -along))[turn]


def on_ring(ray: int, ring: int, beam: Beam) -> Point:
    """Return the point of a ray on a ring: 0 is the hole, 2 the washer, the last one the square."""
    angle = math.pi / 4 + 2 * math.pi * ray / (4 * beam.side)
    radius = min(beam.hole + ring / 2 * (beam.washer - beam.hole), beam.washer)
    share = max(ring - 2, 0) / beam.rings
    round_, square = (radius * math.cos(angle), radius * math.sin(angle)), on_square(ray, beam)
    return tuple((1 - share) * a + share * b for a, b in zip(round_, square, strict=True))  # type: ignore[return-value]


def lap_quads(beam: Beam) -> Iterator[tuple[Quad, int]]:
    """Yield quads of the left beam's part of the lap, and the number of the bolt whose washer covers each, or −1."""
    half = beam.width / 2
    ys = [float(y) for y in np.linspace(-half, half, beam.side + 1)]
    size = beam.width / beam.side
    ends = [
        -beam.lap / 2,
        *(at + sign * half for at in beam.bolts for sign in (-1, 1)),
        beam.lap / 2 - beam.play,
    ]
    for x, xx in zip(ends[::2], ends[1::2], strict=True):
        steps = [float(at) for at in np.linspace(x, xx, max(1, round((xx - x) / size)) + 1)]
        for a, b in pairwise(steps):
            yield from ((((a, y), (b, y), (b, yy), (a, yy)), -1) for y, yy in pairwise(ys))
    for number, at in enumerate(beam.bolts):
        for ring in range(2 + beam.rings):
            for ray in range(4 * beam.side):
                corners = ((ray, ring), (ray, ring + 1), (ray + 1, ring + 1), (ray + 1, ring))
                points = [on_ring(*corner, beam) for corner in corners]
                yield tuple((at + x, y) for x, y in points), number if ring < 2 else -1  # type: ignore[misc]


def arm_quads(beam: Beam) -> Iterator[Quad]:
    """Yield quads of the left beam outside of the lap."""
    half = beam.width / 2
    xs = [float(x) for x in np.linspace(-beam.length / 2, -beam.lap / 2, beam.arm + 1)]
    ys = [float(y) for y in np.linspace(-half, half, beam.side + 1)]
    for x, xx in pairwise(xs):
        yield from (((x, y), (xx, y), (xx, yy), (x, yy)) for y, yy in pairwise(ys))


class _Deck:
    def __init__(self) -> None:
        self.nodes: dict[tuple[str, float, float, float], int] = {}
        self.elements: list[str] = []
        self.first = 1
        self.faces: dict[str, list[str]] = {}

    def node(self, part: str, x: float, y: float, z: float) -> int:
        """Return the number of a part's node; the right beam is the left one turned about y."""
        if part == "RIGHT":
            x, z = -x, -z
        key = part, round(x, 5) + 0.0, round(y, 5) + 0.0, round(z, 5) + 0.0
        return self.nodes.setdefault(key, len(self.nodes) + 1)

    def brick(self, part: str, quad: Quad, z: float, zz: float, below: str = "", above: str = "") -> None:
        """Add an element over a quad, and its lower and upper face to surfaces; names are without the part's."""
        corners = [self.node(part, *point, height) for height in (z, zz) for point in quad]
        number = self.first + len(self.elements)
        self.elements.append(f"{number}," + ",".join(map(str, corners)))
        for side, name in (("S1", below), ("S2", above)):
            if name:
                self.faces.setdefault(f"{name}_{part}", []).append(f"{number},{side}")


def write_deck(path: Path, beam: Beam) -> None:
    """Write the deck of a beam."""
    deck, half, count = _Deck(), beam.thickness / 2, len(beam.bolts)
    deck.first = 1 + 2 * count  # the shanks are the first elements, whose numbers name the bolts
    lower = [float(z) for z in np.linspace(-half, 0.0, beam.layers + 1)]
    whole = [*lower, *(-z for z in reversed(lower[:-1]))]
    for part in ("LEFT", "RIGHT"):
        for quad in arm_quads(beam):
            for z, zz in pairwise(whole):
                deck.brick(part, quad, z, zz)
        for quad, bolt in lap_quads(beam):
            for z, zz in pairwise(lower):
                number = bolt + 1 if part == "LEFT" else count - bolt
                washer = f"WASHER{number}" if bolt >= 0 and z == lower[0] else ""
                deck.brick(part, quad, z, zz, below=washer, above="LAP" if zz == lower[-1] else "")
    ends = {
        part: [n for (of, x, _, _), n in deck.nodes.items() if of == part and abs(x) == beam.length / 2]
        for part in ("LEFT", "RIGHT")
    }
    references = {part: deck.node(f"REF {part}", sign * beam.length / 2, 0.0, 0.0) for part, sign in _SIDES}
    shanks = [
        [deck.node(f"BOLT {k}", x, 0.0, z) for z in (-half, 0.0, half)] for k, x in enumerate(beam.bolts)
    ]
    cuts = [deck.node(f"CUT {k}", x, 0.0, 0.0) for k, x in enumerate(beam.bolts)]
    lines = ["*HEADING", "two beams and three bolts, units mm N t s", "*NODE"]
    lines += [f"{n},{x:.7g},{y:.7g},{z:.7g}" for (_, x, y, z), n in deck.nodes.items()]
    lines += ["*ELEMENT, TYPE=C3D8I, ELSET=ALL", *deck.elements]
    lines += ["*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL", "*MATERIAL, NAME=STEEL"]
    lines += ["*ELASTIC", "210000.,0.3", "*DENSITY", "7.85E-9", "*ELEMENT, TYPE=B31, ELSET=SHANKS"]
    lines += [f"{1 + k},{nut},{middle}" for k, (nut, middle, _) in enumerate(shanks)]
    lines += [f"{1 + count + k},{middle},{head}" for k, (_, middle, head) in enumerate(shanks)]
    lines += ["*BEAM SECTION, ELSET=SHANKS, MATERIAL=STEEL, SECTION=CIRC", f"{beam.shank:.7g}", "1.,0.,0."]
    for k, node in enumerate(cuts):
        lines += [f"*PRE-TENSION SECTION, ELEMENT={1 + k}, NODE={node}", "0.,0.,1."]
    for name, faces in deck.faces.items():
        lines += [f"*SURFACE, TYPE=ELEMENT, NAME={name}", *faces]
    for name, nodes in ends.items():
        lines += [f"*NSET, NSET=REF_{name}", f"{references[name]},", f"*NSET, NSET=END_{name}"]
        lines += [",".join(map(str, nodes[i : i + 12])) for i in range(0, len(nodes), 12)]
        lines += [f"*SURFACE, TYPE=NODE, NAME=S_{name}", f"END_{name},"]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={references[name]}, SURFACE=S_{name}"]
        lines += ["*KINEMATIC", "1, 6"]
    for k, (nut, _, head) in enumerate(shanks, start=1):
        for node, name in ((nut, f"WASHER{k}_LEFT"), (head, f"WASHER{k}_RIGHT")):
            lines += [
                f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={node}, SURFACE={name}",
                "*DISTRIBUTING",
                "1, 6",
            ]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


_SIDES = (("LEFT", -1.0), ("RIGHT", 1.0))

if __name__ == "__main__":
    for name, beam in DECKS.items():
        write_deck(Path(sys.argv[1]) / f"{name}.inp", beam)
