"""Model ▸ System ▸ Add measure."""

from functools import partial
from typing import Any

from faying.multibody.measures import measures
from faying.multibody.system_spec import SystemSpec
from faying.params import fields_of
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._marker_guess import marker_parameters
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, unused_in_system
from faying_app.context import Context
from faying_app.entities import system_path

_LISTS = {"constraint": "constraints", "force": "forces", "contact": "contacts", "measure": "measures"}


@actions.register("add_measure")
class AddMeasure(ChoosingAction):
    """Add a scalar of the system that becomes a curve."""

    title = "Add measure"
    menu = "Model/System"
    order = 164
    icon = "measure"
    meaning = (
        "Add a distance, an angle, a reaction, a formula: it becomes a curve of every analysis of the system."
    )
    entities = ("system", "measures", "measure")
    needs = (parts,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds that can name what they need."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title or kind.replace("_", " ").capitalize(), partial(_add, context, kind))
            for kind, cls in measures.items()
            if all(getattr(system, _LISTS[what]) for what in _named(cls).values())
        ]


def _named(kind: type) -> dict[str, str]:
    """Return what each parameter without a default has to name in the system, but markers."""
    return {
        name: str(extra.get("choices"))
        for name, field, extra in fields_of(kind)
        if field.is_required() and extra.get("choices") in _LISTS
    }


def _first_names(context: Context, system: SystemSpec, kind: type) -> dict[str, Any]:
    """Return for each of them the selected thing, or the last one of its list."""
    found = {}
    for name, what in _named(kind).items():
        chosen = context.value(context.entity) if context.entity_kind == what else None
        found[name] = (chosen or getattr(system, _LISTS[what])[-1]).name
    return found


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    cls = measures[kind]
    name = unused_in_system(context, system.name, "measures", (cls.title or kind).lower().replace("_", " "))
    words = {
        "kind": kind, "name": name, **marker_parameters(context, system, cls), **_first_names(context, system, cls),
    }  # fmt: skip
    path = (*system_path(context.project, system.name), "measures")
    add_and_select(context, f"Add measure {name!r}", edits.add_measure(system.name, words), path)
