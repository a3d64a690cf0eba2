"""Curves of probed nodes: the shown field at them over the run, found by the worker."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np

from faying.analyses import BodyAnalysis
from faying.exporters.questions import CourseQuestion
from faying.project.stage import target_of
from faying.results.curves import Curve
from faying.results.fields import Field
from faying.results.formula import find_field
from faying_app.context import Context
from faying_app.entities import analysis_at


class ProbedCurves:
    """Has the curves that are known; asks for the others and calls `changed` when they are there."""

    def __init__(self, context: Context, changed: Callable[[], None]) -> None:
        self._context, self._changed = context, changed
        self._courses: dict[Hashable, np.ndarray] = {}

    def curves(self) -> list[Curve]:
        """Return a curve of the shown field for every probed node of the selected analysis."""
        context, found = self._context, []
        analysis = analysis_at(context.project, context.entity)
        if isinstance(analysis, BodyAnalysis) and context.shown_field:
            wanted = [probe.row for probe in context.view.values.probes if probe.subject == analysis.body]
            field = find_field(context.shown_field)
            for joint, row, name in self._places(analysis.body, field, wanted):
                values = self._course(analysis, field, joint, row)
                if values is not None:
                    found.append(Curve(f"{field.title} at {name}", values, field.quantity))
        return found

    def _places(self, body: str, field: Field, nodes: list[int]) -> Iterator[tuple[str, int, str]]:
        """Give (joint, row of the field's values, name) of probed nodes where the field has values."""
        model = self._context.computed.model(body)
        for node in nodes if model is not None else ():
            assert model is not None
            name = f"node {model.node_ids[node]}"
            if field.location == "body":
                yield "", node, name
                continue
            for joint in self._context.project.body(body).joints:
                pairs = self._context.computed.pairs(body, joint.name)
                rows = np.flatnonzero(pairs.slave_nodes == node) if pairs is not None else np.zeros(0, int)
                if len(rows):
                    yield joint.name, int(rows[0]), name

    def _course(self, analysis: Any, field: Field, joint: str, row: int) -> np.ndarray | None:
        """Return what a field was at a pair or node over the run; None until the worker has found it."""
        results = self._context.computed.results(analysis.name)
        if results is None:
            return None
        key = ("course", self._context.computed.state(target_of(analysis)).key, field.text, joint, row)
        count = results.n_frames
        known = self._courses.get(key)
        if known is not None and len(known) == count:
            return known

        def take(answer: np.ndarray) -> None:
            self._courses[key] = answer[:, 0]
            self._changed()

        if known is None or not self._context.tasks.is_busy:
            question = CourseQuestion(analysis.name, field.text, joint, (row,))
            self._context.questions.ask(key, question, take)
        return known
