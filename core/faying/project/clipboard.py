"""Decisions as TOML text for a clipboard, so that they can be pasted into any project, also in another window."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import tomli_w

from faying.errors import ModelError
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.system_spec import SystemSpec
from faying.params import Spec, unused_name
from faying.project import edits
from faying.project.file_names import with_absolute_files
from faying.project.numbers import converted
from faying.project.paths import SpecPath, field_at, path_text, value_at
from faying.project.recorded import RecordedEdit
from faying.project.references import called
from faying.project.serialization import spec_to_dict, value_from_dict
from faying.project.specs import BodySpec, JointSpec, Project
from faying.units import UnitSystemName

LAWS = ("contact_law", "friction_law")
_HINT = "Copy something from the project tree first (Ctrl+C)."


@dataclass(frozen=True)
class Pasting:
    """How copied decisions become part of a project.

    Attributes:
        edit: the edit, one step.
        paths: of what is there after it.
        names: of what was added; the names of laws for laws.
    """

    edit: RecordedEdit
    paths: tuple[SpecPath, ...]
    names: tuple[str, ...]


def copied_text(project: Project, paths: Sequence[SpecPath], base: Path) -> str:
    """Return list entries and laws of a project as TOML text, with the unit system of their numbers.

    Args:
        project: the project.
        paths: of list entries, such as ``("analyses", 0)``, and of laws of joints.
        base: folder of the project's relative file paths; the text has absolute ones.

    Raises:
        ModelError: when there is nothing at a path, or it cannot be copied.
    """
    absolute = with_absolute_files(project, base)
    table: dict[str, Any] = {"units": project.units}
    for path in paths:
        value = value_at(absolute, path)
        if not isinstance(value, Spec):
            raise ModelError(
                f"There is nothing to copy at {path_text(path)}.", "Choose an entry of the tree."
            )
        plain = spec_to_dict(value, project.units)
        if isinstance(path[-1], int):
            table.setdefault(str(path[-2]), []).append(plain)
        else:
            table[str(path[-1])] = plain
    return tomli_w.dumps(table)


def pasting(text: str, project: Project, at: Sequence[SpecPath], body: SpecPath, system: SpecPath) -> Pasting:
    """Return how the decisions of a text become part of a project.

    List entries are added to the project, body or system; laws replace those of joints and contacts. Numbers are
    converted to the units of the project; names that exist get a number; an analysis of a body or system that does not
    exist becomes one of `body` or `system`.

    Args:
        text: as `copied_text` returns it.
        project: the project to paste into.
        at: paths of the selected entities: laws are pasted into the joints and contacts among them, markers and
            surfaces of parts into the parts among them.
        body, system: path of the body and of the system to add to; () where there is none.

    Raises:
        ModelError: when the text holds no decisions, or there is no place for them.
    """
    table = _table(text)
    units = table.pop("units", project.units)
    if units not in get_args(UnitSystemName):
        raise ModelError(f"The text in the clipboard counts in unknown units, {units!r}.", _HINT)
    steps: list[RecordedEdit] = []
    paths: list[SpecPath] = []
    names: list[str] = []
    for name, value in table.items():
        if name in LAWS:
            places = [(*owner, name) for owner in _owners_of_laws(project, at)]
            if not places:
                raise ModelError(
                    "There is no joint to paste the law into.", "Select joints in the tree, then paste again."
                )
            law = converted(
                value_from_dict(field_at(project, places[0]), value, units, name), units, project.units
            )
            steps += [edits.set_value(place, law) for place in places]
            paths += places
            names.append(type(law).title)
            continue
        place = _place(project, name, at, body, system)
        found = value_from_dict(field_at(project, place), value, units, name)
        items = _fitted(found, project, place, units, body, system)
        count = len(value_at(project, place))
        steps.append(edits.add_items(place, items))
        paths += [(*place, count + i) for i in range(len(items))]
        names += [getattr(item, "name", type(item).__name__) for item in items]
    if not steps:
        raise ModelError("The clipboard holds nothing that can be pasted into a project.", _HINT)
    return Pasting(steps[0] if len(steps) == 1 else edits.together(steps), tuple(paths), tuple(names))


def _table(text: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        table = {}
    known = {
        *LAWS,
        *(name for kind in (Project, BodySpec, SystemSpec) for name in kind.model_fields),
        "markers",
    }
    lists = {name: value for name, value in table.items() if isinstance(value, (list, dict))}
    if not lists or not set(lists) <= known:
        raise ModelError("The clipboard holds nothing that can be pasted into a project.", _HINT)
    return {"units": table["units"], **lists} if "units" in table else lists


def _owners_of_laws(project: Project, at: Sequence[SpecPath]) -> list[SpecPath]:
    """Return the joints and contacts between parts that selected entities are or belong to."""
    owners = dict.fromkeys(path[:4] for path in at if len(path) >= 4)
    return [owner for owner in owners if isinstance(value_at(project, owner), (JointSpec, PartContactSpec))]


def _place(project: Project, name: str, at: Sequence[SpecPath], body: SpecPath, system: SpecPath) -> SpecPath:
    """Return the list to which entries of the list `name` are added."""
    part = next((path[:4] for path in at if len(path) >= 4 and path[2] == "parts"), ())
    if part and name in ("markers", "ground") and "markers" in type(value_at(project, part)).model_fields:
        return (*part, "markers")
    if part and name in ("contact_surfaces", "ground_surfaces"):
        return (*part, "contact_surfaces")
    name = {"markers": "ground"}.get(name, name)
    if name in Project.model_fields:
        return (name,)
    owner, what = (body, "body") if name in BodySpec.model_fields else (system, "multibody system")
    if not owner:
        raise ModelError(
            f"There is no {what} to paste {name.replace('_', ' ')} into.",
            f"Add a {what} first, or select one.",
        )
    return (*owner, name)


def _fitted(
    items: Sequence[Spec], project: Project, place: SpecPath, units: str, body: SpecPath, system: SpecPath
) -> list[Spec]:
    """Return entries in the project's units, with unused names, as analyses of bodies and systems that exist."""
    taken = {getattr(item, "name", "") for item in value_at(project, place)}
    known = {
        "body": ([b.name for b in project.bodies], body),
        "system": ([s.name for s in project.systems], system),
    }
    fitted: list[Spec] = []
    for item in items:
        changes: dict[str, Any] = {}
        new: Spec = converted(item, units, project.units)
        if "name" in type(item).model_fields and place[-1] != "materials":
            new = called(new, unused_name(str(item.name), taken))  # type: ignore[attr-defined]
            taken.add(new.name)  # type: ignore[attr-defined]
        if place == ("analyses",):
            for owner, (names, path) in known.items():
                if path and owner in type(item).model_fields and getattr(item, owner) not in names:
                    changes[owner] = value_at(project, path).name
        fitted.append(new.with_(**changes))
    return fitted
