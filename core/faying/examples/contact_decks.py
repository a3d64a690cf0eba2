"""Decks of round bodies that touch in a small spot: a half space, a ball, and the end of a rod; made when asked for.

Round the spot lies half a cube of equal bricks; half cubes round it, each larger than the last by the same factor, grow
out to the size of the body (a mesh as fine as the spot everywhere would have millions of bricks). All bodies have the
same lattice on their half cubes, so that meshes of two bodies that meet have their nodes opposite each other. Bricks
have incompatible modes. Units mm, t, s, N; the spot is at the origin, bodies lie below it (a ball above it).

A deck is written into Faying's own folder when an example first asks for it; its name has a fingerprint of what is in
it, so that no deck ever changes under a project that refers to it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from faying.atomic import write_text
from faying.fem.model import FeModel, Material
from faying.fem.writers import write_model
from faying.project.home import home

_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_THICKER = 1.15  # each layer's share of its cube, over that of the layer inside of it
_FACES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))  # S1 to S6


STEEL = Material("STEEL", 210_000.0, 0.3, 7.85e-9)  # N/mm², t/mm³
ALUMINIUM = Material("ALUMINIUM", 70_000.0, 0.33, 2.7e-9)


@dataclass(frozen=True, eq=False)
class Bricks:
    """Nodes (n, 3) and bricks (m, 8) by corner."""

    nodes: np.ndarray
    cells: np.ndarray

    def moved(self, nodes: np.ndarray) -> "Bricks":
        """Return the same bricks on other nodes, turned the right way round."""
        corners = nodes[self.cells]
        edges = corners[:, [1, 3, 4]] - corners[:, :1]
        cells = self.cells.copy()
        inverted = np.linalg.det(edges) < 0.0
        cells[inverted] = cells[inverted][:, [0, 3, 2, 1, 4, 7, 6, 5]]
        return Bricks(nodes, cells)

    def volume(self) -> float:
        """Return the volume, by two-point quadrature of each brick."""
        points = np.array(_CORNERS) * 2.0 - 1.0
        at = points[:, None] * points / np.sqrt(3.0)  # (points, nodes, axes)
        first = np.prod(1.0 + at, axis=2, keepdims=True) / (1.0 + at) * points / 8.0
        jacobians = np.einsum("pna,mnc->mpac", first, self.nodes[self.cells])
        return float(np.linalg.det(jacobians).sum())

    def faces(self, chosen: np.ndarray) -> list[tuple[int, int]]:
        """Return (brick from 1, face from 1) of the faces all of whose nodes are chosen (n,)."""
        inside = chosen[self.cells[:, np.array(_FACES)]].all(axis=2)
        return [(int(e) + 1, int(f) + 1) for e, f in np.argwhere(inside)]


def joined(parts: Sequence[Bricks]) -> Bricks:
    """Return bricks as one mesh; nodes at the same place become one."""
    nodes = np.concatenate([part.nodes for part in parts])
    starts = np.cumsum([0, *(len(part.nodes) for part in parts)])
    cells = np.concatenate([part.cells + start for part, start in zip(parts, starts, strict=False)])
    _, first, which = np.unique(np.round(nodes, 7) + 0.0, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # nodes keep their order, those of the spot first
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    return Bricks(nodes[first[order]], number[which.ravel()[cells]])


def lattice(counts: tuple[int, int, int]) -> Bricks:
    """Return so many bricks along each axis, with whole numbers as coordinates."""
    grid = np.stack(np.meshgrid(*(np.arange(n + 1.0) for n in counts), indexing="ij"), axis=-1)
    rows = np.arange(len(grid.reshape(-1, 3))).reshape(grid.shape[:3])
    i, j, k = counts
    cells = [rows[a : a + i, b : b + j, c : c + k].ravel() for a, b, c in _CORNERS]
    return Bricks(grid.reshape(-1, 3), np.stack(cells, axis=1))


def half_cubes(half: int, core: float, growth: float, quarter: bool = False) -> Bricks:
    """Return half cubes −1…1 by −1…1 by 0…1 round each other, the inmost of bricks of one size.

    Args:
        half: bricks along half an edge of each cube.
        core: half an edge of the inmost cube.
        growth: the outer cubes over those inside of them, at most.
        quarter: of positive coordinates alone.
    """
    across = half if quarter else 2 * half
    inmost = lattice((across, across, half))
    at = inmost.nodes - (0.0 if quarter else half) * np.array([1.0, 1.0, 0.0])
    on_cube = np.flatnonzero(np.abs(at).max(axis=1) == half)
    row = np.full(len(at), -1)
    row[on_cube] = np.arange(len(on_cube))
    quads = row[inmost.cells[:, np.array(_FACES)]].reshape(-1, 4)
    # Faces on the cube have all their nodes there and on one of its sides; the top is none of it.
    quads = quads[(quads >= 0).all(axis=1)]
    sides = at[on_cube][quads]
    same = np.zeros(len(quads), bool)
    for axis, signs in ((0, (1, -1)), (1, (1, -1)), (2, (1,))):
        for sign in signs:
            same |= (sides[:, :, axis] == sign * half).all(axis=1)
    quads = quads[same]
    sizes = _sizes(half, core, growth)
    nodes, cells = [core / half * at], [inmost.cells]
    inner = on_cube
    start = len(at)
    for size in sizes[1:]:
        outer = start + np.arange(len(on_cube))
        nodes.append(size / half * at[on_cube])
        cells.append(np.hstack([inner[quads], outer[quads]]))
        inner, start = outer, start + len(on_cube)
    return Bricks(np.concatenate(nodes), np.concatenate(cells))


def _sizes(half: int, core: float, growth: float) -> np.ndarray:
    """Return half edges of cubes from `core` to 1: the first layer as thick as a brick is wide, later ones thicker."""
    logs, share = [0.0], 1.0 / half
    while logs[-1] < np.log(1.0 / core):
        logs.append(logs[-1] + np.log1p(share))
        share = min(_THICKER * share, growth - 1.0)
    return np.asarray(core * np.exp(np.array(logs) * np.log(1.0 / core) / logs[-1]))


def rounding(sizes: np.ndarray, core: float) -> np.ndarray:
    """Return (n,) how round cubes of half edges (n,) are: 0 as far as the inmost one, 1 at the outmost."""
    return np.asarray(np.clip(np.log(np.maximum(sizes, core) / core) / np.log(1.0 / core), 0.0, 1.0))


def half_space(radius: float, half: int, core: float, growth: float) -> Bricks:
    """Return a quarter of half a ball of a radius, flat side up, whose spot is half a cube of half edge `core`."""
    bricks = half_cubes(half, core / radius, growth, quarter=True)
    u = bricks.nodes
    largest = np.abs(u).max(axis=1, keepdims=True)
    length = np.linalg.norm(u, axis=1, keepdims=True)
    share = rounding(largest, core / radius)
    ball = u * (largest / np.where(length > 0.0, length, 1.0))
    at = radius * ((1.0 - share) * u + share * ball)
    return bricks.moved(at * (1.0, 1.0, -1.0))


def ball(radius: float, half: int, core: float, growth: float) -> Bricks:
    """Return a ball that touches the origin from above, fine there: a cube in the middle and six blocks round it.

    Rays through the cube's lattice end on the sphere; the block below the cube is made of half cubes.
    """
    inner = 0.4 * radius  # half edge of the cube in the middle
    fine = half_cubes(half, core / radius, growth)
    u, v, w = fine.nodes.T
    ray = np.column_stack([u, v, np.ones(len(u))])
    sphere = radius * ray / np.linalg.norm(ray, axis=1, keepdims=True)
    pole = fine.moved((sphere + w[:, None] * (inner * ray - sphere)) * (1.0, 1.0, -1.0))
    cube = lattice((2 * half,) * 3)
    parts = [pole, cube.moved(inner * (cube.nodes / half - 1.0))]
    block = lattice((2 * half, 2 * half, half))
    u, v = (block.nodes[:, :2] / half - 1.0).T
    w = block.nodes[:, 2] / half
    ray = np.column_stack([u, v, np.ones(len(u))])
    sphere = radius * ray / np.linalg.norm(ray, axis=1, keepdims=True)
    at = sphere + w[:, None] * (inner * ray - sphere)
    for axes in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        for sign in (1.0, -1.0):
            if (axes, sign) != ((0, 1, 2), -1.0):
                parts.append(block.moved(sign * at[:, axes]))
    bricks = joined(parts)
    return Bricks(bricks.nodes + np.array([0.0, 0.0, radius]), bricks.cells)


def rod(
    radius: float,
    length: float,
    slice_length: float,
    half: int,
    core: float,
    growth: float,
    hollow: float = 0.0,
) -> Bricks:
    """Return a round rod along −z, fine at the middle of its end at the origin, in long slices beyond.

    Args:
        radius, length: of the rod.
        slice_length: of the slices, about.
        half, core, growth: see `half_space`.
        hollow: radius of the hollow that the end is; zero for a plane end.
    """
    tip = half_cubes(half, core / radius, growth)
    long = lattice((2 * half, 2 * half, round((length - radius) / slice_length)))
    u, v = (long.nodes[:, :2] / half - 1.0).T
    below = 1.0 + long.nodes[:, 2] / long.nodes[:, 2].max() * (length / radius - 1.0)
    # Corners lie on the circle; a little outside of it the polygon has the circle's area.
    corners = np.linspace(-1.0, 1.0, 2 * half + 1)[1:]
    side = np.column_stack([np.ones(2 * half), corners]) / np.hypot(1.0, corners)[:, None]
    before = np.roll(side, 1, axis=0)
    before[0] = side[-1] * (1.0, -1.0)
    area = 2.0 * float((before[:, 0] * side[:, 1] - before[:, 1] * side[:, 0]).sum())
    radius_of_corners = radius * np.sqrt(np.pi / area)
    parts = []
    for bricks, at in ((tip, tip.nodes), (long, np.column_stack([u, v, below]))):
        q = np.abs(at[:, :2]).max(axis=1, keepdims=True)
        distance = np.linalg.norm(at[:, :2], axis=1, keepdims=True)
        share = rounding(q, core / radius)
        disc = at[:, :2] * (q / np.where(distance > 0.0, distance, 1.0))
        plane = radius_of_corners * ((1.0 - share) * at[:, :2] + share * disc)
        z = -radius * at[:, 2]
        if hollow:
            raised = hollow - np.sqrt(hollow**2 - (plane**2).sum(axis=1))
            z = z + np.clip(1.0 - at[:, 2], 0.0, 1.0) * raised
        parts.append(bricks.moved(np.column_stack([plane, z])))
    return joined(parts)


def deck_text(
    title: str,
    parts: Sequence[tuple[str, Bricks, Material]],
    surfaces: Mapping[str, tuple[str, np.ndarray]],
    rigid: Mapping[str, tuple[str, np.ndarray, tuple[float, float, float]]] | None = None,
    node_sets: Mapping[str, tuple[str, np.ndarray]] | None = None,
) -> str:
    """Return an Abaqus deck.

    Args:
        title: its heading.
        parts: name, bricks and material of each.
        surfaces: by name: the part, and (n,) which of its nodes span the faces.
        rigid: by name of a reference node: the part, (n,) which of its nodes follow it as one, and where it is.
        node_sets: by name: the part, and (n,) which of its nodes.
    """
    lines = ["*HEADING", f"{title}; units mm N t s", "*NODE"]
    first: dict[str, tuple[int, int]] = {}
    node = element = 0
    for name, bricks, _ in parts:
        first[name] = node, element
        lines += [
            f"{node + i},{x:.9g},{y:.9g},{z:.9g}"
            for i, (x, y, z) in enumerate((bricks.nodes + 0.0).tolist(), 1)
        ]
        node, element = node + len(bricks.nodes), element + len(bricks.cells)
    references = {}
    for name, (_, _, at) in (rigid or {}).items():
        node += 1
        references[name] = node
        lines.append(f"{node},{at[0]:.9g},{at[1]:.9g},{at[2]:.9g}")
    for name, bricks, material in parts:
        begin, element = first[name]
        lines.append(f"*ELEMENT, TYPE=C3D8I, ELSET={name}")
        cells = (bricks.cells + begin + 1).tolist()
        lines += [",".join(map(str, [element + i, *cell])) for i, cell in enumerate(cells, 1)]
        lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL=OF_{name}", f"*MATERIAL, NAME=OF_{name}"]
        lines += ["*ELASTIC", f"{material.youngs_modulus:g},{material.poisson_ratio:g}"]
        lines += ["*DENSITY", f"{material.density:.9g}"]
    for name, (part, chosen) in (node_sets or {}).items():
        lines += _node_set(name, first[part][0] + 1 + np.flatnonzero(chosen))
    by_name = {name: bricks for name, bricks, _ in parts}
    for name, (part, chosen) in surfaces.items():
        lines.append(f"*SURFACE, TYPE=ELEMENT, NAME={name}")
        lines += [f"{first[part][1] + e},S{f}" for e, f in by_name[part].faces(chosen)]
    for name, (part, chosen, _) in (rigid or {}).items():
        lines += [f"*NSET, NSET={name}", f"{references[name]},"]
        lines += _node_set(f"N_{name}", first[part][0] + 1 + np.flatnonzero(chosen))
        lines += [f"*SURFACE, TYPE=NODE, NAME=S_{name}", f"N_{name},"]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={references[name]}, SURFACE=S_{name}"]
        lines += ["*KINEMATIC", "1,6"]
    return "\n".join(lines) + "\n"


def _node_set(name: str, numbers: np.ndarray) -> list[str]:
    members = numbers.tolist()
    lines = [",".join(map(str, members[i : i + 12])) for i in range(0, len(members), 12)]
    return [f"*NSET, NSET={name}", *lines]


def stored_deck(name: str, text: str) -> Path:
    """Return the file of a deck in Faying's own folder, which is written where it is not there yet."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    path = home() / "example decks" / f"{name}-{digest}.inp"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text, durable=False)
    return path


def stored_model(name: str, model: FeModel) -> Path:
    """Return the file of a model's deck in Faying's own folder; see `stored_deck`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.inp"
        write_model(model, path)
        return stored_deck(name, path.read_text(encoding="utf-8"))
