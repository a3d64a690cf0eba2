"""Measuring with the pointer: distances, angles and radii, of the undeformed model and of the frame that is shown."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from faying.errors import FayingError, ModelError
from faying.fem.measuring import Cylinder, angle_at, angle_between, find_cylinder, normal_of_plane
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.units import unit_text
from faying_app.context import Context
from faying_app.scene.overlay import MeasuredMark
from faying_app.scene.picking import Picked
from faying_app.scene.viewport import Viewport
from faying_app.selection import SMOOTH_ANGLE, PickedFace
from faying_app.shell.presenter import Presenter

_SNAP = 12.0  # pixels to a node within which the node is meant
_WANTED = {"distance": 2, "angle": 3, "face angle": 2, "radius": 1}
_COARSE_ANGLE = 50.0  # degrees between facets: round a shank of eight sides
_ROUND = 48  # pieces of a drawn circle


class Measuring(QObject):
    """Collects the clicked places while the pointer measures, and draws and reports the result.

    A click near a node means the node, else the place on the surface. The next click after the last one starts again.
    """

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._viewport, self._presenter = context, viewport, presenter
        self._scene = viewport.scene
        self._clicked: list[Picked] = []
        self._subject: tuple[str, int] | None = None
        viewport.place_clicked.connect(self.click)
        presenter.refreshed.connect(self._forget_others)
        presenter.frame_shown.connect(self._draw)
        context.view.changed.connect(lambda name: self._begin() if name == "pointer" else None)
        context.selection.measured.connect(self.measure_faces)

    def click(self, found: Picked) -> None:
        """Take a place or face into the measurement."""
        kind = self._context.view.values.pointer
        if kind not in _WANTED:
            return
        if kind in ("distance", "angle"):
            found = self._snapped(found)
        elif found.kind == "facet":
            # Kept as its number on the body's skin: in the picture numbers are others when a part is hidden.
            found = replace(found, number=self._presenter.subject.skin_facet(found.number))
        elif self._presenter.shown_body is not None:
            self._context.say("This is a contact pair: click a face next to it, or hide the pairs.")
            return
        if len(self._clicked) >= _WANTED[kind]:
            self._clicked = []
        self._subject = self._shown_subject
        self._clicked.append(found)
        missing = _WANTED[kind] - len(self._clicked)
        if missing:
            self._context.say(f"{missing} more to click.")
        self._draw()

    def measure_faces(self, faces: tuple[PickedFace, ...]) -> None:
        """Measure one picked round face, or the angle between two flat ones."""
        shown = self._presenter.shown_body
        if shown is None:
            return
        kind = "radius" if len(faces) == 1 else "face angle"
        self._subject = self._shown_subject
        try:
            self._show(self._of_faces(kind, [face.facet for face in faces]))
        except FayingError as error:
            self._context.say(f"{error}")

    def _begin(self) -> None:
        self._clicked = []
        if self._viewport.overlay is not None:
            self._viewport.overlay.set_marks(())

    @property
    def _shown_subject(self) -> tuple[str, int]:
        """Name of the body or system that is shown, and which model of the body."""
        shown = self._presenter.shown_body
        return self._presenter.subject.name, 0 if shown is None else id(shown[1])

    def _forget_others(self) -> None:
        """Let go of what was measured on another body or system, or on a mesh that has been replaced."""
        if self._subject is not None and self._subject != self._shown_subject:
            self._subject = None
            self._begin()

    def _snapped(self, found: Picked) -> Picked:
        """Return the corner of the clicked triangle that is near the pointer, else the place itself."""
        if not found.nodes:
            return found
        places = self._scene.content.positions_at[np.array(found.nodes)]
        pixels = self._scene.pixels(np.concatenate([places, [found.position]]))
        away = np.linalg.norm(pixels[:-1] - pixels[-1], axis=1)
        near = int(away.argmin())
        if away[near] > _SNAP * self._scene.text_scale:
            return found
        x, y, z = (float(v) for v in places[near])
        return replace(found, position=(x, y, z), shares=tuple(float(i == near) for i in range(len(away))))

    def _draw(self) -> None:
        kind = self._context.view.values.pointer
        if not self._clicked or kind not in _WANTED:
            return
        try:
            if kind in ("distance", "angle"):
                self._show(self._of_places(kind))
            elif len(self._clicked) == _WANTED[kind]:
                self._show(self._of_faces(kind, [found.number for found in self._clicked]))
        except FayingError as error:
            self._clicked = []
            self._show(MeasuredMark(np.zeros((0, 3))))
            self._context.say(f"{error}")

    def _show(self, mark: MeasuredMark) -> None:
        if self._viewport.overlay is not None:
            self._viewport.overlay.set_marks((mark,))
        if mark.words:
            self._context.say(mark.words.replace("\n", "; "))

    def _of_places(self, kind: str) -> MeasuredMark:
        content = self._scene.content
        assert content.model is not None
        drawn = np.array([found.place_in(content.positions) for found in self._clicked])
        if len(drawn) < _WANTED[kind]:
            return MeasuredMark(drawn, (drawn,))
        read = self._distance if kind == "distance" else self._angle
        words = read(np.array([found.place_in(content.model.nodes) for found in self._clicked]))
        if content.frame is not None and content.context is not None:
            if content.system is not None:
                words = read(self._true_places())
            elif not content.context.frames.axis.swings:
                words += f"\nin this frame: {read(self._true_places())}"
        return MeasuredMark(drawn, (drawn,), words)

    def _true_places(self) -> np.ndarray:
        """Return (n, 3) the clicked places in the shown frame, without any enlarging."""
        content = self._scene.content
        assert content.context is not None and content.frame is not None
        nodes = content.context.placed(content.frame.number, 1.0)[1]
        return np.array([found.place_in(nodes) for found in self._clicked])

    def _distance(self, places: np.ndarray) -> str:
        unit, across = self._length_unit, places[1] - places[0]
        x, y, z = (f"{v:.5g}" for v in across)
        return f"{np.linalg.norm(across):.6g} {unit}\nx {x}, y {y}, z {z}"

    def _angle(self, places: np.ndarray) -> str:
        return f"{angle_at(places[1], places[0], places[2]):.5g}°"

    @property
    def _length_unit(self) -> str:
        return unit_text("length", self._context.project.units)

    def _of_faces(self, kind: str, facets: list[int]) -> MeasuredMark:
        """Measure faces of the shown body in its undeformed model."""
        shown = self._presenter.shown_body
        if shown is None:
            raise ModelError(
                "Faces are measured on a body.", "Select the body in the tree, or measure at points."
            )
        _, model, skin = shown
        if kind == "radius":
            return self._circle(_round_face(model, skin, facets[0]))
        faces = [skin.grow(facet, SMOOTH_ANGLE) for facet in facets]
        points = [model.nodes[skin.chosen(face, "").nodes] for face in faces]
        first, second = (normal_of_plane(p, skin.normals[f]) for p, f in zip(points, faces, strict=True))
        middles = np.array([skin.centroids[face].mean(axis=0) for face in faces])
        turned = angle_between(first, second)
        words = f"{turned:.5g}° between the normals"
        if min(turned, 180.0 - turned) < 0.5:
            away = abs(float((middles[1] - middles[0]) @ first))
            words += f"\nparallel, {away:.5g} {self._length_unit} apart"
        return MeasuredMark(middles, (middles,), words)

    def _circle(self, found: Cylinder) -> MeasuredMark:
        """Draw the circle half way along a cylinder."""
        side = np.linalg.svd(found.axis[None])[2][1:]
        turns = np.linspace(0.0, 2 * np.pi, _ROUND + 1)[:, None]
        ring = found.centre + found.radius * (np.cos(turns) * side[0] + np.sin(turns) * side[1])
        unit, place = self._length_unit, ", ".join(f"{v + 0.0:.5g}" for v in found.centre)
        words = f"radius {found.radius:.5g} {unit}, diameter {2 * found.radius:.5g} {unit}\ncentre {place}"
        spoke = np.array([found.centre, ring[0]])
        return MeasuredMark(found.centre[None], (ring, spoke), words)


def _round_face(model: FeModel, skin: Skin, facet: int) -> Cylinder:
    """Return the cylinder round a facet; where the mesh is coarse its sides are taken together."""
    for angle in (SMOOTH_ANGLE, _COARSE_ANGLE):
        face = skin.grow(facet, angle)
        try:
            return find_cylinder(model.nodes[skin.chosen(face, "").nodes], skin.normals[face])
        except ModelError as error:
            refused = error
    raise refused
