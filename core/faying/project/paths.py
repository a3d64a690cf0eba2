"""Paths of decisions in a project, such as ``("bodies", 0, "joints", 1, "search", "distance")``."""

from collections.abc import Callable
from typing import Any

from pydantic.fields import FieldInfo

from faying.errors import ModelError
from faying.params import Spec
from faying.project.numbers import with_number
from faying.project.specs import Project

SpecPath = tuple[str | int, ...]


def path_text(path: SpecPath) -> str:
    """Return a path in readable form: ``bodies[0].joints[1].search.distance``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


def value_at(project: Project, path: SpecPath) -> Any:
    """Return the value at a path.

    Raises:
        ModelError: when there is nothing.
    """
    node: Any = project
    for depth, part in enumerate(path):
        node = _child(node, part, path[: depth + 1])
    return node


def with_changed(project: Project, path: SpecPath, change: Callable[[Any], Any]) -> Project:
    """Return the project with the value at a path replaced by ``change(value)``.

    Every spec on the way up is built again and checked. Texts with units in the new value are numbers wherever a
    quantity is declared.

    Raises:
        ModelError: when there is nothing at the path, or the new value is not allowed.
    """

    def change_numbers(value: Any) -> Any:
        new = change(value)
        if not path:
            return new
        extra = field_at(project, path).json_schema_extra
        quantity = str(extra.get("quantity", "")) if isinstance(extra, dict) else ""
        return with_number(field_at(project, path), quantity, new, project.units, str(path[-1]))

    changed = _changed(project, path, change_numbers, ())
    assert isinstance(changed, Project)
    return changed


def field_at(project: Project, path: SpecPath) -> FieldInfo:
    """Return the declaration of the parameter at a path; of the list when the path ends in a number.

    Raises:
        ModelError: when there is no such parameter.
    """
    names = path[:-1] if path and isinstance(path[-1], int) else path
    if not names:
        raise ModelError("The project itself is not a parameter.")
    owner, name = value_at(project, names[:-1]), names[-1]
    if not isinstance(owner, Spec) or name not in type(owner).model_fields:
        raise ModelError(f"There is no parameter {path_text(path)}.")
    return type(owner).model_fields[str(name)]


def _child(node: Any, part: str | int, path: SpecPath) -> Any:
    if isinstance(part, int) and isinstance(node, tuple) and 0 <= part < len(node):
        return node[part]
    if isinstance(part, str) and isinstance(node, Spec) and part in type(node).model_fields:
        return getattr(node, part)
    known = ""
    if isinstance(node, Spec):
        known = f"Known are: {', '.join(type(node).model_fields)}."
    elif isinstance(node, tuple):
        known = f"The list has {len(node)} entries, counted from 0."
    raise ModelError(f"There is nothing at {path_text(path)}.", known)


def _changed(node: Any, path: SpecPath, change: Callable[[Any], Any], done: SpecPath) -> Any:
    if not path:
        return change(node)
    part, rest = path[0], path[1:]
    inner = _changed(_child(node, part, (*done, part)), rest, change, (*done, part))
    if isinstance(part, int):
        return (*node[:part], inner, *node[part + 1 :])
    return node.with_(**{part: inner})
