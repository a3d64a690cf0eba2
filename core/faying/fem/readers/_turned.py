"""Elements whose nodes a file lists in mirrored order (negative volume), put into the order used here."""

from itertools import pairwise

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.solid_element import SolidElement

# Mirrored node orders; doing it twice gives the first order back.
_MIRRORED = {
    "tet": (0, 2, 1, 3, 6, 5, 4, 7, 9, 8),
    "pyramid": (0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10),
    "wedge": (0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13),
    "hex": (0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17),
}


def turned_right(element: str, rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return node rows (n, k) in which elements of negative volume are mirrored.

    Formats, and writers of one format, differ in which way the first face turns.

    Args:
        element: kind in the family of elements.
        rows: (n, k) rows of the nodes in our order, or the mirrored one.
        nodes: (m, 3) coordinates.
    """
    kind = element_kinds[element]
    assert issubclass(kind, SolidElement)
    order = next(order for shape, order in _MIRRORED.items() if element.startswith(shape))
    # Six times the signed volume of the corners' polyhedron: a · (b × c) summed over the triangles of its faces.
    volumes = np.zeros(len(rows))
    with np.errstate(all="ignore"):  # FeModel refuses coordinates that are not finite
        centres = nodes[rows].mean(axis=1)
        for face in kind.faces:
            corners = list(face[: 3 if len(face) in (3, 6) else 4])
            for second, third in pairwise(corners[1:]):
                a, b, c = (nodes[rows[:, i]] - centres for i in (corners[0], second, third))
                volumes += np.einsum("ni,ni->n", a, np.cross(b, c))
    wrong = volumes < 0.0
    found = np.array(rows)
    found[wrong] = rows[wrong][:, list(order[: rows.shape[1]])]
    return found
