"""Material axes on the surfaces of shells."""

import numpy as np

from faying.fem.facets import facet_kind

_PARALLEL = np.cos(np.radians(0.1))  # angle between a direction and a normal


def surface_axes(normals: np.ndarray, directions: np.ndarray | None) -> np.ndarray:
    """Return (n, 3, 3) axes on surfaces, as rows: e1 is the projection of the first direction, e3 the normal.

    Args:
        normals: (n, 3) of any length.
        directions: (n, 3, 3) as rows; None for the global axes. Where the first is within 0.1° of the normal, the third
            is projected instead (the rule of Abaqus and CalculiX).
    """
    normals = normals / np.linalg.norm(normals, axis=1)[:, None]
    axes = np.broadcast_to(np.eye(3), (len(normals), 3, 3)) if directions is None else directions
    parallel = np.abs(np.einsum("nx,nx->n", axes[:, 0], normals)) > _PARALLEL
    first = np.where(parallel[:, None], axes[:, 2], axes[:, 0])
    first = first - np.einsum("nx,nx->n", first, normals)[:, None] * normals
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.stack([first, np.cross(normals, first), normals], axis=1)


def shell_normals(facet: str, coordinates: np.ndarray) -> np.ndarray:
    """Return (n, 3) the unit normals of shells at their centres.

    Args:
        facet: name of their facet kind.
        coordinates: (n, k, 3).
    """
    kind = facet_kind(facet)
    normals = kind.normals(coordinates, *kind.centre)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None])


def turned_about_normals(axes: np.ndarray, angles: np.ndarray | float) -> np.ndarray:
    """Return (n, 3, 3) axes rotated by angles (rad) about their third axis."""
    angles = np.broadcast_to(np.asarray(angles, float), len(axes))[:, None]
    first = np.cos(angles) * axes[:, 0] + np.sin(angles) * axes[:, 1]
    return np.stack([first, np.cross(axes[:, 2], first), axes[:, 2]], axis=1)
