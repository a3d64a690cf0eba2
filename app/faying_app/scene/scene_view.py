"""Where a scene is looked at from, and what lies under a pixel."""

from collections.abc import Iterable

import numpy as np

from faying_app.scene import camera as cameras
from faying_app.scene.camera import CameraPose
from faying_app.scene.drawing import Drawing
from faying_app.scene.fitting import fitting_pose
from faying_app.scene.frames import chosen_joints
from faying_app.scene.picking import Picked, nearest_node, pick_facet, pick_in_system, pick_pair
from faying_app.scene.visuals.body import BodyVisual
from faying_app.scene.visuals.system import RigidPartsVisual
from faying_app.scene.visuals.triad import TriadVisual


class SceneView:
    """The camera of a stage, and picking through it.

    Args:
        stage: what is drawn.
    """

    def __init__(self, stage: Drawing) -> None:
        self.stage = stage
        self._fitted = self.camera

    @property
    def camera(self) -> CameraPose:
        """Where the camera stands, in plain numbers."""
        return self.stage.camera

    @camera.setter
    def camera(self, pose: CameraPose) -> None:
        self.stage.camera = pose

    def view(self, direction: str) -> None:
        """Look from a direction ("iso", "+x", … "-z") and fit the body into the view."""
        self.camera = cameras.turned_pose(self.camera, direction)
        self.reset_camera()

    def reset_camera(self, frames: Iterable[int] = ()) -> None:
        """Fit the body into the view, as it is drawn now, or in all of some frames at the shown scale."""
        self.camera = fitting_pose(self.stage, frames)
        self._fitted = self.camera

    def share_camera(self, other: "SceneView") -> None:
        """Look through the camera of another scene from now on; whoever moves it moves both pictures."""
        self.stage.share_camera(other.stage)

    @property
    def is_fitted(self) -> bool:
        """Whether the camera stands where the last fit put it: nobody has moved it since."""
        return self._fitted == self.camera

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
            rigid = self.stage.visuals["rigid_parts"]
            assert isinstance(rigid, RigidPartsVisual)
            return pick_in_system(
                self.stage.content,
                self.stage.sheet(),
                self._body_visual(),
                rigid.boxes,
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
            rows = np.concatenate([content.joint_pairs[name].slave_nodes for name in names])
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
