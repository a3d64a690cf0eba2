"""Sharp edges of rigid bodies of triangles: they cross each other where no node of either touches, and corners of the
master press into faces of the slave. Both complete the contact of the slave's nodes on the master.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from faying.fem.facing_areas import NodalFacets
from faying.multibody.contacts.approach import approach_speeds, longest_approach
from faying.multibody.contacts.contact import ContactMemory, MeasuredGaps, PartContact, vars_of
from faying.multibody.contacts.edge_kernels import find_crossings
from faying.multibody.contacts.force import RelativeMotion
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.moving_points import MovingPointContact, points_as_surface
from faying.multibody.contacts.surface import PartSurface

_SHARP = np.cos(np.radians(20.0))  # between the normals of the facets of an edge that is not sharp
_AT_EDGE = 1e-3  # of an edge's length: a point nearer than this lies on it
MOST_CROSSINGS = 20_000
"""Most pairs of edges that a contact examines; bodies with more have so many nodes that these carry."""


@dataclass(frozen=True, eq=False)
class SharpEdges:
    """The sharp convex edges of a rigid surface, in its part's frame.

    Attributes:
        ends: (k, 2) nodes.
        places: (k, 2, 3) of them.
        inward: (k, 2, 3) unit vectors from the edge into its two facets, square to the edge.
        widths: (k,) mean width of both facets across the edge.
        depths: (k,) half of the smaller one: how far others may press into the edge.
        of_facets: (f, 4) which edges of each facet are sharp.
    """

    ends: np.ndarray
    places: np.ndarray
    inward: np.ndarray
    widths: np.ndarray
    depths: np.ndarray
    of_facets: np.ndarray

    @classmethod
    def of(cls, surface: PartSurface) -> "SharpEdges":
        """Return those of a surface; where it ends it has none."""
        table, normals, across = surface.facet_table, surface.facets.normals, surface.sides.across
        corners = table.sizes[table.shapes, 1]
        own, edges = np.nonzero(across >= 0)
        others = across[own, edges]
        one = table.connectivity[own, edges]
        two = table.connectivity[own, (edges + 1) % corners[own]]
        start, along = surface.places[one], surface.places[two] - surface.places[one]
        length = np.linalg.norm(along, axis=1, keepdims=True)
        along /= np.where(length > 0.0, length, 1.0)

        def inward(facets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """Return unit vectors from the edges into facets, and how far these reach."""
            nodes = table.connectivity[facets[:, None], np.arange(4) % corners[facets][:, None]]
            arms = surface.places[nodes] - start[:, None]
            arms -= (arms @ along[:, :, None]) * along[:, None]
            lengths = np.linalg.norm(arms, axis=2)
            far = lengths.argmax(axis=1)
            widths = lengths[np.arange(len(facets)), far]
            return arms[np.arange(len(facets)), far] / np.where(widths > 0.0, widths, 1.0)[:, None], widths

        (first, width), (second, breadth) = inward(own), inward(others)
        bent = np.einsum("mc,mc->m", normals[own], normals[others]) < _SHARP
        sharp = bent & (np.einsum("mc,mc->m", normals[own], second) < 0.0) & (length[:, 0] > 0.0)
        of_facets = np.zeros(across.shape, bool)
        of_facets[own[sharp], edges[sharp]] = True
        once = sharp & (own < others)
        ends = np.column_stack([one, two])[once]
        return cls(
            ends, surface.places[ends], np.stack([first, second], axis=1)[once],
            0.5 * (width + breadth)[once], 0.5 * np.minimum(width, breadth)[once], of_facets,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.ends)


@dataclass(frozen=True, eq=False)
class EdgeContact(MovingPointContact):
    """Sharp edges of two rigid bodies that cross each other: as `PartContact` with pairs of edges as nodes.

    The pressure of a crossing acts on a quarter of the product of both widths, as that of a corner on a quarter of a
    face. Derivatives leave out how the normal turns with the edges: as small as the penetration over their length.

    Attributes:
        slave_edges, master_edges: k and l of them; the pairs are k l, by edges of the slave.
        sizes: (k l,) areas.
    """

    slave_edges: SharpEdges = field(kw_only=True)
    master_edges: SharpEdges = field(kw_only=True)

    @classmethod
    def completing(
        cls, contact: PartContact, slave_edges: SharpEdges, master_edges: SharpEdges
    ) -> "EdgeContact":
        """Return the crossings that complete a contact of nodes."""
        pairs = len(slave_edges) * len(master_edges)
        middles = np.repeat(slave_edges.places.mean(axis=1), len(master_edges), axis=0)
        sizes = 0.25 * np.outer(slave_edges.widths, master_edges.widths).ravel()
        own = {
            "name": f"{contact.name} (edges)", "slave": points_as_surface(middles, sizes), "share": 1.0,
            "completes": contact.name,
            "slave_surface": f"{contact.slave_surface} edges", "gears": None,
        }  # fmt: skip
        assert pairs == len(middles)
        return cls(
            **(vars_of(contact) | own), sizes=sizes, slave_edges=slave_edges, master_edges=master_edges
        )

    def shifts(self, motion: RelativeMotion, gaps: SurfaceGaps) -> np.ndarray:
        """Return (m, 3) the ways from the middles of the slave's edges to the crossings."""
        ways = self.slave_edges.places[:, 1] - self.slave_edges.places[:, 0]
        of_slave = gaps.slaves // len(self.master_edges)
        return motion.from_slave((gaps.local[:, :1] - 0.5) * ways[of_slave])

    def longest_step(
        self,
        memory: ContactMemory,
        master_q: np.ndarray,
        slave_q: np.ndarray,
        master_v: np.ndarray,
        slave_v: np.ndarray,
    ) -> float:
        """Return the longest step that cannot miss a first crossing at the present velocities."""
        ends = points_as_surface(self.slave_edges.places.reshape(-1, 3), np.zeros(2 * len(self.slave_edges)))
        velocities = approach_speeds(ends, slave_q, slave_v, master_q, master_v)
        speeds = np.linalg.norm(velocities, axis=1).reshape(-1, 2).max(axis=1)
        fastest = np.zeros((self.n, 3))
        fastest[:, 0] = np.repeat(speeds, len(self.master_edges))
        longest = longest_approach(memory.distances, fastest, 0.0, self.most_approach)
        return longest if memory.approach is None else min(longest, self._longest_in_impacts(memory.approach))

    def has_overrun(self, before: ContactMemory, after: ContactMemory) -> bool:
        """Return False: crossings slide along edges at any speed; nodes of both bodies are watched elsewhere."""
        return False

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        slave, master = self.slave_edges, self.master_edges
        origin = motion.place_of_slave
        n, away = self.n, np.empty(self.n)
        pairs, found = np.empty(n, np.int64), np.empty((n, 6))
        m = find_crossings(
            np.ascontiguousarray(origin + motion.from_slave(slave.places)),
            np.ascontiguousarray(motion.from_slave(slave.inward)), master.places, master.inward, slave.depths,
            master.depths, self.reach, away, pairs, found,
        )  # fmt: skip
        which, found = pairs[:m], found[:m]
        width = self.master.width if isinstance(self.master, PartSurface) else 2
        nodes, shares = np.zeros((m, width), np.int64), np.zeros((m, width))
        nodes[:, :2], t = master.ends[which % len(master)], found[:, 5]
        shares[:, 0], shares[:, 1] = 1.0 - t, t
        gaps = SurfaceGaps(
            which, found[:, 0].copy(), found[:, 1:4].copy(), nodes, shares, np.zeros((m, 2, width)),
            np.zeros((m, 2, 3)), np.zeros((m, 4, 4)), np.full(m, -1), found[:, 4:].copy(),
        )  # fmt: skip
        return MeasuredGaps(gaps, away, motion.displacements, None)


@dataclass(frozen=True, eq=False)
class CornerContact(PartContact):
    """Nodes at sharp edges of one rigid body inside of faces of another one, whose own nodes are elsewhere.

    Nodes over sharp edges of the other body do not count: the nodes there do.

    Attributes:
        sharp: edges of the master.
    """

    sharp: SharpEdges = field(kw_only=True)

    @classmethod
    def completing(cls, contact: PartContact, sharp: SharpEdges, corners: SharpEdges) -> "CornerContact":
        """Return the contact of the master's corners that completes one of the slave's nodes.

        Args:
            contact: of the slave's nodes.
            sharp: edges of its slave.
            corners: edges of its master.
        """
        assert isinstance(contact.master, PartSurface)
        whole, numbers = contact.master, np.unique(corners.ends)
        around = whole.nodal_facets
        facets = [np.arange(around.starts[k], around.starts[k + 1]) for k in numbers]
        rows = np.concatenate([np.zeros(0, np.int64), *facets])
        starts = np.cumsum([0, *(len(each) for each in facets)])
        points = replace(
            whole, places=whole.places[numbers], displacements=whole.displacements[numbers],
            areas=whole.areas[numbers], numbers=whole.numbers[numbers],
            nodal_facets=NodalFacets(starts, around.areas[rows], around.normals[rows]),
        )  # fmt: skip
        own = {
            "name": f"{contact.name} (corners)", "master": contact.slave, "slave": points, "share": 1.0,
            "completes": contact.name,
            "master_part": contact.slave_part, "slave_part": contact.master_part, "gears": None,
            "slave_surface": f"{contact.slave_surface} corners",
        }  # fmt: skip
        return cls(**(vars_of(contact) | own), sharp=sharp)

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        found = super()._gaps(motion, master_q, memory)
        gaps, nodes = found.gaps, motion.master_nodes
        if not len(gaps.slaves) or not isinstance(self.master, PartSurface):
            return found
        table = self.master.facet_table
        places = np.einsum("mk,mkc->mc", gaps.shares, nodes[gaps.nodes])
        corners = table.sizes[table.shapes[gaps.facets], 1]
        over = np.ones(len(gaps.slaves), bool)
        for edge in range(self.sharp.of_facets.shape[1]):
            has = self.sharp.of_facets[gaps.facets, edge]
            start = nodes[table.connectivity[gaps.facets, edge % corners]]
            along = nodes[table.connectivity[gaps.facets, (edge + 1) % corners]] - start
            square = np.vecdot(along, along)
            off = np.linalg.norm(np.cross(places - start, along), axis=1)
            over &= ~(has & (off < _AT_EDGE * square))
        return found if over.all() else found._replace(gaps=gaps.of(over))
