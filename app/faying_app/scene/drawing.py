"""The stage: visuals, light, camera and writing on one plotter. The scene decides what is shown on it."""

import weakref
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkRenderingCore import vtkLight

from faying.exporters.content import FontName
from faying_app.scene import camera as cameras
from faying_app.scene.actors import prepare_vtk, write_with
from faying_app.scene.camera import CameraPose
from faying_app.scene.colours import LIGHT, SceneTheme, rgb
from faying_app.scene.content import SceneContent, changed_in
from faying_app.scene.pace import Pace
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.section import SectionVisual

# Where the lamps stand seen from the camera (right, up, towards it), and how strong they are.
_LAMPS = (((-0.5, 0.8, 0.8), 0.74), ((0.7, -0.5, 0.7), 0.46), ((0.1, 0.6, -0.8), 0.25))
_OF_MODEL = {"model", "skin", "skin_normals", "size", "system"}
# What only moves and switches what is drawn already.
_MOVED = {"frame", "spanned", "probes", "body_style", "switches"}
_FIRST_POSE = CameraPose((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1.0)


class Drawing:
    """Draws a content with one visual of every kind; renders nothing itself.

    Args:
        plotter: a live `QtInteractor` or an `offscreen.Offscreen`.
        request_render: called after every change.
        text_scale: gives device pixels per design pixel, for writing, lines and points.

    Attributes:
        content: what is drawn.
        visuals: by kind.
        theme: the colours.
        renderer: VTK's.
        rest_later: called after a coarse picture to have a full one drawn once nothing moves; None draws all in full.
        repaint: paints a finished picture of (look, instant) if there is one; None keeps no pictures.
        pace: tells whether pictures follow each other closely; whoever shows them reports each finished one to it.
        revision: grows with every change but that of the frame.
        played: (how frames are shown, frame and phase) while they play, None for single pictures.
    """

    def __init__(
        self, plotter: Any, request_render: Callable[[], None], text_scale: Callable[[], float]
    ) -> None:
        prepare_vtk()
        self._plotter, self.renderer = plotter, plotter.renderer
        self.request_render, self.text_scale = request_render, text_scale
        # What is seen through here is one layer or of one colour: sorting it would take two passes more.
        self.renderer.SetUseOIT(False)
        # Else pyvista would choose a camera of its own at the first rendering.
        self.renderer.camera_set = True
        self._sizes_scaled_by = 0.0
        self.content, self.theme = SceneContent(), LIGHT
        self.revision = 0
        self.played: tuple[Hashable, Hashable] | None = None
        self.worn: SceneTheme | None = None  # as long as the visuals have no colours yet
        self.visuals: dict[str, Visual] = {kind: made(self.renderer) for kind, made in visuals.items()}
        self._light()
        cameras.apply_pose(self.renderer, cameras.turned_pose(_FIRST_POSE, "iso"))
        self.rest_later: Callable[[], None] | None = None
        self.repaint: Callable[[Hashable, Hashable], bool] | None = None
        self.pace = Pace()
        self._shared: tuple[Any, int] | None = None
        self._in_motion: dict[Any, np.ndarray | None] = {}
        # VTK would keep the stage alive through the observer: it gets a weak reference.
        me = weakref.ref(self)
        self._observer = self.renderer.AddObserver("StartEvent", lambda *_: _begin_picture(me()))

    def close(self) -> None:
        """Leave the plotter."""
        self.renderer.RemoveObserver(self._observer)
        if self._shared is not None:
            self._shared[0].RemoveObserver(self._shared[1])
        for visual in self.visuals.values():
            visual.remove()

    def show(self, content: SceneContent, *, only_frame: bool = False) -> set[str]:
        """Draw another content; return the names of the attributes in which it differs from the former one.

        Args:
            content: what is drawn now.
            only_frame: whether it is the next picture of an animation, of which all else stays.
        """
        changed = {"frame", "spanned"} if only_frame else changed_in(self.content, content)
        self.content = replace(content, shown=self.content.shown)
        if "switches" in changed:
            for kind, wanted in content.switches.items():
                self.visuals[kind].wanted = wanted
        if changed & _OF_MODEL:
            changed.add("model")  # as visuals call all of it
        if changed - _MOVED:
            self._note_shown()
            self._in_motion.clear()
            for visual in self.visuals.values():
                if changed & visual.reads:
                    visual.build(self.content)
        if changed:
            self.move(only_frame=only_frame)
        return changed

    def move(self, *, only_frame: bool = False) -> None:
        """Draw the content again where its frame or the visibility of visuals has changed."""
        self.revision += not only_frame
        self._note_shown()
        for visual in self.visuals.values():
            visual.move(self.content)
        for visual in self.visuals.values():
            visual.refresh(self.content)
        section = self.visuals["section"]
        assert isinstance(section, SectionVisual)
        section.cut(self.content, self.visuals)
        self.renderer.ResetCameraClippingRange()
        self.request_render()

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        self.theme = self.worn = theme
        self.renderer.SetBackground(*rgb(theme.background))
        self.renderer.SetBackground2(*rgb(theme.background_top))
        self.renderer.SetGradientBackground(True)
        # So few steps are not seen; to blur them costs a processor more than the gradient itself.
        self.renderer.SetDitherGradient(False)
        for visual in self.visuals.values():
            visual.apply_theme(theme)
        self.move()

    def write_with(self, font: FontName) -> None:
        """Write everything with another font."""
        for visual in self.visuals.values():
            for text in visual.written:
                write_with(text, font)

    def is_shown(self, kind: str) -> bool:
        """Return whether a kind of visual is wanted and has something to show."""
        return self.visuals[kind].is_shown(self.content)

    @property
    def camera(self) -> CameraPose:
        """Where the camera stands, in plain numbers."""
        return cameras.read_pose(self.renderer.GetActiveCamera())

    @camera.setter
    def camera(self, pose: CameraPose) -> None:
        cameras.apply_pose(self.renderer, pose)
        self.renderer.ResetCameraClippingRange()
        self.request_render()

    def share_camera(self, other: "Drawing") -> None:
        """Look through the camera of another stage; a change of it draws both."""
        camera = other.renderer.GetActiveCamera()
        self.renderer.SetActiveCamera(camera)
        stages = weakref.WeakSet([self, other])

        def moved(*_: object) -> None:
            for stage in stages:
                stage.request_render()

        self._shared = camera, camera.AddObserver("ModifiedEvent", moved)

    @property
    def look(self) -> Hashable:
        """Key of a picture while frames play, apart from the frame: settings, camera, size; None while none play."""
        return None if self.played is None else (self.played[0], self.camera, self.size, self.revision)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view in device pixels."""
        width, height = self._plotter.render_window.GetSize()
        return max(int(width), 1), max(int(height), 1)

    def sheet(self) -> Sheet:
        """Return the plane of the picture as the camera sees it now."""
        (width, height), pose = self.size, self.camera
        near, far = self.renderer.GetActiveCamera().GetClippingRange()
        return Sheet(
            width=width,
            height=height,
            scale=self.text_scale(),
            matrix=cameras.projection(self.renderer, width, height),
            axes=cameras.axes_of(pose),
            pixels_per_length=0.5 * height / max(pose.half_height, 1e-300),
            depth=far - near,
        )

    def nodes_in_motion(self) -> np.ndarray | None:
        """Return rows of the nodes that the next frame's picture needs if it is drawn coarsely, None for all."""
        if self.rest_later is None or not self.pace.is_quick:
            return None
        key = self.content.probes, self.content.shows_joint_field
        if key not in self._in_motion:
            wanted = [visual.nodes_in_motion(self.content) for visual in self.visuals.values()]
            some = [rows for rows in wanted if rows is not None]
            self._in_motion[key] = np.unique(np.concatenate(some)) if len(some) == len(wanted) else None
        return self._in_motion[key]

    @property
    def is_moving(self) -> bool:
        """Whether the next picture is one of a movement, after which another one will be drawn at rest."""
        return self.rest_later is not None and self.pace.is_quick and self.has_moved

    @property
    def has_moved(self) -> bool:
        """Whether camera or frame are others than in the last picture."""
        return self.pace.is_new(self.camera, self.content.frame)

    def begin_picture(self) -> None:
        """Choose how fine meshes are drawn, and lay out what is written over; runs before every rendering."""
        moving = self.pace.is_moving(self.camera, self.content.frame) and self.rest_later is not None
        if not moving and self.content.frame is not None:
            self.content.frame.complete()
        for visual in self.visuals.values():
            visual.choose_detail(self.content, moving)
        self.renderer.ResetCameraClippingRange()
        if moving and self.rest_later is not None:
            self.rest_later()
        self.write_over()

    def write_over(self) -> None:
        """Lay out what is written over the picture."""
        sheet = self.sheet()
        if sheet.scale != self._sizes_scaled_by:
            self._sizes_scaled_by = sheet.scale
            for visual in self.visuals.values():
                visual.scale_sizes(sheet.scale)
        # Plates first: labels keep clear of them.
        for visual in sorted(self.visuals.values(), key=lambda visual: visual.keeps_clear):
            visual.write(self.content, sheet)
            visual.draw_writing()
            sheet.plates.extend(visual.plates)

    def _note_shown(self) -> None:
        shown = frozenset(kind for kind in self.visuals if self.is_shown(kind))
        if shown != self.content.shown:
            self.content = replace(self.content, shown=shown)

    def _light(self) -> None:
        # Key, fill and back light, all at the camera: no face that is looked at is dark, and edges stand out.
        self.renderer.RemoveAllLights()
        for position, intensity in _LAMPS:
            light = vtkLight()
            light.SetLightTypeToCameraLight()
            light.SetPosition(*position)
            light.SetIntensity(intensity)
            self.renderer.AddLight(light)
        self.renderer.SetAutomaticLightCreation(False)


def _begin_picture(stage: Drawing | None) -> None:
    if stage is not None:
        stage.begin_picture()


def depths_of(render_window: Any) -> np.ndarray:
    """Return (height, width) the depths of the last picture of a render window, 0 near and 1 far, from below."""
    width, height = render_window.GetSize()
    found = vtkFloatArray()
    render_window.GetZbufferData(0, 0, width - 1, height - 1, found)
    return np.asarray(vtk_to_numpy(found)).reshape(height, width)
