"""Condensed matrices as header and arrays of a reduced body (`faying.fem.body_arrays`).

The coordinates are those of the file. Their frame is a separate interface node, at which the body is held. Such a file
contains neither rigid motions nor the inertia of the whole body.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ReadError
from faying.fem.body_arrays import FORMAT, VERSION, BodyArrays
from faying.fem.condensed.faces import Faces, faces_of
from faying.fem.condensed.mat_file import Matrix, matrix_shapes, read_matrices
from faying.fem.condensed.names import FRAME, ForceColumn, JointMatrices, MatrixNames, guessed_names

CONDENSED = (".mat",)
_MAX_COORDINATES = 10_000  # with dense matrices
_TOLERANCE = 1e-6  # largest relative difference of numbers that should be equal
_NONE = MatrixNames()
_REASON = "its file has no motion of the body as a whole"


def names_in(path: Path, given: MatrixNames = _NONE) -> MatrixNames:
    """Return the names of a file's matrices: as given, or guessed if none are given.

    Raises:
        ReadError: when the file cannot be read, or names cannot be guessed.
    """
    if given != _NONE:
        return given
    shapes = matrix_shapes(path)
    names = guessed_names(shapes)
    if not names.joints:
        raise ReadError(
            path, None, f"it has {', '.join(shapes) or 'nothing'}, and no matrices Qm and Tm of contact pairs.",
            "Name the matrices of the file in the body's model.",
        )  # fmt: skip
    return names


def condensed_arrays(path: Path, given: MatrixNames = _NONE) -> BodyArrays:
    """Return the reduced body defined by condensed matrices.

    Args:
        path: of the file.
        given: names of its matrices; guessed if none are given.

    Raises:
        ReadError: when a matrix is missing, has a wrong size, is not symmetric, or is not positive definite.
    """
    names = names_in(path, given)
    wanted = {names.mass, names.stiffness, *(point.motions for point in names.points)}
    wanted |= {force.matrix for force in names.forces}
    for joint in names.joints:
        wanted |= set(_matrices_of(joint).values())
    found = _Read(path, read_matrices(path, wanted - {""}))
    mass, stiffness = found.symmetric(names.mass), found.symmetric(names.stiffness)
    r = len(mass)
    if len(stiffness) != r:
        raise found.error(
            f"{names.mass} has {r} rows and {names.stiffness} {len(stiffness)}; both have one for each coordinate"
        )
    _check_positive(found, names, mass, stiffness)

    arrays: dict[str, np.ndarray] = {
        "mass": mass, "stiffness": stiffness, "rigid_mass": np.zeros((6, 6)), "frequencies": np.zeros(0),
    }  # fmt: skip
    joints = [_Joint(found, each, r) for each in names.joints]
    faces = [
        faces_of(found.path, joint.name, *each.seen) for joint, each in zip(names.joints, joints, strict=True)
    ]
    nodes, motions = [], []
    for face in faces:  # the master's nodes, then the slave's
        nodes += [face.nodes, face.nodes]
        motions += [np.zeros_like(face.motions), face.motions]
    starts = np.cumsum([0, *(2 * len(face.nodes) for face in faces)])
    middle = np.concatenate(nodes).mean(axis=0) if nodes else np.zeros(3)

    # Place interface nodes at the centre, since the file does not contain their positions.
    interfaces = [(FRAME, np.zeros((6, r))), *_points(found, names, r)]
    for i, (_, rows) in enumerate(interfaces):
        arrays[f"interfaces/{i}/rows"] = rows
        nodes.append(middle[None])
        motions.append(rows[None, :3])
    arrays |= {"mesh/nodes": np.concatenate(nodes), "basis": np.concatenate(motions)}
    arrays["mesh/node_ids"] = np.arange(1, len(arrays["mesh/nodes"]) + 1)

    arrays |= _facets_and_pairs(faces, starts, joints)
    preloads = [force for force in names.forces if force.acts_as == "preload"]
    for i, force in enumerate(preloads):
        arrays |= {
            f"preloads/{i}/force": _column(found, force, r),
            f"preloads/{i}/closings": np.zeros(len(joints)),
        }
    loads = [force for force in names.forces if force.acts_as == "load"]
    if loads:
        k = len(loads)
        arrays |= {
            "loads/forces": np.stack([_column(found, force, r) for force in loads], axis=1),
            "loads/resultants": np.zeros((6, k)), "loads/torques": np.zeros((k, 3, r)),
            "loads/moments": np.zeros((k, 3, 3)), "loads/missed": np.zeros((k, k)),
        }  # fmt: skip
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": path.stem,
        "groups": [{"name": "coordinates", "stop": r}],
        "interfaces": [{"name": name, "node": int(starts[-1]) + i} for i, (name, _) in enumerate(interfaces)],
        "joints": [{"name": joint.name} for joint in names.joints],
        "preloads": [{"name": force.name} for force in preloads],
        "loads": [{"name": force.name, "not_in_motion": _REASON} for force in loads],
    }
    return BodyArrays(path, header, arrays)


class _Read:
    """The requested matrices of a file."""

    def __init__(self, path: Path, matrices: Mapping[str, Matrix]) -> None:
        self.path, self.matrices = path, matrices

    def error(self, problem: str, hint: str = "Name other matrices, or write the file again.") -> ReadError:
        """Return an error that refers to the file."""
        return ReadError(self.path, None, f"{problem}.", hint)

    def dense(self, name: str) -> np.ndarray:
        found = self.matrices[name]
        return found.toarray() if sp.issparse(found) else found

    def vector(self, name: str, size: int, what: str) -> np.ndarray:
        found = self.dense(name)
        if found.size != size or 1 not in found.shape:
            raise self.error(
                f"{name} is {found.shape[0]} × {found.shape[1]}, expected {size} numbers, {what}"
            )
        return np.asarray(found.ravel())

    def rows(self, name: str, r: int) -> np.ndarray:
        found = self.dense(name)
        if found.shape[1] != r:
            raise self.error(
                f"{name} is {found.shape[0]} × {found.shape[1]}, expected {r} columns, one for each coordinate"
            )
        return found

    def symmetric(self, name: str) -> np.ndarray:
        matrix = self.matrices[name]
        n, m = matrix.shape
        if n != m or not n:
            raise self.error(f"{name} is {n} × {m}, expected a square matrix")
        if n > _MAX_COORDINATES:
            raise self.error(
                f"{name} has {n} rows, and at most {_MAX_COORDINATES} coordinates are taken",
                "Reduce the body further.",
            )
        dense = self.dense(name)
        apart = np.abs(dense - dense.T)
        i, j = np.unravel_index(int(apart.argmax()), apart.shape)
        if apart[i, j] > _TOLERANCE * np.abs(dense).max():
            raise self.error(
                f"{name} is not symmetric: {dense[i, j]:.6g} in row {i + 1}, column {j + 1}, and {dense[j, i]:.6g} "
                "the other way round"
            )
        return np.asarray(0.5 * (dense + dense.T))


class _Joint:
    """One joint's rows.

    Attributes:
        normal, tangential: (p, r), (p, 2, r) motions of the pairs.
        weights, gaps: (p,).
        seen: arguments of `faces_of`, from `motions` on.
    """

    def __init__(self, found: _Read, names: JointMatrices, r: int) -> None:
        motions = _motions(found, names, r)  # (m, 3, r)
        normal, m = names.normal_component - 1, len(motions)
        if (
            names.positive == "closes"
        ):  # from here on, motions of the slave relative to the master: positive means opening
            motions[:, normal] *= -1.0
        self.interpolation = sp.identity(m, format="csr")
        if names.interpolation:
            self.interpolation = sp.csr_matrix(found.matrices[names.interpolation])
            if self.interpolation.shape[1] != m:
                raise found.error(
                    f"{names.interpolation} has {self.interpolation.shape[1]} columns, and {names.normal} {m} rows; "
                    "one column is needed for each point"
                )
        p = self.interpolation.shape[0]
        sums = np.asarray(self.interpolation.sum(axis=1)).ravel()
        if not p or np.abs(sums - 1.0).max(initial=0.0) > _TOLERANCE:
            raise found.error(
                f"{names.interpolation or names.motions} gives joint {names.name!r} "
                + (
                    f"rows that do not sum to one: {sums[np.abs(sums - 1.0).argmax()]:.6g}"
                    if p
                    else "no pairs"
                )
            )
        at_pairs = np.asarray(self.interpolation @ motions.reshape(m, -1)).reshape(p, 3, r)
        self.axes = np.eye(3)[[normal, (normal + 1) % 3, (normal + 2) % 3]]
        self.normal = at_pairs[:, normal]
        self.tangential = at_pairs[:, [(normal + 1) % 3, (normal + 2) % 3]]
        self.weights = _weights(found, names, self.interpolation)
        self.gaps = found.vector(names.gaps, p, "a gap for each pair") if names.gaps else np.zeros(p)
        self.seen = (
            motions, self.interpolation, self.weights, self.axes,
            found.dense(names.coordinates) if names.coordinates else None,
            (
                found.dense(names.triangles) if names.triangles else None,
                found.dense(names.quadrilaterals) if names.quadrilaterals else None,
            ),
        )  # fmt: skip


def _matrices_of(joint: JointMatrices) -> dict[str, str]:
    """Return the names of a joint's matrices by their role."""
    parts = (
        "motions", "normal", "tangent_1", "tangent_2", "interpolation", "weights", "gaps", "coordinates", "triangles",
        "quadrilaterals",
    )  # fmt: skip
    return {part: getattr(joint, part) for part in parts}


def _motions(found: _Read, names: JointMatrices, r: int) -> np.ndarray:
    """Return (m, 3, r) relative motions of the faces at the points of a joint."""
    apart = [names.normal, names.tangent_1, names.tangent_2]
    if any(apart):
        if not all(apart):
            raise found.error(
                f"joint {names.name!r} has some of the three matrices of normal and tangential motions",
                "Name all three, or none.",
            )
        each_way = [found.rows(name, r) for name in apart]
        if len({len(each) for each in each_way}) > 1:
            sizes = " and ".join(f"{name} {len(each)}" for name, each in zip(apart, each_way, strict=True))
            raise found.error(f"the matrices of joint {names.name!r} have different numbers of rows: {sizes}")
        normal = names.normal_component - 1
        made = np.empty((len(each_way[0]), 3, r))
        for component, each in zip((normal, (normal + 1) % 3, (normal + 2) % 3), each_way, strict=True):
            made[:, component] = each
        return made
    rows = found.rows(names.motions, r) if names.motions else np.eye(r)
    m = found.matrices[names.interpolation].shape[1] if names.interpolation else len(rows) // 3
    if not names.interpolation and (len(rows) % 3 or not names.motions):
        raise found.error(
            f"joint {names.name!r} has {len(rows)} rows of motions and no interpolation, expected three for each pair"
        )
    if 3 * m > len(rows):
        raise found.error(
            f"{names.interpolation} has {m} columns, and {names.motions or 'the coordinates'} {len(rows)} rows; three "
            "are needed for each point"
        )
    return np.array(rows[: 3 * m]).reshape(m, 3, r)


def _weights(found: _Read, names: JointMatrices, interpolation: sp.csr_matrix) -> np.ndarray:
    """Return (p,) the areas of the pairs."""
    p, m = interpolation.shape
    given = found.matrices[names.weights]
    if 1 in given.shape and given.shape[0] * given.shape[1] == p:
        weights = found.vector(names.weights, p, "an area for each pair")
    elif given.shape == (m, p):
        weights = np.asarray(given.sum(axis=0)).ravel()
        dense = found.dense(names.weights)
        off = np.abs(dense - interpolation.toarray().T * weights).max()
        if off > _TOLERANCE * np.abs(dense).max():
            raise found.error(
                f"{names.weights} is not the transpose of {names.interpolation or 'one'} times areas, so contact "
                "forces would not belong to the motions"
            )
    else:
        raise found.error(
            f"{names.weights} is {given.shape[0]} × {given.shape[1]}, expected {p} areas, or {m} × {p}"
        )
    if not weights.min(initial=np.inf) > 0.0:
        raise found.error(f"{names.weights} gives an area of {weights.min(initial=0.0):.6g}")
    return weights


def _check_positive(found: _Read, names: MatrixNames, mass: np.ndarray, stiffness: np.ndarray) -> None:
    try:
        factor = la.cholesky(mass, lower=True)
    except la.LinAlgError:
        raise found.error(f"the mass matrix {names.mass} is not positive definite") from None
    # Squared angular frequencies may be zero, for parts held only by contact, but not negative.
    half = la.solve_triangular(factor, stiffness, lower=True)
    scaled = la.solve_triangular(factor, half.T, lower=True, check_finite=False)
    if not np.isfinite(scaled).all():
        raise found.error(f"the mass matrix {names.mass} is not positive definite")
    squares = la.eigvalsh(0.5 * (scaled + scaled.T))
    if squares[0] < -_TOLERANCE * max(squares[-1], 0.0) or not squares[-1] > 0.0:
        raise found.error(
            f"the stiffness matrix {names.stiffness} is not positive: a motion would set free {-squares[0]:.4g} of "
            "energy by mass"
        )


def _points(found: _Read, names: MatrixNames, r: int) -> list[tuple[str, np.ndarray]]:
    """Return name and rows (3, r) of each point."""
    points = []
    for each in names.points:
        rows = found.rows(each.motions, r)
        if len(rows) % 3 or not len(rows):
            raise found.error(f"{each.motions} has {len(rows)} rows, expected three for each point")
        many = len(rows) > 3
        points += [
            (f"{each.name} {i + 1}" if many else each.name, rows[3 * i : 3 * i + 3])
            for i in range(len(rows) // 3)
        ]
    return points


def _column(found: _Read, force: ForceColumn, r: int) -> np.ndarray:
    matrix = found.dense(force.matrix)
    if matrix.shape[0] != r:
        raise found.error(f"{force.matrix} has {matrix.shape[0]} rows, expected {r}, one for each coordinate")
    if force.column > matrix.shape[1]:
        raise found.error(
            f"{force.matrix} has {matrix.shape[1]} columns, and {force.name!r} is column {force.column}"
        )
    return np.asarray(force.factor * matrix[:, force.column - 1])


def _facets_and_pairs(faces: list[Faces], starts: np.ndarray, joints: list[_Joint]) -> dict[str, np.ndarray]:
    """Return the arrays of the facets of all joints, triangles first, and of their contact pairs."""
    arrays: dict[str, np.ndarray] = {}
    owners: list[list[np.ndarray]] = [[] for _ in range(2 * len(faces))]  # facets of each master and slave
    first = 0
    for name, part in (("tri3", "triangles"), ("quad4", "quadrilaterals")):
        found = []
        for i, (face, start) in enumerate(zip(faces, starts, strict=False)):
            facets = getattr(face, part)
            for side, rows in enumerate((facets + start, facets[:, ::-1] + start + len(face.nodes))):
                owners[2 * i + side].append(first + np.arange(len(rows)))
                first += len(rows)
                found.append(rows)
        if sum(len(rows) for rows in found):
            arrays[f"mesh/{name}"] = np.concatenate(found)
    for i, (face, start, joint) in enumerate(zip(faces, starts, joints, strict=False)):
        p = len(joint.weights)
        corners, local = face.pair_nodes + start, np.zeros((p, 2))
        normal, tangent_1, tangent_2 = (np.tile(axis, (p, 1)) for axis in joint.axes)
        points = {
            "facets": face.pair_facets, "local_coordinates": local, "nodes": corners + len(face.nodes),
            "shape_values": face.shape_values, "nearness": np.maximum(face.shape_values, 0.0),
        }  # fmt: skip
        made = {
            "normal": joint.normal, "tangential": joint.tangential, "weights": joint.weights,
            "initial_gaps": joint.gaps, "found_gaps": joint.gaps, "normal_rigid": np.zeros((p, 6)),
            "tangential_rigid": np.zeros((p, 2, 6)), "master_facets": np.concatenate(owners[2 * i]),
            "slave_facets": np.concatenate(owners[2 * i + 1]), "facets": face.pair_facets, "master_nodes": corners,
            "shape_values": face.shape_values, "local_coordinates": local, "points": face.points, "normals": normal,
            "tangents_1": tangent_1, "tangents_2": tangent_2, "unpaired_reasons": np.zeros(0, np.int64),
            "unpaired_weights": np.zeros(0),
            **{f"slave_points/{part}": value for part, value in points.items()},
            **{f"unpaired_points/{part}": value[:0] for part, value in points.items()},
        }  # fmt: skip
        arrays |= {f"joints/{i}/{name}": value for name, value in made.items()}
    return arrays
