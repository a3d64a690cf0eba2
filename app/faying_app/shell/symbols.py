"""What is marked on the body: interface nodes, bolts, and support and loads of the selected analysis or the body."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from faying.analyses.displacements import DisplacementSpec
from faying.analyses.reduction_study import ReductionStudy
from faying.analyses.row_of_steps import RowOfSteps
from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.load_histories import LoadHistory
from faying.project.bodies import interface_rows
from faying.project.specs import BodySpec
from faying.reduction.interior import ALL_COMPONENTS
from faying.reduction.preload_loads.bolt_force import BoltForce
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at, kind_of
from faying_app.scene.content import Load
from faying_app.shell.step_symbols import bolt_in_steps, loads_of_steps

Vector = tuple[float, float, float]


def symbols_of(
    context: Context, body: BodySpec, model: FeModel
) -> tuple[dict[str, int], list[int], list[Load]]:
    """Return node rows of interfaces by name, rows that are held, and arrows.

    Arrows are of loads, among them the forces of bolts, and of single dofs that the reduction takes.
    """
    try:
        rows = interface_rows(body, model)
    except FayingError:
        rows = {}  # a finding says what is wrong with it
    analysis = analysis_at(context.project, context.entity)
    support = rows.get(getattr(analysis, "support", ""))
    loads = _bolts(context, body, model) + _of_body(context, body, model)
    loads += _single_dofs(context, body, model, rows)
    for load in getattr(analysis, "loads", ()):
        if load.interface not in rows:
            continue
        row = rows[load.interface]
        if any(load.force):
            loads.append(_over_time(context, row, load.force, "force", load.course))
        if any(load.moment):
            loads.append(_over_time(context, row, load.moment, "moment", load.course))
    if isinstance(analysis, RowOfSteps):
        loads += loads_of_steps(context, analysis, rows)
    for moved in getattr(analysis, "displacements", ()):
        if moved.interface in rows:
            loads += _displaced(context, moved, rows[moved.interface])
    return rows, [] if support is None else [support], loads


def _over_time(
    context: Context, row: int, vector: Vector, kind: Literal["force", "moment"], course: LoadHistory
) -> Load:
    """Return an arrow whose size follows a load history."""
    return Load(
        row, vector, _size(context, vector, kind), kind, course, unit_text(kind, context.project.units)
    )


def _single_dofs(context: Context, body: BodySpec, model: FeModel, rows: dict[str, int]) -> list[Load]:
    """Return an arrow for each dof of interface nodes that have some components alone, where reduction is looked at.

    Of a reduction study that has been run, also of the dofs that it chose itself.
    """
    path, analysis = context.entity, analysis_at(context.project, context.entity)
    studied = isinstance(analysis, ReductionStudy) and analysis.body == body.name
    if not studied and kind_of(path) not in ("reduction", "interfaces", "interface"):
        return []
    taken = [
        (rows[each.name], component)
        for each in body.interfaces
        if each.name in rows and each.components != ALL_COMPONENTS
        for component in each.components
    ]
    results = context.computed.results(analysis.name) if studied and analysis is not None else None
    if results is not None:
        known = {int(number): row for row, number in enumerate(model.node_ids)}
        further = results.report.get("further_dofs", [])
        taken += [(known[node], component) for node, component in further if node in known]
    axes = np.eye(3)
    found = []
    for row, component in dict.fromkeys(taken):
        x, y, z = axes[(component - 1) % 3].tolist()
        found.append(Load(row, (x, y, z), "", "force" if component <= 3 else "moment"))
    return found


def _displaced(context: Context, moved: DisplacementSpec, row: int) -> list[Load]:
    """Return arrows of an imposed displacement and rotation, whose size tells by its unit that they are no loads."""
    ux, uy, uz, rx, ry, rz = (moved.given.get(k, 0.0) for k in range(6))
    found = []
    if ux or uy or uz:
        found.append(Load(row, (ux, uy, uz), _size(context, (ux, uy, uz), "length"), "force"))
    if rx or ry or rz:
        found.append(Load(row, (rx, ry, rz), _size(context, (rx, ry, rz), "angle"), "moment"))
    return found


def _size(context: Context, vector: Sequence[float], quantity: str) -> str:
    """Return the size of a vector with its unit."""
    return f"{float(np.linalg.norm(vector)):.5g} {unit_text(quantity, context.project.units)}"


def _of_body(context: Context, body: BodySpec, model: FeModel) -> list[Load]:
    """Return arrows of the body's loads: those that the selected analysis applies, or that are selected themselves."""
    path, analysis = context.entity, analysis_at(context.project, context.entity)
    if analysis is not None:
        names = {acting.load for acting in getattr(analysis, "body_loads", ())}
    elif path[:3:2] == ("bodies", "loads"):
        names = {load.name for i, load in enumerate(body.loads) if i in path[3:4] or len(path) == 3}
    else:
        names = set()
    found = []
    for load in body.loads:
        if load.name not in names:
            continue
        try:
            arrows = load.arrows(
                model, context.computed.skin(body.name) if hasattr(load, "surface") else None
            )
        except FayingError:
            continue  # a finding says what is wrong with it
        for i, arrow in enumerate(arrows):
            x, y, z = arrow.vector.tolist()
            text = "" if i else load.name
            found.append(Load(arrow.node, (x, y, z), text, "moment" if arrow.turns else "force"))
    return found


def _bolts(context: Context, body: BodySpec, model: FeModel) -> list[Load]:
    """Return two arrows for each bolt that pull both sides of its cut together, with the force that it is given.

    In a row of steps, which tighten bolts one after the other, with the force that it has in the shown frame.
    """
    analysis, loads = analysis_at(context.project, context.entity), []
    wanted = getattr(analysis, "preloads", tuple(case.name for case in body.preloads))
    forces = {bolt.name: bolt.force for bolt in model.bolts}
    for case in body.preloads:
        if case.name in wanted:
            of_bolts = [load for load in case.loads if isinstance(load, BoltForce)]
            known = [(model.bolt(load.bolt), load.force) for load in of_bolts]
            forces |= {bolt.name: force for bolt, force in known if bolt is not None}
    for bolt in model.bolts:
        force = _size(context, (forces[bolt.name],), "force")
        text = f"{bolt.name}: {force}" if forces[bolt.name] else bolt.name
        first, second = bolt.centres
        vector, course, unit = bolt.axis, None, ""
        if isinstance(analysis, RowOfSteps) and analysis.body == body.name:
            given, course = bolt_in_steps(context, analysis, bolt.name)
            vector, unit = (
                (given or 1.0) * bolt.axis,
                unit_text("force", context.project.units) if course else "",
            )
            text = f"{bolt.name}: {_size(context, (given,), 'force')}" if given else bolt.name
        x, y, z = vector.tolist()
        loads += [
            Load(first, (x, y, z), course=course),
            Load(second, (-x, -y, -z), text, "force", course, unit, bolt.name),
        ]
    return loads
