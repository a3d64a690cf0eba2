"""Node tables of tetrahedra, hexahedra, wedges and pyramids: local coordinates, edges, faces in Abaqus' order."""

import numpy as np

# Corners and midside nodes of the edges 1-2, 2-3, 3-1, 1-4, 2-4, 3-4.
TETRAHEDRON_CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
TETRAHEDRON_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
# Abaqus lists S1 … S4 as 1-2-3, 1-4-2, 2-4-3, 3-4-1, with normals into the element; here the order is reversed.
TETRAHEDRON_FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))

HEXAHEDRON_CORNERS = np.array([
    (-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)
], float)  # fmt: skip
HEXAHEDRON_EDGES = (
    (0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)
)  # fmt: skip
# Abaqus lists S1 … S6 as 1-2-3-4, 5-8-7-6, 1-5-6-2, 2-6-7-3, 3-7-8-4, 4-8-5-1, turning into the element.
HEXAHEDRON_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

WEDGE_CORNERS = np.array([(0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1)], float)
WEDGE_EDGES = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
# Abaqus lists S1 … S5 as 1-2-3, 4-6-5, 1-4-5-2, 2-5-6-3, 3-6-4-1, turning into the element.
WEDGE_FACES = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))

PYRAMID_CORNERS = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (0, 0, 0)], float)
PYRAMID_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4))
# Abaqus lists S1 … S5 as 1-2-3-4, 1-5-2, 2-5-3, 3-5-4, 4-5-1, turning into the element.
PYRAMID_FACES = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))


def midside_coordinates(corners: np.ndarray, edges: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return (n_corners + n_edges, 3): the corners, then the middle of each edge."""
    return np.concatenate([corners, corners[np.array(edges)].mean(axis=1)])


def with_midsides(
    faces: tuple[tuple[int, ...], ...], edges: tuple[tuple[int, int], ...], n_corners: int
) -> tuple[tuple[int, ...], ...]:
    """Return the faces with the midside nodes of their edges after the corners."""
    middle = {frozenset(edge): n_corners + i for i, edge in enumerate(edges)}
    return tuple(
        (*face, *(middle[frozenset((a, b))] for a, b in zip(face, (*face[1:], face[0]), strict=True)))
        for face in faces
    )
