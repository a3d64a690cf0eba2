"""Corners at the ends of the edges on which an element's midside nodes lie."""

from faying.fem.elements import ElementKind
from faying.fem.facets import facet_kind


def edges_of_midsides(kind: type[ElementKind]) -> dict[int, tuple[int, int]]:
    """Return, by position of each midside node, the positions of the two adjacent corners; empty for beams."""
    found: dict[int, tuple[int, int]] = {}
    for face, facet in zip(kind.faces, kind.facets, strict=True):
        corners = face[: facet_kind(facet).n_corners]
        edges = zip(corners, (*corners[1:], corners[0]), strict=True)
        found |= dict(zip(face[len(corners) :], edges, strict=False))
    return found
