"""The 3D view as a widget: has a plotter, owns a scene, turns clicks into picks."""

import os
from collections.abc import Hashable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QOffscreenSurface,
    QOpenGLContext,
    QSurfaceFormat,
)
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from faying_app.scene import camera as cameras
from faying_app.scene.drawing import depths_of
from faying_app.scene.offscreen import Offscreen
from faying_app.scene.overlay import Overlay
from faying_app.scene.pace import CLOSELY
from faying_app.scene.part_handles import PartDrag, part_handle_at, selected_part
from faying_app.scene.picking import Picked
from faying_app.scene.picture_view import PictureView
from faying_app.scene.scene import Scene
from faying_app.scene.section_handles import Drag, handle_at
from faying_app.view_state import PointerMode

os.environ.setdefault("QT_API", "pyside6")

# A press and a release closer than this many pixels are a click, else the camera was turned.
_CLICK_REACH = 4
_HOVER_DELAY = 60
_SOFTWARE_DRIVERS = ("llvmpipe", "softpipe", "swiftshader", "gdi generic")
_GL_RENDERER = 0x1F01

_MODE_WORDS: dict[PointerMode, str] = {
    "select": "",
    "probe": "Probing: click nodes for their values, again to drop them. Esc ends.",
    "distance": "Distance: click two points. Esc ends.",
    "angle": "Angle: click a point, the corner, and another point. Esc ends.",
    "face angle": "Angle: click two flat faces. Esc ends.",
    "radius": "Radius: click a round face. Esc ends.",
    "joint": "Joint: click a face or edge of one part, then of another. Esc ends.",
    "move": "Move: drag a part, or its arrows and rings (Shift: 15°). Esc ends.",
}
_NO_GL = (
    "The 3D view cannot be shown: {reason}\n\nEverything else works, including pictures and films. "
    "“faying doctor” on the command line lists what is missing."
)


class Viewport(QWidget):
    """Shows a scene. Left click picks, left drag turns or takes a section along, middle drag moves, wheel zooms.

    A click at an axis in the corner looks along it. Keys: arrows turn, Shift and arrows move, + and − zoom, Home fits.

    Args:
        parent: the widget around.
        by_processor: whether OpenGL is drawn by the processor; found out without it.

    Attributes:
        scene: what is shown; it works, unseen, even where no 3D view can be made.
        problem: why there is no 3D view, "" when there is one.
        overlay: what is painted over it; None without a 3D view.
        pointer: what a click means: "select", "probe" (a node whose value is wanted), else a place that is measured.
    """

    facet_clicked = Signal(int, object)  # facet number of the skin, keyboard modifiers
    pair_clicked = Signal(int, object)  # row of the contact pairs, keyboard modifiers
    member_clicked = Signal(
        str, int
    )  # "part", "constraint", "force" or "surface" of a system, and its number
    side_clicked = Signal(object)  # part or surface of a system that was clicked with Ctrl: `picking.Picked`
    node_clicked = Signal(int)  # row of the node that is to be probed
    place_clicked = Signal(object)  # place that is to be measured: `picking.Picked`
    axis_clicked = Signal(str)  # "+x", "-y" …: an axis in the corner
    section_dragged = Signal(
        int, float
    )  # number of a section, and the share of the extent at which it is now
    part_dragged = Signal(str, float)  # what of a part is moved ("x", "turn about x"), and how far so far
    part_dropped = Signal(int, object)  # number of a part that was dragged, and its pose now
    nothing_clicked = Signal(object)  # keyboard modifiers
    hovered = Signal(
        object, QPointF
    )  # what is under the pointer at rest (`picking.Picked` or None), and its place
    left = Signal()  # whatever was under the pointer is not any more: it left, or the camera is being moved
    menu_wanted = Signal(object, QPoint)  # what is there (`picking.Picked` or None), and where on the screen

    def __init__(self, parent: QWidget | None = None, *, by_processor: bool | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.problem, driver = find_driver()
        self._mode: PointerMode = "select"
        self.overlay: Overlay | None = None
        self._view: Any = None
        if self.problem:
            layout.addWidget(self._message(self.problem))
            self._plotter = Offscreen((1280, 720))
            self.scene = Scene(self._plotter)
            return
        if by_processor is None:
            by_processor = any(name in driver.lower() for name in _SOFTWARE_DRIVERS)
        if by_processor:
            self._view = PictureView(self, self._draw_if_moved)
        else:
            from faying_app.scene.interactor import PaintedOnce

            self._view = PaintedOnce(self, self._draw_if_moved)
        layout.addWidget(self._view)
        # A file that is dropped belongs to the window around, not to pyvista's reader.
        self._view.setAcceptDrops(False)
        self._view.setMinimumSize(160, 120)
        self._view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self._view)
        self.scene = Scene(self._view, self._redraw, self._view.devicePixelRatioF)
        self.overlay = Overlay(self._view, self.scene)
        self._still = QTimer(self, singleShot=True, interval=round(1000 * CLOSELY))
        self._still.timeout.connect(self._redraw)
        if by_processor:
            self.scene.stage.rest_later = self._still.start
            self._view.is_moving = lambda: self.scene.stage.is_moving
            self._view.instant = self._instant
            self.scene.stage.repaint = self._repaint
            self._view.drawn.connect(self.scene.stage.pace.note_drawn)
        self._drag: Drag | None = None
        self._moved: PartDrag | None = None
        self._press: dict[Qt.MouseButton, QPointF] = {}
        self._rest = QTimer(self, singleShot=True, interval=_HOVER_DELAY)
        self._rest.timeout.connect(self._look_under_pointer)
        self._pointer = QPointF()
        self._view.installEventFilter(self)

    # For the window around -----------------------------------------------------------------------------

    def grab_image(self, size: tuple[int, int] | None = None, transparent: bool = False) -> QImage:
        """Return the scene as it is shown now.

        Args:
            size: pixels; as the view without it. Another size is drawn without disturbing the view.
            transparent: leaves the background out.
        """
        from faying_app.scene.picture import draw_copy

        if size is None and not transparent and self._view is not None:
            self.scene.stage.pace.rest()
            return QImage(self._view.grabFramebuffer())
        pixels = draw_copy(self.scene, size or self.scene.size, transparent=transparent)
        height, width, channels = pixels.shape
        kind = QImage.Format.Format_RGBA8888 if channels == 4 else QImage.Format.Format_RGB888
        return QImage(np.ascontiguousarray(pixels).data, width, height, channels * width, kind).copy()

    @property
    def pointer(self) -> PointerMode:
        """What a click means."""
        return self._mode

    @pointer.setter
    def pointer(self, mode: PointerMode) -> None:
        self._mode = mode
        if self._view is not None and self.overlay is not None:
            choosing = mode == "select"
            self._view.setCursor(Qt.CursorShape.ArrowCursor if choosing else Qt.CursorShape.CrossCursor)
            self.overlay.set_mode(_MODE_WORDS[mode])
            self.overlay.move_parts(mode == "move")

    def depths(self) -> np.ndarray | None:
        """Return (height, width) the depths of the picture that is shown, from below; None where there is none."""
        if self._view is None:
            return None
        if hasattr(self._view, "makeCurrent"):
            self._view.makeCurrent()
        return depths_of(self._view.render_window)

    @property
    def view(self) -> QWidget | None:
        """The widget that is drawn on, None where there is no 3D view."""
        return self._view  # type: ignore[no-any-return]

    def closeEvent(self, event: QEvent) -> None:
        """Give back everything of OpenGL first."""
        if self._view is not None and not getattr(self._view, "_closed", False):
            self._rest.stop()
            self._still.stop()
            self._view.removeEventFilter(self)
            self.scene.close()
            self._view.close()
        elif self._view is None:
            self.scene.close()
            self._plotter.close()
        super().closeEvent(event)  # type: ignore[arg-type]

    # Events of the view --------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Watch mouse, keys and size of the view; VTK gets all mouse events as well."""
        kind = event.type()
        if isinstance(event, QMouseEvent):
            if self._drags(event):
                return True  # the camera stays
            if kind == QEvent.Type.MouseButtonPress:
                self._press[event.button()] = event.position()
                self._rest.stop()
                self.left.emit()
            elif kind == QEvent.Type.MouseButtonRelease:
                self._release(event)
            elif kind == QEvent.Type.MouseMove and event.buttons() == Qt.MouseButton.NoButton:
                self._pointer = event.position()
                self._rest.start()
        elif isinstance(event, QKeyEvent) and kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            # VTK's own keys would close the view or show it as wires; keys unknown here go to the window.
            known = kind == QEvent.Type.KeyPress and self._key(event)
            event.setAccepted(known)
            return True
        elif kind == QEvent.Type.Wheel:
            self.left.emit()
        elif kind == QEvent.Type.Leave:
            self._rest.stop()
            self.left.emit()
        elif kind == QEvent.Type.Resize:
            if self.overlay is not None:
                self.overlay.fit()
            QTimer.singleShot(0, self, self._after_resize)
        return False

    def _drags(self, event: QMouseEvent) -> bool:
        """Take hold of the handle of a section, drag it or let go; return whether the event was for that."""
        kind, place = event.type(), self._device_pixel(event.position())
        if self._mode == "move" and self._moves_part(event, place):
            return True
        if self._drag is not None:
            if kind == QEvent.Type.MouseMove:
                self.section_dragged.emit(self._drag.number, self._drag.share(*place))
            elif kind == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
                self._drag = None
            return True
        if self.overlay is None or not self.scene.content.display.sections or self._mode != "select":
            return False
        if kind == QEvent.Type.MouseMove and event.buttons() == Qt.MouseButton.NoButton:
            self.overlay.hold(handle_at(self.scene, *place))
        if kind != QEvent.Type.MouseButtonPress or event.button() != Qt.MouseButton.LeftButton:
            return False
        number = handle_at(self.scene, *place)
        if number is None:
            return False
        self.overlay.hold(number)
        self.left.emit()
        self._drag = Drag(self.scene, number, *place)
        return True

    def _moves_part(self, event: QMouseEvent, place: tuple[float, float]) -> bool:
        """Take hold of a part or a handle of the selected one, drag it or let go; return whether it was for that."""
        kind, left, overlay = event.type(), Qt.MouseButton.LeftButton, self.overlay
        stepped = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._moved is not None:
            if kind == QEvent.Type.MouseMove:
                self.scene.pose_parts(self._moved.poses(*place, stepped=stepped))
                self.part_dragged.emit(*self._moved.moved)
            elif kind == QEvent.Type.MouseButtonRelease and event.button() == left:
                moved, self._moved = self._moved, None
                poses = moved.poses(*place, stepped=stepped)
                self.scene.pose_parts(None)
                if moved.moved[1]:
                    self.part_dropped.emit(moved.number, poses[moved.number])
            return True
        if kind not in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress) or overlay is None:
            return False
        if self.scene.content.system is None or self.scene.content.context is not None:
            return False
        number = selected_part(self.scene)
        handle = None if number is None else part_handle_at(self.scene, number, *place)
        if kind == QEvent.Type.MouseMove:
            overlay.hold_part(handle)
            return False
        if event.button() != left:
            return False
        if handle is None:
            found = self.scene.pick(*place)
            number = self._part_of(found)
            if number is None:
                return False  # the camera is turned
            self.member_clicked.emit("part", number)
        self.left.emit()
        assert number is not None
        self._moved = PartDrag(self.scene, number, handle, *place)
        return True

    def _part_of(self, found: Picked | None) -> int | None:
        """Return the number of the part that was found, None for anything else."""
        system = self.scene.content.system
        if found is None or system is None:
            return None
        if found.kind == "surface":
            part = system.surfaces[found.number].part
            return part if part >= 0 else None
        return found.number if found.kind == "part" else None

    def _release(self, event: QMouseEvent) -> None:
        start = self._press.pop(event.button(), None)
        if start is None or (event.position() - start).manhattanLength() >= _CLICK_REACH:
            return
        if event.button() == Qt.MouseButton.RightButton:
            found = self.scene.pick(*self._device_pixel(event.position()))
            self.menu_wanted.emit(found, event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.LeftButton:
            self._click(event.position(), event.modifiers())

    def _click(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        axis = self.scene.pick_axis(*self._device_pixel(position))
        if axis:
            self.axis_clicked.emit(axis)
            return
        if self._mode == "probe":
            row = self.scene.pick_node(*self._device_pixel(position))
            if row is not None:
                self.node_clicked.emit(row)
            return
        found = self.scene.pick(*self._device_pixel(position))
        if self._mode not in ("select", "move"):
            if found is not None:
                self.place_clicked.emit(found)
            return
        if found is None:
            self.nothing_clicked.emit(modifiers)
        elif found.kind == "pair":
            self.pair_clicked.emit(found.number, modifiers)
        elif found.kind == "facet":
            self.facet_clicked.emit(found.number, modifiers)
        elif found.kind in ("part", "surface") and modifiers & Qt.KeyboardModifier.ControlModifier:
            self.side_clicked.emit(found)
        else:
            self.member_clicked.emit(found.kind, found.number)

    def _look_under_pointer(self) -> None:
        self.hovered.emit(self.scene.pick(*self._device_pixel(self._pointer)), self._pointer)

    def pixel_of(self, position: QPointF) -> tuple[float, float]:
        """Return the device pixel, counted from the lower left, of a place in the view."""
        return self._device_pixel(position)

    def _device_pixel(self, position: QPointF) -> tuple[float, float]:
        # VTK counts device pixels, upwards.
        ratio = self._view.devicePixelRatioF()
        return position.x() * ratio, (self._view.height() - position.y() - 1) * ratio

    def _key(self, event: QKeyEvent) -> bool:
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        pose = self.scene.camera
        arrows = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return False
        self.left.emit()
        if key in arrows:
            x, y = arrows[Qt.Key(key)]
            move = cameras.moved_pose(pose, -0.15 * x, -0.15 * y)
            self.scene.camera = move if shift else cameras.rolled_pose(pose, 10.0 * x, 10.0 * y)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.scene.camera = cameras.zoomed_pose(pose, 1.25)
        elif key == Qt.Key.Key_Minus:
            self.scene.camera = cameras.zoomed_pose(pose, 0.8)
        elif key == Qt.Key.Key_Home:
            self.scene.reset_camera()
        else:
            return False
        return True

    def _instant(self) -> tuple[Hashable, Hashable] | None:
        stage = self.scene.stage
        return None if stage.played is None else (stage.look, stage.played[1])

    def _repaint(self, look: Hashable, instant: Hashable) -> bool:
        found = bool(self._view.repaint_finished(look, instant))
        if found:
            self._still.stop()  # it would draw the frame that was drawn last
        return found

    def _draw_if_moved(self) -> None:
        if self.scene.stage.has_moved:
            self._redraw()

    def _redraw(self) -> None:
        self._view.redraw()
        if self.overlay is not None:
            self.overlay.update()  # its places in space have other pixels now

    def _after_resize(self) -> None:
        # Until somebody moves the camera, the body stays fitted into the view.
        if not getattr(self._view, "_closed", False):
            self.scene.fit_again()

    def _message(self, reason: str) -> QLabel:
        label = QLabel(_NO_GL.format(reason=reason), self)
        label.setObjectName("no_view_message")
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setMargin(24)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label


def find_driver() -> tuple[str, str]:
    """Return why no 3D view can be made here, "" when it can, and the name of what draws OpenGL."""
    platform = QGuiApplication.platformName()
    if platform in ("offscreen", "minimal", "vnc", "linuxfb"):
        return f"Qt's platform “{platform}” has no OpenGL.", ""
    wanted = QSurfaceFormat()
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setVersion(3, 2)
    surface, context = QOffscreenSurface(), QOpenGLContext()
    for thing in (surface, context):
        thing.setFormat(wanted)
    surface.create()
    if not context.create() or not context.makeCurrent(surface):
        return "no OpenGL context can be made.", ""
    version = context.format().version()
    driver = str(context.functions().glGetString(_GL_RENDERER))
    context.doneCurrent()
    if version < (3, 2):
        return f"OpenGL 3.2 is needed, the driver offers {version[0]}.{version[1]}.", driver
    return "", driver
