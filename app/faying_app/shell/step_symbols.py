"""What acts in a row of steps, as it changes from one to the next: loads at interface nodes, tensions of bolts."""

from typing import Literal

import numpy as np

from faying.analyses.row_of_steps import RowOfSteps
from faying.analyses.step_kinds.tighten import Tighten
from faying.results.bolt_table import AXIAL
from faying.results.results import Results
from faying.units import unit_text
from faying_app.context import Context
from faying_app.scene.content import Load, StoredCourse

Vector = tuple[float, float, float]


def loads_of_steps(context: Context, analysis: RowOfSteps, rows: dict[str, int]) -> list[Load]:
    """Return an arrow for each interface node that steps load, as large as the load is in the shown frame.

    Where steps load a node in different directions there is one for each component.
    """
    found = []
    results = _steps_run(context, analysis)
    at_nodes = [load for step in analysis.steps for load in step.own_loads if load.interface in rows]
    kinds: tuple[Literal["force", "moment"], ...] = ("force", "moment")
    for name in dict.fromkeys(load.interface for load in at_nodes):
        for kind in kinds:
            vectors = [getattr(load, kind) for load in at_nodes if load.interface == name]
            unit = unit_text(kind, context.project.units)
            for vector in _directions([vector for vector in vectors if any(vector)]):
                course = None
                if results is not None:
                    course = _course(results, _along(results, f"{name} {kind}", vector))
                size = f"{float(np.linalg.norm(vector)):.5g} {unit}"
                found.append(Load(rows[name], vector, size, kind, course, unit))
    return found


def bolt_in_steps(context: Context, analysis: RowOfSteps, bolt: str) -> tuple[float, StoredCourse | None]:
    """Return the largest tension that steps give a bolt, and its tension over them in multiples of that (or of 1)."""
    own = [step for step in analysis.steps if isinstance(step, Tighten) and step.bolt == bolt]
    given = max((step.force for step in own), default=0.0)
    results, curve = _steps_run(context, analysis), bolt + AXIAL
    if results is None or curve not in results.curve_names:
        return given, None
    return given, _course(results, results.curve(curve) / (given or 1.0))


def _directions(vectors: list[Vector]) -> list[Vector]:
    """Return the largest of vectors that are parallel; of others their components, each as large as it gets."""
    if not vectors:
        return []
    if np.linalg.matrix_rank(np.array(vectors)) == 1:
        return [max(vectors, key=lambda vector: float(np.linalg.norm(vector)))]
    return [(float(a), float(b), float(c)) for a, b, c in np.diag(np.abs(vectors).max(axis=0)) if a or b or c]


def _along(results: Results, curve: str, vector: Vector) -> np.ndarray:
    """Return (n_frames,) a load over the run, in multiples of a vector that it acts along."""
    acting = np.zeros(results.n_frames)
    for axis, component in zip("xyz", vector, strict=True):
        if component and f"{curve} {axis}" in results.curve_names:
            acting += results.curve(f"{curve} {axis}") * component
    return acting / float(np.dot(vector, vector))


def _steps_run(context: Context, analysis: RowOfSteps) -> Results | None:
    """Return the results of the steps; None before they have run."""
    results = context.computed.results(analysis.name)
    return results if results is not None and results.axis == "step" and results.n_frames else None


def _course(results: Results, factors: np.ndarray) -> StoredCourse:
    return StoredCourse("step", tuple(results.values.tolist()), tuple(factors.tolist()))
