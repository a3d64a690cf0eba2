"""A free motion of a system that swings gently in the view, to and fro, and ends where it began."""

from typing import Any

from PySide6.QtCore import QObject, QTimer

from faying.multibody.assembly import Assembled
from faying.multibody.free_motions import FreeMotion, swing
from faying.results.field import Pose
from faying.spatial.rotations import rotation_matrix
from faying_app.context import Context
from faying_app.shell.presenter import Presenter

_TICK = 45  # milliseconds between pictures
_TIMES = 2


class Swinging(QObject):
    """Plays one swing at a time.

    Attributes:
        motion: that is swinging, None at rest.
    """

    def __init__(self, context: Context, presenter: Presenter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._presenter = context, presenter
        self.motion: FreeMotion | None = None
        self._frames: list[tuple[Pose, ...]] = []
        self._at = 0
        self._timer = QTimer(self, interval=_TICK)
        self._timer.timeout.connect(self._tick)
        context.bridge.changed.connect(self._stop)
        context.selection.entity_changed.connect(self._stop)
        context.project_begun.connect(self._stop)

    def begin(self, at: Assembled, motion: FreeMotion) -> None:
        """Let a motion swing; where the view shows something else than the system, say what to do."""
        self._stop()
        content, parts = self._presenter.scene.content, [part for part in at.system.parts if part.n]
        names = [part.name for part in content.system.parts] if content.system is not None else []
        if content.context is not None or names != [part.name for part in parts]:
            self._context.say("Select the system in the tree first: the view shows something else.")
            return
        self.motion, self._at = motion, 0
        self._frames = [
            tuple(
                (q[:3], rotation_matrix(q[3:7]))
                for part in parts
                for q in (at.system.of_part(part.name, position),)
            )
            for position in swing(at, motion)
        ] * _TIMES
        follow = f", {', '.join(motion.followers)} with it" if motion.followers else ""
        self._context.say(f"{motion.sentence[:1].upper()}{motion.sentence[1:]}{follow}.")
        self._timer.start()

    def _tick(self) -> None:
        if self._at >= len(self._frames):
            self._stop()
            return
        self._presenter.scene.pose_parts(self._frames[self._at])
        self._at += 1

    def _stop(self, *_: Any) -> None:
        """Put the parts where they start."""
        if self.motion is None:
            return
        self._timer.stop()
        self.motion, self._frames = None, []
        self._presenter.scene.pose_parts(None)
