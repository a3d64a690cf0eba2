"""What the actions on multibody systems share."""

from typing import Any

from faying.multibody.system_spec import SystemSpec
from faying.params import Spec, fields_of
from faying.project import edits
from faying.project.recorded import Edit
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.selection import EntityPath

_LISTS = {
    "constraint": "constraints", "force": "forces", "contact": "contacts", "measure": "measures", "part": "parts",
}  # fmt: skip


def unused_in_system(context: Context, system: str, which: str, wish: str) -> str:
    """Return a name that no member of one of the system's lists has."""
    return edits.unused_name(context.project, (*system_path(context.project, system), which), wish)


def add_and_select(context: Context, label: str, edit: Edit, path: EntityPath) -> None:
    """Apply an edit that adds to the list at a path, and select what was added."""
    if context.apply(label, edit):
        context.selection.select((*path, len(context.value(path)) - 1))


def show_system_at_start(context: Context) -> None:
    """Select the system, unless something of it is selected that shows its parts as they start."""
    system = context.selected_system()
    if system is None:
        return
    path = system_path(context.project, system.name)
    if context.entity[:2] != path:
        context.selection.select(path)
    context.view.set_playing(False)


def can_name(system: SystemSpec, kind: type[Spec]) -> bool:
    """Return whether there is something for each name of a kind that has no default."""
    return all(_there(system, what) for what in _named(kind).values())


def _named(kind: type[Spec]) -> dict[str, str]:
    """Return what each parameter without a default has to name in the system, but markers."""
    return {
        name: str(extra.get("choices"))
        for name, field, extra in fields_of(kind)
        if field.is_required() and extra.get("choices") in _LISTS
    }


def first_names(context: Context, system: SystemSpec, kind: type[Spec]) -> dict[str, Any]:
    """Return for each of them the selected thing, or the last one of its list."""
    found = {}
    for name, what in _named(kind).items():
        chosen = context.value(context.entity) if context.entity_kind == what else None
        there = _there(system, what)
        found[name] = (there[-1] if chosen is None or chosen not in there else chosen).name
    return found


def _there(system: SystemSpec, what: str) -> list[Any]:
    """Return what may be named; of parts, the flexible ones, and measures after controllers."""
    if what == "measure":
        return [*system.controllers, *system.measures]
    return [each for each in getattr(system, _LISTS[what]) if what != "part" or each.body_name()]
