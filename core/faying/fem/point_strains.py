"""Strains of solid elements at the points where their stresses are evaluated, from nodal displacements.

Order of the components: xx, yy, zz, xy, yz, zx, as in VTK; shear strains are engineering strains, γ = 2 ε.
"""

import numpy as np


class PointStrains:
    """Strains of a displacement-based element: the symmetric part of the displacement gradient.

    Args:
        gradients: (n, q, k, 3) of the shape functions of n elements at q points.
    """

    def __init__(self, gradients: np.ndarray) -> None:
        n, q, k, _ = gradients.shape
        self._rows = np.ascontiguousarray(gradients.transpose(0, 1, 3, 2).reshape(n, 3 * q, k))

    def evaluate(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n, q, 6) strains for displacements (n, k, 3) of the elements' nodes."""
        return _symmetric(self.displacement_gradients(displacements))

    def displacement_gradients(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n, q, 3, 3): entry (j, i) is ∂u_i/∂x_j."""
        n = len(self._rows)
        return np.asarray(self._rows @ displacements).reshape(n, -1, 3, 3)


class MeanDilatationStrains(PointStrains):
    """Strains whose volume change is the element's mean (B-bar).

    Args:
        gradients: (n, q, k, 3).
        volumes: (n, q) of the points.
    """

    def __init__(self, gradients: np.ndarray, volumes: np.ndarray) -> None:
        super().__init__(gradients)
        self._shares = volumes / volumes.sum(axis=1, keepdims=True)

    def evaluate(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n, q, 6) strains."""
        strains = super().evaluate(displacements)
        dilatation = strains[..., :3].sum(axis=2)
        mean = (self._shares * dilatation).sum(axis=1, keepdims=True)
        strains[..., :3] += ((mean - dilatation) / 3.0)[..., None]
        return strains


class InternalModeStrains(PointStrains):
    """Strains including internal displacement modes, whose amplitudes follow from the nodal displacements.

    Args:
        gradients: (n, q, k, 3) of the shape functions.
        modes: (n, q, m, 3) gradients of the internal modes.
        response: (n, 3 m, 3 k) amplitudes of the modes for unit nodal displacements.
    """

    def __init__(self, gradients: np.ndarray, modes: np.ndarray, response: np.ndarray) -> None:
        super().__init__(gradients)
        n, q, m, _ = modes.shape
        self._mode_rows = np.ascontiguousarray(modes.transpose(0, 1, 3, 2).reshape(n, 3 * q, m))
        self._response = response

    def displacement_gradients(self, displacements: np.ndarray) -> np.ndarray:
        """Return (n, q, 3, 3) gradients of nodal displacements and internal modes together."""
        n = len(displacements)
        amplitudes = (self._response @ displacements.reshape(n, -1, 1)).reshape(n, -1, 3)
        added = np.asarray(self._mode_rows @ amplitudes).reshape(n, -1, 3, 3)
        added += super().displacement_gradients(displacements)
        return added


def _symmetric(gradients: np.ndarray) -> np.ndarray:
    strains = np.empty((*gradients.shape[:2], 6))
    for i in range(3):
        j = (i + 1) % 3
        strains[..., i] = gradients[..., i, i]
        strains[..., 3 + i] = gradients[..., i, j] + gradients[..., j, i]
    return strains
