"""How ``line_fitting_bar.inp`` was made: a bar of bricks. Not needed to use it.

Run by hand as ``python make_reduction_bodies.py FOLDER``. The bar is that of Makhavikou (2015, 4.1): 6 x 8 x 300 mm,
0.1 kg, 552 nodes, E = 20 GPa; Poisson's ratio is not printed there, here it is 0.3. It lies along x. Units mm, t, s,
N. Node sets of one node each: A in the middle of a side, B and C at the ends, S1 to S5 spread over the bar, N1 to N3
near to each other.
"""

import sys
from pathlib import Path

BRICKS, SIZE, MASS = (45, 3, 2), (300.0, 8.0, 6.0), 1e-4
POINTS = {
    "A": (150.0, 8.0, 3.0), "B": (0.0, 0.0, 3.0), "C": (300.0, 0.0, 3.0),
    "S1": (50.0, 4.0, 0.0), "S2": (100.0, 4.0, 0.0), "S3": (150.0, 4.0, 0.0), "S4": (200.0, 4.0, 0.0),
    "S5": (250.0, 4.0, 0.0),
    "N1": (150.0, 0.0, 0.0), "N2": (150.0, 8.0, 6.0), "N3": (150.0, 0.0, 6.0),
}  # fmt: skip
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def write_deck(path: Path) -> None:
    """Write the deck of the bar."""
    nx, ny, nz = BRICKS
    cells = [length / count for length, count in zip(SIZE, BRICKS, strict=True)]

    def number(i: int, j: int, k: int) -> int:
        return 1 + k + (nz + 1) * (j + (ny + 1) * i)

    places = {
        number(i, j, k): tuple(n * cell for n, cell in zip((i, j, k), cells, strict=True))
        for i in range(nx + 1) for j in range(ny + 1) for k in range(nz + 1)
    }  # fmt: skip
    lines = ["*HEADING", f"bar of {nx} x {ny} x {nz} bricks, units mm t s N", "*NODE"]
    lines += [f"{node},{x:.10g},{y:.10g},{z:.10g}" for node, (x, y, z) in places.items()]
    lines.append("*ELEMENT, TYPE=C3D8I, ELSET=BAR")
    element = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                element += 1
                corners = [number(i + a, j + b, k + c) for c in (0, 1) for a, b in _CORNERS]
                lines.append(",".join(map(str, [element, *corners])))
    for name, point in POINTS.items():
        node = min(places, key=lambda n: sum((a - b) ** 2 for a, b in zip(places[n], point, strict=True)))
        lines += [f"*NSET, NSET={name}", str(node)]
    density = MASS / (SIZE[0] * SIZE[1] * SIZE[2])
    lines += ["*MATERIAL, NAME=SOFT", "*ELASTIC", "20000.,0.3", "*DENSITY", f"{density:.12g}"]
    lines += ["*SOLID SECTION, ELSET=BAR, MATERIAL=SOFT"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    write_deck(Path(sys.argv[1]) / "line_fitting_bar.inp")
