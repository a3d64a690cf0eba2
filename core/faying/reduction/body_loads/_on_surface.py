"""Base of loads on a surface."""

from abc import abstractmethod

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.pressure import traction_forces
from faying.fem.selections import surface_selections
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.params import member_of, parameter
from faying.reduction.body_loads import BodyLoad, LoadArrow, LoadedBody

_ARROWS = 9  # largest number of drawn arrows per load


class LoadOnSurface(BodyLoad):
    """A force per area on a surface of the undeformed body."""

    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="Where it acts; a surface of this body."
    )

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) the consistent nodal forces."""
        assert on.skin is not None  # there is a load on a surface
        model, surface = on.model, self.surface.select(on.model, on.skin)
        return on.on_dofs(
            traction_forces(surface, model.nodes, lambda x, n: self.per_area(x, n, surface, model))
        )

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return arrows at a few facets."""
        assert skin is not None
        surface, found = self.surface.select(model, skin), []
        for block in surface.blocks:
            kind = facet_kind(block.facet)
            middles = kind.normals(model.nodes[block.connectivity], *kind.centre)
            normals = middles / np.linalg.norm(middles, axis=1)[:, None]
            rows = block.connectivity[:, 0]
            found += list(zip(rows, self.per_area(model.nodes[rows], normals, surface, model), strict=True))
        felt = [(int(node), vector) for node, vector in found if vector.any()]
        chosen = np.unique(np.linspace(0, len(felt) - 1, _ARROWS).astype(int)) if felt else np.zeros(0, int)
        return [LoadArrow(*felt[i]) for i in chosen]

    @abstractmethod
    def per_area(
        self, points: np.ndarray, normals: np.ndarray, surface: Surface, model: FeModel
    ) -> np.ndarray:
        """Return (m, 3) forces per area at points (m, 3) with outward unit normals (m, 3)."""
