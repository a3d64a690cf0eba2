"""How ``pendulum_bar.inp`` and ``crank_rod.inp`` were made: plain bars of bricks. Not needed to use them.

Run by hand as ``python make_bars.py FOLDER``. The bars lie along x from x = 0, their axis is y = z = 0; both end
faces are rigid and move with the nodes REF_START and REF_END at their middles. Units m, kg, s, N; steel. The bricks
are fully integrated: thin ones lock in bending, and that is meant, since other programs' numbers for the very same
mesh are compared with.
"""

import sys
from pathlib import Path

BARS = {
    "pendulum_bar": ((100, 2, 2), (1.0, 0.01, 0.02)),
    "crank_rod": ((30, 4, 4), (0.15, 0.025, 0.035)),
}
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def write_deck(path: Path, counts: tuple[int, int, int], size: tuple[float, float, float]) -> None:
    """Write the deck of a bar.

    Args:
        path: file to be made.
        counts: bricks along x, y, z.
        size: of the bar along x, y, z.
    """
    nx, ny, nz = counts
    dx, dy, dz = (length / count for length, count in zip(size, counts, strict=True))

    def number(i: int, j: int, k: int) -> int:
        return 1 + k + (nz + 1) * (j + (ny + 1) * i)

    lines = ["*HEADING", f"bar of {nx} x {ny} x {nz} bricks, units m kg s N", "*NODE"]
    for i in range(nx + 1):
        for j in range(ny + 1):
            for k in range(nz + 1):
                place = f"{i * dx:.10g},{j * dy - size[1] / 2:.10g},{k * dz - size[2] / 2:.10g}"
                lines.append(f"{number(i, j, k)},{place}")
    ends = {"START": (0, number(nx, ny, nz) + 1), "END": (nx, number(nx, ny, nz) + 2)}
    lines += [f"{node},{i * dx:.10g},0,0" for i, node in ends.values()]
    lines.append("*ELEMENT, TYPE=C3D8F, ELSET=BAR")
    element = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                element += 1
                corners = [number(i + a, j + b, k + c) for c in (0, 1) for a, b in _CORNERS]
                lines.append(",".join(map(str, [element, *corners])))
    for name, (i, node) in ends.items():
        face = [number(i, j, k) for j in range(ny + 1) for k in range(nz + 1)]
        lines += [f"*NSET, NSET=REF_{name}", str(node)]
        lines += [f"*SURFACE, TYPE=NODE, NAME=FACE_{name}", *map(str, face)]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={node}, SURFACE=FACE_{name}"]
        lines += ["*KINEMATIC", "1,6"]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210E9,0.3", "*DENSITY", "7850."]
    lines += ["*SOLID SECTION, ELSET=BAR, MATERIAL=STEEL"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    for bar, (bricks, lengths) in BARS.items():
        write_deck(Path(sys.argv[1]) / f"{bar}.inp", bricks, lengths)
