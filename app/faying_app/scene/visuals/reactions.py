"""Forces that constraints, springs and other elements pass on: arrows as long as they are strong, frame by frame."""

import numpy as np

from faying.results.curve_key import AXES, CurveKey
from faying_app.scene.actors import arrow_actor, arrow_data, paint, scale_glyphs, show
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.systems import ShownMember, SystemContext
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.system import symbol_share

_LONGEST = 0.3  # of the size of the model, of the largest force of the run


@visuals.register("reactions")
class ReactionsVisual(Visual):
    """Draws the force on the second marker of each member, as a share of the largest one of the run."""

    title = "Forces in constraints and springs"
    reads = frozenset({"model", "context"})
    hidden_at_first = True

    def make(self) -> None:
        """Make the arrows."""
        self._arrows = self.add(arrow_actor(ends_there=False, in_front=True))
        self._known: tuple[object, int] | None = None
        self._histories: list[tuple[ShownMember, np.ndarray]] = []
        self.vectors = np.zeros((0, 3))

    def build(self, content: SceneContent) -> None:
        """Forget the histories of other frames; they are read when they are wanted."""
        self._known = None

    def move(self, content: SceneContent) -> None:
        """Draw the forces of the frame."""
        context, frame = content.context, content.frame
        if (
            not self.wanted
            or not isinstance(context, SystemContext)
            or frame is None
            or content.system is None
        ):
            self.vectors = np.zeros((0, 3))
            return
        if self._known != (context, context.frames.n_frames):
            self._known = context, context.frames.n_frames
            self._histories = _histories(context)
        places, axes = content.system.marker_poses(content.poses, content.positions)
        found = [
            (places[member.markers[-1]], axes[member.markers[0]] @ force[:, frame.number])
            if len(member.markers) > 1
            else (places[member.markers[0]], force[:, frame.number])
            for member, force in self._histories
        ]
        self.vectors = np.array([vector for _, vector in found]).reshape(-1, 3)
        show(self._arrows, arrow_data(np.array([place for place, _ in found]), self.vectors))

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Keep arrows short however near one is."""
        scale_glyphs(self._arrows, symbol_share(content, sheet) * _LONGEST * content.size)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._arrows, theme.support)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a member passes on a force."""
        return bool(np.any(self.vectors))


def _histories(context: SystemContext) -> list[tuple[ShownMember, np.ndarray]]:
    """Return each member with its force (3, n_frames), over the largest of the run; none of shapes."""
    results, system, found = context.frames, context.shown_system, []
    if not results.axis.follows:
        return []
    for kind, members in (("constraint", system.constraints), ("force", system.forces)):
        for member in members:
            keys = [CurveKey("force", "force", kind, member.name, axis) for axis in AXES]
            if all(key in results.curve_texts for key in keys):
                force = np.nan_to_num(np.array([results.curve(key) for key in keys]))
                found.append((member, force))
    largest = max((float(np.linalg.norm(force, axis=0).max(initial=0.0)) for _, force in found), default=0.0)
    return [(member, force / largest) for member, force in found] if largest > 0.0 else []
