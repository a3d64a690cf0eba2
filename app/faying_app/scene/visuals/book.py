"""The joint opened like a book: master and slave surface side by side, so that both faces are seen."""

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.skin import facet_normals
from faying.fem.surface import FacetBlock, Surface, part_of_surface
from faying.joints.pairs import ContactPairs
from faying_app.scene.actors import line_actor, paint, paint_values, show, surface_actor, unlit
from faying_app.scene.colours import lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.frames import chosen_joints
from faying_app.scene.meshes import LineMesh, PatchMesh, SurfaceEdges, SurfaceMesh
from faying_app.scene.visuals import NO_NODES, Visual, visuals

_MARGIN = 0.06  # of the joint's width, between hinge and surface


def opened_positions(
    positions: np.ndarray, nodes: np.ndarray, normal: np.ndarray, slave_nodes: np.ndarray, angle: float
) -> np.ndarray:
    """Return positions (n_nodes, 3) with the slave nodes turned about a hinge beside the joint's longer edge.

    Args:
        positions: (n_nodes, 3) where nodes are drawn.
        nodes: rows of all nodes of the joint.
        normal: (3,) unit mean normal out of the master surface.
        slave_nodes: rows that are turned.
        angle: degrees; 180 lays the slave's face beside the master's, both looking up.
    """
    points = positions[nodes]
    middle = points.mean(axis=0)
    flat = points - middle
    flat = flat - np.outer(flat @ normal, normal)
    # The longer of the two directions in the plane is the hinge.
    hinge = np.linalg.svd(flat, full_matrices=False)[2][0]
    hinge = hinge - (hinge @ normal) * normal
    hinge /= np.linalg.norm(hinge)
    across = np.cross(normal, hinge)
    width = flat @ across
    place = middle + (width.max() + _MARGIN * np.ptp(width)) * across
    turn = np.radians(angle)
    cross = np.array([[0, -hinge[2], hinge[1]], [hinge[2], 0, -hinge[0]], [-hinge[1], hinge[0], 0]])
    rotation = np.eye(3) - np.sin(turn) * cross + (1 - np.cos(turn)) * cross @ cross
    moved = positions.copy()
    moved[slave_nodes] = place + (positions[slave_nodes] - place) @ rotation.T
    return moved


def master_values(pairs: ContactPairs, values: np.ndarray) -> np.ndarray:
    """Return values (n_nodes,) with those of the slave nodes carried over to the master nodes they stand on.

    A master node takes the mean over its pairs, weighted by shape functions and areas.
    """
    # Shape functions of corners may be negative; as weights of a mean they count by their size.
    weights = np.abs(pairs.shape_values) * pairs.weights[:, None]
    known = pairs.on_slave(values)
    there = np.isfinite(known)
    rows = pairs.master_nodes[there]
    size = len(values)
    total = np.bincount(rows.ravel(), weights[there].ravel(), size)
    summed = np.bincount(rows.ravel(), (weights[there] * known[there][:, None]).ravel(), size)
    found = values.copy()
    hit = total > 1e-12 * max(float(total.max(initial=0.0)), 1e-300)
    found[hit] = summed[hit] / total[hit]
    return found


@visuals.register("book")
class BookVisual(Visual):
    """Draws both surfaces of the shown joints with the field on them."""

    title = "Opened joint"
    reads = frozenset({"model", "context", "display"})

    def make(self) -> None:
        """Make the actors."""
        self.pages = self.add(surface_actor())
        self._border = self.add(line_actor(1.5))
        unlit(self.pages)
        self._meshes: tuple[SurfaceMesh | PatchMesh, LineMesh] | None = None
        self._of: object = None
        self._masters: dict[str, Surface] = {}
        self.extent = np.zeros((0, 3))  # points that a camera has to see

    def build(self, content: SceneContent) -> None:
        """Forget the meshes of other joints."""
        self._meshes = self._of = None
        self._masters.clear()

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        frame = content.frame
        if not self.is_relevant(content) or frame is None or frame.values is None or frame.field is None:
            return
        names = chosen_joints(content.joint_pairs, frame.joint)
        for name in names:
            if name not in self._masters:
                self._masters[name] = _master_of(content, name)
        sides = [(content.joint_pairs[n], content.joint_slaves[n], self._masters[n]) for n in names]
        positions, values = frame.positions, frame.values
        for pairs, slave, master in sides:
            normal = pairs.normals.T @ pairs.weights
            normal /= np.linalg.norm(normal)
            both = np.union1d(slave.nodes, master.nodes)
            positions = opened_positions(positions, both, normal, slave.nodes, content.display.opened)
            values = master_values(pairs, values)
        states = frame.field.colours == "status"
        if states:
            values = np.round(values)
        if self._meshes is None or self._of != (frame.joint, states):
            self._of = (frame.joint, states)
            surface = Surface("opened joint", _blocks(sides))
            edges = SurfaceEdges(surface)
            border = edges.features(facet_normals(surface, content.positions))
            mesh = (PatchMesh if states else SurfaceMesh)(surface, positions)
            self._meshes = (mesh, LineMesh(edges.pieces(border), positions))
            show(self.pages, mesh.drawn)
            show(self._border, self._meshes[1].drawn)
        mesh, lines = self._meshes
        self.extent = positions[np.concatenate([b.connectivity.ravel() for b in _blocks(sides)])]
        mesh.place(positions)
        mesh.colour(values)
        lines.place(positions)
        table = lookup_table(content.colouring, self.theme)
        paint_values(self.pages, table, cells=states)
        paint(self._border, self.theme.body_edge)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return None for all nodes when joints are opened."""
        return None if content.display.opened > 0.0 else NO_NODES

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a joint is opened."""
        return content.is_opened


def _blocks(sides: list[tuple[ContactPairs, Surface, Surface]]) -> tuple[FacetBlock, ...]:
    return tuple(b for _, slave, master in sides for b in (*slave.blocks, *master.blocks))


def _master_of(content: SceneContent, joint: str) -> Surface:
    """Return the facets of the skin that carry the intersection points of a joint."""
    assert content.skin is not None
    nodes = np.unique(content.joint_pairs[joint].master_nodes)
    inside = np.zeros(int(max(content.skin.nodes.max(), nodes.max())) + 1, bool)
    inside[nodes] = True
    numbers, first = [], 0
    for block in content.skin.blocks:
        n_corners = facet_kind(block.facet).n_corners
        chosen = inside[block.connectivity[:, :n_corners]].all(axis=1)
        numbers.append(first + np.flatnonzero(chosen))
        first += len(block.connectivity)
    return part_of_surface(content.skin, np.concatenate(numbers))
