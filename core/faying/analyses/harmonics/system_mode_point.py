"""One mode of a system about its rest, and the marker whose amplitude stands for that of the vibration."""

from collections.abc import Collection

import numpy as np

from faying.analyses.harmonics.about_system_rest import AboutSystemRest
from faying.analyses.harmonics.mode_point import AmplitudePoint, Direction, OfMode, direction_parameter
from faying.errors import ModelError
from faying.params import parameter


class SystemModePoint(OfMode, AboutSystemRest):
    """An analysis of a system in one mode about its rest, whose amplitude is that of a marker."""

    marker: str = parameter(
        "", title="Marker", choices="marker",
        meaning="Marker whose amplitude is given; empty for the one that moves most in the mode.",
    )  # fmt: skip
    direction: Direction = direction_parameter()

    def point_of(self, markers: Collection[str], rows: np.ndarray, shape: np.ndarray) -> AmplitudePoint:
        """Return the point whose amplitude is given.

        Args:
            markers: names of all markers of parts that move, as part.marker.
            rows: (6 m, n) their displacements and rotations in space.
            shape: (n,) the mode.

        Raises:
            ModelError: when there is no such marker, or it does not move in the mode.
        """
        names = list(markers)
        if self.marker and self.marker not in names:
            raise ModelError(
                f"There is no marker called {self.marker!r} on a part that moves.",
                f"There are: {', '.join(names) or 'none'}.",
            )
        if not names:
            raise ModelError(
                "No part that moves has a marker.", "Add a marker whose amplitude is to be given."
            )
        places = rows.reshape(len(names), 6, -1)[:, :3]
        moved = np.linalg.norm(places @ shape, axis=1)
        at = names.index(self.marker) if self.marker else int(moved.argmax())
        return self.along(names[at], places[at], shape, float(moved.max()), self.direction)
