"""The scene: what is drawn, on any pyvista plotter, in a window or without one."""

import weakref
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.results.field import Pose
from faying.results.fields import Field, FieldSource
from faying_app.scene import camera as cameras
from faying_app.scene.at_nodes import AtNodes
from faying_app.scene.camera import CameraPose
from faying_app.scene.colours import DARK, LIGHT, SceneTheme, theme_with
from faying_app.scene.content import SceneContent, ShownFrame, content_of_model
from faying_app.scene.drawing import Drawing
from faying_app.scene.few_nodes import FewNodes
from faying_app.scene.fitting import fitting_pose, sampled_frames
from faying_app.scene.frames import chosen_joints, evaluate_frame, suggest_scale
from faying_app.scene.meshes import slave_facets
from faying_app.scene.picking import Picked, nearest_node, pick_facet, pick_in_system, pick_pair
from faying_app.scene.prefetch import FramePrefetch
from faying_app.scene.systems import ShownSystem
from faying_app.scene.visuals import Visual
from faying_app.scene.visuals.body import BodyVisual
from faying_app.scene.visuals.rigid_surfaces import RigidSurfacesVisual
from faying_app.scene.visuals.system import RigidPartsVisual
from faying_app.scene.visuals.triad import TriadVisual

_FAR_AWAY = 6.0  # a motion that needs a picture so many times larger than its start is not seen as a whole


class Scene:
    """Shows a body, its joints and its results, through a camera of its own, and tells what lies under a pixel.

    Nothing is rendered here: after a change the scene asks for it once.

    Args:
        plotter: a live `QtInteractor` or an `offscreen.Offscreen`.
        request_render: called after every change.
        text_scale: gives device pixels per design pixel, for writing, lines and points.

    Attributes:
        stage: draws the content.
        is_seen: whether its view is there to be seen; one that is hidden is not fitted.
    """

    def __init__(
        self,
        plotter: Any,
        request_render: Callable[[], None] = lambda: None,
        text_scale: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self.stage = Drawing(plotter, request_render, text_scale)
        self._fitted = self.camera
        self._fitted_frames: tuple[int, ...] = ()
        self._first: Scene | None = None  # whose camera this one looks through
        self._others: weakref.WeakSet[Scene] = weakref.WeakSet()  # that look through this one's
        self._ahead = FramePrefetch()
        self._few: FewNodes | None = None
        self.is_seen = True
        self._is_dark = False
        self.apply_theme(dark=False)

    def close(self) -> None:
        """Leave the plotter."""
        self._ahead.close()
        self.stage.close()

    @property
    def content(self) -> SceneContent:
        """All that there is to draw."""
        return self.stage.content

    @property
    def visuals(self) -> dict[str, Visual]:
        """What the scene is made of, by kind."""
        return self.stage.visuals

    @property
    def theme(self) -> SceneTheme:
        """The colours."""
        return self.stage.theme

    # What is shown ------------------------------------------------------------------------------------

    def show(self, content: SceneContent) -> None:
        """Show another content; only what differs from the present one is drawn again.

        A frame that is shown stays as long as model and frames are the same; `show_frame` shows another.

        Raises:
            ModelError: when the frames belong to another model.
        """
        before = self.content
        frames, model = content.context, content.model
        if frames is not None and model is not None and frames.n_nodes != len(model.nodes):
            raise ModelError("These results belong to another model.", "Run the analysis again.")
        stays = frames is before.context and model is before.model
        frame, spanned = (before.frame, before.spanned) if stays else (None, "")
        untouched = self.is_fitted and before.frame is not None
        changed = self.stage.show(replace(content, frame=frame, spanned=spanned))
        if not stays:
            self._few = None
        if "display" in changed:
            self._wear()
        if untouched and not stays and model is before.model:
            self.reset_camera()

    def change(self, **changes: Any) -> None:
        """Show the content with some attributes changed, as `show`."""
        self.show(replace(self.content, **changes))

    def set_model(self, model: FeModel | None, skin: Skin | None, system: ShownSystem | None = None) -> None:
        """Show a body by its exterior facets; forget everything that belonged to another one.

        Args:
            model: the body's model.
            skin: its exterior facets; picked facets are numbered as there.
            system: of whose parts model and skin are put together; None for a single body.
        """
        now = self.content
        kept = {name: getattr(now, name) for name in ("units", "body_style", "display", "switches")}
        content = SceneContent()
        if model is not None and skin is not None:
            content = content_of_model(model, skin, system)
        self.show(replace(content, **kept))

    def set_pairs(self, pairs: ContactPairs | None) -> None:
        """Show contact pairs, or none; rows that were highlighted are forgotten."""
        highlight = replace(self.content.highlight, pairs=(), member=("", ""))
        self.change(pairs=pairs, highlight=highlight)

    def set_frames(
        self,
        context: FieldSource | None,
        joint_pairs: dict[str, ContactPairs],
        joint_slaves: dict[str, Surface] | None = None,
    ) -> None:
        """Take frames of a result or of mode shapes; None goes back to the model itself.

        Args:
            context: the frames and what their fields need.
            joint_pairs: contact pairs by joint name.
            joint_slaves: slave surfaces by joint name; found from the pairs without them.

        Raises:
            ModelError: when the frames belong to another model.
        """
        slaves, skin = dict(joint_slaves or {}), self.content.skin
        for name, pairs in joint_pairs.items():
            if name not in slaves and skin is not None:
                slaves[name] = slave_facets(skin, pairs)
        self.change(context=context, joint_pairs=dict(joint_pairs), joint_slaves=slaves)

    def show_frame(
        self,
        frame: int,
        *,
        field: str | Field | None,
        joint: str = "",
        scale: float = 1.0,
        limits: tuple[float, float] | None = None,
        phase: float = 0.0,
        spanned: str = "",
        played: Hashable = None,
    ) -> None:
        """Show one frame; only positions and values of what is drawn already change.

        Args:
            frame: number of the frame.
            field: kind or formula of the field that gives the colours, or itself; None for the mere deformation.
            joint: of a joint field; "" for all joints.
            scale: factor of the displacements.
            limits: of the colours; None takes those of this frame.
            phase: angle of the period at which a mode or operating shape is shown; zero as it is stored.
            spanned: what the limits are those of, in words for the legend.
            played: while frames play, all that decides how they are shown; finished pictures are kept by it.

        Raises:
            ModelError: when there is no such frame, field or joint.
        """
        content = self.content
        self.stage.played = None if played is None else (played, (frame, phase))
        if content.context is None or content.model is None:
            raise ModelError("There are no frames to show.", "Choose a result or the mode shapes.")
        begins, untouched = content.frame is None, self.is_fitted
        self._ahead.hand_over(content.context, frame)
        shown = evaluate_frame(
            content.context, content.joint_pairs, content.model.nodes, frame,
            field=field, joint=joint, scale=scale, limits=limits, phase=phase, display=content.display,
            few=self._few_nodes(content.context),
        )  # fmt: skip
        if shown.is_whole:
            self._ahead.go_on(content.context, frame)
        self.stage.show(replace(content, frame=shown, spanned=spanned), only_frame=played is not None)
        if begins and untouched:
            # Nobody has chosen a point of view: one is taken from which all of the movement is seen.
            near, frames = fitting_pose([self.stage]).half_height, sampled_frames(self.content, frame)
            far = fitting_pose([self.stage], frames).half_height
            # Of what flies far away the start is seen: the rest would be a dot.
            self.reset_camera(frames if far < _FAR_AWAY * near else ())

    def pose_parts(self, poses: tuple[Pose, ...] | None) -> None:
        """Show the parts of a system at other poses, undeformed, as long as there are no frames; None as it starts.

        Args:
            poses: of all parts, in their order.
        """
        content = self.content
        if content.system is None or content.model is None or content.context is not None:
            return
        if poses is None:
            self.stage.show(replace(content, frame=None, spanned=""))
            return
        system, nodes = content.system, content.model.nodes.copy()
        for part, (start, first), (place, turn) in zip(system.parts, system.starts, poses, strict=True):
            nodes[part.rows] = place + (nodes[part.rows] - start) @ (turn @ first.T).T
        frame = ShownFrame(0, None, "", 1.0, (0.0, 0.0), AtNodes(nodes), None, poses)
        self.stage.show(replace(content, frame=frame, spanned=""))

    def replay(self, frame: int, phase: float, played: Hashable) -> bool:
        """Paint the finished picture of a frame once more; return whether there is one.

        The content stays that of the last frame that was drawn: whoever ends the playing shows his frame again.
        """
        stage = self.stage
        if stage.repaint is None or stage.played is None or stage.played[0] != played:
            return False
        return stage.repaint(stage.look, (frame, phase))

    def _few_nodes(self, context: FieldSource) -> FewNodes | None:
        """Return the nodes that the next picture needs if it is one of a movement, None for all."""
        rows = self.stage.nodes_in_motion()
        body = context.of_body
        if rows is None or body is None:
            return None
        if self._few is None or not self._few.are_of(body, rows):
            self._few = FewNodes(body, rows)
        return self._few

    def suggest_scale(self) -> float:
        """Return a deformation scale at which the movement of the frames can be seen."""
        content = self.content
        return suggest_scale(content.context, content.size) if content.context is not None else 1.0

    def copy_from(self, other: "Scene") -> None:
        """Show what another scene shows, from the same point of view."""
        self._is_dark = other._is_dark
        for kind, visual in other.visuals.items():
            self.visuals[kind].wanted = visual.wanted
        self.stage.show(other.content)
        self._wear()
        self.camera = other.camera

    # How it is shown ----------------------------------------------------------------------------------

    def set_visible(self, kind: str, visible: bool) -> None:
        """Switch a kind of visual on or off ("mesh_edges", "normals", "legend", …); see `visuals`."""
        self.change(switches={**self.content.switches, kind: visible})

    def is_wanted(self, kind: str) -> bool:
        """Return whether a kind of visual is switched on."""
        return self.visuals[kind].wanted

    def apply_theme(self, dark: bool) -> None:
        """Take the dark or the light colours."""
        self._is_dark = dark
        self._wear()

    def _wear(self) -> None:
        theme = theme_with(DARK if self._is_dark else LIGHT, self.content.display.background)
        if theme != self.stage.worn:
            self.stage.apply_theme(theme)

    # Where it is looked at from ---------------------------------------------------------------------

    @property
    def camera(self) -> CameraPose:
        """Where the camera stands, in plain numbers."""
        return self.stage.camera

    @camera.setter
    def camera(self, pose: CameraPose) -> None:
        self.stage.camera = pose

    def view(self, direction: str) -> None:
        """Look from a direction ("iso", "+x", … "-z") and fit the body into the view; what falls falls down there."""
        system = self.content.system
        upwards = cameras.upwards_of((0.0, 0.0, 0.0) if system is None else system.gravity)
        self.camera = cameras.turned_pose(self.camera, direction, upwards)
        self.reset_camera()

    def reset_camera(self, frames: Iterable[int] = ()) -> None:
        """Fit the body into the view, as it is drawn now, or in all of some frames at the shown scale.

        Scenes that look through one camera are fitted together.
        """
        if self._first is not None:
            self._first.reset_camera(frames)
            return
        self._fitted_frames = tuple(frames)
        seen = [other.stage for other in self._others if other.is_seen and other.content.model is not None]
        self.camera = fitting_pose([self.stage, *seen], self._fitted_frames)
        self._fitted = self.camera

    def fit_again(self) -> None:
        """Fit what was fitted last into a view that has another size, unless somebody has moved the camera since."""
        first = self._first or self
        if first.is_fitted:
            count = 0 if first.content.context is None else first.content.context.frames.n_frames
            first.reset_camera([frame for frame in first._fitted_frames if frame < count])

    def share_camera(self, other: "Scene") -> None:
        """Look through the camera of another scene from now on; whoever moves it moves both pictures."""
        self.stage.share_camera(other.stage)
        self._first = other
        other._others.add(self)

    @property
    def is_fitted(self) -> bool:
        """Whether the camera is where the last fit put it: nobody has moved it since."""
        first = self._first or self
        return first._fitted == first.camera

    @property
    def text_scale(self) -> float:
        """Device pixels per design pixel of writing, lines and points."""
        return self.stage.text_scale()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view in device pixels."""
        return self.stage.size

    # What lies where ----------------------------------------------------------------------------------

    def pick(self, x: float, y: float) -> Picked | None:
        """Return what is drawn at a device pixel counted from the lower left: a pair, a facet, a part …, or None."""
        if self.stage.content.system is not None:
            rigid, touched = self.stage.visuals["rigid_parts"], self.stage.visuals["rigid_surfaces"]
            assert isinstance(rigid, RigidPartsVisual)
            assert isinstance(touched, RigidSurfacesVisual)
            return pick_in_system(
                self.stage.content,
                self.stage.sheet(),
                self._body_visual(),
                rigid.boxes,
                touched,
                self.stage.renderer,
                x,
                y,
            )
        if self.stage.is_shown("pairs"):
            found = pick_pair(self.stage.content, self.stage.sheet(), x, y)
            if found is not None:
                return found
        return pick_facet(self._body_visual(), self.stage.renderer, x, y)

    def pick_axis(self, x: float, y: float) -> str:
        """Return the direction "+x", "-y" … whose axis in the corner is at a device pixel, "" for none."""
        triad = self.stage.visuals["triad"]
        assert isinstance(triad, TriadVisual)
        return triad.axis_at(x, y, self.stage.sheet()) if self.stage.is_shown("triad") else ""

    def _body_visual(self) -> BodyVisual:
        body = self.stage.visuals["body"]
        assert isinstance(body, BodyVisual)
        return body

    def pick_node(self, x: float, y: float) -> int | None:
        """Return the row of the node that is meant by a device pixel: a probe, of the shown joints, of the skin."""
        content = self.stage.content
        probed = nearest_node(content, self.stage.sheet(), np.array(content.probes, np.int64), x, y, 1.0)
        if probed is not None:
            return probed
        if content.shows_joint_field:
            assert content.frame is not None
            names = chosen_joints(content.joint_pairs, content.frame.joint)
            rows = np.concatenate([content.joint_pairs[name].nodes_with_values for name in names])
            return nearest_node(content, self.stage.sheet(), rows, x, y, 4.0)
        found = pick_facet(self._body_visual(), self.stage.renderer, x, y)
        if found is None or content.skin is None:
            return None
        rows = content.skin.nodes
        distance = np.linalg.norm(content.positions[rows] - found.position, axis=1)
        return int(rows[distance.argmin()])

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return device pixels (n, 2), counted from the lower left, of points (n, 3)."""
        return self.stage.sheet().pixels(points)
