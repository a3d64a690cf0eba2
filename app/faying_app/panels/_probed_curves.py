"""Curves of probed nodes and of the body's probes: fields at them over the run, found by the worker."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.analyses import BodyAnalysis
from faying.exporters.questions import LargestQuestion, PlaceQuestion, Question, TimeHistoryQuestion
from faying.fem.model import FeModel
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.project.probes import probe_curves
from faying.project.stage import target_of
from faying.results.curves import OF_FE_MODEL, Curve
from faying.results.fields import Field
from faying.results.formula import find_field, is_field
from faying_app.context import Context
from faying_app.entities import analysis_at, system_at
from faying_app.system_rows import parts_with_models


@dataclass(frozen=True)
class _Node:
    """A probed node: its body, row in the body's model, name, and the part that the body is of a system."""

    body: str
    row: int
    name: str
    part: str = ""


class ProbedCurves:
    """Has the curves that are known; asks for the others and calls `changed` when they are there."""

    def __init__(self, context: Context, changed: Callable[[], None]) -> None:
        self._context, self._changed = context, changed
        self._histories: dict[Hashable, np.ndarray] = {}

    def curves(self, other: str = "") -> list[Curve]:
        """Return a curve of the shown field for every probed node of the selected analysis, and those of its probes.

        Args:
            other: name of another analysis, which they are to be of.
        """
        context, found = self._context, []
        analysis = analysis_at(context.project, context.entity)
        if other:
            analysis = next((a for a in context.project.analyses if a.name == other), None)
        if analysis is not None and context.shown_field:
            # An extreme over the run is one number: what it is of has a curve.
            field = find_field(context.shown_field).followed
            nodes = self._of_body(analysis) if isinstance(analysis, BodyAnalysis) else self._of_system()
            for node in nodes:
                for joint, rows, shares in self._places(node, field):
                    values = self._time_history(analysis, field, joint, rows, node.part)
                    if values is not None:
                        name = self._named(f"{field.title} at {node.name}", analysis)
                        found.append(Curve(name, values @ shares, field.quantity))
        return found + (self._decided(analysis) if analysis is not None else [])

    def offered(self, analysis: Any) -> dict[str, LargestQuestion]:
        """Return by name the curves of the largest value of the shown field; the worker finds those that are drawn.

        Of a joint's field there is one for each joint, else one for the body; of a system for each flexible part.
        """
        context = self._context
        if analysis is None or not context.shown_field:
            return {}
        field = find_field(context.shown_field).followed
        bodies = [("", analysis.body)] if isinstance(analysis, BodyAnalysis) else []
        system = system_at(context.project, context.entity)
        if not bodies and system is not None:
            found = parts_with_models(context.project, context.computed, system)
            bodies = [
                (part.name, body.name) for part, body, *_ in found if isinstance(part, FlexiblePartSpec)
            ]
        source, questions = context.computed.title_of(analysis), dict[str, LargestQuestion]()
        for part, body in bodies:
            joints = [joint.name for joint in context.project.body(body).contact_joints]
            for joint in joints if field.location == "joint" else [""]:
                where = ": ".join(filter(None, (part, joint)))
                title = f"Largest {field.title.lower()}".replace("von mises", "von Mises")
                name = self._named(f"{title} in {where}" if where else title, analysis)
                questions[name] = LargestQuestion(source, field.text, joint, part=part)
        return questions

    def largest(self, analysis: Any, name: str, question: LargestQuestion) -> Curve | None:
        """Return one of the curves that are offered; None until the worker has found it."""
        values = self._answer(analysis, (question,), question)
        return None if values is None else Curve(name, values, find_field(question.field).quantity)

    def _named(self, name: str, analysis: Any) -> str:
        """Return the name of a curve, which says when it is of true fields."""
        return f"{name}{OF_FE_MODEL}" if self._context.computed.has_true_fields(analysis) else name

    def _decided(self, analysis: Any) -> list[Curve]:
        """Return the curves of the probes that the bodies have; those with an unknown field are findings."""
        found, source = [], self._context.computed.title_of(analysis)
        for probe in probe_curves(self._context.project, analysis):
            if not is_field(probe.field):
                continue
            question = PlaceQuestion(
                source, probe.field, "", part=probe.part, place=probe.place, number=probe.number
            )
            values = self._answer(analysis, (probe,), question)
            if values is not None:
                name = self._named(probe.name, analysis)
                found.append(Curve(name, values, find_field(probe.field).quantity))
        return found

    def _nodes(self, subject: str, model: FeModel, part: str = "") -> Iterator[tuple[int, str]]:
        """Give row and name of each probed node that a model has."""
        for probe in self._context.view.values.probes:
            if (probe.subject, probe.part) == (subject, part):
                for row in np.flatnonzero(model.node_ids == probe.node):
                    yield int(row), f"{part} node {probe.node}".lstrip()

    def _of_body(self, analysis: BodyAnalysis) -> Iterator[_Node]:
        model = self._context.computed.model(analysis.body)
        for row, name in self._nodes(analysis.body, model) if model is not None else ():
            yield _Node(analysis.body, row, name)

    def _of_system(self) -> Iterator[_Node]:
        """Give the probed nodes of flexible parts; others have no fields."""
        project, computed = self._context.project, self._context.computed
        system = system_at(project, self._context.entity)
        if system is None:
            return
        for part, body, model, _ in parts_with_models(project, computed, system):
            if isinstance(part, FlexiblePartSpec):
                for row, name in self._nodes(system.name, model, part.name):
                    yield _Node(body.name, row, name, part.name)

    def _places(self, node: _Node, field: Field) -> Iterator[tuple[str, tuple[int, ...], np.ndarray]]:
        """Yield (joint, rows, weights) of values whose weighted sum is a field at a node; nothing where it has none."""
        if field.location == "body":
            yield "", (node.row,), np.ones(1)
            return
        for joint in self._context.project.body(node.body).contact_joints:
            pairs = self._context.computed.pairs(node.body, joint.name)
            if pairs is None:
                continue
            rows, shares = pairs.around_node(node.row, field.joining)
            if len(rows):
                yield joint.name, tuple(rows.tolist()), shares

    def _time_history(
        self, analysis: Any, field: Field, joint: str, rows: tuple[int, ...], part: str
    ) -> np.ndarray | None:
        """Return (n_frames, n_rows) a field at pairs or nodes over the run; None until the worker has found it."""
        source = self._context.computed.title_of(analysis)
        question = TimeHistoryQuestion(source, field.text, joint, rows, part=part)
        return self._answer(analysis, (field.text, part, joint, rows), question)

    def _answer(self, analysis: Any, what: tuple[Hashable, ...], question: Question) -> np.ndarray | None:
        """Return what the worker has found for all frames that there are; None until it has."""
        results = self._context.computed.results(analysis.name)
        if results is None:
            return None
        key = ("history", self._context.computed.state(target_of(analysis)).key, question.analysis, *what)
        count = results.n_frames
        known = self._histories.get(key)
        if known is not None and len(known) == count:
            return known

        def take(answer: np.ndarray) -> None:
            self._histories[key] = answer
            self._changed()

        if known is None or not self._context.tasks.is_busy:
            self._context.questions.ask(key, question, take)
        return known
