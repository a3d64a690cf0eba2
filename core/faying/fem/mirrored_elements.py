"""The order of an element's nodes after a reflection, which turns an element inside out."""

from faying.fem.element_edges import edges_of_midsides
from faying.fem.elements import ElementKind

# By number of corners of a solid; of a shell the corners go round the other way.
_CORNERS = {4: (0, 2, 1, 3), 5: (0, 3, 2, 1, 4), 6: (3, 4, 5, 0, 1, 2), 8: (4, 5, 6, 7, 0, 1, 2, 3)}


def mirrored_order(kind: type[ElementKind]) -> tuple[int, ...]:
    """Return the positions of the nodes of an element in the order in which its mirror image has a positive volume.

    Beams keep theirs. A shell's normal points to the other side.
    """
    if not kind.faces:
        return tuple(range(kind.n_nodes))
    ends = edges_of_midsides(kind)
    middles = {frozenset(edge): middle for middle, edge in ends.items()}
    n_corners = kind.n_nodes - len(ends)
    order = (0, *range(n_corners - 1, 0, -1)) if kind.is_shell else _CORNERS[n_corners]
    return (
        *order,
        *(middles[frozenset(order[corner] for corner in ends[at])] for at in range(n_corners, kind.n_nodes)),
    )
