"""Search: which points are near which facets of a deforming surface, and where exactly their closest points are."""

from dataclasses import dataclass, replace

import numpy as np

from faying.multibody.contacts.gap_kernels import gaps_of_all
from faying.multibody.contacts.gaps import SurfaceGaps, no_gaps
from faying.multibody.contacts.search_kernels import closest_of_all
from faying.multibody.contacts.surface import PartSurface
from faying.records import record


@record("near facets")
class NearFacets:
    """Pairs of points and facets that may come within reach of each other (neighbour list; Verlet 1967).

    Attributes:
        points, facets: (m,) numbers of each pair, by point.
        places: (n, 3) where all points were in the master's frame.
        displacements: (k, 3) of the master's nodes at that time.
        reach: the distance up to which all pairs are here.
        slack: how far points and nodes together may have moved until pairs may be missing.
    """

    points: np.ndarray
    facets: np.ndarray
    places: np.ndarray
    displacements: np.ndarray
    reach: float
    slack: float

    def of(self, chosen: np.ndarray) -> "NearFacets":
        """Return the pairs of a mask (m,); all others are excluded as long as the list is used."""
        return replace(self, points=self.points[chosen], facets=self.facets[chosen])

    def moved(self, places: np.ndarray, displacements: np.ndarray) -> float:
        """Return how far points (n, 3) and the master's nodes (k, 3) together have moved since, at most."""
        moved = np.linalg.norm(places - self.places, axis=1).max(initial=0.0)
        bent = np.linalg.norm(displacements - self.displacements, axis=1).max(initial=0.0)
        return float(moved + bent)

    def hold_for(self, places: np.ndarray, displacements: np.ndarray) -> bool:
        """Return whether no pair within reach can be missing, for points (n, 3) and master's nodes (k, 3) of today."""
        return self.moved(places, displacements) <= self.slack


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """Where points are closest to a surface, of the facets near them.

    Attributes:
        distances: (n,) never negative; infinity where no facet is within reach.
        facets, edges: (n,) facet, and number of its edge; −1 for none, and inside of the facet.
        local: (n, 2) coordinates on the facet.
    """

    distances: np.ndarray
    facets: np.ndarray
    edges: np.ndarray
    local: np.ndarray


def near_facets(
    master: PartSurface, q: np.ndarray, places: np.ndarray, reach: float, slack: float
) -> NearFacets:
    """Return the pairs of points and facets that are within reach, or may come there within the slack.

    The facets of the undeformed surface are searched; their deformation is added to the distance. Where
    all points are farther away, the slack is as long as they may fly until one is within reach.

    Args:
        master: the surface.
        q: its part's coordinates.
        places: (n, 3) points in its frame.
        reach: distance, outside and inside.
        slack: how far points and surface may move before this must be done again; costs pairs.
    """
    displacements = master.deformed(q) - master.places
    bent = float(np.linalg.norm(displacements, axis=1).max(initial=0.0))
    away = float(master.farther_than(places).min(initial=np.inf)) - bent
    if away > reach + slack:
        none = np.zeros(0, np.int64)
        return NearFacets(none, none, places.copy(), displacements, reach, away - reach)
    points, facets = master.facets.candidates(places, reach + slack + bent)
    order = np.lexsort((facets, points))
    return NearFacets(points[order], facets[order], places.copy(), displacements, reach, slack)


def closest_points(
    master: PartSurface,
    nodes: np.ndarray,
    places: np.ndarray,
    near: NearFacets,
    pressed: np.ndarray | None = None,
) -> ClosestPoints:
    """Return the closest point within reach of all facets near each point: inside of one, on an edge, or at a corner.

    Of equally near ones that of the lowest facet counts.

    Args:
        master: the surface.
        nodes: (k, 3) where its nodes are, in its part's frame.
        places: (n, 3) points there.
        near: pairs that hold for them.
        pressed: (n, 3) normals of the surface where points press on it, zero elsewhere: a point that presses on one
            side is not paired with facets that face the other way.
    """
    pressed = np.zeros(places.shape) if pressed is None else pressed
    found = closest_of_all(
        nodes, places, near.points, near.facets, near.reach, pressed, master.facets.normals,
        *master.facet_table,
    )  # fmt: skip
    return ClosestPoints(*found)


def gaps_at(
    master: PartSurface, nodes: np.ndarray, places: np.ndarray, closest: ClosestPoints, reach: float
) -> SurfaceGaps:
    """Return the gaps at closest points within reach, except of points outside the surface's own end.

    Args:
        master, nodes, places: as for `closest_points`.
        closest: the closest points.
        reach: distance, outside and inside.
    """
    chosen = np.flatnonzero(closest.distances <= reach)
    if not len(chosen):
        return no_gaps(master.width)
    found = gaps_of_all(
        nodes, places, chosen, closest.facets, closest.edges, closest.local, *master.facet_table, *master.sides,
    )  # fmt: skip
    return SurfaceGaps(*found)
