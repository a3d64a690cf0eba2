"""What is marked on the body: interface nodes, and support and loads of the selected analysis."""

import numpy as np

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.project.bodies import interface_rows
from faying.project.specs import BodySpec
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.scene.content import Load


def symbols_of(
    context: Context, body: BodySpec, model: FeModel
) -> tuple[dict[str, int], list[int], list[Load]]:
    """Return node rows of interfaces by name, rows that are held, and loads."""
    try:
        rows = interface_rows(body, model)
    except FayingError:
        rows = {}  # a finding says what is wrong with it
    analysis = analysis_at(context.project, context.entity)
    support = rows.get(getattr(analysis, "support", ""))
    loads = []
    for load in getattr(analysis, "loads", ()):
        if load.interface not in rows:
            continue
        row = rows[load.interface]
        if any(load.force):
            loads.append(Load(row, load.force, f"{np.linalg.norm(load.force):g}", "force"))
        if any(load.moment):
            loads.append(Load(row, load.moment, f"{np.linalg.norm(load.moment):g}", "moment"))
    return rows, [] if support is None else [support], loads
