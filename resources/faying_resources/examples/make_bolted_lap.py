"""How ``bolted_lap.inp`` was made: two plates that overlap, held together by two M8 bolts. Not needed to use it.

Run by hand as ``python make_bolted_lap.py bolted_lap.inp``. Two steel plates of 120 by 40 by 10 mm, the lower one from
x = -90 to 30, the upper one from -30 to 90, touch in the plane z = 0. Two bolts at x = -15 and 15 go through holes of
9 mm; shank 8 mm, head and nut 13 mm across and round, heads 5.3 and nuts 6.5 mm high. The far ends are held by rigid
couplings at REF_MOUNT and REF_LOAD, both in the plane z = 0. Units mm, t, s, N.

Round each hole the mesh is one of rays and rings within a square; all elements are bricks with incompatible modes.
"""

import math
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

BOLTS, SQUARE, RAYS = (-15.0, 15.0), 12.0, 16
SHANK, HOLE, HEAD = 4.0, 4.5, 6.5
HEAD_HEIGHT, NUT_HEIGHT, THICKNESS = 5.3, 6.5, 10.0
_X = (-90.0, -75.0, -60.0, -45.0, -30.0, -27.0, -21.0, -15.0, -9.0, -3.0, 3.0, 9.0, 15.0, 21.0, 27.0, 30.0)
_Y = (-20.0, -12.0, -6.0, 0.0, 6.0, 12.0, 20.0)
_CORE = 2.2  # half width of the square in the middle of a shank

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


def on_square(ray: int, half: float) -> Point:
    """Return the point of a ray on a square round the origin, from its corner in the first quadrant on."""
    side, step = divmod(ray % RAYS, RAYS // 4)
    along = half * (1.0 - 2.0 * step / (RAYS // 4))
    return ((along, half), (-half, along), (-along, -half), (half, -along))[side]


def on_circle(ray: int, radius: float) -> Point:
    """Return the point of a ray on a circle."""
    angle = math.pi / 4 + 2 * math.pi * ray / RAYS
    return radius * math.cos(angle), radius * math.sin(angle)


def rings(inner: float, radii: tuple[float, ...]) -> Iterator[tuple[Quad, float]]:
    """Yield quads of rings from a circle outwards, with their outer radius."""
    for low, high in zip((inner, *radii), radii, strict=False):
        for ray in range(RAYS):
            a, b = on_circle(ray, low), on_circle(ray, high)
            yield (a, b, on_circle(ray + 1, high), on_circle(ray + 1, low)), high


def disc(radius: float) -> Iterator[Quad]:
    """Yield quads of a disc: a square of squares, and one ring round it."""
    steps = RAYS // 4
    lines = [_CORE * (2.0 * i / steps - 1.0) for i in range(steps + 1)]
    for i in range(steps):
        for j in range(steps):
            (x, xx), (y, yy) = lines[i : i + 2], lines[j : j + 2]
            yield (x, y), (xx, y), (xx, yy), (x, yy)
    for ray in range(RAYS):
        yield (
            on_square(ray, _CORE),
            on_circle(ray, radius),
            on_circle(ray + 1, radius),
            on_square(ray + 1, _CORE),
        )


def plate(mirrored: bool) -> Iterator[tuple[Quad, int, float]]:
    """Yield quads of a plate, the number of the bolt whose head covers each (−1 for none), and its x in the middle."""
    sense = -1.0 if mirrored else 1.0

    def placed(quad: Quad, bolt: float = 0.0) -> Quad:
        points = [(sense * (x + bolt), y) for x, y in quad]
        return tuple(reversed(points)) if mirrored else tuple(points)  # type: ignore[return-value]

    for x, xx in pairwise(_X):
        for y, yy in pairwise(_Y):
            if abs(0.5 * (y + yy)) < SQUARE and any(abs(0.5 * (x + xx) - bolt) < SQUARE for bolt in BOLTS):
                continue
            yield placed(((x, y), (xx, y), (xx, yy), (x, yy))), -1, sense * 0.5 * (x + xx)
    for number, bolt in enumerate(BOLTS):
        under = 1 - number if mirrored else number
        for quad, outer in rings(HOLE, (HEAD, 9.0)):
            yield placed(quad, bolt), under if outer == HEAD else -1, sense * bolt
        for ray in range(RAYS):
            last = (
                on_circle(ray, 9.0),
                on_square(ray, SQUARE),
                on_square(ray + 1, SQUARE),
                on_circle(ray + 1, 9.0),
            )
            yield placed(last, bolt), -1, sense * bolt


class _Deck:
    def __init__(self) -> None:
        self.nodes: dict[tuple[str, float, float, float], int] = {}
        self.elements: list[str] = []
        self.faces: dict[str, list[str]] = {}

    def node(self, part: str, point: Point, z: float) -> int:
        key = part, round(point[0], 6) + 0.0, round(point[1], 6) + 0.0, round(z, 6)
        return self.nodes.setdefault(key, len(self.nodes) + 1)

    def brick(self, part: str, quad: Quad, z: float, zz: float, below: str = "", above: str = "") -> None:
        corners = [self.node(part, point, height) for height in (z, zz) for point in quad]
        number = len(self.elements) + 1
        self.elements.append(f"{number}, " + ", ".join(map(str, corners)))
        for side, name in (("S1", below), ("S2", above)):
            if name:
                self.faces.setdefault(name, []).append(f"{number}, {side}")


def write_deck(path: Path) -> None:
    """Write the deck."""
    deck = _Deck()
    half = THICKNESS / 2
    for quad, bolt, x in plate(mirrored=False):
        seat, lap = f"LOWER_SEAT{bolt + 1}" if bolt >= 0 else "", "LOWER_LAP" if abs(x) < 30.0 else ""
        deck.brick("lower", quad, -THICKNESS, -half, below=seat)
        deck.brick("lower", quad, -half, 0.0, above=lap)
    for quad, bolt, x in plate(mirrored=True):
        seat, lap = f"UPPER_SEAT{bolt + 1}" if bolt >= 0 else "", "UPPER_LAP" if abs(x) < 30.0 else ""
        deck.brick("upper", quad, 0.0, half, below=lap)
        deck.brick("upper", quad, half, THICKNESS, above=seat)
    heights = [-THICKNESS, -half, 0.0, half, THICKNESS]
    for number, x in enumerate(BOLTS, start=1):

        def at(quad: Quad, x: float = x) -> Quad:
            return tuple((x + point[0], point[1]) for point in quad)  # type: ignore[return-value]

        part = f"bolt{number}"
        for quad in disc(SHANK):
            levels = [-THICKNESS - NUT_HEIGHT, *heights, THICKNESS + HEAD_HEIGHT]
            for z, zz in pairwise(levels):
                deck.brick(part, at(quad), z, zz)
        for quad, outer in rings(SHANK, (HOLE, HEAD)):
            on_seat = outer == HEAD
            deck.brick(
                part, at(quad), -THICKNESS - NUT_HEIGHT, -THICKNESS, above=f"NUT{number}" if on_seat else ""
            )
            deck.brick(
                part, at(quad), THICKNESS, THICKNESS + HEAD_HEIGHT, below=f"HEAD{number}" if on_seat else ""
            )
    ends = {
        "MOUNT": [n for (part, x, _, _), n in deck.nodes.items() if part == "lower" and x == -90.0],
        "LOAD": [n for (part, x, _, _), n in deck.nodes.items() if part == "upper" and x == 90.0],
    }
    references = {
        name: deck.node(f"reference {name}", (x, 0.0), 0.0) for name, x in (("MOUNT", -90.0), ("LOAD", 90.0))
    }
    lines = ["*HEADING", "two plates and two M8 bolts, units mm N t s", "*NODE"]
    lines += [f"{n}, {x:.7g}, {y:.7g}, {z:.7g}" for (_, x, y, z), n in deck.nodes.items()]
    lines += ["*ELEMENT, TYPE=C3D8I, ELSET=ALL", *deck.elements]
    lines += ["*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL", "*MATERIAL, NAME=STEEL"]
    lines += ["*ELASTIC", "210000., 0.3", "*DENSITY", "7.85E-9"]
    for name, faces in deck.faces.items():
        lines += [f"*SURFACE, TYPE=ELEMENT, NAME={name}", *faces]
    for name, nodes in ends.items():
        lines += [f"*NSET, NSET=REF_{name}", f"{references[name]},", f"*NSET, NSET=END_{name}"]
        lines += [", ".join(map(str, nodes[i : i + 12])) for i in range(0, len(nodes), 12)]
        lines += [f"*SURFACE, TYPE=NODE, NAME=S_{name}", f"END_{name},"]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={references[name]}, SURFACE=S_{name}"]
        lines += ["*KINEMATIC", "1, 6"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_deck(Path(sys.argv[1]))
