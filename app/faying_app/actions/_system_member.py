"""What adds a member of one of a system's families: a constraint, a force, a measure, a controller, an event."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from faying.multibody.system_spec import SystemSpec
from faying.params import Member, unused_name
from faying.project.recorded import Edit
from faying.registry import Registry
from faying_app.actions import Choice, ChoosingAction
from faying_app.actions._marker_guess import marker_parameters
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, can_name, first_names
from faying_app.context import Context
from faying_app.entities import system_path


class AddSystemMember(ChoosingAction):
    """Offers the kinds of a family; what a new member names is chosen for it.

    Attributes:
        what: "force", "event", …; the system's list is in the plural.
        family: of the kinds.
        add: the edit that adds one to a system of a name.
    """

    menu = "Model/System"
    needs = (parts,)
    what: ClassVar[str]
    family: ClassVar[Registry[Any]]
    add: ClassVar[Callable[[str, dict[str, Any]], Edit]]

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds that can name what they need."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title or kind, partial(self._add, context, kind))
            for kind, cls in self.family.items()
            if can_name(system, cls)
        ]

    def taken(self, system: SystemSpec) -> set[str]:
        """Return the names that a new member may not have."""
        return {each.name for each in getattr(system, f"{self.what}s")}

    def words(self, context: Context, system: SystemSpec, kind: type[Member]) -> dict[str, Any]:
        """Return a first choice of what a new member names."""
        return {**marker_parameters(context, system, kind), **first_names(context, system, kind)}

    def _add(self, context: Context, kind: str) -> None:
        system = context.selected_system()
        if system is None:
            return
        cls = self.family[kind]
        name = unused_name((cls.title or kind).lower(), self.taken(system))
        edit = type(self).add(system.name, {"kind": kind, "name": name, **self.words(context, system, cls)})
        path = (*system_path(context.project, system.name), f"{self.what}s")
        add_and_select(context, f"Add {self.what} {name!r}", edit, path)


class AddScalar(AddSystemMember):
    """Adds a measure or a controller: their names are of one kind."""

    def taken(self, system: SystemSpec) -> set[str]:
        """Return the names of measures and controllers."""
        return {each.name for each in system.scalars}
