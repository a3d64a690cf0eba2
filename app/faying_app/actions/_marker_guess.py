"""A first choice of markers for a new constraint or force, so that adding one never asks questions."""

from typing import Any

import numpy as np

from faying.multibody.assembly import Assembled
from faying.multibody.constraints.fixed import Fixed
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.params import Member, fields_of
from faying_app.context import Context
from faying_app.entities import system_markers


def marker_parameters(context: Context, system: SystemSpec, kind: type[Member]) -> dict[str, Any]:
    """Return a marker for each parameter of a kind that names one.

    Parameters take turns between two markers of different parts, one of them the selected part: those that lie
    nearest together and are not tied to each other yet, as parts are mostly joined where they touch; parts that no
    constraint joins come first. A force at a single marker takes the last one of the selected or latest part that can
    move. What is driven over time sits where a constraint is already: the selected or last one.
    """
    names = [name for name, _, extra in fields_of(kind) if extra.get("choices") == "marker"]
    if len(names) == 1:
        return {names[0]: _moving(context, system)}
    first, second = _nearest(context, system)
    if "time_history" in kind.model_fields and len(names) == 2 and system.constraints:
        chosen = (
            context.value(context.entity) if context.entity_kind == "constraint" else system.constraints[-1]
        )
        first, second = chosen.marker_names()[:2]
    return {name: (first, second)[i % 2] for i, name in enumerate(names)}


def _nearest(context: Context, system: SystemSpec) -> tuple[str, str]:
    markers = [name for name in system_markers(context.project, system) if name.partition(".")[2] != "frame"]
    fallback = f"{GROUND}.origin", f"{system.parts[-1].name}.frame"
    at = context.computed.assembled(system)
    if not isinstance(at, Assembled):
        return fallback
    places = {name: at.system.motion(name, at.position).position for name in markers}
    selected = _selected_part(context)
    joined = {frozenset(map(_part_of, member.marker_names()[:2])) for member in system.constraints}
    tied = {frozenset(member.marker_names()) for member in (*system.constraints, *system.forces)}
    # Of equally near pairs the latest: one mostly joins what was added last.
    pairs = [
        (
            bool(selected) and selected not in (_part_of(a), _part_of(b)),
            frozenset((_part_of(a), _part_of(b))) in joined,
            float(np.linalg.norm(places[a] - places[b])), -i - j, a, b,
        )
        for i, a in enumerate(markers)
        for j, b in enumerate(markers[i + 1 :], i + 1)
        if _part_of(a) != _part_of(b) and frozenset((a, b)) not in tied
    ]  # fmt: skip
    return min(pairs)[-2:] if pairs else fallback


def _moving(context: Context, system: SystemSpec) -> str:
    """Return a marker of the selected part, else of the latest one that is not fixed to ground."""
    fixed = {
        part
        for member in system.constraints
        if isinstance(member, Fixed) and GROUND in (parts := [*map(_part_of, member.marker_names())])
        for part in parts
    }
    free = [part.name for part in system.parts if part.name not in fixed] or [system.parts[-1].name]
    part = _selected_part(context) or free[-1]
    own = [name for name in system_markers(context.project, system) if _part_of(name) == part]
    # The frame and the centre of mass come after the markers that the user made.
    made = [name for name in own if name.partition(".")[2] not in ("frame", "centre of mass")]
    return (made or own)[-1]


def _selected_part(context: Context) -> str:
    """Return the name of the part that is selected; "" for none."""
    return str(context.value(context.entity).name) if context.entity_kind == "part" else ""


def _part_of(marker: str) -> str:
    """Return the part of a marker, the first half of its name."""
    return marker.partition(".")[0]
