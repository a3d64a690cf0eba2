"""A deck of two blocks of bricks on top of each other, whose faces have names: a whole study in a second."""

import itertools
from pathlib import Path

# Faces of a brick by axis and side, in the numbering of Abaqus.
_FACES = {(2, 0): "S1", (2, 1): "S2", (1, 0): "S3", (0, 1): "S4", (1, 1): "S5", (0, 0): "S6"}


def write_two_blocks(
    path: Path,
    counts: tuple[int, int, int] = (2, 3, 2),
    sizes: tuple[float, float, float] = (10.0, 12.0, 5.0),
    gap: float = 0.0,
    extra: str = "",
) -> Path:
    """Write the deck: LOW from z = −height to 0, UP from the gap on.

    Surfaces LOW_X0, LOW_X1, …, UP_Z1 are the faces of the blocks at the lower (0) and upper (1) end of each axis.

    Args:
        path: file to be made.
        counts: of elements along each axis, per block.
        sizes: of each block.
        gap: between the blocks.
        extra: further lines of the deck.
    """
    corners = [count + 1 for count in counts]
    lines, blocks, surfaces = ["*NODE"], [], []
    for block, base in enumerate((-sizes[2], gap)):
        first = block * corners[0] * corners[1] * corners[2]

        def number(i: int, j: int, k: int, first: int = first) -> int:
            return first + (i * corners[1] + j) * corners[2] + k + 1

        for at in itertools.product(*map(range, corners)):
            place = [size * n / count for size, n, count in zip(sizes, at, counts, strict=True)]
            lines.append(f"{number(*at)}, {place[0]}, {place[1]}, {base + place[2]}")
        name = ("LOW", "UP")[block]
        blocks.append(f"*ELEMENT, TYPE=C3D8I, ELSET={name}")
        elements = block * counts[0] * counts[1] * counts[2]
        ends: dict[tuple[int, int], list[str]] = {face: [] for face in _FACES}
        for at in itertools.product(*map(range, counts)):
            elements += 1
            i, j, k = at
            square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            nodes = [number(a, b, c) for c in (k, k + 1) for a, b in square]
            blocks.append(", ".join(map(str, [elements, *nodes])))
            for axis, side in _FACES:
                if at[axis] == side * (counts[axis] - 1):
                    ends[axis, side].append(f"{elements}, {_FACES[axis, side]}")
        for (axis, side), faces in ends.items():
            surfaces += [f"*SURFACE, NAME={name}_{'XYZ'[axis]}{side}", *faces]
    lines += blocks
    for name in ("LOW", "UP"):
        lines.append(f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL")
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000., 0.3", "*DENSITY", "7.85e-9", *surfaces, extra]
    path.write_text("\n".join(lines) + "\n")
    return path
