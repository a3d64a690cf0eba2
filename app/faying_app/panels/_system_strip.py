"""Buttons above the forms of systems: along which axis a constraint acts, and in which direction the weight."""

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from faying.errors import FayingError, ModelError
from faying.fem.measuring import direction_of_edge, find_cylinder, normal_of_plane
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.multibody.assembly import Assembled
from faying.multibody.constraints import PairConstraint
from faying.multibody.part_shapes import axes_along
from faying.multibody.placement import seen_from_frame
from faying.project import edits
from faying.spatial.rotations import rotation_matrix
from faying.units import factor_to_si
from faying_app.context import Context
from faying_app.entities import kind_of, system_at
from faying_app.forms.editors.vector import STANDARD_GRAVITY
from faying_app.forms.motions_left import MotionsLeft
from faying_app.forms.wrong_sentence import WrongSentence
from faying_app.selection import SMOOTH_ANGLE, EntityPath

_DIRECTIONS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


class SystemStrip(QWidget):
    """The buttons for one entity of a system; there are none for most.

    Attributes:
        buttons: by their text.
    """

    def __init__(self, context: Context, path: EntityPath, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._path = context, path
        self.buttons: dict[str, QPushButton] = {}
        self.problem = WrongSentence(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(4)
        column.addLayout(row)
        if kind_of(path) == "constraint":
            row.addWidget(QLabel("Axis", self))
            for name, direction in _DIRECTIONS.items():
                self._add(row, name, f"Let it act along {name} of space, as the parts stand at the start.",
                          partial(self._turn, np.array(direction)))  # fmt: skip
            row.addStretch(1)
            row = QHBoxLayout()  # all in one are more than a small window has room for
            row.setSpacing(4)
            column.addLayout(row)
            self._add(
                row, "Picked face",
                "Let it act along the axis of a round face, or square to a flat one: Ctrl+click it in the 3D view "
                "first.", self._turn_to_face,
            )  # fmt: skip
            self._add(
                row, "Picked edge",
                "Let it act along a straight edge: Ctrl+click the adjacent face in the 3D view first, near the edge.",
                self._turn_to_edge,
            )  # fmt: skip
        else:
            row.addWidget(QLabel("Weight", self))
            for words, direction in (
                ("g along −Z", (0, 0, -1)),
                ("g along −Y", (0, -1, 0)),
                ("none", (0, 0, 0)),
            ):
                self._add(row, words, "Set the acceleration of gravity: 9.80665 m/s², standard gravity.",
                          partial(self._weigh, np.array(direction, float)))  # fmt: skip
        row.addStretch(1)
        self.motions: MotionsLeft | None = None
        if kind_of(path) == "system":
            self.motions = MotionsLeft(context, self)
            column.addWidget(self.motions)
        self.refresh()

    def refresh(self) -> None:
        """Show the motions that are left to the system now."""
        if self.motions is not None:
            computed, system = self._context.computed, self._context.value(self._path)
            at = computed.assembled(system)
            found = computed.motions(system)
            self.motions.show_motions(at if isinstance(at, Assembled) else None, found or ())

    @staticmethod
    def suits(context: Context, path: EntityPath) -> bool:
        """Return whether there are buttons for an entity."""
        kind = kind_of(path)
        if kind == "system":
            return True
        value = context.value(path) if kind == "constraint" else None
        return isinstance(value, PairConstraint) and bool(value.axis_words)

    def _add(self, row: QHBoxLayout, words: str, meaning: str, do: Callable[[], None]) -> None:
        button = QPushButton(words, self)
        button.setToolTip(meaning)
        button.setProperty("role", "compact")
        button.clicked.connect(lambda _checked=False: do())
        row.addWidget(button)
        self.buttons[words] = button

    def _weigh(self, direction: np.ndarray) -> None:
        size = STANDARD_GRAVITY / factor_to_si("acceleration", self._context.project.units)
        x, y, z = (float(f"{size * v:.8g}") + 0.0 for v in direction)
        self._context.apply("Set gravity", edits.set_value((*self._path, "gravity"), (x, y, z)))

    def _turn(self, direction: np.ndarray) -> None:
        """Turn the z axes of both markers along a direction in space."""
        system, spec = system_at(self._context.project, self._path), self._context.value(self._path)
        assert system is not None
        at = self._context.computed.assembled(system)
        if not isinstance(at, Assembled):
            why = str(at) if isinstance(at, FayingError) else "Its bodies are not reduced yet."
            self.problem.tell(f"Where the markers are is not known: {why}")
            return
        self.problem.tell("")
        wanted, words = axes_along(direction), {}
        for which, name in zip(("first", "second"), spec.marker_names(), strict=True):
            owner = name.partition(".")[0]
            motion = at.system.motion(name, at.position)
            frame, origin = np.eye(3), np.zeros(3)
            if owner != "ground":
                pose = at.system.of_part(owner, at.position)
                origin, frame = pose[:3], rotation_matrix(pose[3:7])
            words[which] = seen_from_frame(motion.position, wanted, origin, frame)
        self._context.apply(f"Turn the axis of {spec.name!r}", edits.set_axes(system.name, spec.name, words))

    def _turn_to_face(self) -> None:
        """Turn them along the axis of the round face that was picked, or square to the flat one."""

        def axis_of(model: FeModel, skin: Skin, facet: int) -> np.ndarray:
            facets = skin.grow(facet, SMOOTH_ANGLE)
            points, normals = model.nodes[skin.chosen(facets, "").nodes], skin.normals[facets]
            try:
                return find_cylinder(points, normals).axis
            except FayingError:
                try:
                    return normal_of_plane(points, normals)
                except FayingError:
                    raise ModelError("The picked face is neither round nor flat: it has no axis.") from None

        self._turn_as_picked(axis_of)

    def _turn_to_edge(self) -> None:
        """Turn them along the straight edge that is nearest to the facet that was clicked."""

        def direction_of(model: FeModel, skin: Skin, facet: int) -> np.ndarray:
            face = skin.chosen(skin.grow(facet, SMOOTH_ANGLE), "")
            return direction_of_edge(face, model.nodes, skin.centroids[facet])

        self._turn_as_picked(direction_of)

    def _turn_as_picked(self, direction: Callable[[FeModel, Skin, int], np.ndarray]) -> None:
        """Turn them along a direction that a picked facet has on its body."""
        system = system_at(self._context.project, self._path)
        assert system is not None
        faces = [side for side in self._context.selection.sides if side.system == system.name and side.face]
        at = self._context.computed.assembled(system)
        if not faces or not isinstance(at, Assembled):
            self.problem.tell("Ctrl+click a face of a part in the 3D view first.")
            return
        side = faces[-1]
        assert side.face is not None
        computed = self._context.computed
        model, skin = computed.model(side.face.body), computed.skin(side.face.body)
        if model is None or skin is None:
            self.problem.tell("The model of that part has not been read yet.")
            return
        try:
            found = direction(model, skin, side.face.facet)
        except FayingError as error:
            self.problem.tell(str(error))
            return
        pose = at.system.of_part(side.part, at.position)
        self._turn(rotation_matrix(pose[3:7]) @ found)
