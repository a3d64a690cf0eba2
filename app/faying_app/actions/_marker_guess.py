"""A first choice of markers for a new constraint or force, so that adding one never asks questions."""

from typing import Any

import numpy as np

from faying.multibody.assembly import Assembled
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.params import Member, fields_of
from faying_app.context import Context
from faying_app.entities import system_markers


def marker_parameters(context: Context, system: SystemSpec, kind: type[Member]) -> dict[str, Any]:
    """Return a marker for each parameter of a kind that names one.

    Parameters take turns between two markers of different parts: those of the system that lie nearest together
    and are not tied to each other yet, as parts are mostly joined where they touch. A force at a single marker
    takes one of a moving part. What is driven over time sits where a constraint is already: the selected or last one.
    """
    names = [name for name, _, extra in fields_of(kind) if extra.get("choices") == "marker"]
    first, second = _nearest(context, system)
    if "time_history" in kind.model_fields and len(names) == 2 and system.constraints:
        chosen = (
            context.value(context.entity) if context.entity_kind == "constraint" else system.constraints[-1]
        )
        first, second = chosen.marker_names()[:2]
    if len(names) == 1:
        return {names[0]: second}
    return {name: (first, second)[i % 2] for i, name in enumerate(names)}


def _nearest(context: Context, system: SystemSpec) -> tuple[str, str]:
    markers = [name for name in system_markers(context.project, system) if name.partition(".")[2] != "frame"]
    fallback = f"{GROUND}.origin", f"{system.parts[-1].name}.frame"
    at = context.computed.assembled(system)
    if not isinstance(at, Assembled):
        return fallback
    places = {name: at.system.motion(name, at.position).position for name in markers}
    tied = {frozenset(member.marker_names()) for member in (*system.constraints, *system.forces)}
    # Of equally near pairs the latest: one mostly joins what was added last.
    pairs = [
        (float(np.linalg.norm(places[a] - places[b])), -i - j, a, b)
        for i, a in enumerate(markers)
        for j, b in enumerate(markers[i + 1 :], i + 1)
        if a.partition(".")[0] != b.partition(".")[0] and frozenset((a, b)) not in tied
    ]
    return min(pairs)[2:] if pairs else fallback
