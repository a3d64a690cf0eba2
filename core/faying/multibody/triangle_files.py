"""Reader of triangles: STL (text and binary) and the faces of Wavefront OBJ."""

import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ReadError, shortened
from faying.input_files import content_of_file

_BINARY = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_SAME = (
    1e-7  # of the size of all: corners that are nearer to each other are one node; STL has four-byte numbers
)
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return points (n, 3) and triangles (m, 3), rows of points; those without an area are left out.

    Corners of an STL file that lie in one place are one point. Faces of an OBJ file with more corners become several
    triangles; its lines, curves and textures are not read.

    Args:
        path: of the file; its content determines the format, except for OBJ, which needs its ending.

    Raises:
        ReadError: when there is no such file, or it holds no triangles or contradicts itself.
    """
    try:
        content = content_of_file(path)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ReadError(path, None, f"cannot be read ({reason}).", "Choose an STL or OBJ file.") from None
    if path.suffix.lower() == ".obj":
        points, triangles = _of_obj(path, content)
    else:
        points, triangles = _joined(_finite(path, _corners_of_stl(path, content)))
    corners = points[triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1, initial=0.0)
    triangles = triangles[areas > 1e-12 * longest**2]
    if not len(triangles):
        raise ReadError(path, None, "holds no triangles.", "Choose an STL or OBJ file with a surface.")
    used, place = np.unique(triangles, return_inverse=True)
    return points[used], place.reshape(-1, 3)


def _corners_of_stl(path: Path, content: bytes) -> np.ndarray:
    """Return (m, 3, 3) corners. A file of the length given by its count is binary, whatever it begins with."""
    if len(content) >= 84:
        count = int.from_bytes(content[80:84], "little")
        if len(content) == 84 + count * _BINARY.itemsize:
            return np.frombuffer(content, _BINARY, count, 84)["corners"].astype(float)
    if not content.lstrip()[:5].lower() == b"solid":
        raise ReadError(
            path, None, "is neither a text nor a whole binary STL file.", "Choose an STL or OBJ file."
        )
    found = _VERTEX.findall(content)
    if len(found) % 3:
        raise ReadError(
            path, None, f"has {len(found)} corners, which is no multiple of three.", "Write the file again."
        )
    try:
        return np.array([[float(word) for word in corner] for corner in found]).reshape(-1, 3, 3)
    except ValueError:
        raise ReadError(
            path, None, "has a corner whose place is no number.", "Write the file again."
        ) from None


def _joined(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and triangles of corners (m, 3, 3), those in one place joined."""
    from scipy.spatial import cKDTree  # late: takes long to import

    flat = corners.reshape(-1, 3)
    if not len(flat):
        return flat, np.zeros((0, 3), np.int64)
    size = float(np.ptp(flat, axis=0).max()) or 1.0
    flat, place = np.unique(flat, axis=0, return_inverse=True)
    near = cKDTree(flat).query_pairs(_SAME * size, output_type="ndarray")
    links = sp.coo_array((np.ones(len(near)), near.T), shape=(len(flat), len(flat)))
    _, groups = connected_components(links, directed=False)
    _, first, point = np.unique(groups, return_index=True, return_inverse=True)
    return flat[first], point[place].reshape(-1, 3)


def _of_obj(path: Path, content: bytes) -> tuple[np.ndarray, np.ndarray]:
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        words = line.split()
        if not words or words[0] not in ("v", "f"):
            continue
        try:
            if words[0] == "v":
                points.append((float(words[1]), float(words[2]), float(words[3])))
                continue
            # Corners count from 1, or backwards from the last one; texture and normal follow after slashes.
            given = [int(word.partition("/")[0]) for word in words[1:]]
            rows = [one - 1 if one > 0 else len(points) + one for one in given]
            if len(rows) < 3 or not all(given) or not all(0 <= row < len(points) for row in rows):
                raise ValueError
        except (ValueError, IndexError):
            text = shortened(line.strip())
            raise ReadError(path, number, f"cannot read {text!r}.", "Write the file again.") from None
        triangles += [(rows[0], rows[i], rows[i + 1]) for i in range(1, len(rows) - 1)]
    return _finite(path, np.array(points).reshape(-1, 3)), np.array(triangles, np.int64).reshape(-1, 3)


def _finite(path: Path, places: np.ndarray) -> np.ndarray:
    if not np.isfinite(places).all():
        raise ReadError(path, None, "holds coordinates that are no numbers.", "Write the file again.")
    return places
