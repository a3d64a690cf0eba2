"""Comments of a study file: the meaning of each table and number, from the declarations of the parameters."""

import re
import textwrap

from pydantic.fields import FieldInfo

from faying.errors import ModelError
from faying.params import Member, Spec, family_of
from faying.project.paths import SpecPath, field_at, value_at
from faying.project.specs import Project
from faying.units import unit_text

_HEADER = re.compile(r"(\[{1,2})([A-Za-z0-9_.-]+)\]{1,2}$")
_KEY = re.compile(r"([A-Za-z0-9_-]+) = ")
_WIDTH = 110


def commented(text: str, project: Project) -> str:
    """Return a study's text with a comment at the first occurrence of each parameter: title, unit, meaning.

    Args:
        text: as `faying.project.study.study_text` writes it of the project.
        project: the decisions.
    """
    lines: list[str] = []
    told: set[tuple[type[Spec], str]] = set()
    counts: dict[SpecPath, int] = {}
    place: SpecPath = ()
    for line in text.splitlines():
        header, key = _HEADER.match(line), _KEY.match(line)
        path: SpecPath = ()
        if header:
            path = _place_of(header[2], counts, opens=header[1] == "[[")
            place = path
        elif key:
            path = (*place, key[1])
        if path:
            lines += _comment(project, path, told)
        lines.append(line)
    return "\n".join(lines) + "\n"


def _place_of(header: str, counts: dict[SpecPath, int], *, opens: bool) -> SpecPath:
    """Return the path of a table; `counts` has the current index in each list, and `opens` increases the last one."""
    path: SpecPath = ()
    names = header.split(".")
    for depth, name in enumerate(names):
        path = (*path, name)
        if opens and depth == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _comment(project: Project, path: SpecPath, told: set[tuple[type[Spec], str]]) -> list[str]:
    names = path[:-1] if isinstance(path[-1], int) else path
    owner = value_at(project, names[:-1])
    if names[-1] == "kind" and isinstance(owner, Member):
        return _comment_of_kind(project, names[:-1], owner, told)
    try:
        field = field_at(project, names)
    except ModelError:
        return []  # the format's own words, such as its version
    if (type(owner), str(names[-1])) in told:
        return []
    told.add((type(owner), str(names[-1])))
    return _wrapped(f"{field.title}{_unit(field, project.units)}: {field.description}")


def _comment_of_kind(
    project: Project, path: SpecPath, member: Member, told: set[tuple[type[Spec], str]]
) -> list[str]:
    if (type(member), "kind") in told:
        return []
    told.add((type(member), "kind"))
    family = family_of(field_at(project, path))
    kinds = sorted(family) if family is not None else []  # type: ignore[call-overload]
    others = ", ".join(kind for kind in kinds if kind != member.kind)
    return _wrapped(f"{member.title}." + (f" Others: {others}." if others else ""))


def _unit(field: FieldInfo, units: str) -> str:
    extra = field.json_schema_extra
    quantity = str(extra.get("quantity", "")) if isinstance(extra, dict) else ""
    unit = unit_text(quantity, units) if quantity else ""
    return f" [{unit}]" if unit else ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
