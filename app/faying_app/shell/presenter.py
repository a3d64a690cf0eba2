"""The presenter: keeps the 3D view in step with project, selection, view state and results."""

import logging
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.project.stage import Target
from faying.results.difference import Difference
from faying.results.fields import Field, FieldContext, FieldSource
from faying.results.formula import find_field, is_field
from faying.results.results import FrameSource, swings
from faying_app.context import Context
from faying_app.scene.camera import CameraPose
from faying_app.scene.content import SceneContent, Subject
from faying_app.scene.cutting import extent_of
from faying_app.scene.viewport import Viewport
from faying_app.shell.colour_limits import FRAME_SPANNED, ColourLimits
from faying_app.shell.player import ANGLES
from faying_app.shell.run_values import RunValues
from faying_app.shell.shown import highlight_of, probes_of, shown, with_view
from faying_app.tasks.questions import Questions

log = logging.getLogger(__name__)

_NONE_YET = ()  # a key equal to no other, not even None: the next content, with or without frames, is new
# Values of the view state that nothing in the picture depends on, and those of which its frame alone does.
_UNSEEN = (
    "selected", "camera", "formulas", "hidden_parts", "colour_by", "plots", "play_mode", "frames_per_second",
    "swing_seconds", "time_factor",
)  # fmt: skip
_OF_FRAME = (
    "frame", "field", "mode_field", "over_run", "joint", "scale", "limits", "lowest", "highest", "compare",
    "difference",
)  # fmt: skip


class Presenter(QObject):
    """Puts into the scene what is selected: the model, a joint with its pairs, mode shapes, or results.

    `refreshed` tells that the scene follows the selection again, `frames_changed` that there are other
    frames, `frame_shown` that another one is drawn.
    """

    refreshed = Signal()
    frames_changed = Signal()
    frame_shown = Signal()

    def __init__(
        self, context: Context, viewport: Viewport, questions: Questions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._questions = questions
        self._context, self.viewport, self.scene = context, viewport, viewport.scene
        self.phase = 0.0
        self._n_drawn = 0
        self.scale = 1.0
        self._begins = True  # a project that has not been looked at yet
        self._follows = False  # frame and joint of new frames, which are drawn once
        self.shown_frames: Any = None
        self.limits = ColourLimits(context)
        self._runs = RunValues(context, questions, self.limits, lambda: self.field_context, self._draw_again)
        self._suggested: dict[Any, float] = {}
        context.project_begun.connect(self._begin_project)
        context.changed.connect(self.refresh)
        context.computed.releasing.connect(self._drop_frames)
        context.selection.pairs_changed.connect(lambda _pairs: self._highlight())
        context.selection.faces_changed.connect(lambda _faces: self._highlight())
        context.selection.marked_changed.connect(lambda _places: self.refresh())
        context.view.changed.connect(self._view_changed)
        context.view.playing_changed.connect(lambda playing: None if playing else self.draw())
        context.view.turned.connect(self._turn)
        self.refreshed.connect(lambda: context.show_extent(extent_of(self.scene.content)))
        viewport.section_dragged.connect(context.view.cut)
        self.scene.show(with_view(self.scene.content, context.view.values))

    @property
    def subject(self) -> Subject:
        """What of the project is shown."""
        return self.scene.content.subject

    @property
    def field_context(self) -> FieldSource | None:
        """The shown frames, and what their fields need; None for the model itself."""
        return self.scene.content.context

    @property
    def frames(self) -> FrameSource | None:
        """The shown frames."""
        return None if self.field_context is None else self.field_context.frames

    @property
    def shown_body(self) -> tuple[str, FeModel, Skin] | None:
        """Name, model and whole skin of the body that is shown, None without one."""
        content = self.scene.content
        if content.model is None or content.subject.skin is None:
            return None
        return content.subject.name, content.model, content.subject.skin

    @property
    def compared(self) -> tuple[str, FieldContext] | None:
        """Name and frames of the analysis that is compared with the shown one, None without one."""
        return self._runs.compared

    @property
    def is_mode(self) -> bool:
        """Whether the frames are mode shapes."""
        return self.frames is not None and not self.frames.axis.has_size

    @property
    def swings(self) -> bool:
        """Whether each frame is shown over its period: a mode, a shape under a harmonic load, a periodic motion."""
        return self.frames is not None and swings(self.frames)

    @property
    def is_shape(self) -> bool:
        """Whether frames have no size of their own, so that pressures in them mean little."""
        return self.frames is not None and (self.frames.axis.swings or self.frames.axis.kind == "shape")

    @property
    def field(self) -> str:
        """Kind or formula of the field that is shown; "" for the mere deformation."""
        chosen, over = self.chosen_field, self._context.view.values.over_run
        found = self.field_context
        if not chosen or not over or self.is_mode or (found is not None and found.of_body is None):
            return chosen
        return f"{over}({chosen})"

    @property
    def chosen_field(self) -> str:
        """The field itself where an extreme of it over the run may be shown."""
        values = self._context.view.values
        if self.field_context is not None and not self.field_context.has_fields:
            return ""  # rigid parts have no fields
        chosen = values.mode_field if self.is_mode else values.field
        # The last body may have had joints, and the last frames contact in them.
        if chosen == "" or (chosen is not None and is_field(chosen) and self._has(find_field(chosen))):
            return chosen
        return "pressure" if self.scene.content.joint_pairs and not self.is_shape else "displacement"

    def _has(self, field: Field) -> bool:
        """Return whether a chosen field is one of the shown frames; for one that lacks data the picture says so."""
        if field.location != "joint":
            return True
        if not self.scene.content.joint_pairs:
            return False
        found = self.field_context
        return found is None or found.frames.axis.has_contact or found.refusal(field) is None

    def _begin_project(self) -> None:
        self.scale, self._begins = 1.0, True
        self._suggested.clear()
        self.frames_changed.emit()  # there are no frames any more; listeners clear number and time

    def refresh(self) -> None:
        """Show what is selected now; only what differs from what is shown is drawn again."""
        context, before = self._context, self.scene.content
        new = shown(context.project, context.selection, context.view.values, context.computed)
        name = new.subject.name
        if name and new.model is None and name == before.subject.name and before.subject.skin is not None:
            # The last picture of the same body stays while its model is read again, or where that failed.
            failed = context.computed.state(Target("model", name)).kind == "failed"
            title = "The former model: see Findings" if failed else ""
            stays = replace(before, context=None, joint_pairs={}, joint_slaves={}, title=title)
            new = with_view(replace(stays, subject=replace(before.subject, frames=None)), context.view.values)
        fitted = self.scene.is_fitted
        self.scene.show(new)
        self._look_at(before, new, fitted)
        self._follow_frames(new, is_other=new.model is not before.model)
        self.refreshed.emit()

    def _look_at(self, before: SceneContent, new: SceneContent, fitted: bool) -> None:
        """Choose the point of view for another body or system; one that only changed is looked at as before."""
        if new.model is None:
            return
        begins = self._begins or before.model is None
        stored, self._begins = self._context.view.values.camera, False
        same = not begins and before.subject.name == new.subject.name
        if same and (new.model is before.model or (new.system is not None) != (before.system is not None)):
            return
        if same and new.system is None and np.isclose(new.size, before.size, rtol=0.01):
            return
        if same and new.system is not None:
            if fitted and self._context.view.values.pointer != "move":  # what is dragged stays at the pointer
                self.scene.reset_camera()
        elif not (begins and stored is not None and self._restore(stored)):
            self.scene.view("iso")

    def _restore(self, words: dict[str, Any]) -> bool:
        """Look from where a project was looked at when it was saved; return whether that is known."""
        try:
            self.scene.camera = CameraPose(
                tuple(words["position"]), tuple(words["focal_point"]), tuple(words["view_up"]),
                float(words["half_height"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            log.info("a stored camera cannot be used: %s", error)
            return False
        return True

    def _follow_frames(self, new: SceneContent, *, is_other: bool) -> None:
        """Show a frame of new frames, and announce them."""
        key, context, view = new.subject.frames, self._context, self._context.view
        count = 0 if new.context is None else new.context.frames.n_frames
        known = not is_other and key == self.shown_frames
        if known and count == context.n_frames:
            if count and self.scene.content.frame is None:
                self.draw()  # the same frames with other laws
            return
        context.n_frames = count
        if not known:
            self.shown_frames, self.phase = key, 0.0
            if new.context is None:
                view.set_playing(False)
                context.show_values("", {})
            else:
                joint = view.values.joint if view.values.joint in new.joint_pairs else ""
                self._follows = True  # what follows is drawn once, below
                view.set(joint=joint, frame=min(max(view.values.frame, 0), max(count - 1, 0)))
                self._follows = False
        self.frames_changed.emit()
        self.draw()

    def _drop_frames(self) -> None:
        """Let go of results that are about to be closed; the next refresh opens them again."""
        self._context.view.set_playing(False)
        self.shown_frames = _NONE_YET
        self._context.n_frames = 0
        if self.field_context is not None:
            self.scene.set_frames(None, {})

    def _highlight(self) -> None:
        context, content = self._context, self.scene.content
        found = highlight_of(context.project, context.selection, context.computed, content)
        self.scene.change(highlight=found)

    def _view_changed(self, name: str) -> None:
        values, content = self._context.view.values, self.scene.content
        if name == "pointer":
            self.viewport.pointer = values.pointer
        elif name == "probes":
            self.scene.change(probes=probes_of(content, values))
        elif name == "shape":
            self.refresh()
        elif name in _OF_FRAME:
            if name != "frame":
                self._questions.forgive()
            if not self._follows:
                self.draw()
        elif name not in _UNSEEN:
            self.scene.show(with_view(content, values))
            if self.scene.content.display != content.display:
                self.draw()

    def swing(self, phase: float) -> None:
        """Show the mode or operating shape at an angle of its period."""
        # Few enough angles that a swing is a loop of finished pictures.
        step = 2.0 * np.pi / ANGLES
        self.phase = round(phase / step) % ANGLES * step
        self.draw()

    def draw(self) -> None:
        """Draw the present frame."""
        view, found = self._context.view.values, self.field_context
        if found is None or not self._context.n_frames:
            return
        frame = min(max(view.frame, 0), self._context.n_frames - 1)
        played = None
        if self._context.view.playing and not view.compare:
            played = (
                self.shown_frames,
                self._n_drawn,
                self._growth,
                view.model_copy(update={"frame": 0, "camera": None}).model_dump_json(),
            )
            if self.scene.replay(frame, self.phase, played):
                self.frame_shown.emit()
                return
        text, pairs = self.field, self.scene.content.joint_pairs
        try:
            self.scale = view.scale if view.scale is not None else self._suggest()
            field = find_field(text) if text else None
            if not self._runs.is_at_hand(self.shown_frames, found, field, pairs):
                text, field = "", None  # until the worker has found what the run did
            other = self.compared
            beside = other[1] if other is not None and not view.difference else None
            limits, spanned = self.limits.of(self.shown_frames, found, pairs, field, beside, frame)
            if other is not None and field is not None and (body := found.of_body) is not None:
                if view.difference:
                    field = Difference(field, other[1], other[0])
                if view.difference and view.limits in ("run", "most"):
                    limits, spanned = None, FRAME_SPANNED
                if limits is None and not view.difference:
                    limits = self._runs.common_limits(body, other[1], field, frame, pairs)
                if not view.difference and view.limits != "user":
                    spanned = spanned.replace("of the run", "of both runs").replace(
                        "of this", "of both at this"
                    )
            self.scene.show_frame(
                frame,
                field=field,
                joint=view.joint,
                scale=self.scale,
                limits=limits,
                phase=self.phase,
                played=played,
                spanned=spanned if field is not None and not field.states else "",
            )
            playing = self._context.view.playing
            quantity = field.quantity_over(found.frames.axis) if field is not None else ""
            self._context.show_values(
                text, {} if playing else self._joint_values(found, text, frame), quantity
            )
        except FayingError as error:
            self._context.say(str(error))
        self.frame_shown.emit()

    def _joint_values(self, found: FieldSource, text: str, frame: int) -> dict[str, np.ndarray]:
        """Return the values of the shown joint field by joint, as the picture has them, where it shows all of them."""
        drawn = self.scene.content.frame
        plain = drawn is not None and not isinstance(drawn.field, Difference) and not self.phase
        if drawn is not None and plain and not drawn.joint and drawn.number == frame and drawn.of_pairs:
            return dict(drawn.of_pairs)
        return joint_values(found, text, frame)

    def _draw_again(self) -> None:
        """Draw the present frame after its values or limits have become known."""
        self._n_drawn += 1  # finished pictures are of before
        self.draw()

    @property
    def _growth(self) -> int:
        """A number that rises whenever the frames of a run in progress have doubled; 0 for other frames."""
        return self._context.n_frames.bit_length() if "growing" in (self.shown_frames or ()) else 0

    def _suggest(self) -> float:
        key = (self.shown_frames, self._growth)
        if key not in self._suggested:
            self._suggested[key] = self.scene.suggest_scale()
        return self._suggested[key]

    def _turn(self, direction: str) -> None:
        if direction == "fit":
            self.scene.reset_camera()
        else:
            self.scene.view(direction)


def joint_values(found: FieldSource, field: str, frame: int) -> dict[str, np.ndarray]:
    """Return the values of a joint field by joint; nothing for other fields, and for systems."""
    body = found.of_body
    if body is None or not field or find_field(field).location != "joint":
        return {}
    return {rows.name: find_field(field).shown(body, rows.name, frame) for rows in body.body.joints}


def camera_values(pose: CameraPose) -> dict[str, Any]:
    """Return a camera as plain words for the view state."""
    return {
        "position": list(pose.position),
        "focal_point": list(pose.focal_point),
        "view_up": list(pose.view_up),
        "half_height": pose.half_height,
    }
