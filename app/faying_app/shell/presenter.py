"""The presenter: decides from document, selection and view state what the 3D view shows."""

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.multibody.system_spec import SystemSpec
from faying.project.specs import BodySpec
from faying.project.stage import Target, target_of
from faying.results.difference import Difference
from faying.results.fields import FieldContext, FieldSource
from faying.results.formula import find_field, is_field
from faying.results.results import FrameSource
from faying_app.context import Context
from faying_app.entities import analysis_at, body_at, kind_of, system_at
from faying_app.scene.camera import CameraPose
from faying_app.scene.colours import ColourStyle
from faying_app.scene.content import Look
from faying_app.scene.cutting import NEAR_SIDE, extent_of, plane_along
from faying_app.scene.systems import SystemContext
from faying_app.scene.viewport import Viewport
from faying_app.scene.visuals.probes import row_of_node
from faying_app.shell.colour_limits import FRAME_SPANNED, ColourLimits
from faying_app.shell.player import ANGLES
from faying_app.shell.run_values import RunValues
from faying_app.shell.shown_model import ShownModel
from faying_app.shell.system_picture import frames_of
from faying_app.tasks.questions import Questions
from faying_app.view_state import ViewValues

_NONE_YET = ()  # a key that is neither of any frames nor None: whatever is to be shown now, frames or none, is new
_SWITCHES = {
    "mesh_edges": ("mesh_edges",),
    "surfaces": ("surfaces",),
    "points": ("pairs",),
    "values_at_points": ("joint_points",),
    "normals": ("normals",),
    "frames": ("frames",),
    "couplings": ("couplings",),
    "symbols": ("symbols", "supports", "springs", "system", "system_names"),
    "centre_of_mass": ("centre_of_mass",),
    "legend": ("legend",),
    "extremes": ("extremes",),
    "undeformed": ("undeformed",),
}
_LOOKS = (
    "units", "joint_scale", "reference", "reference_turns", "sections", "section_ghost", "opened",
    "isolines", "colour_map", "signed_map", "colours_reversed", "gaps_reversed", "bands", "logarithmic",
    "opacity", "marker_size", "background",
)  # fmt: skip

_REDRAWN = (
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
        self.frames: FrameSource | None = None
        self.field_context: FieldSource | None = None
        self.phase = 0.0
        self._n_drawn = 0
        self.scale = 1.0
        self._shown = ShownModel(context, viewport.scene)
        self._system_frames: SystemContext | None = None
        self.shown_system: SystemSpec | None = None
        self.shown_frames: Any = None
        self.limits = ColourLimits(context)
        self._runs = RunValues(context, questions, self.limits, lambda: self.field_context, self._draw_anew)
        self._suggested: dict[Any, float] = {}
        context.project_begun.connect(self._begin_project)
        context.changed.connect(self.refresh)
        context.computed.releasing.connect(self._drop_frames)
        context.view.changed.connect(self._view_changed)
        context.view.playing_changed.connect(lambda playing: None if playing else self.draw())
        context.view.turned.connect(self._turn)
        self.refreshed.connect(lambda: context.show_extent(extent_of(self.scene.content)))
        viewport.section_dragged.connect(context.view.cut)
        for name in (*_SWITCHES, "ghost"):
            self._switch(name)
        self.scene.set_look(look_of(context.view.values))

    @property
    def shown_body(self) -> tuple[str, FeModel, Skin] | None:
        """Name, model and skin of the body that is shown, None without one."""
        return self._shown.body

    def skin_facet(self, shown: int) -> int:
        """Return the number on the body's skin of a facet in the picture."""
        return self._shown.skin_facet(shown)

    def shown_facets(self, facets: np.ndarray) -> np.ndarray:
        """Return the numbers in the picture of facets of the body's skin."""
        return self._shown.shown_facets(facets)

    @property
    def shown_name(self) -> str:
        """Name of the body or system that is shown."""
        return self._shown.name

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
        """Whether each frame is a shape that swings: of a mode, or under a harmonic load."""
        return self.frames is not None and self.frames.axis.swings

    @property
    def is_shape(self) -> bool:
        """Whether frames have no size of their own, so that pressures in them mean little."""
        return self.swings or (self.frames is not None and self.frames.axis.kind == "shape")

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
        chosen, has_joints = (
            values.mode_field if self.is_mode else values.field,
            bool(self.scene.content.joint_pairs),
        )
        if chosen == "" or (
            chosen is not None
            and is_field(chosen)
            and (has_joints or find_field(chosen).location != "joint")  # the last body may have had some
        ):
            return chosen
        return "pressure" if has_joints and not self.is_shape else "displacement"

    def _begin_project(self) -> None:
        self.scale = 1.0
        self._suggested.clear()
        self.frames_changed.emit()  # there are none any more, for whoever still shows their number and time

    def refresh(self) -> None:
        """Show what is selected now; nothing that is shown already is made anew."""
        project, path = self._context.project, self._context.entity
        system = system_at(project, path)
        if system is None and not project.bodies and project.systems:
            system = project.systems[0]
        if system is not None:
            self._refresh_system(system)
            return
        self.shown_system = None
        body = body_at(project, path)
        model = self._context.computed.model(body.name) if body is not None else None
        skin = self._context.computed.skin(body.name) if body is not None and model is not None else None
        if body is None or model is None or skin is None:
            # The last picture of the same body stays while its model is read again, or where that failed.
            if body is None or self.shown_body is None or self._shown.name != body.name:
                self._shown.clear()
            self._show_frames(None, None)
            failed = (
                body is not None and self._context.computed.state(Target("model", body.name)).kind == "failed"
            )
            if self.shown_body is not None:
                self.scene.set_title("The model as it was: see Findings" if failed else "")
            self.refreshed.emit()
            return
        if self.scene.content.context is None and self.scene.content.title:
            self.scene.set_title("")
        if self._shown.show_body(body, model, skin):
            self.shown_frames = _NONE_YET
        found = _frames_of_body(self._context, body)
        self._shown.show_joint(body, shown=found is None)
        self._shown.show_parts(body)
        self._show_frames(_key_of(self._context, body) if found is not None else None, found)
        self._show_probes()
        self.refreshed.emit()

    def _refresh_system(self, system: SystemSpec) -> None:
        """Show a multibody system, and its motion if an analysis of it is selected."""
        self.shown_system = system
        if self._shown.show_system(system):
            self.shown_frames, self._system_frames = _NONE_YET, None
        self._shown.show_contact(system)
        analysis = analysis_at(self._context.project, self._context.entity)
        results = self._context.computed.results(analysis.name) if analysis is not None else None
        if results is None or analysis is None or set(results.part_names) != {p.name for p in system.parts}:
            self._show_frames(None, None)
        else:
            mark = self._context.computed.state(target_of(analysis))
            key = ("motion", mark.key, "complete" if mark.kind == "ready" else "growing")
            if key != self.shown_frames or self._system_frames is None:
                self._system_frames = frames_of(self._context, system, self._shown.picture, results)
            self._show_frames(key, self._system_frames)
        self._show_probes()
        self.refreshed.emit()

    def _show_frames(self, key: tuple[str, ...] | None, found: FieldSource | None) -> None:
        count = 0 if found is None else found.frames.n_frames
        grown = key == self.shown_frames and count != self._context.n_frames
        self.field_context = found
        if key == self.shown_frames and not grown:
            if found is not None and self.scene.content.context is not None:
                self.scene.content.context = found  # other laws, same frames
            return
        self._context.n_frames = count
        if not grown:
            self.shown_frames, self.phase = key, 0.0
            self.frames = found.frames if found is not None else None
            self._change_frames(found)
            self._show_probes()
        self.frames_changed.emit()
        self.draw()

    def _drop_frames(self) -> None:
        """Let go of results that are about to be closed; the next refresh opens them anew."""
        self._context.view.set_playing(False)
        self.frames = self.field_context = self._system_frames = None
        self.shown_frames = _NONE_YET
        self._context.n_frames = 0
        if self.scene.content.context is not None:
            self.scene.set_frames(None, {})

    def _change_frames(self, found: FieldSource | None) -> None:
        view = self._context.view
        if found is None:
            view.set_playing(False)
            if self.scene.content.context is not None:
                self.scene.set_frames(None, {})
                self.scene.set_title("")
            self._context.show_values("", {})
            return
        pairs, slaves = self._shown.joints_of(found)
        analysis = analysis_at(self._context.project, self._context.entity)
        self.scene.set_title(analysis.name if analysis is not None else "Mode shapes")
        self.scene.set_frames(found, pairs, slaves)
        joint_now = view.values.joint if view.values.joint in pairs else ""
        last = max(self._context.n_frames - 1, 0)
        view.set(joint=joint_now, frame=min(max(view.values.frame, 0), last))

    def _view_changed(self, name: str) -> None:
        if name in _SWITCHES or name == "ghost":
            self._switch(name)
        elif name == "pointer":
            self.viewport.pointer = self._context.view.values.pointer
        elif name == "probes":
            self._show_probes()
        elif name in _LOOKS:
            self.scene.set_look(look_of(self._context.view.values))
            self.draw()
        elif name in _REDRAWN:
            if name != "frame":
                self._questions.forgive()
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
                if view.difference and view.limits == "run":
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
            self._context.show_values(text, {} if playing else joint_values(found, text, frame), quantity)
        except FayingError as error:
            self._context.say(str(error))
        self.frame_shown.emit()

    def _draw_anew(self) -> None:
        """Draw the present frame after its values or limits have become known."""
        self._n_drawn += 1  # finished pictures are of before
        self.draw()

    def _show_probes(self) -> None:
        """Write values, or on a model without frames the places, beside the probed nodes of what is shown."""
        content, probes = self.scene.content, self._context.view.values.probes
        wanted = [p for p in probes if p.subject == self.shown_name] if content.model is not None else []
        rows = [row_of_node(content, probe.part, probe.node) for probe in wanted]
        there = tuple(row for row in rows if row is not None)
        if there != self.scene.content.probes:
            self.scene.set_probes(there)

    @property
    def _growth(self) -> int:
        """A number that rises whenever a run that goes on has twice as many frames; 0 for other frames."""
        return self._context.n_frames.bit_length() if "growing" in (self.shown_frames or ()) else 0

    def _suggest(self) -> float:
        key = (self.shown_frames, self._growth)
        if key not in self._suggested:
            self._suggested[key] = self.scene.suggest_scale()
        return self._suggested[key]

    def _switch(self, name: str) -> None:
        values = self._context.view.values
        if name == "ghost":
            self.scene.set_body_style("auto" if values.ghost else "solid")
            return
        for kind in _SWITCHES[name]:
            if kind in self.scene.visuals:
                self.scene.set_visible(kind, bool(getattr(values, name)))

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


def look_of(view: ViewValues) -> Look:
    """Return how frames are to be shown."""
    # What is left out lies on the side from which one looks at first, so that the cut is seen.
    sections = tuple(
        plane_along(cut.axis, cut.at, NEAR_SIDE[cut.axis] * (-1.0 if cut.flipped else 1.0))
        for cut in view.sections
    )
    return Look(
        units=tuple(sorted(view.units.items())),
        joint_scale=view.joint_scale,
        reference=view.reference,
        reference_turns=view.reference_turns,
        sections=sections,
        section_ghost=view.section_ghost,
        opened=view.opened,
        isolines=view.isolines,
        style=ColourStyle(
            sequential=view.colour_map,
            diverging=view.signed_map,
            is_reversed=view.colours_reversed,
            gaps_reversed=view.gaps_reversed,
            bands=view.bands,
            logarithmic=view.logarithmic,
        ),
        opacity=view.opacity,
        marker_size=view.marker_size,
        background=view.background,
    )


def camera_values(pose: CameraPose) -> dict[str, Any]:
    """Return a camera as plain words for the view state."""
    return {
        "position": list(pose.position),
        "focal_point": list(pose.focal_point),
        "view_up": list(pose.view_up),
        "half_height": pose.half_height,
    }


def _frames_of_body(context: Context, body: BodySpec) -> FieldContext | None:
    """Return the frames of the selected analysis, or the modes where they are selected."""
    analysis = analysis_at(context.project, context.entity)
    if analysis is not None:
        return context.computed.results_context(analysis.name)
    if kind_of(context.entity) in ("reduction", "joint_modes"):
        return context.computed.modes_context(body.name)
    return None


def _key_of(context: Context, body: BodySpec) -> tuple[str, ...]:
    """Return a key of the shown results; it differs when other results are shown."""
    analysis = analysis_at(context.project, context.entity)
    if analysis is None:
        return ("modes", context.computed.state(Target("body", body.name)).key)
    mark = context.computed.state(Target("analysis", body.name, analysis.name))
    return ("results", mark.key, "complete" if mark.kind == "ready" else "growing")
