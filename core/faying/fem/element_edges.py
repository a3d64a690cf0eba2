"""Which corners the midside nodes of an element lie between."""

from faying.fem.elements import ElementKind
from faying.fem.facets import facet_kind


def edges_of_midsides(kind: type[ElementKind]) -> dict[int, tuple[int, int]]:
    """Return the positions of the two corners beside each midside node, by its own position; none of beams."""
    found: dict[int, tuple[int, int]] = {}
    for face, facet in zip(kind.faces, kind.facets, strict=True):
        corners = face[: facet_kind(facet).n_corners]
        edges = zip(corners, (*corners[1:], corners[0]), strict=True)
        found |= dict(zip(face[len(corners) :], edges, strict=False))
    return found
