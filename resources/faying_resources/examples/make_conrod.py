"""How ``conrod.inp`` was made: a connecting rod with a bolted bearing cap. Not needed to use it.

Run by hand as ``python make_conrod.py conrod.inp`` where the mesher gmsh is installed; Faying itself does not
need it. Crank radius, rod length, mass and preload are those of table 4.1 of the ContactDefiner thesis, all
other dimensions are our own. Units mm, t, s, N; the rod lies along y, the bores along z, the joint at y = 0.

The bolts are one piece with the rod at their thread and with the cap at their head. Each shank is cut through;
both faces of a cut are rigid discs around a node of their own, and these two nodes move together but along
the shank, where the preload acts.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

LENGTH = 150.0  # between the bores, table 4.1
THICKNESS = 26.0  # of the big end along z
BORE, BIG_END, BOSS, BOSS_HEIGHT = 25.0, 35.0, 47.0, 15.0
SMALL_BORE, SMALL_END = 12.0, 19.0
SHANK_WIDTHS, SHANK_THICKNESS = (30.0, 22.0), 17.0
BOLT_AXIS, BOLT, CLEARANCE, HEAD, HEAD_HEIGHT = 34.0, 4.0, 4.5, 7.0, 7.0
THREAD, CUT = 10.0, -8.0  # heights y of the thread's begin and of the cut
SIZES = {"rod": 1.9, "cap": 1.53}  # of elements at the joint
GROWTH, COARSE, ON_BOLT, ON_BORE = 0.17, 2.74, 1.8, 2.2

# Faces S1 to S4 of a tetrahedron by corner, in Abaqus' order.
FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))


@dataclass
class Part:
    """The mesh of one part: its elements, and triangles of its faces by the name of the surface."""

    nodes: np.ndarray
    coordinates: np.ndarray
    elements: np.ndarray
    surfaces: dict[str, np.ndarray]


def make_geometry(occ: Any) -> dict[str, int]:
    """Return the volumes of rod and cap by name."""
    half = THICKNESS / 2

    def cylinder(x: float, y: float, radius: float, thickness: float) -> tuple[int, int]:
        return 3, occ.addCylinder(x, y, -thickness / 2, 0, 0, thickness, radius)

    def bolt(x: float, bottom: float, top: float, radius: float) -> tuple[int, int]:
        return 3, occ.addCylinder(x, bottom, 0, 0, top - bottom, 0, radius)

    def half_of_big_end(low: float, high: float) -> list[tuple[int, int]]:
        slab = (3, occ.addBox(-60, low, -half, 120, high - low, THICKNESS))
        ring, _ = occ.intersect([cylinder(0, 0, BIG_END, THICKNESS)], [slab])
        y = min(low, 0.0) if low < 0 else 0.0
        bosses = [
            (3, occ.addBox(x, max(y, -BOSS_HEIGHT), -half, BOSS - 22, BOSS_HEIGHT, THICKNESS))
            for x in (-BOSS, 22)
        ]
        return [*ring, *bosses]

    # Rod: upper half of the big end, shank, small end; then bores, holes, and the bolts from their thread on.
    wide, narrow = (w / 2 for w in SHANK_WIDTHS)
    corners = [(-wide, 20), (wide, 20), (narrow, LENGTH - 10), (-narrow, LENGTH - 10)]
    points = [occ.addPoint(x, y, -SHANK_THICKNESS / 2) for x, y in corners]
    lines = [occ.addLine(points[i], points[(i + 1) % 4]) for i in range(4)]
    outline = occ.addPlaneSurface([occ.addCurveLoop(lines)])
    shank = [e for e in occ.extrude([(2, outline)], 0, 0, SHANK_THICKNESS) if e[0] == 3]
    upper = half_of_big_end(0.0, 60.0)
    rod, _ = occ.fuse(upper[:1], [*upper[1:], *shank, cylinder(0, LENGTH, SMALL_END, THICKNESS)])
    holes = [cylinder(0, 0, BORE, 60), cylinder(0, LENGTH, SMALL_BORE, 60)]
    rod, _ = occ.cut(rod, [*holes, *(bolt(x, 0, THREAD, CLEARANCE) for x in (-BOLT_AXIS, BOLT_AXIS))])
    rod, _ = occ.fuse(rod, [bolt(x, CUT, THREAD, BOLT) for x in (-BOLT_AXIS, BOLT_AXIS)])

    # Cap: lower half, bore, holes; then the bolts' heads and what is below the cuts.
    lower = half_of_big_end(-60.0, 0.0)
    cap, _ = occ.fuse(lower[:1], lower[1:])
    cap, _ = occ.cut(
        cap,
        [
            cylinder(0, 0, BORE, 60),
            *(bolt(x, -BOSS_HEIGHT, 0, CLEARANCE) for x in (-BOLT_AXIS, BOLT_AXIS)),
        ],
    )
    foot = -BOSS_HEIGHT - HEAD_HEIGHT
    cap, _ = occ.fuse(
        cap,
        [
            *(bolt(x, foot, -BOSS_HEIGHT, HEAD) for x in (-BOLT_AXIS, BOLT_AXIS)),
            *(bolt(x, foot, CUT, BOLT) for x in (-BOLT_AXIS, BOLT_AXIS)),
        ],
    )
    occ.synchronize()
    if len(rod) != 1 or len(cap) != 1:
        raise RuntimeError("rod and cap are not one volume each")
    return {"rod": rod[0][1], "cap": cap[0][1]}


def size_at(part: str, x: float, y: float, z: float) -> float:
    """Return the wanted edge length of an element: fine at the joint, coarse far from it."""
    size = SIZES[part] + GROWTH * abs(y)
    if min(np.hypot(x - BOLT_AXIS, z), np.hypot(x + BOLT_AXIS, z)) < HEAD and abs(y) < 40:
        size = min(size, ON_BOLT)
    if np.hypot(x, y) < BORE + 1.0 or np.hypot(x, y - LENGTH) < SMALL_BORE + 1.0:
        size = min(size, ON_BORE)
    return float(min(size, COARSE))


def mesh_parts(gmsh: Any, volumes: dict[str, int]) -> dict[str, Part]:
    """Return the meshes of the volumes; no nodes are shared between them."""
    model = gmsh.model
    part_of: dict[tuple[int, int], str] = {}
    for name, volume in volumes.items():
        for entity in [(3, volume), *model.getBoundary([(3, volume)], oriented=False)]:
            part_of[entity] = name
            if entity[0] == 2:
                part_of.update(dict.fromkeys(model.getBoundary([entity], oriented=False), name))
    model.mesh.setSizeCallback(lambda dim, tag, x, y, z, lc: size_at(part_of.get((dim, tag), "rod"), x, y, z))
    gmsh.option.setNumber("Mesh.MeshSizeExtendFromBoundary", 0)
    gmsh.option.setNumber("Mesh.MeshSizeFromPoints", 0)
    gmsh.option.setNumber("Mesh.Algorithm3D", 1)
    model.mesh.generate(3)
    model.mesh.optimize("Netgen")
    return {name: _part(model, name, volume) for name, volume in volumes.items()}


def _part(model: Any, name: str, volume: int) -> Part:
    _, _, nodes = model.mesh.getElements(3, volume)
    elements = np.asarray(nodes[0], np.int64).reshape(-1, 4)
    surfaces: dict[str, list[np.ndarray]] = {}
    for _, face in model.getBoundary([(3, volume)], oriented=False):
        surface = _surface_name(name, *_middle_and_extent(model, face))
        if surface:
            _, _, nodes = model.mesh.getElements(2, face)
            surfaces.setdefault(surface, []).append(np.asarray(nodes[0], np.int64).reshape(-1, 3))
    used = np.unique(elements)
    coordinates = np.array([model.mesh.getNode(int(tag))[0] for tag in used])
    return Part(used, coordinates, elements, {k: np.vstack(v) for k, v in surfaces.items()})


def _middle_and_extent(model: Any, face: int) -> tuple[np.ndarray, np.ndarray]:
    box = np.array(model.getBoundingBox(2, face)).reshape(2, 3)
    return box.mean(axis=0), box[1] - box[0]


def _surface_name(part: str, middle: np.ndarray, extent: np.ndarray) -> str:
    """Return the name of the surface that a face belongs to, "" for none, by where the face lies."""
    x, y, _ = middle
    bolt = 1 if x < 0 else 2
    if extent[1] < 1e-4 and abs(y) < 1e-4:
        return f"JOINT_{part.upper()}"
    if extent[1] < 1e-4 and abs(y - CUT) < 1e-4:
        return f"CUT{bolt}_{part.upper()}"
    if extent[1] < BORE + 1 and abs(extent[0] - 2 * BORE) < 1e-3 and abs(extent[2] - THICKNESS) < 1e-3:
        return "BORE_BIG"
    if abs(y - LENGTH) < 1e-3 and abs(extent[1] - 2 * SMALL_BORE) < 1e-3:
        return "BORE_SMALL"
    return ""


def write_deck(path: Path, parts: dict[str, Part]) -> None:
    """Write nodes, elements, sets, surfaces, couplings and material."""
    lines = ["*HEADING", "connecting rod with bolted bearing cap, units mm N t s"]
    surfaces: dict[str, list[tuple[int, int]]] = {}
    first_node = first_element = 1
    blocks = []
    for name, part in parts.items():
        lines.append(f"*NODE, NSET=N_{name.upper()}")
        lines += [
            ",".join([str(first_node + i), *(_short(v) for v in x)]) for i, x in enumerate(part.coordinates)
        ]
        rows = np.searchsorted(part.nodes, part.elements) + first_node
        blocks += [f"*ELEMENT, TYPE=C3D4, ELSET={name.upper()}"]
        blocks += [",".join(map(str, [first_element + i, *row])) for i, row in enumerate(rows)]
        for surface, triangles in part.surfaces.items():
            found = _faces_of(part.elements, triangles)
            surfaces.setdefault(surface, []).extend((first_element + e, f + 1) for e, f in found)
        first_node, first_element = first_node + len(part.nodes), first_element + len(rows)

    references = {"REF_BIG": (0.0, 0.0, 0.0), "REF_SMALL": (0.0, LENGTH, 0.0)}
    for bolt, x in ((1, -BOLT_AXIS), (2, BOLT_AXIS)):
        references |= {f"REF_BOLT{bolt}_ROD": (x, CUT, 0.0), f"REF_BOLT{bolt}_CAP": (x, CUT, 0.0)}
    number = {name: first_node + i for i, name in enumerate(references)}
    lines.append("*NODE")
    lines += [",".join([str(number[n]), *(_short(v) for v in x)]) for n, x in references.items()]
    lines += blocks
    for name in references:
        lines += [f"*NSET, NSET={name}", str(number[name])]
    for surface in sorted(surfaces):
        lines.append(f"*SURFACE, NAME={surface}, TYPE=ELEMENT")
        lines += [f"{element},S{face}" for element, face in sorted(surfaces[surface])]
    for end in ("BIG", "SMALL"):
        lines += [f"*COUPLING, CONSTRAINT NAME=C_{end}, REF NODE={number[f'REF_{end}']}, SURFACE=BORE_{end}"]
        lines += ["*DISTRIBUTING", "1,6"]
    for bolt in (1, 2):
        for name in ("ROD", "CAP"):
            reference = number[f"REF_BOLT{bolt}_{name}"]
            lines += [
                f"*COUPLING, CONSTRAINT NAME=C_CUT{bolt}_{name}, REF NODE={reference}, SURFACE=CUT{bolt}_{name}"
            ]
            lines += ["*KINEMATIC", "1,6"]
        lines += [f"*SURFACE, NAME=SLIDE{bolt}, TYPE=NODE", str(number[f"REF_BOLT{bolt}_CAP"])]
        reference = number[f"REF_BOLT{bolt}_ROD"]
        lines += [f"*COUPLING, CONSTRAINT NAME=C_SLIDE{bolt}, REF NODE={reference}, SURFACE=SLIDE{bolt}"]
        lines += ["*KINEMATIC", "1,1", "3,6"]  # all but along the shank
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000.,0.3", "*DENSITY", "7.85E-9"]
    lines += [f"*SOLID SECTION, ELSET={name.upper()}, MATERIAL=STEEL" for name in parts]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _faces_of(elements: np.ndarray, triangles: np.ndarray) -> Iterable[tuple[int, int]]:
    """Return (row of the element, face from 0) of each triangle."""
    wanted = {tuple(t) for t in np.sort(triangles, axis=1)}
    for face, corners in enumerate(FACES):
        for row, nodes in enumerate(np.sort(elements[:, corners], axis=1)):
            if tuple(nodes) in wanted:
                yield row, face


def _short(value: float) -> str:
    return f"{round(float(value), 4) + 0.0:.10g}"


def main(path: Path) -> None:
    """Make the deck; say how large it is."""
    gmsh = import_module("gmsh")
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 2)
    volumes = make_geometry(gmsh.model.occ)
    mass = 7.85e-9 * sum(gmsh.model.occ.getMass(3, volume) for volume in volumes.values())
    parts = mesh_parts(gmsh, volumes)
    gmsh.finalize()
    write_deck(path, parts)
    counts = {
        name: (len(p.nodes), len(p.elements), {k: len(v) for k, v in p.surfaces.items()})
        for name, p in parts.items()
    }
    joint = len(np.unique(parts["cap"].surfaces["JOINT_CAP"]))
    sys.stdout.write(f"mass {1e3 * mass:.4f} kg; {counts}; {joint} slave nodes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
