"""Decks of the friction bar of thesis section 4.1, with holes where one wants them and as fine as one wants.

Two steel sheets of 200 by 20 by 3 mm lie on each other from x = 25 to 200 mm, y = -10 to 10; the joint is the plane
z = 0. The lower sheet begins at x = 0, where it is mounted; the upper one ends at x = 225, where it is loaded. Both
have four holes of 6 mm. Beams as thick as the holes tie the sheets together in the two middle ones. Units mm, t, s, N.

Not printed in the thesis, and chosen: where the holes are. In each sheet a block of rays and rings surrounds each hole,
rows of rectangles lie between; all are cut into triangles, and prisms over these into tetrahedra of ten nodes. The
upper sheet's elements are smaller, so the meshes do not coincide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from faying.atomic import write_text

WIDE_HOLES = (33.0, 62.5, 162.5, 192.0)
"""Hole axes with which the thesis' statements on convergence come out, x in mm."""
NARROW_HOLES = (35.0, 87.5, 137.5, 190.0)
"""Hole axes of the deck ``friction_bar_19k.inp``: beams 50 mm apart, and long free ends beside them."""

_LENGTH, _HALF_WIDTH, _THICKNESS, _OFFSET = 200.0, 10.0, 3.0, 25.0
_RADIUS, _WASHER = 3.0, 6.0
_BLOCK = 10.0  # from the axis of a hole to the edge of its block
_FINER = 0.9  # size of the upper sheet's elements over that of the lower one's
_FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))  # S1 to S4 by corner, Abaqus' order
_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))  # midside nodes 5 to 10


@dataclass(frozen=True)
class _Sheet:
    """Corner nodes (n, 3), tetrahedra (m, 4) by corner, and (n,) number of the hole at whose rim a node is, else -1."""

    corners: np.ndarray
    tetrahedra: np.ndarray
    rims: np.ndarray


def write_friction_bar(
    path: Path, holes: Sequence[float] = WIDE_HOLES, size: float = 2.8, *, tied: bool = False
) -> None:
    """Write the deck of a bar.

    Args:
        path: file to be made.
        holes: x of the four hole axes in mm, ascending, at least 20 mm apart and 7 mm from the ends of the joint.
        size: of the lower sheet's elements in mm; 2.8 makes 19 000 nodes, 4.4 makes 9 000.
        tied: whether the sheets are bonded to each other over the whole joint; to compare with.
    """
    lines = ["*HEADING", "friction bar, units mm N t s", "*NODE, NSET=NALL"]
    elements: list[str] = []
    node_sets: dict[str, np.ndarray] = {}
    surfaces: dict[str, list[tuple[int, int]]] = {}
    first_node = first_element = 1
    for number, (start, low, scale) in enumerate(((0.0, -_THICKNESS, 1.0), (_OFFSET, 0.0, _FINER)), start=1):
        sheet = _sheet(start, low, holes, size * scale)
        nodes, cells = _with_midside_nodes(sheet, holes)
        lines += [",".join(map(str, [first_node + i, *map(_short, x)])) for i, x in enumerate(nodes)]
        elements.append(f"*ELEMENT, TYPE=C3D10, ELSET=SHEET{number}")
        elements += [
            ",".join(map(str, [first_element + i, *(first_node + cell)])) for i, cell in enumerate(cells)
        ]
        for name, faces in _named_faces(nodes, cells, number, holes):
            rows = [cells[e][[*_FACES[f], *_midsides(_FACES[f])]] for e, f in faces]
            node_sets[f"N_{name}"] = first_node + np.unique(np.concatenate(rows))
            surfaces[name] = [(first_element + e, f + 1) for e, f in faces]
        first_node, first_element = first_node + len(nodes), first_element + len(cells)

    middle = _THICKNESS / 2
    references = {"REF_MOUNT": (0.0, 0.0, -middle), "REF_LOAD": (_OFFSET + _LENGTH, 0.0, middle)}
    for hole in (2, 3):
        references |= {f"REF_HOLE{hole}_S{s}": (holes[hole - 1], 0.0, (2 * s - 3) * middle) for s in (1, 2)}
    label = {name: first_node + i for i, name in enumerate(references)}
    lines.append("*NODE, NSET=NREF")
    lines += [",".join(map(str, [label[name], *map(_short, x)])) for name, x in references.items()]
    lines += [*elements, "*ELEMENT, TYPE=B31, ELSET=BEAMS"]
    for i, hole in enumerate((2, 3)):
        lines.append(f"{first_element + i},{label[f'REF_HOLE{hole}_S1']},{label[f'REF_HOLE{hole}_S2']}")
    for name in references:
        lines += [f"*NSET, NSET={name}", str(label[name])]
    for name, members in node_sets.items():
        lines.append(f"*NSET, NSET={name}")
        lines += [",".join(map(str, members[i : i + 12])) for i in range(0, len(members), 12)]
    for name, faces in surfaces.items():
        lines += [f"*SURFACE, NAME={name}, TYPE=ELEMENT", *(f"{e},S{f}" for e, f in faces)]
    for end in ("END_MOUNT", "END_LOAD", *(f"HOLE{hole}_S{s}" for hole in (2, 3) for s in (1, 2))):
        reference = label[f"REF_{end.removeprefix('END_')}"]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{end}, REF NODE={reference}, SURFACE={end}"]
        lines += ["*KINEMATIC", "1,6"]
    if tied:
        # What follows a beam's end already is not bonded, too.
        coupled = np.concatenate([node_sets[f"N_HOLE{hole}_S2"] for hole in (2, 3)])
        bonded = np.setdiff1d(node_sets["N_JOINT_SLAVE"], coupled)
        lines += ["*SURFACE, NAME=BONDED, TYPE=NODE", *map(str, bonded)]
        lines += ["*TIE, NAME=BOND, ADJUST=NO", "BONDED, JOINT_MASTER"]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000.,0.3", "*DENSITY", "7.85E-9"]
    lines += [f"*SOLID SECTION, ELSET=SHEET{s}, MATERIAL=STEEL" for s in (1, 2)]
    lines += ["*BEAM SECTION, ELSET=BEAMS, MATERIAL=STEEL, SECTION=CIRC", f"{_RADIUS:g}", "1.,0.,0."]
    write_text(path, "\n".join(lines) + "\n")


def _sheet(start: float, low: float, holes: Sequence[float], size: float) -> _Sheet:
    """Return the mesh of a sheet from x = start on whose lower face is at z = low."""
    across = max(4, 2 * round(_HALF_WIDTH / size))
    ends = (_OFFSET, _LENGTH)  # of the joint
    blocks = [(max(x - _BLOCK, ends[0]), min(x + _BLOCK, ends[1])) for x in holes]
    y = np.linspace(-_HALF_WIDTH, _HALF_WIDTH, across + 1)
    points: list[tuple[float, float, int]] = []
    triangles: list[tuple[int, int, int]] = []

    def add(grid: np.ndarray, rims: np.ndarray) -> None:
        # A grid of points (i, j, 2) becomes triangles; diagonals change from one rectangle to the next.
        number = len(points) + np.arange(grid.shape[0] * grid.shape[1]).reshape(grid.shape[:2])
        points.extend(zip(*grid.reshape(-1, 2).T.tolist(), rims.ravel().tolist(), strict=True))
        for i, j in np.ndindex(grid.shape[0] - 1, grid.shape[1] - 1):
            a, b, c, d = (int(number[i + k, j + m]) for k, m in ((0, 0), (1, 0), (1, 1), (0, 1)))
            triangles.extend([(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)])

    for hole, (x, block) in enumerate(zip(holes, blocks, strict=True)):
        grid = _rays(x, block, y, size)
        rims = np.full(grid.shape[:2], -1)
        rims[0] = hole
        add(grid, rims)
    stations = sorted({start, start + _LENGTH, *ends, *(x for block in blocks for x in block)})
    for begin, end in pairwise(stations):
        if (begin, end) not in blocks:
            along = np.linspace(begin, end, max(1, round((end - begin) / size)) + 1)
            grid = np.stack(np.meshgrid(along, y, indexing="ij"), axis=-1)
            add(grid, np.full(grid.shape[:2], -1))

    # Blocks and rows meet in points that are there twice.
    flat = np.array([point[:2] for point in points])
    _, first, merged = np.unique(np.round(flat, 6), axis=0, return_index=True, return_inverse=True)
    plane, rims = flat[first], np.array([point[2] for point in points])[first]
    cells = merged.ravel()[np.array(triangles)]
    cells = np.sort(cells[[len(set(cell)) == 3 for cell in cells.tolist()]], axis=1)
    # Corners in ascending order: neighbours cut the rectangle between two prisms along the same diagonal.
    n = len(plane)
    (a, b, c), (up_a, up_b, up_c) = cells.T, cells.T + n
    tetrahedra = np.stack([[a, b, c, up_c], [a, b, up_b, up_c], [a, up_a, up_b, up_c]], axis=1)
    tetrahedra = tetrahedra.reshape(4, -1).T
    corners = np.vstack([np.column_stack([plane, np.full(n, z)]) for z in (low, low + _THICKNESS)])
    edges = corners[tetrahedra[:, 1:]] - corners[tetrahedra[:, :1]]
    inverted = np.linalg.det(edges) < 0
    tetrahedra[inverted] = tetrahedra[inverted][:, [0, 2, 1, 3]]
    return _Sheet(corners, tetrahedra, np.tile(rims, 2))


def _rays(x: float, block: tuple[float, float], y: np.ndarray, size: float) -> np.ndarray:
    """Return (rings, rays, 2) points round the hole at x, out to the edge of its block; the first ray ends it, too."""
    along = np.linspace(*block, max(2, round((block[1] - block[0]) / size)) + 1)
    edge = np.array([
        *((block[1], v) for v in y[:-1]), *((u, y[-1]) for u in along[:0:-1]),
        *((block[0], v) for v in y[:0:-1]), *((u, y[0]) for u in along),
    ])  # fmt: skip
    away = edge - (x, 0.0)
    unit = away / np.linalg.norm(away, axis=1, keepdims=True)
    inner = [_RADIUS + (_WASHER - _RADIUS) * t for t in np.linspace(0.0, 1.0, max(1, round(3.0 / size)) + 1)]
    rings = [(x, 0.0) + r * unit for r in inner]
    steps = max(1, round(6.0 / size))
    rings += [rings[len(inner) - 1] + k / steps * (edge - rings[len(inner) - 1]) for k in range(1, steps + 1)]
    return np.stack(rings)


def _with_midside_nodes(sheet: _Sheet, holes: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return all nodes (n, 3) and the tetrahedra (m, 10); midside nodes at the rim of a hole lie on its circle."""
    pairs = np.sort(sheet.tetrahedra[:, np.array(_EDGES)], axis=2).reshape(-1, 2)
    edges, of_cell = np.unique(pairs, axis=0, return_inverse=True)
    middles = sheet.corners[edges].mean(axis=1)
    first, second = sheet.rims[edges].T
    for hole, x in enumerate(holes):
        curved = (first == hole) & (second == hole)
        away = middles[curved, :2] - (x, 0.0)
        middles[curved, :2] = (x, 0.0) + _RADIUS * away / np.linalg.norm(away, axis=1, keepdims=True)
    cells = np.hstack([sheet.tetrahedra, len(sheet.corners) + of_cell.reshape(-1, 6)])
    return np.vstack([sheet.corners, middles]), cells


def _named_faces(
    nodes: np.ndarray, cells: np.ndarray, sheet: int, holes: Sequence[float]
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield name and faces (row of the cell, face from 0) of each surface of a sheet."""
    at = nodes[cells[:, :4][:, np.array(_FACES)]]  # (m, 4, 3, 3)
    x, z = at[..., 0], at[..., 2]
    joint, outer = 0.0, (-_THICKNESS, _THICKNESS)[sheet - 1]
    within = (x > _OFFSET - 1e-6).all(axis=2) & (x < _LENGTH + 1e-6).all(axis=2)
    found = {
        ("JOINT_MASTER", "JOINT_SLAVE")[sheet - 1]: (np.abs(z - joint) < 1e-6).all(axis=2) & within,
        ("END_MOUNT", "END_LOAD")[sheet - 1]: (np.abs(x - (0.0, _OFFSET + _LENGTH)[sheet - 1]) < 1e-6).all(
            axis=2
        ),
    }
    for hole, axis in enumerate(holes, start=1):
        away = np.linalg.norm(at[..., :2] - (axis, 0.0), axis=3)
        found[f"HOLE{hole}_S{sheet}"] = (away < _RADIUS + 1e-6).all(axis=2)
        if hole in (1, len(holes)):
            washer = (away < _WASHER + 1e-6).all(axis=2) & (np.abs(z - outer) < 1e-6).all(axis=2)
            found[f"WASHER{1 if hole == 1 else 2}_S{sheet}"] = washer
    for name, chosen in found.items():
        yield name, [(int(e), int(f)) for e, f in np.argwhere(chosen)]


def _midsides(face: tuple[int, int, int]) -> list[int]:
    """Return the places of the midside nodes of a face among the ten nodes."""
    return [4 + i for i, edge in enumerate(_EDGES) if set(edge) <= set(face)]


def _short(value: float) -> str:
    return f"{round(float(value), 7) + 0.0:.10g}"
