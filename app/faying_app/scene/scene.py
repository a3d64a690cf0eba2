"""The scene: what is drawn, on any pyvista plotter, in a window or without one."""

import os
import sys
import weakref
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkLight

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.results.fields import FieldContext
from faying_app.scene import camera as cameras
from faying_app.scene.actors import prepare_vtk
from faying_app.scene.camera import CameraPose, Margins
from faying_app.scene.colours import DARK, LIGHT, rgb
from faying_app.scene.content import BodyStyle, Content, Highlight, Load, Symbols
from faying_app.scene.frames import evaluate_frame, suggest_scale
from faying_app.scene.meshes import slave_facets
from faying_app.scene.picking import Picked, pick_facet, pick_pair
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.body import BodyVisual
from faying_app.scene.visuals.legend import LegendVisual
from faying_app.scene.visuals.symbols import SymbolsVisual

# Design pixels that a usual legend takes at the right border.
_LEGEND_WIDTH = 124.0


class Scene:
    """Draws a body, its joints and its results with a family of visuals.

    Nothing is rendered here: after a change the scene asks for it once.

    Args:
        plotter: a live `QtInteractor` or an off-screen `pyvista.Plotter`.
        request_render: called after every change.
        text_scale: gives device pixels per design pixel, for writing, lines and points.
    """

    def __init__(
        self,
        plotter: Any,
        request_render: Callable[[], None] = lambda: None,
        text_scale: Callable[[], float] = lambda: 1.0,
    ) -> None:
        prepare_vtk()
        self._plotter, self._renderer = plotter, plotter.renderer
        self._request_render, self._text_scale = request_render, text_scale
        # Else pyvista would choose a camera of its own at the first rendering.
        self._renderer.camera_set = True
        self._sizes_scaled_by = 0.0
        self.content = Content()
        self.theme = LIGHT
        self.visuals: dict[str, Visual] = {kind: made(self._renderer) for kind, made in visuals.items()}
        self._light()
        pose = CameraPose((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1.0)
        cameras.apply_pose(self._renderer, cameras.turned_pose(pose, "iso"))
        self._fitted = self.camera
        # VTK would keep the scene alive through the observer: it gets a weak reference.
        me = weakref.ref(self)
        self._observer = self._renderer.AddObserver("StartEvent", lambda *_: _write_over(me()))
        self.apply_theme(dark=False)

    def close(self) -> None:
        """Leave the plotter."""
        self._renderer.RemoveObserver(self._observer)
        for visual in self.visuals.values():
            visual.remove()

    # What is shown ------------------------------------------------------------------------------------

    def set_model(self, model: FeModel | None, skin: Skin | None) -> None:
        """Show a body by its exterior facets; forget everything that belonged to another one.

        Args:
            model: the body's model.
            skin: its exterior facets; picked facets are numbered as there.
        """
        kept = self.content
        self.content = Content(units=kept.units, body_style=kept.body_style)
        if model is not None and skin is not None:
            self.content.model, self.content.skin = model, skin.surface
            self.content.skin_normals = skin.normals
            points = model.nodes[skin.surface.nodes]
            self.content.size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 1.0
        self._change("model")

    def set_surfaces(self, master: Surface | None, slave: Surface | None) -> None:
        """Show the surfaces of a joint in two colours, or none."""
        self.content.master, self.content.slave = master, slave
        self._change("master")

    def set_pairs(self, pairs: ContactPairs | None) -> None:
        """Show contact pairs, or none; rows that were highlighted are forgotten."""
        self.content.pairs = pairs
        self.content.highlight = Highlight(facets=self.content.highlight.facets)
        self._change("pairs")

    def set_highlight(self, *, pairs: Iterable[int] = (), facets: Iterable[int] = ()) -> None:
        """Highlight rows of the contact pairs and facets of the skin; nothing takes the highlight away."""
        self.content.highlight = Highlight(tuple(int(i) for i in pairs), tuple(int(i) for i in facets))
        self._change("highlight")

    def set_symbols(
        self,
        interfaces: dict[str, int] | None = None,
        supports: Iterable[int] = (),
        loads: Iterable[Load] = (),
    ) -> None:
        """Mark interface nodes by name, supported nodes and loads; all by node row."""
        self.content.symbols = Symbols(dict(interfaces or {}), tuple(supports), tuple(loads))
        self._change("symbols")

    def set_units(self, system: str) -> None:
        """Name units in legend and caption after a unit system ("mm-t-s")."""
        self.content.units = system
        self._change("units")

    def set_title(self, title: str) -> None:
        """Write above the caption what is shown: the name of an analysis."""
        self.content.title = title
        self._change("title")

    def set_frames(
        self,
        context: FieldContext | None,
        joint_pairs: dict[str, ContactPairs],
        joint_slaves: dict[str, Surface] | None = None,
    ) -> None:
        """Take frames of a result or of mode shapes; None goes back to the model itself.

        Args:
            context: the frames and what their fields need.
            joint_pairs: contact pairs by joint name.
            joint_slaves: slave surfaces by joint name; found from the pairs without them.
        """
        content = self.content
        if (
            context is not None
            and content.model is not None
            and len(context.body.nodes) != len(content.model.nodes)
        ):
            raise ModelError("These results belong to another model.", "Run the analysis again.")
        untouched = self.is_fitted and content.frame is not None
        content.context, content.frame = context, None
        content.joint_pairs = dict(joint_pairs)
        content.joint_slaves = dict(joint_slaves or {})
        for name, pairs in content.joint_pairs.items():
            if name not in content.joint_slaves and content.skin is not None:
                content.joint_slaves[name] = slave_facets(content.skin, pairs)
        self._change("context")
        if untouched:
            self.reset_camera()

    def show_frame(
        self,
        frame: int,
        *,
        field: str | None,
        joint: str = "",
        scale: float = 1.0,
        limits: tuple[float, float] | None = None,
        phase: float = 1.0,
    ) -> None:
        """Show one frame; only positions and values of what is drawn already change.

        Args:
            frame: number of the frame.
            field: kind of the field that gives the colours; None for the mere deformation.
            joint: of a joint field; "" for all joints.
            scale: factor of the displacements.
            limits: of the colours; None takes those of this frame.
            phase: factor of the coordinates, for a mode shape that swings.

        Raises:
            ModelError: when there is no such frame, field or joint.
        """
        content = self.content
        if content.context is None or content.model is None:
            raise ModelError("There are no frames to show.", "Choose a result or the mode shapes.")
        begins, untouched = content.frame is None, self.is_fitted
        content.frame = evaluate_frame(
            content.context, content.joint_pairs, content.model.nodes, frame,
            field=field, joint=joint, scale=scale, limits=limits, phase=phase,
        )  # fmt: skip
        self._move()
        if begins and untouched:
            # Nobody has chosen a point of view: one is taken from which all of the movement is seen.
            self.reset_camera(self._some_frames(frame))

    def _some_frames(self, shown: int) -> list[int]:
        """Return frames enough to know how far the body moves; of modes the shown one."""
        context = self.content.context
        if context is None or context.frames.axis == "mode":
            return [shown]
        count = context.frames.n_frames
        return sorted({round(i) for i in np.linspace(0, count - 1, min(count, 12))})

    def suggest_scale(self) -> float:
        """Return a deformation scale at which the movement of the frames can be seen."""
        content = self.content
        return suggest_scale(content.context, content.size) if content.context is not None else 1.0

    def copy_from(self, other: "Scene") -> None:
        """Show what another scene shows, from the same point of view."""
        self.content = replace(other.content)
        for kind, visual in other.visuals.items():
            self.visuals[kind].wanted = visual.wanted
        self._note_shown()
        for visual in self.visuals.values():
            visual.build(self.content)
        self._move()
        self.camera = other.camera

    # How it is shown ----------------------------------------------------------------------------------

    def set_visible(self, kind: str, visible: bool) -> None:
        """Switch a kind of visual on or off ("mesh_edges", "normals", "legend", …); see `visuals`."""
        self.visuals[kind].wanted = visible
        self._move()

    def is_wanted(self, kind: str) -> bool:
        """Return whether a kind of visual is switched on."""
        return self.visuals[kind].wanted

    def set_body_style(self, style: BodyStyle) -> None:
        """Draw the body "solid", as a "ghost", "hidden", or "auto": a ghost if it would hide a joint."""
        self.content.body_style = style
        self._move()

    def apply_theme(self, dark: bool) -> None:
        """Take the dark or the light colours."""
        self.theme = DARK if dark else LIGHT
        self._renderer.SetBackground(*rgb(self.theme.background))
        self._renderer.SetBackground2(*rgb(self.theme.background_top))
        self._renderer.SetGradientBackground(True)
        for visual in self.visuals.values():
            visual.apply_theme(self.theme)
        self._move()

    # Where the camera stands --------------------------------------------------------------------------

    @property
    def camera(self) -> CameraPose:
        """Where the camera stands, in plain numbers."""
        return cameras.read_pose(self._renderer.GetActiveCamera())

    @camera.setter
    def camera(self, pose: CameraPose) -> None:
        cameras.apply_pose(self._renderer, pose)
        self._renderer.ResetCameraClippingRange()
        self._request_render()

    def view(self, direction: str) -> None:
        """Look from a direction ("iso", "+x", … "-z") and fit the body into the view."""
        self.camera = cameras.turned_pose(self.camera, direction)
        self.reset_camera()

    def reset_camera(self, frames: Iterable[int] = ()) -> None:
        """Fit the body into the view, as it is drawn now, or in all of some frames at the shown scale."""
        content = self.content
        if content.skin is None or not content.skin.n_facets:
            return
        nodes = content.skin.nodes
        seen = [content.positions[nodes], *self._symbol_points()]
        if content.context is not None and content.model is not None and content.frame is not None:
            scale = content.frame.scale
            for number in frames:
                shown = evaluate_frame(
                    content.context, {}, content.model.nodes, number, field=None, scale=scale
                )
                seen.append(shown.positions[nodes])
                if content.context.frames.axis == "mode":  # it swings to both sides
                    seen.append(2 * content.model.nodes[nodes] - shown.positions[nodes])
        width, height = self.size
        margins = self._margins(width, height)
        self.camera = cameras.fitted_pose(self.camera, np.concatenate(seen), width / height, margins)
        self._fitted = self.camera

    @property
    def is_fitted(self) -> bool:
        """Whether the camera stands where the last fit put it: nobody has moved it since."""
        return self._fitted == self.camera

    @property
    def text_scale(self) -> float:
        """Device pixels per design pixel of writing, lines and points."""
        return self._text_scale()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view in device pixels."""
        width, height = self._plotter.render_window.GetSize()
        return max(int(width), 1), max(int(height), 1)

    def _symbol_points(self) -> list[np.ndarray]:
        content = self.content
        marks = self.visuals["symbols"]
        assert isinstance(marks, SymbolsVisual)
        return [marks.extent(content)] if marks.is_shown(content) else []

    def _margins(self, width: int, height: int) -> Margins:
        legend, scale = self.visuals["legend"], self._text_scale()
        assert isinstance(legend, LegendVisual)
        legend.write(self.content, self._sheet())
        # With frames the usual legend's place stays free, so that no other field hides the body.
        taken = max(legend.width, _LEGEND_WIDTH * scale if self.content.frame is not None else 0.0)
        right = min(0.35, (taken + 12 * scale) / width) if taken else 0.03
        left = 0.03
        if self.visuals["symbols"].is_shown(self.content):
            # Names of nodes stand out at both sides.
            side = 50 * scale / width
            left, right = min(0.15, side), min(0.4, right + side)
        top, bottom = min(0.25, 62 * scale / height), min(0.2, 30 * scale / height)
        return Margins(left=left, right=right, top=top, bottom=bottom)

    # What lies where ----------------------------------------------------------------------------------

    def pick(self, x: float, y: float) -> Picked | None:
        """Return what is drawn at a device pixel counted from the lower left: a pair, a facet, or None."""
        if self.visuals["pairs"].is_shown(self.content):
            found = pick_pair(self.content, self._sheet(), x, y)
            if found is not None:
                return found
        body = self.visuals["body"]
        assert isinstance(body, BodyVisual)
        return pick_facet(body, self._renderer, x, y)

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return device pixels (n, 2), counted from the lower left, of points (n, 3)."""
        return self._sheet().pixels(points)

    # Inner workings -----------------------------------------------------------------------------------

    def _change(self, part: str) -> None:
        self._note_shown()
        for visual in self.visuals.values():
            if part in visual.reads:
                visual.build(self.content)
        self._move()

    def _move(self) -> None:
        self._note_shown()
        for visual in self.visuals.values():
            visual.move(self.content)
        for visual in self.visuals.values():
            visual.refresh(self.content)
        self._renderer.ResetCameraClippingRange()
        self._request_render()

    def _note_shown(self) -> None:
        self.content.shown = {kind for kind, v in self.visuals.items() if v.is_shown(self.content)}

    def _sheet(self) -> Sheet:
        (width, height), pose = self.size, self.camera
        return Sheet(
            width=width,
            height=height,
            scale=self._text_scale(),
            dots_per_inch=self._plotter.render_window.GetDPI(),
            matrix=cameras.projection(self._renderer, width, height),
            axes=cameras.axes_of(pose),
            pixels_per_length=0.5 * height / max(pose.half_height, 1e-300),
        )

    def _light(self) -> None:
        # One light beside the camera: quick to draw, and no face that is looked at is dark.
        self._renderer.RemoveAllLights()
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(-0.35, 0.45, 1.0)
        self._renderer.AddLight(light)
        self._renderer.SetAutomaticLightCreation(False)

    def write_over(self) -> None:
        """Lay out what is written over the picture; runs before every rendering."""
        sheet = self._sheet()
        if sheet.scale != self._sizes_scaled_by:
            self._sizes_scaled_by = sheet.scale
            for visual in self.visuals.values():
                visual.scale_sizes(sheet.scale)
        for visual in self.visuals.values():
            visual.write(self.content, sheet)


def _write_over(scene: Scene | None) -> None:
    if scene is not None:
        scene.write_over()


def offscreen_plotter(size: tuple[int, int]) -> Any:
    """Return a plotter that draws without a window, of a size in pixels."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        # Without X VTK draws through EGL; asking for it spares a complaint about the missing display.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    return pv.Plotter(off_screen=True, window_size=size)
