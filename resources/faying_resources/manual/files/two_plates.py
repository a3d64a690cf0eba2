"""Two plates that overlap, and two M8 bolts: a mesh by Gmsh, with names for all that the joint needs.

    pip install gmsh
    python two_plates.py two_plates.msh

Lengths in mm. Each plate is 100 x 40 x 8; the upper one lies on the last 40 mm of the lower one. Plates and bolts do not
share nodes: what holds them together is contact.
"""

import sys

import gmsh

LENGTH, WIDTH, THICK, LAP = 100.0, 40.0, 8.0, 40.0
SHANK, HOLE, HEAD, TALL = 4.0, 4.5, 6.5, 6.0  # radii of a bolt and of its hole; height of head and nut
BOLTS = [(LENGTH - LAP / 2, -10.0), (LENGTH - LAP / 2, 10.0)]

occ = gmsh.model.occ


def plate(left, bottom, seats_at):
    """Return the volume of a plate with two holes, and on one side a ring round each for a head or nut to lie on."""
    block = [(3, occ.addBox(left, -WIDTH / 2, bottom, LENGTH, WIDTH, THICK))]
    holes = [(3, occ.addCylinder(x, y, bottom, 0, 0, THICK, HOLE)) for x, y in BOLTS]
    block, _ = occ.cut(block, holes)
    seats = [(2, occ.addDisk(x, y, seats_at, HEAD, HEAD)) for x, y in BOLTS]
    parts, _ = occ.fragment(block, seats)
    occ.remove([entity for entity in parts if entity[0] == 2], recursive=True)  # of the discs, what covers the holes
    return [entity for entity in parts if entity[0] == 3]


def bolt(x, y):
    """Return the volumes of a bolt: head, shank and nut as one, in two halves, so that the shank can be cut there."""
    bottom = -THICK - TALL
    nut = [(3, occ.addCylinder(x, y, bottom, 0, 0, TALL, HEAD))]
    head = [(3, occ.addCylinder(x, y, THICK, 0, 0, TALL, HEAD))]
    shank = [(3, occ.addCylinder(x, y, -THICK, 0, 0, 2 * THICK, SHANK))]
    whole, _ = occ.fuse(shank, nut + head)
    parts, _ = occ.fragment(whole, [(2, occ.addDisk(x, y, 0.0, SHANK, SHANK))])
    return [entity for entity in parts if entity[0] == 3]


def faces(volumes, low, high):
    """Return the numbers of the outer faces of volumes that lie in a box."""
    outside = {number for _, number in gmsh.model.getBoundary(volumes, combined=True, oriented=False)}
    return [n for _, n in gmsh.model.getEntitiesInBoundingBox(*low, *high, dim=2) if n in outside]


def level(volumes, z, x=0.0, y=0.0, reach=1000.0):
    """Return those at a height, all of them or those within reach of a place."""
    return faces(volumes, (x - reach, y - reach, z - 0.1), (x + reach, y + reach, z + 0.1))


def main(path):
    """Write the mesh."""
    gmsh.initialize()
    for name, value in {
        "General.Verbosity": 2, "Mesh.MeshSizeMax": 7.0, "Mesh.MeshSizeFromCurvature": 10,
        "Mesh.ElementOrder": 2, "Mesh.HighOrderOptimize": 1, "Mesh.Binary": 1,
    }.items():
        gmsh.option.setNumber(name, value)
    lower, upper = plate(0.0, -THICK, seats_at=-THICK), plate(LENGTH - LAP, 0.0, seats_at=THICK)
    bolts = [bolt(x, y) for x, y in BOLTS]
    occ.synchronize()

    volumes = {"lower_plate": lower, "upper_plate": upper, "bolt_1": bolts[0], "bolt_2": bolts[1]}
    surfaces = {
        "lap_master": level(lower, 0.0),
        "lap_slave": level(upper, 0.0),
        "end_held": faces(lower, (-0.1, -1000, -1000), (0.1, 1000, 1000)),
        "end_loaded": faces(upper, (2 * LENGTH - LAP - 0.1, -1000, -1000), (1000, 1000, 1000)),
    }
    for i, ((x, y), parts) in enumerate(zip(BOLTS, bolts, strict=True), 1):
        surfaces[f"nut_{i}_master"] = level(lower, -THICK, x, y, HEAD + 0.1)
        surfaces[f"nut_{i}_slave"] = level(parts, -THICK)
        surfaces[f"head_{i}_master"] = level(upper, THICK, x, y, HEAD + 0.1)
        surfaces[f"head_{i}_slave"] = level(parts, THICK)
        surfaces[f"shank_{i}"] = faces(parts, (x - 5, y - 5, -THICK - 0.1), (x + 5, y + 5, THICK + 0.1))
    for dimension, named in ((3, volumes), (2, surfaces)):
        for name, found in named.items():
            numbers = [each[1] if isinstance(each, tuple) else each for each in found]
            gmsh.model.addPhysicalGroup(dimension, numbers, name=name)

    gmsh.model.mesh.generate(3)
    gmsh.write(path)
    gmsh.finalize()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "two_plates.msh")
