"""Arrows of the loads on a body: at interface nodes and of the body, bolt forces, mounting, steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.step_sequence import StepSequence
from faying.analyses.step_kinds.tighten import Tighten
from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.load_histories import LoadHistory
from faying.project.specs import BodySpec
from faying.reduction.preload_loads.bolt_force import BoltForce
from faying.reduction.preload_loads.node_force import NodeForce
from faying.results.bolt_table import bolt_key
from faying.results.curve_key import CurveKey
from faying.results.frame_axis import FrameAxis
from faying.results.results import Results
from faying.units import UnitSystemName, unit_text

Vector = tuple[float, float, float]
LoadKind = Literal["force", "moment"]
_KINDS: tuple[LoadKind, ...] = ("force", "moment")


@dataclass(frozen=True)
class StoredFactors:
    """The history of a load over a run: its factors `factors` (n,) at the values `at` (n,) of the run's frames."""

    axis: str
    at: tuple[float, ...]
    factors: tuple[float, ...]

    def factor(self, value: float) -> float:
        """Return the factor at a value of the axis."""
        return float(np.interp(value, self.at, self.factors))


@dataclass(frozen=True)
class ShownLoad:
    """A force or moment on a node: `kind` is "force" or "moment", `vector` (3,) gives its direction.

    With a `time_history` its size follows that history: a load history if frames are moments in time, stored factors
    if frames lie along another axis. `unit` is the unit of a varying size, "" where `text` is complete; `name` precedes
    the size.
    """

    node: int
    vector: Vector
    text: str = ""
    kind: LoadKind = "force"
    time_history: LoadHistory | StoredFactors | None = None
    unit: str = ""
    name: str = ""

    def follows(self, axis: FrameAxis) -> bool:
        """Return whether its size changes along an axis of frames."""
        own = self.time_history.axis if isinstance(self.time_history, StoredFactors) else "time"
        return self.time_history is not None and own == axis.kind

    @property
    def size(self) -> float:
        """Length of the vector."""
        return float(np.linalg.norm(self.vector))


def loads_of(
    analysis: Any,
    body: BodySpec,
    model: FeModel,
    rows: dict[str, int],
    units: UnitSystemName,
    *,
    results: Results | None = None,
    skin: Skin | None = None,
) -> list[ShownLoad]:
    """Return arrows of all loads of an analysis on its body.

    Args:
        analysis: of the body; None for the body alone, with all of its preload cases.
        body: the decisions.
        model: its FE model.
        rows: rows of its interface nodes.
        units: of all numbers.
        results: results of the analysis, which give the sizes of steps in a sequence; None before it has run.
        skin: of the model, for loads on surfaces.
    """
    found = [
        *_bolts(analysis, body, model, units, results),
        *_mounting(analysis, body, rows, units),
        *body_loads([acting.load for acting in getattr(analysis, "body_loads", ())], body, model, skin),
        *_at_nodes(analysis, rows, units),
    ]
    if isinstance(analysis, StepSequence):
        found += _of_steps(analysis, rows, units, _of_steps_run(results))
    for moved in getattr(analysis, "displacements", ()):
        if moved.interface in rows:
            found += _displaced(moved, rows[moved.interface], units)
    return found


def body_loads(
    names: Sequence[str], body: BodySpec, model: FeModel, skin: Skin | None = None
) -> list[ShownLoad]:
    """Return arrows of some of a body's loads, by name; without those that are not well defined."""
    found = []
    for load in body.loads:
        if load.name not in names or (skin is None and hasattr(load, "surface")):
            continue
        try:
            arrows = load.arrows(model, skin if hasattr(load, "surface") else None)
        except FayingError:
            continue  # a finding reports the reason
        for i, arrow in enumerate(arrows):
            x, y, z = arrow.vector.tolist()
            text = "" if i else load.name
            found.append(ShownLoad(arrow.node, (x, y, z), text, "moment" if arrow.turns else "force"))
    return found


def size_text(vector: Sequence[float], quantity: str, units: UnitSystemName) -> str:
    """Return the size of a vector with its unit."""
    return f"{float(np.linalg.norm(vector)):.5g} {unit_text(quantity, units)}"


def _at_nodes(analysis: Any, rows: dict[str, int], units: UnitSystemName) -> list[ShownLoad]:
    """Return arrows of the loads at interface nodes; their sizes follow their histories."""
    found = []
    for load in getattr(analysis, "loads", ()):
        for kind in _KINDS:
            vector: Vector = getattr(load, kind, (0.0, 0.0, 0.0))
            if getattr(load, "interface", "") in rows and any(vector):
                text, unit = size_text(vector, kind, units), unit_text(kind, units)
                found.append(ShownLoad(rows[load.interface], vector, text, kind, load.time_history, unit))
    return found


def _displaced(moved: DisplacementSpec, row: int, units: UnitSystemName) -> list[ShownLoad]:
    """Return arrows of an imposed displacement and rotation; their units show that they are not loads."""
    ux, uy, uz, rx, ry, rz = (moved.given.get(k, 0.0) for k in range(6))
    found = []
    if ux or uy or uz:
        found.append(ShownLoad(row, (ux, uy, uz), size_text((ux, uy, uz), "length", units), "force"))
    if rx or ry or rz:
        found.append(ShownLoad(row, (rx, ry, rz), size_text((rx, ry, rz), "angle", units), "moment"))
    return found


# Bolts and mounting -----------------------------------------------------------------------------------------


def _wanted(analysis: Any, body: BodySpec) -> Sequence[str]:
    """Return the acting preload cases; none before a step sequence, in which bolts are slack at first."""
    if isinstance(analysis, StepSequence):
        return ()
    return tuple(getattr(analysis, "preloads", tuple(case.name for case in body.preloads)))


def _bolts(
    analysis: Any, body: BodySpec, model: FeModel, units: UnitSystemName, results: Results | None
) -> list[ShownLoad]:
    """Return two arrows for each bolt that pull both sides of its cut together, with the bolt's given force.

    In a step sequence, which tightens bolts one after the other, the force is that of the shown frame.
    """
    loads: list[ShownLoad] = []
    wanted = _wanted(analysis, body)
    forces = {bolt.name: bolt.force for bolt in model.bolts}
    for case in body.preloads:
        if case.name in wanted:
            of_bolts = [load for load in case.loads if isinstance(load, BoltForce)]
            known = [(model.bolt(load.bolt), load.force) for load in of_bolts]
            forces |= {bolt.name: force for bolt, force in known if bolt is not None}
    for bolt in model.bolts:
        force = size_text((forces[bolt.name],), "force", units)
        text = f"{bolt.name}: {force}" if forces[bolt.name] else bolt.name
        first, second = bolt.centres
        vector, time_history, unit = bolt.axis, None, ""
        if isinstance(analysis, StepSequence) and analysis.body == body.name:
            given, time_history = _bolt_in_steps(analysis, bolt.name, _of_steps_run(results))
            vector, unit = (given or 1.0) * bolt.axis, unit_text("force", units) if time_history else ""
            text = f"{bolt.name}: {size_text((given,), 'force', units)}" if given else bolt.name
        x, y, z = vector.tolist()
        loads += [
            ShownLoad(first, (x, y, z), time_history=time_history),
            ShownLoad(second, (-x, -y, -z), text, "force", time_history, unit, bolt.name),
        ]
    return loads


def _mounting(analysis: Any, body: BodySpec, rows: dict[str, int], units: UnitSystemName) -> list[ShownLoad]:
    """Return arrows of the preload cases' forces at interface nodes; a pair in balance gets one arrow with text."""
    wanted, found = _wanted(analysis, body), []
    single: list[tuple[LoadKind, Vector]] = []  # without their counterpart so far

    def once(vector: Vector, kind: LoadKind) -> str:
        x, y, z = vector
        if (kind, (-x, -y, -z)) in single:
            single.remove((kind, (-x, -y, -z)))
            return ""
        single.append((kind, vector))
        return size_text(vector, kind, units)

    for case in body.preloads:
        for load in case.loads if case.name in wanted else ():
            if isinstance(load, NodeForce) and load.interface in rows:
                for kind in _KINDS:
                    if any(vector := getattr(load, kind)):
                        found.append(ShownLoad(rows[load.interface], vector, once(vector, kind), kind))
    return found


# Steps in a row ---------------------------------------------------------------------------------------------


def _of_steps(
    analysis: StepSequence, rows: dict[str, int], units: UnitSystemName, results: Results | None
) -> list[ShownLoad]:
    """Return an arrow for each interface node that steps load; its size follows the load in the shown frame.

    A node that steps load in different directions gets an arrow for each component.
    """
    found = []
    at_nodes = [load for step in analysis.steps for load in step.own_loads if load.interface in rows]
    for name in dict.fromkeys(load.interface for load in at_nodes):
        for kind in _KINDS:
            vectors = [getattr(load, kind) for load in at_nodes if load.interface == name]
            unit = unit_text(kind, units)
            for vector in _directions([vector for vector in vectors if any(vector)]):
                time_history = None
                if results is not None:
                    time_history = _factors_of_steps(results, _along(results, name, kind, vector))
                text = size_text(vector, kind, units)
                found.append(ShownLoad(rows[name], vector, text, kind, time_history, unit))
    return found


def _bolt_in_steps(
    analysis: StepSequence, bolt: str, results: Results | None
) -> tuple[float, StoredFactors | None]:
    """Return the largest tension of a bolt in the steps, and its tension over them in multiples of that (or of 1)."""
    own = [step for step in analysis.steps if isinstance(step, Tighten) and step.bolt == bolt]
    given, curve = max((step.force for step in own), default=0.0), bolt_key("axial force", bolt)
    if results is None or curve not in results.curve_texts:
        return given, None
    return given, _factors_of_steps(results, results.curve(curve) / (given or 1.0))


def _directions(vectors: list[Vector]) -> list[Vector]:
    """Return the largest of parallel vectors; of other vectors their components, each at its largest size."""
    if not vectors:
        return []
    if np.linalg.matrix_rank(np.array(vectors)) == 1:
        return [max(vectors, key=lambda vector: float(np.linalg.norm(vector)))]
    return [(float(a), float(b), float(c)) for a, b, c in np.diag(np.abs(vectors).max(axis=0)) if a or b or c]


def _along(results: Results, node: str, kind: str, vector: Vector) -> np.ndarray:
    """Return (n_frames,) a force or moment at a node over the run, in multiples of a parallel vector."""
    acting = np.zeros(results.n_frames)
    for axis, component in zip("xyz", vector, strict=True):
        key = CurveKey(f"applied {kind}", kind="interface", owner=node, component=axis)
        if component and key in results.curve_texts:
            acting += results.curve(key) * component
    return acting / float(np.dot(vector, vector))


def _of_steps_run(results: Results | None) -> Results | None:
    return results if results is not None and results.axis.kind == "step" and results.n_frames else None


def _factors_of_steps(results: Results, factors: np.ndarray) -> StoredFactors:
    return StoredFactors("step", tuple(results.values.tolist()), tuple(factors.tolist()))
