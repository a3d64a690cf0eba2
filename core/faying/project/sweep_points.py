"""The points of a parameter sweep, each of which defines a project."""

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from faying.analyses.sweep import MOST_POINTS, Sweep, VariedDecision, as_number
from faying.errors import ModelError
from faying.project.decisions import AXES, Decision, bounds_of, decision_of
from faying.project.edits import set_value
from faying.project.file_names import names_file
from faying.project.numbers import with_number
from faying.project.paths import field_at
from faying.project.specs import Project
from faying.units import unit_text

_STEP = 0.2  # of the distance between the ends, by which a search changes each decision first
POINT, SECONDS = "point", "seconds"  # columns of the table in addition to decisions and responses


@dataclass(frozen=True)
class SweepPoint:
    """A point: its number from 0, a label, and the value of each varied decision as a number or text."""

    number: int
    label: str
    values: tuple[Any, ...]


def varied_decisions(project: Project, sweep: Sweep) -> tuple[Decision, ...]:
    """Return the decisions that a sweep varies.

    Raises:
        ModelError: when one is missing or varied twice, or the analysis is missing or a sweep.
    """
    swept = project.analysis(sweep.analysis)
    if swept.stage == sweep.stage:
        raise ModelError(
            f"It is of {sweep.analysis!r}, which is a sweep itself.", "Vary all decisions in one."
        )
    found = tuple(decision_of(project, each.decision) for each in sweep.variations)
    if len({each.path for each in found}) < len(found):
        raise ModelError("A decision is varied twice.", "Name each once.")
    return found


class SweepPlan:
    """All points of a sweep.

    Args:
        project: the present decisions.
        sweep: one of its analyses.

    Attributes:
        decisions: the varied decisions.
        points: the points in order of computation; of a search the first ones, which a simplex consists of.
        size: the largest number of points.

    Raises:
        ModelError: when a decision is missing or its values are invalid.
    """

    def __init__(self, project: Project, sweep: Sweep) -> None:
        self._project, self._sweep = project, sweep
        try:
            self.decisions = varied_decisions(project, sweep)
            self._files = [
                _short_names(list(map(str, varied.values))) if names_file(project, decision) else {}
                for varied, decision in zip(sweep.variations, self.decisions, strict=True)
            ]
            rows = self._rows()
        except ModelError as error:
            raise ModelError(f"The sweep {sweep.name!r}: {error.message}", error.hint) from None
        self._texts = [
            list(dict.fromkeys(map(str, each.values))) for each in sweep.variations
        ]  # their order numbers them
        self.points = tuple(self._point(i, row) for i, row in enumerate(rows))
        self.size = sweep.points if sweep.plan == "search" else len(self.points)

    def project_of(self, point: SweepPoint) -> Project:
        """Return the project with the decisions of a point, without sweeps.

        Raises:
            ModelError: when a value is not allowed.
        """
        project = self._project.with_(
            analyses=tuple(a for a in self._project.analyses if a.stage != self._sweep.stage)
        )
        # Indices of analyses in paths include the sweeps.
        moved = {
            i: k
            for k, i in enumerate(
                i for i, a in enumerate(self._project.analyses) if a.stage != self._sweep.stage
            )
        }
        for decision, value in zip(self.decisions, point.values, strict=True):
            path = decision.path
            if path[0] == "analyses":
                path = ("analyses", moved[int(path[1])], *path[2:])
            try:
                project = set_value(path, value)(project)
            except ModelError as error:
                bounds = bounds_of(self._project, decision)
                raise ModelError(
                    f"The sweep {self._sweep.name!r} cannot set {decision.name!r} to {value!r}: {error.message}",
                    f"Its bounds are {bounds}." if bounds else error.hint,
                ) from None
        return project

    def point_at(self, number: int, shares: np.ndarray) -> SweepPoint:
        """Return a point of a search by the fractions (k,) of the way between the ends of each decision."""
        each = zip(self._sweep.variations, self.decisions, shares[:, None], strict=True)
        return self._point(number, tuple(self._between(*one)[0] for one in each))

    def computed_point(self, number: int, values: Sequence[float]) -> SweepPoint:
        """Return a point that was computed, with the numbers (k,) that its row of the table has."""
        if self._sweep.plan != "search":
            return self.points[number]
        each = zip(self.decisions, values, strict=True)
        return self._point(
            number, tuple(round(value) if decision.is_whole else value for decision, value in each)
        )

    def _point(self, number: int, row: tuple[Any, ...]) -> SweepPoint:
        return SweepPoint(number, self._label(row), row)

    def first_simplex(self) -> np.ndarray:
        """Return (k + 1, k) fractions at which a search begins: the present values, and each changed by a fifth."""
        start = np.array(
            [self._share(*each) for each in zip(self._sweep.variations, self.decisions, strict=True)]
        )
        steps = np.where(start > 0.5, -_STEP, _STEP)
        return np.vstack([start, start + np.diag(steps)])

    def require_allowed(self) -> None:
        """Try each value of each decision once.

        Raises:
            ModelError: when one is not allowed.
        """
        seen: set[tuple[int, Any]] = set()
        for point in self.points:
            values = set(enumerate(point.values))
            if not values <= seen:
                seen |= values
                self.project_of(point)

    def numbers_of(self, point: SweepPoint) -> tuple[float, ...]:
        """Return the values of a point as numbers; a text is represented by its number among the values, from 1."""
        return tuple(
            float(value) if isinstance(value, (int, float)) else 1.0 + given.index(value)
            for given, value in zip(self._texts, point.values, strict=True)
        )

    @property
    def heads(self) -> tuple[str, ...]:
        """Names of the varied decisions, shortened as long as they differ from each other and from other columns."""
        parts = [each.names for each in self.decisions]
        others = {POINT, SECONDS} | {response.label for response in self._sweep.responses}
        for length in range(1, max(map(len, parts)) + 1):
            names = [" ".join(_last(part, length)).replace("_", " ") for part in parts]
            if len(set(names)) == len(names) and others.isdisjoint(names):
                return tuple(names)
        return tuple(each.name for each in self.decisions)

    def _rows(self) -> list[tuple[Any, ...]]:
        sweep = self._sweep
        if sweep.plan == "latin_hypercube":
            return self._hypercube()
        if sweep.plan == "search":
            given = [d.name for v, d in zip(sweep.variations, self.decisions, strict=True) if v.values]
            if given:
                raise ModelError(
                    f"A search needs ends between which {given[0]!r} may lie, and it has values.",
                    "Leave the values empty and give both ends, or take a grid.",
                )
            return [self.point_at(0, shares).values for shares in self.first_simplex()]
        each = [
            self._values(varied, found)
            for varied, found in zip(sweep.variations, self.decisions, strict=True)
        ]
        if sweep.plan == "list":
            lengths = {len(values) for values in each}
            if len(lengths) > 1:
                raise ModelError(
                    f"The points are a list, and the decisions have {' and '.join(map(str, sorted(lengths)))} values.",
                    "Give each as many values as the others.",
                )
            return list(zip(*each, strict=True))
        count = int(np.prod([len(values) for values in each], dtype=float))
        if count > MOST_POINTS:
            raise ModelError(
                f"The grid has {count} points, more than {MOST_POINTS}.",
                "Take fewer values, or a Latin hypercube.",
            )
        return list(itertools.product(*each))

    def _hypercube(self) -> list[tuple[Any, ...]]:
        """Return a Latin hypercube: each of n equal intervals of a decision contains one point (McKay et al. 1979)."""
        from scipy.stats import qmc  # slow to import and used only here

        variations = self._sweep.variations
        given = [self._given(*each) for each in zip(variations, self.decisions, strict=True)]
        sampler = qmc.LatinHypercube(len(variations), rng=np.random.default_rng(self._sweep.seed))
        shares = sampler.random(self._sweep.points)
        columns = []
        for varied, decision, values, share in zip(variations, self.decisions, given, shares.T, strict=True):
            if values:
                columns.append([values[int(s * len(values))] for s in share])
            else:
                columns.append(self._between(varied, decision, share))
        return list(zip(*columns, strict=True))

    def _values(self, varied: VariedDecision, decision: Decision) -> Sequence[Any]:
        if varied.values:
            return self._given(varied, decision)
        found = self._between(varied, decision, np.linspace(0.0, 1.0, varied.count))
        return list(dict.fromkeys(found))  # there may be fewer integers

    def _between(self, varied: VariedDecision, decision: Decision, shares: np.ndarray) -> list[Any]:
        """Return n numbers between the two ends, at fractions (n,) from 0 to 1."""
        if not decision.is_number:
            raise ModelError(
                f"{decision.name!r} is no number, so nothing lies between two ends.", "Give it values."
            )
        low, high = (self._number(decision, end) for end in (varied.lowest, varied.highest))
        if not low < high:
            raise ModelError(
                f"{decision.name!r} goes from {low:g} to {high:g}.", "Give the smaller end first."
            )
        if varied.spacing == "logarithmic":
            if low <= 0.0:
                raise ModelError(
                    f"{decision.name!r} begins at {low:g}, which has no logarithm.",
                    "Begin above zero, or space linearly.",
                )
            found = low * (high / low) ** shares
        else:
            found = low + (high - low) * shares
        if decision.is_whole:
            return [round(float(value)) for value in found]
        return [float(f"{value:.12g}") for value in found]

    def _share(self, varied: VariedDecision, decision: Decision) -> float:
        """Return where the present value of a decision lies between its ends, from 0 to 1; 0.5 where it does not."""
        low, high = self._between(varied, decision, np.array([0.0, 1.0]))
        value = decision.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            return 0.5
        if varied.spacing == "logarithmic":
            return float(np.log(value / low) / np.log(high / low))
        return float((value - low) / (high - low))

    def _given(self, varied: VariedDecision, decision: Decision) -> list[Any]:
        """Return the given values: as typed for a text, else converted to numbers."""
        if isinstance(decision.value, str):
            return [str(value) for value in varied.values]
        values = [as_number(value) for value in varied.values]
        if not decision.quantity:
            return values
        field, system = field_at(self._project, decision.path), self._project.units
        return [with_number(field, decision.quantity, v, system, decision.name) for v in values]

    def _number(self, decision: Decision, end: float | str | None) -> float:
        given = with_number(
            field_at(self._project, decision.path), decision.quantity, end, self._project.units, decision.name
        )
        if isinstance(given, str):
            raise ModelError(
                f"{given!r} is no number that {decision.name!r} could take.", "Write a plain number."
            )
        return float(given)

    def _label(self, row: tuple[Any, ...]) -> str:
        texts = []
        for head, decision, value, files in zip(self.heads, self.decisions, row, self._files, strict=True):
            unit = unit_text(decision.quantity, self._project.units) if decision.quantity else ""
            shown = f"{value:.6g}" if isinstance(value, float) else files.get(str(value), str(value))
            texts.append(f"{head} = {shown}{f' {unit}' if unit and not isinstance(value, str) else ''}")
        return ", ".join(texts)


def _short_names(files: Sequence[str]) -> dict[str, str]:
    """Return for each file its name without the common folders."""
    try:
        folder = os.path.commonpath([Path(file).parent for file in files])
        return {file: Path(file).relative_to(folder).as_posix() for file in files}
    except ValueError:  # no common folder, or several drives
        return {}


def _last(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the last `count` names; a component (x, y, z) or index is returned with its owner's name."""
    while count < len(names) and (names[-count].isdigit() or names[-count] in AXES):
        count += 1
    return names[-count:]
