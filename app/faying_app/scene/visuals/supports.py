"""Supports on surfaces: pyramids where they are fixed, balls where they slide, coils where they stand on springs."""

from typing import Literal

import numpy as np

from faying.fem.model import HeldSurface
from faying_app.scene.actors import arrow_data, footing_actor, paint, scale_glyphs, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import Mesh
from faying_app.scene.spreading import spread
from faying_app.scene.visuals import Sheet, Visual, visuals

# So many marks tell where a surface is supported; more hide it.
MOST_MARKS = 24
_SIZE, _PIXELS = 0.028, 24.0  # largest size of a mark: part of the body's diagonal, and design pixels
_Kind = Literal["fixed", "sliding", "elastic"]
_KINDS: tuple[_Kind, ...] = ("fixed", "sliding", "elastic")


@visuals.register("supports")
class SupportsVisual(Visual):
    """Draws marks spread over each supported surface, out along its normals; they follow the frame."""

    title = "Supported surfaces"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make an actor for each kind of support."""
        self._actors_of = {kind: self.add(footing_actor(kind)) for kind in _KINDS}
        self._meshes: list[Mesh] = []

    def build(self, content: SceneContent) -> None:
        """Choose the nodes at which marks stand."""
        self._meshes = []
        surfaces = () if content.model is None else content.model.held_surfaces
        positions = content.positions_at
        for kind, actor in self._actors_of.items():
            chosen = [(each, marked(each, content)) for each in surfaces if _kind_of(each) == kind]
            nodes = np.concatenate([np.zeros(0, np.int64), *(each.nodes[at] for each, at in chosen)])
            normals = np.concatenate([np.zeros((0, 3)), *(each.normals[at] for each, at in chosen)])
            mesh = Mesh(nodes, arrow_data(positions[nodes], normals))
            show(actor, mesh.drawn)
            if len(nodes):
                self._meshes.append(mesh)

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        for mesh in self._meshes:
            mesh.place(content.positions_at)

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray:
        """Return the nodes with marks."""
        return np.concatenate([np.zeros(0, np.int64), *(mesh.nodes for mesh in self._meshes)])

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Keep the marks small however near one is."""
        size = min(_SIZE * content.size, _PIXELS * sheet.scale / sheet.pixels_per_length)
        for actor in self._actors_of.values():
            scale_glyphs(actor, size)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor in self._actors_of.values():
            paint(actor, theme.support)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether surfaces are supported; an opened joint shows its faces alone."""
        model = content.model
        return model is not None and bool(model.held_surfaces) and not content.is_opened


def _kind_of(surface: HeldSurface) -> _Kind:
    return "elastic" if surface.is_elastic else "sliding" if surface.slides else "fixed"


def marked(surface: HeldSurface, content: SceneContent) -> np.ndarray:
    """Return (m,) which of the surface's nodes get a mark."""
    assert content.model is not None
    return spread(content.model.nodes[surface.nodes], surface.middle, MOST_MARKS)
