"""Local coordinate systems of contact pairs: two tangents to every normal, alike for neighbours."""

import numpy as np

# A direction within about 18° of the normal is no use as a tangent.
_TOO_STEEP = 0.95
_NEAR_COORDINATE_AXIS = np.cos(np.radians(1.0))


def local_frames(normals: np.ndarray, cloud: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return tangents t1, t2, each (n, 3), so that t1, t2, n are right-handed and of length one.

    The thesis offers t1 along X,ξ (eq. D.4), which turns from facet to facet with their numbering, and asks that
    neighbouring pairs have similar orientation. Therefore t1 is the projection of one common direction: the
    longest principal axis of the master surface's nodes that is nowhere almost parallel to the normal (along a
    bolt, along a flat sheet). If there is none, it is the longest axis, and the next where that is too steep.
    t2 = n × t1 (eq. D.5).

    Args:
        normals: (n, 3) unit normals.
        cloud: (m, 3) nodes of the master surface.
    """
    axes = _principal_axes(cloud)
    steep = np.abs(normals @ axes.T) > _TOO_STEEP
    order = np.argsort(steep.any(axis=0), kind="stable")
    direction = axes[order][np.argmin(steep[:, order], axis=1)]
    t1 = direction - np.einsum("nc,nc->n", direction, normals)[:, None] * normals
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return t1, np.cross(normals, t1)


def _principal_axes(cloud: np.ndarray) -> np.ndarray:
    """Return (3, 3) unit axes as rows, the longest extent first, each with its largest component positive.

    Uneven meshes tilt the axes a little: one within a degree of a coordinate axis is taken to be that. Where two
    extents are alike the axes between them are arbitrary; there they are turned to lie as close as possible to
    the coordinate axes, in the order x, y, z.
    """
    centred = cloud - cloud.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    values, vectors = values[::-1], vectors[:, ::-1].T
    axes = np.zeros((3, 3))
    for i in range(2):
        alike = vectors[(values >= 0.98 * values[i]) & (values <= values[i] / 0.98)]
        # Projector on the span of the axes with this extent, without the axes that are there already.
        rest = np.eye(3) - axes[:i].T @ axes[:i]
        span = rest @ alike.T @ alike @ rest
        # Its first column that is (almost) the longest: the coordinate axis nearest to the span.
        lengths = np.linalg.norm(span, axis=0)
        at = int(np.argmax(lengths > lengths.max() - 1e-6))
        axis = span[:, at] / lengths[at]
        axis *= np.sign(axis[np.argmax(np.abs(axis))])
        unit = np.eye(3)[np.argmax(axis)]
        is_near = axis @ unit > _NEAR_COORDINATE_AXIS and np.abs(axes[:i] @ unit).max(initial=0.0) < 1e-12
        axes[i] = unit if is_near else axis
    third = np.cross(axes[0], axes[1])
    axes[2] = third * np.sign(third[np.argmax(np.abs(third))])
    return axes
