"""A joint from two faces: what is clicked is recognised, a joint is proposed, and its markers are made with it."""

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from faying.errors import FayingError
from faying.fem.added_couplings import CouplingSpec
from faying.fem.face_shapes import FaceShape
from faying.fem.selections.grown import GrownSelection
from faying.multibody.assembly import Assembled
from faying.multibody.constraints import constraints
from faying.multibody.free_motions import free_motions
from faying.multibody.joints_of_faces import JointOfFaces, joints_of_faces
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.placement import with_few_digits
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.params import unused_name
from faying.project import edits
from faying.project.bodies import interface_rows
from faying.project.new_joints import JointSide, moved_side, new_joint
from faying.project.recorded import RecordedEdit
from faying.spatial.words import line_in_words
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.forms.motions_left import MotionsLeft
from faying_app.scene.overlay import MeasuredMark
from faying_app.scene.picking import Picked
from faying_app.scene.systems import AT_REST
from faying_app.scene.viewport import Viewport
from faying_app.shell.clicked_shapes import ClickedShapes, clicked_shapes
from faying_app.shell.presenter import Presenter

_APART = 1e-6  # of the size of the faces: below, markers are in one place
_NEAR = 0.3  # of the size of a face: an interface node so near to its middle is that of the face
_WIDTH = 380
_ABOVE_BOTTOM = 40  # pixels: the status bar stays seen
_MOTIONS = 3  # with a button: more would hide the view of a small window
_ROUND = 48  # pieces of a drawn circle
_FIRST = "Click a face or edge of a part in the view."
_THEN = "Click a face or edge of another part, or hold the part on ground: To ground."


class JointWizard(QObject):
    """Opens its dialog as soon as the pointer picks faces for a joint, and hands it what is clicked.

    Attributes:
        dialog: while it is open.
    """

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._viewport, self._presenter, self._window = context, viewport, presenter, parent
        self.dialog: JointDialog | None = None
        viewport.place_clicked.connect(self._click)
        context.view.changed.connect(self._switch)
        context.project_begun.connect(self._close)

    def _switch(self, name: str) -> None:
        if name != "pointer":
            return
        wanted = self._context.view.values.pointer == "joint"
        if wanted and self.dialog is None:
            self.dialog = JointDialog(self._context, self._viewport, self._presenter, self._window)
            self.dialog.finished.connect(self._closed)
            self.dialog.show_beside(self._viewport)
        elif not wanted:
            self._close()

    def _click(self, found: Picked) -> None:
        if self.dialog is not None and self._context.view.values.pointer == "joint":
            self.dialog.take(found)

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    def _closed(self, _result: int) -> None:
        self.dialog = None
        if self._context.view.values.pointer == "joint":
            self._context.view.set(pointer="select")


class JointDialog(QDialog):
    """Both faces, the joint that they suggest, and the motions that it leaves; stays open for the next joint.

    Attributes:
        sides: choosers of what each click means.
        kind, name, together: chooser of the joint, its name, and whether assembly brings the faces together.
        told: why this joint, and where.
        motions: that the system has left with it.
    """

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QWidget | None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self._context, self._viewport, self._presenter = context, viewport, presenter
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Joint from two faces")
        self._clicked: list[ClickedShapes] = []
        self._proposed: tuple[JointOfFaces, ...] = ()
        self._named = ""  # the name as it was proposed last
        self.sides = [QComboBox(self), QComboBox(self)]
        self.kind, self.name = QComboBox(self), QLineEdit(self)
        self.together = QCheckBox(self)
        self.told, self.motions = QLabel(self), MotionsLeft(context, self, _MOTIONS)
        self.told.setWordWrap(True)
        for side, title in zip(self.sides, ("First face", "Second face"), strict=True):
            side.setAccessibleName(title)
            side.activated.connect(lambda _index: self._propose())
        self.kind.setAccessibleName("Joint")
        self.name.setAccessibleName("Name")
        self.kind.activated.connect(lambda _index: self._show_joint())
        self.name.textEdited.connect(lambda _text: self._show_joint())
        self.together.toggled.connect(lambda _on: self._show_joint())
        self.buttons = QDialogButtonBox(self)
        self.add = self.buttons.addButton("Add joint", QDialogButtonBox.ButtonRole.ApplyRole)
        again = self.buttons.addButton("Pick again", QDialogButtonBox.ButtonRole.ResetRole)
        self.to_ground = self.buttons.addButton("To ground", QDialogButtonBox.ButtonRole.ActionRole)
        self.to_ground.setToolTip("Join the part to ground where the face is")
        self.to_ground.setAutoDefault(False)
        self.to_ground.clicked.connect(self._hold_on_ground)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.add.setDefault(True)
        again.setAutoDefault(False)
        for button in self.buttons.buttons():
            button.setProperty("role", "compact")
        self.add.clicked.connect(self._add)
        again.clicked.connect(lambda: self._begin(_FIRST))
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        for title, editor in (
            ("First face", self.sides[0]), ("Second face", self.sides[1]), ("Joint", self.kind), ("Name", self.name),
        ):  # fmt: skip
            form.addRow(title, editor)
        column = QVBoxLayout(self)
        column.addLayout(form)
        for widget in (self.together, self.told, self.motions, self.buttons):
            column.addWidget(widget)
        context.bridge.changed.connect(self._forget_gone)
        self._begin(_FIRST)

    def show_beside(self, view: QWidget) -> None:
        """Open at the lower right of the window, over the panels below the view: what is clicked stays seen."""
        self.ensurePolished()
        width = max(_WIDTH, self.minimumSizeHint().width())
        self.resize(width, self.sizeHint().height())
        self.show()
        self._fit()
        whole = view.window()
        right, low = (
            view.mapToGlobal(view.rect().topRight()).x(),
            whole.mapToGlobal(whole.rect().bottomLeft()).y(),
        )
        self.move(right - self.width() - 12, low - self.height() - _ABOVE_BOTTOM)

    def done(self, result: int) -> None:
        """Leave the view as it was."""
        if self._viewport.overlay is not None:
            self._viewport.overlay.set_marks(())
        super().done(result)

    def take(self, found: Picked) -> None:
        """Take what was clicked as the first or second face; a third click begins again."""
        content, system = self._presenter.scene.content, self._system
        if system is None or content.system is None:
            self._say("Select the system in the tree first: faces of its parts are clicked.")
            return
        if content.context is not None:
            self._say("The view shows results: select the system in the tree, where its parts start.")
            return
        try:
            clicked = clicked_shapes(content, system, self._context.computed, found)
        except FayingError as error:
            self._say(str(error))
            return
        if len(self._clicked) == 2:
            self._begin("")
        if self._clicked and self._clicked[0].part == clicked.part:
            self._clicked = []
        self._clicked.append(clicked)
        self._fill(self.sides[len(self._clicked) - 1], clicked)
        if len(self._clicked) == 1:
            self._fill(self.sides[1], None)
            self._say(_THEN)
            self._draw()
            return
        self._propose()

    def _hold_on_ground(self) -> None:
        """Take ground, where the first face is, as the other side."""
        (first,) = self._clicked
        chosen = first.shapes[max(self.sides[0].currentIndex(), 0)]
        # Ground first: joints act along the axes of the first marker, and these stay.
        self._clicked = [ClickedShapes(GROUND, AT_REST, (chosen,)), replace(first, shapes=(chosen,))]
        for side, clicked in zip(self.sides, self._clicked, strict=True):
            self._fill(side, clicked)
        self._propose()

    # What is chosen ------------------------------------------------------------------------------------

    @property
    def _system(self) -> SystemSpec | None:
        shown = self._presenter.subject.system
        return next(
            (s for s in self._context.project.systems if shown is not None and s.name == shown.name), None
        )

    @property
    def _shapes(self) -> list[FaceShape]:
        return [
            clicked.shapes[max(chooser.currentIndex(), 0)]
            for clicked, chooser in zip(self._clicked, self.sides, strict=False)
        ]

    @property
    def joint(self) -> JointOfFaces | None:
        """The joint as it is chosen now; None before two faces are."""
        if not self._proposed:
            return None
        chosen = self._proposed[max(self.kind.currentIndex(), 0)]
        return chosen if self.together.isChecked() else chosen.as_placed()

    def _begin(self, words: str) -> None:
        self._clicked, self._proposed = [], ()
        for side in self.sides:
            self._fill(side, None)
        self.kind.clear()
        self.name.clear()
        self._named = ""
        self.together.hide()
        self._say(words)
        self._draw()

    def _fill(self, chooser: QComboBox, clicked: ClickedShapes | None) -> None:
        chooser.clear()
        chooser.setEnabled(clicked is not None)
        for shape in clicked.shapes if clicked is not None else ():
            chooser.addItem(f"{clicked.part}: {self._in_words(shape)}" if clicked is not None else "")

    def _in_words(self, shape: FaceShape) -> str:
        unit = unit_text("length", self._context.project.units)
        if shape.kind == "plane":
            return f"flat face, normal {line_in_words(shape.axis)}"
        if shape.kind == "edge":
            return f"edge of {shape.length:.4g} {unit} along {line_in_words(shape.axis)}"
        what = {"cylinder": ("shaft", "hole"), "sphere": ("ball", "socket")}[shape.kind][shape.hollow]
        about = f" about {line_in_words(shape.axis)}" if shape.kind == "cylinder" else ""
        return f"{what}, radius {shape.size:.4g} {unit}{about}"

    def _propose(self) -> None:
        """Propose a joint for both faces."""
        if len(self._clicked) < 2:
            self._draw()
            return
        one, two = self._shapes
        self._proposed = joints_of_faces(one, two)
        self._proposed = tuple(self._at_nodes(each) for each in self._proposed)
        self.kind.clear()
        for each in self._proposed:
            self.kind.addItem(constraints[each.kind].title or each.kind)
        away, tilt = self._proposed[0].away, self._proposed[0].tilt
        size = max(one.size, two.size)
        apart = (
            [f"{away:.4g} {unit_text('length', self._context.project.units)}"] if away > _APART * size else []
        )
        apart += [f"{tilt:.3g}°"] if tilt > 1e-4 else []
        self.together.setText(f"{self._who_moves()}: {' and '.join(apart)} apart")
        self.together.setVisible(bool(apart))
        self.together.blockSignals(True)
        self.together.setChecked(True)
        self.together.blockSignals(False)
        if self.name.text() in ("", self._named):
            a, b = (clicked.part for clicked in self._clicked)
            first, second = (a, b) if a != GROUND else (b, a)
            self._named = self._unused(f"{first} to {second}")
            self.name.setText(self._named)
        self._show_joint()

    def _who_moves(self) -> str:
        """Return what brings the faces together: a part that is moved, or assembly."""
        system = self._system
        assert system is not None
        names = (self._clicked[0].part, self._clicked[1].part)
        moves = moved_side(system, self._proposed[0], names)
        return "Bring the faces together" if moves is None else f"Move {names[moves]} to {names[1 - moves]}"

    def _unused(self, wish: str) -> str:
        system = self._system
        assert system is not None
        path = (*system_path(self._context.project, system.name), "constraints")
        return edits.unused_name(self._context.project, path, wish)

    def _at_nodes(self, joint: JointOfFaces) -> JointOfFaces:
        """Return the joint with its markers on parts that deform at the interface nodes that there are."""
        places = joint.places.copy()
        for k, (clicked, shape) in enumerate(zip(self._clicked, self._shapes, strict=True)):
            found = self._interface(clicked, shape, places[k])
            if found is not None:
                places[k] = found[1]
        return replace(joint, places=places)

    def _interface(
        self, clicked: ClickedShapes, shape: FaceShape, place: np.ndarray
    ) -> tuple[str, np.ndarray] | None:
        """Return name and place in space of the interface node at a face of a part that deforms; None for none."""
        system, project = self._system, self._context.project
        part = next((p for p in system.parts if p.name == clicked.part), None) if system is not None else None
        model = self._context.computed.model(part.body) if isinstance(part, FlexiblePartSpec) else None
        if not isinstance(part, FlexiblePartSpec) or model is None:
            return None
        position, turn = clicked.pose
        rows = interface_rows(project.body(part.body), model)
        nodes = {name: position + turn @ model.nodes[row] for name, row in rows.items()}
        near = min(nodes, key=lambda name: float(np.linalg.norm(nodes[name] - place)), default="")
        reach = _NEAR * shape.size + 0.5 * shape.length
        return (near, nodes[near]) if near and np.linalg.norm(nodes[near] - place) <= reach else None

    def _side(self, clicked: ClickedShapes, shape: FaceShape, place: np.ndarray) -> JointSide:
        """Return a side of the joint; at a face of a part that deforms without a node, one is coupled to it."""
        system, project = self._system, self._context.project
        part = next((p for p in system.parts if p.name == clicked.part), None) if system is not None else None
        found = self._interface(clicked, shape, place)
        if found is not None or not isinstance(part, FlexiblePartSpec) or clicked.face is None:
            return JointSide(clicked.part, *clicked.pose, "" if found is None else found[0])
        body, model = project.body(part.body), self._context.computed.model(part.body)
        taken = {coupling.name for coupling in body.couplings} | {node.name for node in body.interfaces}
        taken |= set() if model is None else set(model.node_sets)
        name = unused_name(f"joint {clicked.part}", taken)
        position, turn = clicked.pose
        element, face = clicked.face
        coupling = CouplingSpec(
            name=name, surface=GrownSelection(element=element, face=face, angle=shape.angle),
            behaviour="distributing", node=with_few_digits(turn.T @ (place - position)),
        )  # fmt: skip
        return JointSide(clicked.part, *clicked.pose, name, coupling)

    def _edit(self) -> RecordedEdit | None:
        """Return the edit that adds the joint, None as long as something is missing."""
        joint, system, name = self.joint, self._system, self.name.text().strip()
        if joint is None or system is None or not name or len(self._clicked) < 2:
            return None
        one, two = (
            self._side(clicked, shape, place)
            for clicked, shape, place in zip(self._clicked, self._shapes, joint.places, strict=True)
        )
        return new_joint(self._context.project, system.name, joint, name, (one, two))

    def _show_joint(self) -> None:
        """Say where the chosen joint acts and which motions are left with it."""
        self._draw()
        joint, system = self.joint, self._system
        try:
            edit = self._edit()
            changed = None if edit is None or system is None else edit(self._context.project)
        except FayingError as error:
            self._say(str(error))
            return
        if joint is None or system is None or changed is None:
            self.add.setEnabled(False)
            return
        cls = constraints[joint.kind]
        line = line_in_words(joint.axes[joint.order[0]][:, 2])
        acts = f" It {cls.axis_words} {line} in space." if cls.axis_words else ""
        reason = f"{joint.reason[:1].upper()}{joint.reason[1:]}.{acts}"
        coupled = [
            old.name
            for old, new in zip(self._context.project.bodies, changed.bodies, strict=True)
            if old != new
        ]
        at = None if coupled else self._context.computed.tried(changed.system(system.name))
        if coupled:
            names = " and ".join(map(repr, coupled))
            self._say(
                f"{reason} {names} gets an interface node coupled to the face, and is to be reduced again."
            )
        elif isinstance(at, FayingError):
            self._say(f"{reason} {at}")
        else:
            self._say(reason)
        self.add.setEnabled(True)
        if isinstance(at, Assembled):
            self.motions.show_motions(at, free_motions(at))
            self._fit()

    def _add(self) -> None:
        """Add the joint as one step, and be ready for the next one."""
        edit, system, name = self._edit(), self._system, self.name.text().strip()
        if edit is None or system is None:
            return
        path = system_path(self._context.project, system.name)
        if self._context.apply(f"Add joint {name!r}", edit):
            count = len(self._context.value((*path, "constraints")))
            self._context.selection.select((*path, "constraints", count - 1))
            self._begin(f"Added “{name}”. {_FIRST}")

    # How it is shown -----------------------------------------------------------------------------------

    def _say(self, words: str) -> None:
        self.told.setText(words)
        self.add.setEnabled(False)
        self.motions.show_motions(None, ())
        self._fit()

    def _fit(self) -> None:
        """Be as high as what is said needs; called after the layout has it."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()
            height = max(layout.totalHeightForWidth(self.width()), self.minimumSizeHint().height())
            self.resize(self.width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Grow upwards: the buttons stay where they are, and on the screen."""
        super().resizeEvent(event)
        if self.isVisible() and event.oldSize().isValid():
            self.move(self.x(), max(self.y() + event.oldSize().height() - event.size().height(), 0))

    def _draw(self) -> None:
        """Draw what was recognised over the view; ground is offered once there is one face."""
        self.to_ground.setEnabled(len(self._clicked) == 1 and self._clicked[0].part != GROUND)
        overlay = self._viewport.overlay
        if overlay is None:
            return
        marks = [
            MeasuredMark(shape.centre[None], _lines(shape), f"{k}: {self._in_words(shape)}")
            for k, shape in enumerate(self._shapes, start=1)
        ]
        overlay.set_marks(marks)

    def _forget_gone(self, _before: Any, after: Any) -> None:
        """Begin again when a picked part is not there any more, or the parts have been moved."""
        if self._clicked:
            self._begin(_FIRST)


def _lines(shape: FaceShape) -> tuple[np.ndarray, ...]:
    """Return lines (k, 3) that show a shape: an axis, circles, a normal."""
    turns = np.linspace(0.0, 2.0 * np.pi, _ROUND + 1)[:, None]
    if shape.kind == "edge":
        return (shape.centre + np.array([[-0.5], [0.5]]) * shape.length * shape.axis,)
    if shape.kind == "sphere":
        axes = np.eye(3)
        return tuple(
            shape.centre + shape.size * (np.cos(turns) * axes[k] + np.sin(turns) * axes[k - 1])
            for k in range(3)
        )
    across = np.linalg.svd(shape.axis[None])[2][1:]
    ring = np.cos(turns) * across[0] + np.sin(turns) * across[1]
    if shape.kind == "plane":
        arrow = shape.centre + np.array([[0.0], [0.6]]) * shape.size * shape.axis
        return shape.centre + 0.4 * shape.size * ring, arrow
    ends = np.array([-0.5, 0.5]) * shape.length
    circles = [shape.centre + shape.size * ring + end * shape.axis for end in ends]
    return (*circles, shape.centre + 1.3 * ends[:, None] * shape.axis)
