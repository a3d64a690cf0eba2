"""Base of selections of all facets in a region of space."""

from abc import abstractmethod

import numpy as np

from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import parameter

Vector = tuple[float, float, float]


class RegionSelection(SurfaceSelection):
    """The exterior facets inside a region, all of them or only those facing one direction."""

    whole: bool = parameter(
        False, title="Whole facets only", advanced=True,
        meaning="Take a facet only when all of its nodes are inside; otherwise its middle counts.",
    )  # fmt: skip
    direction: Vector = parameter(
        (0.0, 0.0, 0.0), title="Looking towards", advanced=True,
        meaning="Take only facets whose outward normal is near this direction, such as one side of a thin sheet; "
        "0, 0, 0 takes all.",
    )  # fmt: skip
    direction_angle: float = parameter(
        60.0, title="Angle to it", unit="°", ge=0.0, le=180.0, advanced=True,
        meaning="Degrees by which a normal may deviate from that direction.",
    )  # fmt: skip

    @abstractmethod
    def contains(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) whether points (n, 3) are inside the region."""

    def select(self, model: FeModel, skin: Skin) -> Surface:
        """Return the facets inside the region.

        Raises:
            ModelError: when there is none.
        """
        inside = self._inside(model, skin)
        length = np.linalg.norm(self.direction)
        if length > 0.0:
            cosines = skin.normals @ (np.array(self.direction) / length)
            inside &= cosines >= np.cos(np.radians(self.direction_angle)) - 1e-9
        return self._chosen(skin, np.flatnonzero(inside), "Move it or make it larger.")

    def _inside(self, model: FeModel, skin: Skin) -> np.ndarray:
        if not self.whole:
            return self.contains(skin.centroids)
        nodes = np.zeros(len(model.nodes), bool)
        own = skin.surface.nodes
        nodes[own] = self.contains(model.nodes[own])
        return skin.surface.facets_within(nodes)


def point_text(point: Vector) -> str:
    """Return a point as text with few digits: "(1, 2.5, 0)"."""
    return f"({', '.join(f'{x:.4g}' for x in point)})"
