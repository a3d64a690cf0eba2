"""The process that runs Gmsh, ``python -m faying.fem.cad.gmsh_child HANDLE``; no other module imports this one.

Gmsh is licensed separately (GPL) and not part of Faying. This process receives a dictionary through its connection,
answers with ``("progress", fraction, text)``, and finally with ``("done", names)`` or ``("failed", message, hint)``;
the mesh is in a file. It ends together with its parent process.
"""

import contextlib
import math
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import numpy as np

from faying.child_process import connection_of
from faying.fem.cad.step_names import Faces, face_names

# Default names that programs give to unnamed shapes.
_GENERIC = re.compile(
    r"(Shapes|SOLID|COMPOUND|COMPSOLID|SHELL|ASSEMBLY|Open CASCADE.*|NONE|\d+)?", re.IGNORECASE
)
_HINT = (
    "Look at it in the CAD program, or take another element size. Bodies in an STL file must not touch each other: "
    "write them as STEP."
)
_NO_BODY = "it has no closed body", "Make solids in the CAD program, and write them as STEP."
_SHARP = math.radians(40.0)  # between triangles of two different faces in an STL file
_ROUND = 12  # least number of elements around a full circle
_SAMPLES = 7  # points along each parameter of a face, tested for touching another face
_MOST_SAMPLES = 200  # points along each parameter of a face, to measure distances from it
_TOUCHING = 1e-5  # relative to the overall size
_PARALLEL = 0.9  # cosine between the normals of faces that touch
_STEP, _IGES = (".step", ".stp"), (".iges", ".igs")  # other formats have no unit
_SURFACES, _VOLUMES = 2, 3
Box = tuple[float, ...]


class Refused(Exception):  # noqa: N818 - reported to the parent process
    """Reason why a file cannot be meshed, and the next step."""


def run(handle: int) -> None:
    """Serve one request."""
    connection = connection_of(handle)
    words = connection.recv()

    def end_with_owner() -> None:
        with contextlib.suppress(EOFError, OSError):
            connection.recv()
        os._exit(1)

    threading.Thread(target=end_with_owner, daemon=True).start()
    import gmsh  # imported only here

    gmsh.initialize(["gmsh"], readConfigFiles=False, interruptible=False)
    try:
        connection.send(("done", _mesh(gmsh, words, lambda *report: connection.send(("progress", *report)))))
    except Refused as error:
        connection.send(("failed", *error.args))
    except Exception as error:
        if type(error) is not Exception:
            raise
        connection.send(("failed", f"Gmsh says: {str(error).strip() or gmsh.logger.getLastError()}", _HINT))


def _mesh(gmsh: Any, words: dict[str, Any], tell: Any) -> dict[str, list[str]]:
    """Mesh a file and return the names of bodies and faces."""
    for name, value in words["options"].items():
        (gmsh.option.setString if isinstance(value, str) else gmsh.option.setNumber)(name, value)
    path = Path(words["path"])
    tell(0.02, "reading the geometry")
    if path.suffix.lower() in _STEP:
        gmsh.option.setString("Geometry.OCCTargetUnit", "MM" if words["per_millimetre"] == 1.0 else "M")
    elif path.suffix.lower() in _IGES:
        gmsh.option.setNumber("Geometry.OCCScaling", words["per_millimetre"])
    _read(gmsh, path)
    tell(0.1, "looking at bodies and faces")
    found = _Geometry(gmsh, path)
    touching = found.touching()
    holes = found.holes()
    found.name(touching, holes)
    size = words["size"] or found.diagonal / 25.0
    fine = found.smaller_faces | {face for _, faces in holes for face in faces}
    _sizes(gmsh, size, words["refinement"], sorted(fine), found.is_exact)
    tell(0.2, "meshing faces")
    gmsh.model.mesh.generate(_SURFACES)
    tell(0.4, "meshing bodies")
    gmsh.model.mesh.generate(_VOLUMES)
    for volume, name in found.bodies.items():
        if not gmsh.model.mesh.getElements(_VOLUMES, volume)[0].size:
            raise Refused(f"the body {name} could not be meshed", _HINT)
    if words["order"] == 2:
        tell(0.85, "putting midside nodes on the faces")
        gmsh.model.mesh.setOrder(2)
    tell(0.95, "saving the mesh")
    gmsh.write(words["to"])
    return {"bodies": list(found.bodies.values()), "touching": [*map(" on ".join, touching)]}


def _read(gmsh: Any, path: Path) -> None:
    """Read a file; if it has no bodies, make them from closed sets of faces."""
    if path.suffix.lower() == ".stl":
        _read_triangles(gmsh, path)
        return
    occ = gmsh.model.occ
    occ.importShapes(str(path))
    occ.synchronize()
    if not gmsh.model.getEntities(_VOLUMES):
        _close(gmsh)
    _part(gmsh)


def _close(gmsh: Any) -> None:
    """Make one body from all faces, as needed for IGES files."""
    model = gmsh.model
    faces = _tags(model.getEntities(_SURFACES))
    try:
        volume = model.occ.addVolume([model.occ.addSurfaceLoop(faces, sewing=True)])
        model.occ.synchronize()
    except Exception as error:
        raise Refused(*_NO_BODY) from error
    skin = _tags(model.getBoundary([(_VOLUMES, volume)], oriented=False))
    if len(skin) != len(faces) or not model.occ.getMass(_VOLUMES, volume) > 0.0:
        raise Refused(*_NO_BODY)
    model.occ.remove([(_SURFACES, face) for face in faces if face not in skin], recursive=True)
    model.occ.synchronize()


def _part(gmsh: Any) -> None:
    """Duplicate faces shared by bodies, so that the bodies can separate and slide."""
    model = gmsh.model
    volumes = [tag for _, tag in model.getEntities(_VOLUMES)]
    if not any(len(model.getAdjacencies(_SURFACES, tag)[0]) > 1 for _, tag in model.getEntities(_SURFACES)):
        return
    names = {tag: model.getEntityName(_VOLUMES, tag) for tag in volumes}
    for tag in volumes:
        [(_, new)] = model.occ.copy([(_VOLUMES, tag)])
        names[new] = names[tag]
    model.occ.remove([(_VOLUMES, tag) for tag in volumes], recursive=True)
    model.occ.synchronize()
    for _, tag in model.getEntities(_VOLUMES):
        model.setEntityName(_VOLUMES, tag, names[tag])


def _read_triangles(gmsh: Any, path: Path) -> None:
    """Make a body from each closed surface of triangles."""
    model = gmsh.model
    gmsh.merge(str(path))
    model.mesh.classifySurfaces(_SHARP, True, True, math.pi)
    model.mesh.createGeometry()
    faces = _tags(model.getEntities(_SURFACES))
    waiting = {face: set(map(abs, _tags(model.getBoundary([(_SURFACES, face)])))) for face in faces}
    while waiting:
        face, curves = waiting.popitem()
        skin = [face]
        while neighbours := [other for other, own in waiting.items() if own & curves]:
            for other in neighbours:
                curves |= waiting.pop(other)
                skin.append(other)
        model.geo.addVolume([model.geo.addSurfaceLoop(skin)])
    model.geo.synchronize()
    if not model.getEntities(_VOLUMES):
        raise Refused("it has no triangles", "Choose another file.")


def _tags(entities: Iterable[tuple[int, int]]) -> list[int]:
    return [tag for _, tag in entities]


class _Geometry:
    """The bodies and faces of a file.

    Attributes:
        bodies: name of each volume.
        is_exact: whether faces are exact geometry rather than triangles.
        smaller_faces: the smaller face of each touching pair.
        diagonal: diagonal of the bounding box.
    """

    def __init__(self, gmsh: Any, path: Path) -> None:
        self._model, self._path = gmsh.model, path
        volumes = _tags(self._model.getEntities(_VOLUMES))
        self._faces = {
            volume: sorted(map(abs, _tags(self._model.getBoundary([(_VOLUMES, volume)], oriented=False))))
            for volume in volumes
        }
        self._boxes = {
            face: tuple(self._model.getBoundingBox(_SURFACES, face))
            for own in self._faces.values()
            for face in own
        }
        corners = np.array([self._model.getBoundingBox(_VOLUMES, volume) for volume in volumes])
        self.diagonal = float(np.linalg.norm(corners[:, 3:].max(axis=0) - corners[:, :3].min(axis=0)))
        self.smaller_faces: set[int] = set()
        self._near = _TOUCHING * self.diagonal
        self.is_exact = path.suffix.lower() != ".stl"
        self._labels = self._labels_of_faces() if path.suffix.lower() in _STEP else {}
        taken: set[str] = set()
        self.bodies = {}
        for number, volume in enumerate(volumes, 1):
            parts = self._model.getEntityName(_VOLUMES, volume).split("/")
            label = next((part for part in reversed(parts) if not _GENERIC.fullmatch(part.strip())), "")
            self.bodies[volume] = _unused(_word(label) or f"BODY_{number}", taken)

    def touching(self) -> dict[tuple[str, str], set[int]]:
        """Return the faces of bodies that touch another body, by the names of both."""
        found: dict[tuple[str, str], set[int]] = {}
        if not self.is_exact:
            return found
        for one, other in combinations(self._faces, 2):
            for first in self._faces[one]:
                for second in self._faces[other]:
                    if not _meet(self._boxes[first], self._boxes[second], self._near):
                        continue
                    if self._touches(first, second) or self._touches(second, first):
                        names = self.bodies[one], self.bodies[other]
                        found.setdefault(names, set()).add(first)
                        found.setdefault(names[::-1], set()).add(second)
                        self.smaller_faces.add(min((first, second), key=self._area))
        return found

    def holes(self) -> list[tuple[str, list[int]]]:
        """Return the round faces of each hole, with the name of its body; both halves belong to one hole."""
        found: list[tuple[str, list[int]]] = []
        for volume, faces in self._faces.items() if self.is_exact else ():
            axes: list[tuple[np.ndarray, list[int]]] = []
            for face in faces:
                if self._model.getType(_SURFACES, face) != "Cylinder":
                    continue
                axis = self._hole(volume, face)
                if axis is None:
                    continue
                own = next(
                    (each for other, each in axes if np.allclose(axis, other, rtol=0.0, atol=1.0)), None
                )
                if own is None:
                    axes.append((axis, [face]))
                else:
                    own.append(face)
            found += [(self.bodies[volume], own) for _, own in axes]
        return found

    def name(self, touching: dict[tuple[str, str], set[int]], holes: list[tuple[str, list[int]]]) -> None:
        """Create groups of bodies, faces, holes and touching faces."""
        taken: set[str] = set()
        groups: list[tuple[str, list[int]]] = []
        for (body, other), faces in touching.items():
            groups.append((_unused(f"{body}_ON_{other}", taken), sorted(faces)))
        for body, own in groupby(holes, lambda hole: hole[0]):
            groups += [(_unused(f"{body}_HOLE_{i}", taken), hole) for i, (_, hole) in enumerate(own, 1)]
        named = {face for _, group in groups for face in group}
        for volume, every in self._faces.items() if self.is_exact else ():
            for number, face in enumerate(every, 1):
                label = _word(self._labels.get(face, ""))
                if face in named and not label:
                    continue
                groups.append((_unused(label or f"{self.bodies[volume]}_FACE_{number}", taken), [face]))
        for name, group in groups:
            self._model.addPhysicalGroup(_SURFACES, group, name=name)
        for volume, name in self.bodies.items():
            self._model.addPhysicalGroup(_VOLUMES, [volume], name=name)

    def _labels_of_faces(self) -> dict[int, str]:
        """Return the face names of a STEP file, if its bodies have faces of the same kinds in the same order."""
        described = face_names(self._path.read_text(encoding="utf-8", errors="replace"))
        if not any(name for solid in described for _, name in solid):
            return {}
        found: dict[int, str] = {}
        waiting: list[Faces] = list(described)
        for faces in self._faces.values():
            kinds = [self._model.getType(_SURFACES, face) for face in faces]
            solid = next((each for each in waiting if _alike([kind for kind, _ in each], kinds)), None)
            if solid is not None:
                found |= {face: name for face, (_, name) in zip(faces, solid, strict=True) if name}
                if len(waiting) > 1:  # the last one may represent several bodies of the same shape
                    waiting.remove(solid)
        return found

    def _inside(self, face: int) -> np.ndarray:
        """Return parameters (n, 2) inside a face."""
        low, high = self._model.getParametrizationBounds(_SURFACES, face)
        shares = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
        places = [low[i] + shares * (high[i] - low[i]) for i in range(2)]
        every = np.stack(np.meshgrid(*places), axis=-1).reshape(-1, 2)
        return every[[bool(self._model.isInside(_SURFACES, face, each.tolist(), True)) for each in every]]

    def _area(self, face: int) -> float:
        return float(self._model.occ.getMass(_SURFACES, face))

    def _touches(self, face: int, other: int) -> bool:
        """Return whether a point inside a face lies on another face with opposite normal."""
        at = self._inside(face)
        if not len(at):
            return False
        points = np.array(self._model.getValue(_SURFACES, face, at.ravel().tolist())).reshape(-1, 3)
        box = np.array(self._boxes[other])
        around = ((points > box[:3] - self._near) & (points < box[3:] + self._near)).all(axis=1)
        for place, point in zip(at[around], points[around], strict=True):
            on, beside = self._model.getClosestPoint(_SURFACES, other, point.tolist())
            if np.linalg.norm(np.array(on) - point) > self._near:
                continue
            if not self._model.isInside(_SURFACES, other, list(beside), True):
                continue
            normals = [
                np.array(self._model.getNormal(tag, list(where)))
                for tag, where in ((face, place), (other, beside))
            ]
            if abs(float(normals[0] @ normals[1])) > _PARALLEL:
                return True
        return False

    def _hole(self, volume: int, face: int) -> np.ndarray | None:
        """Return (7,) radius, and point and direction of the axis, of a round hole; None for a convex face.

        They are scaled so that faces whose numbers differ by less than one belong to the same hole.
        """
        at = self._inside(face)
        if len(at) < 2:
            return None
        places = at[[0, -1]]
        places[1, 1] = places[0, 1]  # along the circle
        if abs(places[1, 0] - places[0, 0]) < 1e-9:
            places[1, 0] = at[np.abs(at[:, 0] - places[0, 0]).argmax(), 0]
        points = np.array(self._model.getValue(_SURFACES, face, places.ravel().tolist())).reshape(2, 3)
        normals = np.array(self._model.getNormal(face, places.ravel().tolist())).reshape(2, 3)
        turn = normals[0] - normals[1]
        if not turn @ turn > 1e-12:
            return None
        reach = -float((points[0] - points[1]) @ turn) / float(turn @ turn)
        middle = points[0] + reach * normals[0]
        out = (points[0] - middle) / abs(reach)
        step = min(10.0 * self._near, 0.1 * abs(reach))
        inside = [
            self._model.isInside(_VOLUMES, volume, (points[0] + side * step * out).tolist())
            for side in (1, -1)
        ]
        if not inside[0] or inside[1]:
            return None
        axis = np.cross(*normals)
        axis /= np.linalg.norm(axis)
        axis *= np.sign(axis[np.abs(axis).argmax()])
        middle -= (middle @ axis) * axis  # a unique point of the axis
        unit = 100.0 * self._near
        return np.array([abs(reach) / unit, *(middle / unit), *(100.0 * axis)])


def _alike(described: list[str], kinds: list[str]) -> bool:
    return len(described) == len(kinds) and all(a in ("", b) for a, b in zip(described, kinds, strict=True))


def _meet(one: Box, other: Box, near: float) -> bool:
    return all(one[i] <= other[i + 3] + near and other[i] <= one[i + 3] + near for i in range(3))


def _sizes(gmsh: Any, size: float, refinement: float, faces: list[int], is_exact: bool) -> None:
    """Set element sizes: overall, around circles of exact geometry, and at refined faces."""
    option, field = gmsh.option.setNumber, gmsh.model.mesh.field
    option("Mesh.MeshSizeMax", size)
    option("Mesh.MeshSizeFromPoints", 0)
    option("Mesh.MeshSizeFromCurvature", _ROUND if is_exact else 0)
    option("Mesh.MeshSizeMin", size / (4.0 * refinement))
    if refinement > 1.0 and faces:
        boxes = np.array([gmsh.model.getBoundingBox(_SURFACES, face) for face in faces])
        largest = float((boxes[:, 3:] - boxes[:, :3]).max())
        away = field.add("Distance")
        field.setNumbers(away, "SurfacesList", faces)
        field.setNumber(away, "Sampling", min(math.ceil(largest * refinement / size) + 1, _MOST_SAMPLES))
        grown = field.add("Threshold")
        for name, value in (
            ("InField", away), ("SizeMin", size / refinement), ("SizeMax", size), ("DistMin", 0.5 * size),
            ("DistMax", 3.0 * size),
        ):  # fmt: skip
            field.setNumber(grown, name, value)
        field.setAsBackgroundMesh(grown)


def _word(label: str) -> str:
    """Return a label as a name in a deck: capitals, digits and underscores."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    return re.sub(r"[^0-9A-Z]+", "_", plain.upper()).strip("_")[:60]


def _unused(wish: str, taken: set[str]) -> str:
    name = next(each for each in _wishes(wish) if each not in taken)
    taken.add(name)
    return name


def _wishes(wish: str) -> Iterator[str]:
    yield wish
    number = 2
    while True:
        yield f"{wish}_{number}"
        number += 1


if __name__ == "__main__":
    run(int(sys.argv[1]))
