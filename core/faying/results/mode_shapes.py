"""Mode shapes as frames, so that all views of results also show mode shapes."""

import numpy as np

from faying.reduction.body import ReducedBody
from faying.results.frame_axes import frame_axis
from faying.results.quality_warnings import QualityWarning


class ModeShapes:
    """The trial vectors of a reduced body as frames.

    Each is scaled so that its largest displacement is `amplitude`.
    """

    axis = frame_axis("mode")
    warnings: tuple[QualityWarning, ...] = ()

    def __init__(
        self, body: ReducedBody, labels: list[str], values: np.ndarray, amplitude: float = 1.0
    ) -> None:
        self.n_frames = body.n_coordinates
        self.values = values
        self._labels = labels
        nodal = body.displacements.reshape(-1, 3, self.n_frames)
        largest = np.sqrt((nodal**2).sum(axis=1).max(axis=0))
        self._scale = amplitude / np.where(largest > 0, largest, 1.0)

    def label(self, frame: int) -> str:
        """Return the mode's name."""
        return self._labels[frame]

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return (r,) the scaled unit vector of the mode."""
        q = np.zeros(self.n_frames)
        q[frame] = self._scale[frame]
        return q

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return None: modes do not move."""
        return None

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return None: a mode is real, its motion a quarter of a period later is zero."""
        return None

    def period(self, frame: int) -> np.ndarray | None:
        """Return None: a mode is a shape, without a state about which it swings."""
        return None

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return None: modes are given by coordinates."""
        return None

    def stresses(self, frame: int) -> np.ndarray | None:
        """Return None: they follow from the coordinates."""
        return None

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return None: modes have no friction."""
        return None

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return None: they follow from the coordinates."""
        return None

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return None: modes have no contact multipliers."""
        return None

    def cycle_work(self, joint: str, frame: int) -> np.ndarray | None:
        """Return None: linear modes lose no energy by friction."""
        return None

    def temperatures(self, frame: int) -> np.ndarray | None:
        """Return None: modes have the temperature of the body at rest."""
        return None
