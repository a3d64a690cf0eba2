"""What a shown frame needs of whole runs: extremes over the run, found by the worker, and a run to compare with."""

from collections.abc import Callable, Hashable

import numpy as np

from faying.analyses import BodyAnalysis
from faying.exporters.earlier import analysis_of
from faying.exporters.questions import OverRunQuestion
from faying.joints.pairs import ContactPairs
from faying.project.stage import target_of
from faying.results.difference import matching_frame
from faying.results.fields import Field, FieldContext, FieldSource
from faying.results.over_run import OverRun, is_kept_over_run, keep_over_run, missing_over_run
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.scene.frames import chosen_joints, limits_of, node_values
from faying_app.shell.colour_limits import ColourLimits
from faying_app.tasks.questions import Questions


class RunValues:
    """Asks the worker for values over a whole run, and has the frame drawn again when they are there.

    Args:
        context: decisions, selection and what was computed.
        questions: asks the worker.
        limits: of the colours, which may be those of the whole run.
        shown: gives the frames that are shown at the moment.
        redraw: draws the present frame again.
    """

    def __init__(
        self,
        context: Context,
        questions: Questions,
        limits: ColourLimits,
        shown: Callable[[], FieldSource | None],
        redraw: Callable[[], None],
    ) -> None:
        self._context, self._questions, self._limits = context, questions, limits
        self._shown, self._redraw = shown, redraw

    @property
    def compared(self) -> tuple[str, FieldContext] | None:
        """Name and frames of the analysis that is compared with the shown one, None without one."""
        name = self._context.view.values.compare
        known = {a.name: a for a in self._context.project.analyses}
        shown = analysis_at(self._context.project, self._context.entity)
        other = known.get(name) or analysis_of(self._context.project, name)
        context = self._shown()
        if not isinstance(other, BodyAnalysis) or not isinstance(shown, BodyAnalysis):
            return None
        if name == shown.name or other.body != shown.body or context is None or context.of_body is None:
            return None
        found = self._context.computed.results_context(name)
        return (name, found) if found is not None else None

    def common_limits(
        self,
        found: FieldContext,
        other: FieldContext,
        field: Field,
        frame: int,
        pairs: dict[str, ContactPairs],
    ) -> tuple[float, float]:
        """Return limits of the colours that suit both of two results."""
        joint = self._context.view.values.joint
        at = matching_frame(float(found.frames.values[frame]), other)
        values = [
            node_values(field, context, pairs, joint, number, context.n_nodes)
            for context, number in ((found, frame), (other, at))
        ]
        return limits_of(field, np.concatenate(values))

    def is_at_hand(
        self, key: Hashable, found: FieldSource, field: Field | None, pairs: dict[str, ContactPairs]
    ) -> bool:
        """Return whether a field can be drawn now; missing values over the run are requested.

        Args:
            key: of the frames, different for different results.
            found: the frames.
            field: that is to be drawn.
            pairs: contact pairs by joint name.
        """
        body = found.of_body
        if field is None or body is None:
            return True
        analysis = analysis_at(self._context.project, self._context.entity)
        joints: tuple[str, ...] = ("",)
        if field.location == "joint":
            joints = chosen_joints(pairs, self._context.view.values.joint)
        shown = self._context.computed.shown_analysis(analysis) if analysis is not None else None
        runs = [(shown.name, body)] if shown is not None else []
        if self.compared is not None:
            runs.append(self.compared)
        for name, context in runs:
            for joint in joints:
                if (missing := next(missing_over_run(field, context, joint), None)) is not None:
                    self._ask(key, context, missing, name, joint)
                    return False
        for name, context in runs:
            for joint in joints if self._wants_limits(name, context, field) else ():
                if not is_kept_over_run(field, context, joint):
                    self._ask(key, context, field, name, joint)
                    return True  # until then the colours span the frame
        return True

    def _wants_limits(self, name: str, found: FieldContext, field: Field) -> bool:
        """Return whether limits of a run are wanted and the worker can find them.

        A run in progress would be searched at every frame; an outdated one has no reduced body.
        """
        known = {a.name: a for a in self._context.project.computed_analyses}
        state = self._context.computed.state(target_of(known[name])) if name in known else None
        return self._limits.wants_run(found, field) and (state is None or state.kind == "ready")

    def _ask(self, key: Hashable, found: FieldContext, field: Field, analysis: str, joint: str) -> None:
        """Let the worker find a field's extremes over the run, and draw again then."""
        count = found.frames.n_frames

        def answered(over: OverRun) -> None:
            shown = [self._shown(), self.compared[1] if self.compared else None]
            if any(c is not None and c.frames is found.frames for c in shown):  # else it comes too late
                if found.frames.n_frames == count:
                    keep_over_run(field, found, joint, over)
                self._redraw()

        question = ("over run", key, analysis, field.text, joint)
        self._questions.ask(question, OverRunQuestion(analysis, field.text, joint), answered)
