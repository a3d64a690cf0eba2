"""Couplings: lines from each reference node to the nodes that it is coupled to; ties: points at tied nodes."""

import numpy as np

from faying.fem.model import Coupling
from faying_app.scene.actors import line_actor, paint, point_actor, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import PointMesh, line_data
from faying_app.scene.spreading import spread
from faying_app.scene.visuals import Visual, visuals

# So many lines to one node show what is coupled; more are a solid knot in a small hole.
MOST_SPOKES = 16
SPOKE_OPACITY = 0.4


def spokes(coupling: Coupling, positions: np.ndarray) -> np.ndarray:
    """Return pieces (n, 2) from the reference node of a coupling to its nodes, or to some of many spread over them.

    Args:
        coupling: rigid or distributing.
        positions: (n_nodes, 3) of the model's nodes.
    """
    nodes = coupling.nodes
    if len(nodes) > MOST_SPOKES:
        nodes = nodes[spread(positions[nodes], positions[coupling.reference], MOST_SPOKES)]
    return np.column_stack([np.full(len(nodes), coupling.reference), nodes])


@visuals.register("couplings")
class CouplingsVisual(Visual):
    """Draws rigid couplings in the colour of supports, distributing ones in that of interface nodes, and tied nodes."""

    title = "Couplings"
    reads = frozenset({"model"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the lines of both kinds, and the points."""
        self._tied = self.add(point_actor(6.0))
        self._lines = {kind: self.add(line_actor(1.0)) for kind in ("kinematic", "distributing")}

    def build(self, content: SceneContent) -> None:
        """Place lines and points."""
        ties = content.model.ties if content.model is not None else ()
        tied = np.concatenate([np.zeros(0, np.int64), *(tie.nodes for tie in ties)])
        show(self._tied, PointMesh(tied, content.positions).drawn)
        for kind, actor in self._lines.items():
            pieces = [np.zeros((0, 2), np.int64)]
            for coupling in content.model.couplings if content.model is not None else ():
                if content.model is not None and coupling.kind == kind:
                    pieces.append(spokes(coupling, content.model.nodes))
            rows, ends = np.unique(np.concatenate(pieces), return_inverse=True)
            points = content.positions[rows] if len(rows) else np.zeros((0, 3))
            show(actor, line_data(points, ends.reshape(-1, 2)))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._tied, theme.slave)
        paint(self._lines["kinematic"], theme.support, SPOKE_OPACITY)
        paint(self._lines["distributing"], theme.interface, SPOKE_OPACITY)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are couplings or ties, and no frame."""
        model = content.model
        return content.frame is None and model is not None and bool(model.couplings or model.ties)
