"""Beams of a model: lines through their nodes, coloured by a field of the body."""

import numpy as np

from faying_app.scene.actors import line_actor, paint, paint_values, show
from faying_app.scene.colours import lookup_table
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import LineMesh, beam_pieces
from faying_app.scene.visuals import NO_NODES, Visual, visuals


@visuals.register("beams")
class BeamsVisual(Visual):
    """Draws each beam, whatever its section is; it follows the frame."""

    title = "Beams"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make the actor."""
        self.lines = self.add(line_actor(3.0))
        self._mesh: LineMesh | None = None

    def build(self, content: SceneContent) -> None:
        """Take the beams of the model."""
        self._mesh = None
        if content.model is not None:
            self._mesh = LineMesh(beam_pieces(content.model), content.positions)
            show(self.lines, self._mesh.drawn)

    def move(self, content: SceneContent) -> None:
        """Follow the frame, and take the colours of a body field."""
        if self._mesh is None:
            return
        self._mesh.place(content.positions_at)
        frame = content.frame
        field = frame.field if frame is not None else None
        if frame is None or field is None or field.location != "body" or frame.values_at is None:
            paint_values(self.lines, None)
        else:
            paint_values(self.lines, lookup_table(content.colouring, self.theme))
            self._mesh.colour(frame.values_at)
        paint(self.lines, self.theme.body_edge)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return the nodes of all beams."""
        return NO_NODES if self._mesh is None else self._mesh.nodes

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are beams in a body that is not hidden."""
        return self._mesh is not None and len(self._mesh.nodes) > 0 and content.body_look != "hidden"
