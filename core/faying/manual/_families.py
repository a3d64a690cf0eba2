"""The families that decisions choose from, and the page of each: its members, when to choose which."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from faying.fem.mesh_makers import mesh_makers
from faying.manual._tables import about, family_page, inner_specs, parameters, spec_in
from faying.params import Spec, family_of, fields_of
from faying.project.specs import Project
from faying.registry import Registry


def families() -> dict[str, Registry[Any]]:
    """Return the families whose members a project may hold, by the name of their page, in the order of the tables.

    Mesh makers come last: a project reads the decks that they make.
    """
    found: dict[str, Registry[Any]] = {}
    seen: set[type[Spec]] = set()

    def walk(kind: type[Spec]) -> None:
        if kind in seen:
            return
        seen.add(kind)
        for _, field, _ in fields_of(kind):
            family: Any = family_of(field)
            if family is not None:
                found.setdefault(family_page(family), family)
                for _, member in family.items():
                    walk(member)
            elif (inner := spec_in(field.annotation)) is not None:
                walk(inner)

    walk(Project)
    found.setdefault(family_page(mesh_makers), mesh_makers)
    return found


def introduction(family: Registry[Any]) -> str:
    """Return the first sentence of the docstring of a family's package."""
    text = " ".join((import_module(family.package).__doc__ or "").split())
    return re.split(r"(?<!eq)\. ", text)[0].rstrip(".") + "."


def page_of(family: Registry[Any]) -> Callable[[], str]:
    """Return a function that writes the page of a family."""

    def make() -> str:
        heading = family.family[0].upper() + family.family[1:]
        parts = [f"# {heading}: kinds", introduction(family)]
        for kind, member in family.items():
            parts += [f"## {member.title or kind}", f'`kind = "{kind}"`', about(member)]
            parts += [f"**When:** {member.advice}"] if member.advice else []
            parts.append(parameters(member))
            waiting = inner_specs(member)
            for inner, spec in waiting:  # then the specs inside these
                parts += [f"### {inner}", about(spec), parameters(spec)]
                waiting += [(f"{inner}.{name}", deeper) for name, deeper in inner_specs(spec)]
        return "\n\n".join(parts) + "\n"

    return make
