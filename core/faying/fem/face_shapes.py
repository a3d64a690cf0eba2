"""What a face that was pointed at is: flat, round or part of a ball; and the straight edge nearest to the place."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from faying.errors import ModelError
from faying.fem.measuring import find_cylinder, find_sphere, normal_of_plane, straight_edge
from faying.fem.skin import Skin

# Angles between facets up to which they are one face: of a mesh as usual, then of a coarse one of a round face.
_ANGLES = (20.0, 50.0)
_BENT = 1e-3  # least second moment of the normals of a face that is not flat
_OF_BALL = 0.05  # least and middle second moment: of normals that lie in a plane the first is zero
_FEWEST = 6  # facets with normals of their own that make a coarse face round


@dataclass(frozen=True, eq=False)
class FaceShape:
    """A face or edge as geometry.

    Attributes:
        kind: what it is.
        centre: (3,) the middle of a flat face, a point of the axis half way along a round face or edge, or the
            middle of a ball.
        axis: (3,) unit vector: outward normal of a flat face, axis of a round one, direction of an edge; zero of a
            ball.
        across: (3,) unit vector along which a flat face is longest; zero of others.
        size: radius, half the length of an edge, or half the diagonal of a flat face.
        length: along the axis of a round face or edge; zero of others.
        hollow: whether a round face or ball is looked at from inside, as that of a hole.
        angle: degrees between its facets up to which they are one face.
    """

    kind: Literal["plane", "cylinder", "sphere", "edge"]
    centre: np.ndarray
    axis: np.ndarray
    across: np.ndarray
    size: float
    length: float = 0.0
    hollow: bool = False
    angle: float = _ANGLES[0]

    def moved(self, position: np.ndarray, turn: np.ndarray) -> "FaceShape":
        """Return it turned by (3, 3), then moved by (3,)."""
        return replace(
            self,
            centre=position + turn @ self.centre,
            axis=turn @ self.axis,
            across=turn @ self.across,
        )


def face_shapes_at(skin: Skin, nodes: np.ndarray, facet: int, place: np.ndarray) -> tuple[FaceShape, ...]:
    """Return what a place of a skin may mean, the likeliest first: the face round a facet, and its nearest edge.

    The face is all that is smooth about the facet; the sides of a coarsely meshed round face are taken together.

    Args:
        skin: of a body, or of triangles.
        nodes: (n, 3) where its nodes are.
        facet: number of the facet that was pointed at.
        place: (3,) on it.

    Raises:
        ModelError: when the face is neither flat, round nor part of a ball, and has no straight edge there.
    """
    found = list(_faces(skin, nodes, facet))
    with suppress(ModelError):
        face = skin.chosen(skin.grow(facet, _ANGLES[0]), "")
        start, end = straight_edge(face, nodes, place)
        along, none = end - start, np.zeros(3)
        length = float(np.linalg.norm(along))
        found.append(FaceShape("edge", 0.5 * (start + end), along / length, none, 0.5 * length, length))
    if not found:
        raise ModelError(
            "This face is neither flat, round nor part of a ball.",
            "Choose another one, or make a marker there and add the constraint by Add constraint.",
        )
    return tuple(found)


def triangle_at(nodes: np.ndarray, triangles: np.ndarray, place: np.ndarray) -> int:
    """Return the number of the triangle nearest to a place (3,), of triangles (m, 3) between nodes (n, 3)."""
    a, b, c = (nodes[triangles[:, k]] for k in range(3))
    first, second, away = b - a, c - a, place - a
    # Area coordinates of the foot, brought into the triangle: exact within it, near enough beside it.
    aa, ab, bb = (np.einsum("ij,ij->i", x, y) for x, y in ((first, first), (first, second), (second, second)))
    pa, pb = np.einsum("ij,ij->i", away, first), np.einsum("ij,ij->i", away, second)
    area = np.maximum(aa * bb - ab * ab, 1e-300)
    shares = np.column_stack([(bb * pa - ab * pb) / area, (aa * pb - ab * pa) / area])
    shares = np.clip(np.column_stack([1.0 - shares.sum(axis=1), shares]), 0.0, 1.0)
    shares /= shares.sum(axis=1)[:, None]
    feet = shares[:, :1] * a + shares[:, 1:2] * b + shares[:, 2:] * c
    return int(np.argmin(np.linalg.norm(feet - place, axis=1)))


def _faces(skin: Skin, nodes: np.ndarray, facet: int) -> Iterator[FaceShape]:
    """Yield the shapes of the smooth face round a facet; of a coarse round one that shape first."""
    fine, coarse = (skin.grow(facet, angle) for angle in _ANGLES)
    shape = _shape_or_none(skin, nodes, fine)
    if len(coarse) > len(fine) and (shape is None or shape.kind == "plane"):
        directions = np.unique(np.round(skin.normals[coarse], 3), axis=0)
        rounded = _shape_or_none(skin, nodes, coarse) if len(directions) >= _FEWEST else None
        if rounded is not None and rounded.kind != "plane":
            yield replace(rounded, angle=_ANGLES[1])
    if shape is not None:
        yield shape


def _shape_or_none(skin: Skin, nodes: np.ndarray, facets: np.ndarray) -> FaceShape | None:
    points = nodes[skin.chosen(facets, "").nodes]
    with suppress(ModelError):
        return recognise_face(points, skin.centroids[facets], skin.normals[facets], skin.areas[facets])
    return None


def recognise_face(
    points: np.ndarray, middles: np.ndarray, normals: np.ndarray, areas: np.ndarray
) -> FaceShape:
    """Return the plane, cylinder or ball that a face is part of.

    The normals decide which: those of a plane are one, those of a cylinder lie in a plane, those of a ball do neither.

    Args:
        points: (n, 3) nodes of the face.
        middles, normals, areas: (m, 3), (m, 3) outward unit vectors and (m,) of its facets.

    Raises:
        ModelError: when its points lie on none of them.
    """
    least, middle, _ = np.linalg.eigvalsh(normals.T @ normals / len(normals))
    none = np.zeros(3)
    if middle < _BENT:
        normal = normal_of_plane(points, normals)
        centre = areas @ middles / areas.sum()
        flat = points - centre
        flat -= np.outer(flat @ normal, normal)
        across = np.linalg.svd(flat, full_matrices=False)[2][0]
        return FaceShape("plane", centre, normal, across, 0.5 * float(np.linalg.norm(np.ptp(flat, axis=0))))
    if least < _OF_BALL * middle:
        found = find_cylinder(points, normals)
        away = middles - found.centre
        radial = away - np.outer(away @ found.axis, found.axis)
        hollow = float(np.einsum("ij,ij->", radial, normals)) < 0.0
        length = float(np.ptp((points - found.centre) @ found.axis))
        return FaceShape("cylinder", found.centre, found.axis, none, found.radius, length, hollow)
    ball, radius = find_sphere(points)
    hollow = float(np.einsum("ij,ij->", middles - ball, normals)) < 0.0
    return FaceShape("sphere", ball, none, none, radius, hollow=hollow)
