"""A deck of bricks, as large as is wanted: a base plate with one pad or many on it, each a joint."""

from pathlib import Path

import numpy as np

_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))


def _plate(
    cells: tuple[int, int], low: tuple[float, ...], high: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes (n, 3) and bricks (m, 8) of a plate one brick thick, as rows."""
    counts = (*cells, 1)
    axes = [np.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    rows = np.arange(len(nodes)).reshape([n + 1 for n in counts])
    bricks = [rows[i : i + counts[0], j : j + counts[1], k : k + 1].ravel() for i, j, k in _CORNERS]
    return nodes, np.stack(bricks, 1)


def write_pads_deck(path: Path, pads: tuple[int, int] = (1, 1), cells: tuple[int, int] = (60, 48)) -> Path:
    """Write the deck; return its path.

    Pad i lies on the base with surfaces PAD_i (down) and BASE_i (up, below the pad alone). The base is held at HOLD and
    the first pad loaded at TIP, each a node coupled to an end.

    Args:
        path: of the deck.
        pads: how many there are along and across the base.
        cells: bricks along and across the base; a pad of several takes one row less than its share.
    """
    size = (float(cells[0]), float(cells[1]))
    nodes, bricks = _plate(cells, (0.0, 0.0, -2.0), (*size, 0.0))
    parts, below = [("BASE", bricks)], []
    share = cells[0] // pads[0], cells[1] // pads[1]
    taken = share if pads == (1, 1) else (share[0] - 1, share[1] - 1)
    for i in range(pads[0] * pads[1]):
        at = (i // pads[1]) * share[0], (i % pads[1]) * share[1]
        end = at[0] + taken[0], at[1] + taken[1]
        more, own = _plate(taken, (*at, 0.0), (*end, 2.0))
        parts.append((f"PART_{i + 1}", own + len(nodes)))
        nodes = np.concatenate([nodes, more])
        below.append(np.arange(len(bricks)).reshape(cells)[at[0] : end[0], at[1] : end[1]].ravel())
    hold, tip = len(nodes) + 1, len(nodes) + 2
    first_pad = np.unique(parts[1][1])
    end = first_pad[np.isclose(nodes[first_pad, 0], nodes[first_pad, 0].max())] + 1
    start = np.flatnonzero(np.isclose(nodes[: (cells[0] + 1) * (cells[1] + 1) * 2, 0], 0.0)) + 1
    lines = ["*HEADING", "pads on a base, mm N t s", "*NODE"]
    nodes = np.concatenate([nodes, [[0.0, size[1] / 2, 0.0], [taken[0], taken[1] / 2, 1.0]]])
    lines += [f"{i + 1}, {x:.9g}, {y:.9g}, {z:.9g}" for i, (x, y, z) in enumerate(nodes)]
    first, surfaces = 1, []
    for number, (name, own) in enumerate(parts):
        lines.append(f"*ELEMENT, TYPE=C3D8, ELSET={name}")
        lines += [f"{first + k}, {', '.join(map(str, brick + 1))}" for k, brick in enumerate(own)]
        if number:
            surfaces += [f"*SURFACE, NAME=PAD_{number}, TYPE=ELEMENT"]
            surfaces += [f"{first + k}, S1" for k in range(len(own))]
            surfaces += [f"*SURFACE, NAME=BASE_{number}, TYPE=ELEMENT"]
            surfaces += [f"{k + 1}, S2" for k in below[number - 1]]
        first += len(own)
    lines += ["*NSET, NSET=HOLD", str(hold), "*NSET, NSET=TIP", str(tip)]
    for name, rows in (("START", start), ("END", end)):
        lines += [f"*NSET, NSET={name}", *map(str, rows)]
    lines += surfaces
    for name, node, rows in (("C_HOLD", hold, "START"), ("C_TIP", tip, "END")):
        lines += [f"*SURFACE, NAME=S_{name}, TYPE=NODE", rows]
        lines += [
            f"*COUPLING, CONSTRAINT NAME={name}, REF NODE={node}, SURFACE=S_{name}",
            "*KINEMATIC",
            "1, 6",
        ]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000, 0.3", "*DENSITY", "7.85e-9"]
    lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL" for name, _ in parts]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
