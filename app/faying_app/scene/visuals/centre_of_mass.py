"""The centre of mass of a body, or of each part of a system: the quartered disc of drawings."""

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor2D

from faying.errors import FayingError
from faying.fem.mass_properties import nodal_masses
from faying_app.scene.actors import flat_actor
from faying_app.scene.colours import rgb_bytes
from faying_app.scene.content import SceneContent
from faying_app.scene.visuals import Sheet, Visual, visuals

_RADIUS, _RIM = 8.0, 1.5  # design pixels
_PIECES = 8  # triangles of a quarter


@visuals.register("centre_of_mass")
class CentreOfMassVisual(Visual):
    """Draws the sign in front of everything; it follows the frame, as it is drawn.

    Of a rigid part it is where its numbers or its shape say.
    """

    title = "Centre of mass"
    reads = frozenset({"model"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the sign."""
        self._sign: vtkActor2D = self.add(flat_actor())
        self._masses: np.ndarray | None = None
        self._known = False
        self.places = np.zeros((0, 3))

    def build(self, content: SceneContent) -> None:
        """Forget the masses of another model; they are found when they are wanted."""
        self._masses, self._known = None, False

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        self.places = self._found(content) if self.wanted and content.model is not None else np.zeros((0, 3))

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray | None:
        """Return None for all nodes when the centre is wanted: they all have mass."""
        return None if self.wanted else super().nodes_in_motion(content)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is something that has a mass."""
        return bool(len(self.places))

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Draw the sign where the centre is seen now."""
        triangles: list[np.ndarray] = []
        colours: list[tuple[int, ...]] = []
        dark, light = (*rgb_bytes(self.theme.text), 255), (*rgb_bytes(self.theme.panel), 255)
        shown = sheet.pixels(self.places) if self.is_shown(content) else np.zeros((0, 2))
        angles = np.linspace(0.0, 2.0 * np.pi, 4 * _PIECES + 1)
        circle = np.column_stack([np.cos(angles), np.sin(angles)]) * sheet.scale
        for middle in shown:
            for radius, quartered in ((_RADIUS + _RIM, False), (_RADIUS, True)):
                for i in range(4 * _PIECES):
                    triangles.append(
                        np.array([middle, middle + radius * circle[i], middle + radius * circle[i + 1]])
                    )
                    colours.append(light if quartered and (i // _PIECES) % 2 else dark)
        drawn = pv.PolyData()
        if triangles:
            corners = np.concatenate(triangles)
            points = np.column_stack([corners, np.zeros(len(corners))]).astype(np.float32)
            drawn = pv.PolyData.from_regular_faces(points, np.arange(len(points)).reshape(-1, 3))
            drawn.cell_data["colours"] = np.array(colours, np.uint8)
            drawn.set_active_scalars("colours")
        self._sign.GetMapper().SetInputData(drawn)

    def _found(self, content: SceneContent) -> np.ndarray:
        """Return (n, 3) centres as they are drawn; the centre of mass is linear in the positions of the nodes."""
        assert content.model is not None
        if not self._known:
            self._known = True
            try:
                self._masses = nodal_masses(content.model)
            except FayingError:  # an element that has no volume: findings tell of it
                self._masses = None
        positions, found = content.positions, []
        parts = content.system.parts if content.system is not None else ()
        rows = [part.rows for part in parts] if parts else [slice(0, len(positions))]
        for own in rows:
            masses = self._masses[own] if self._masses is not None else np.zeros(0)
            if masses.sum() > 0.0:
                found.append(masses @ positions[own] / masses.sum())
        for part, (position, turn) in zip(parts, content.poses, strict=bool(parts)):
            if part.centre is not None:
                found.append(position + turn @ part.centre)
        return np.array(found).reshape(-1, 3)
