"""The order of an element's nodes after a reflection, which turns an element inside out."""

from faying.fem.elements import ElementKind

# By number of corners of a solid; of a shell the corners go round the other way.
_CORNERS = {4: (0, 2, 1, 3), 5: (0, 3, 2, 1, 4), 6: (3, 4, 5, 0, 1, 2), 8: (4, 5, 6, 7, 0, 1, 2, 3)}


def mirrored_order(kind: type[ElementKind]) -> tuple[int, ...]:
    """Return the positions of the nodes of an element in the order in which its mirror image has a positive volume.

    Beams keep theirs. A shell's normal points to the other side.
    """
    if not kind.faces:
        return tuple(range(kind.n_nodes))
    middles: dict[frozenset[int], int] = {}
    for face, facet in zip(kind.faces, kind.facets, strict=True):
        n = 3 if facet.startswith("tri") else 4
        corners = face[:n]
        edges = zip(corners, (*corners[1:], corners[0]), strict=True)
        middles |= {frozenset(edge): middle for edge, middle in zip(edges, face[n:], strict=False)}
    n_corners = kind.n_nodes - len(middles)
    order = (0, *range(n_corners - 1, 0, -1)) if kind.is_shell else _CORNERS[n_corners]
    ends = {middle: edge for edge, middle in middles.items()}
    return (
        *order,
        *(middles[frozenset(order[corner] for corner in ends[at])] for at in range(n_corners, kind.n_nodes)),
    )
