"""References by name: parameters that declare what they name (`choices`) follow when it is renamed."""

from typing import Any

from faying.params import Spec, fields_of
from faying.project.paths import SpecPath
from faying.project.specs import Project

# What a list of named things holds, as parameters that refer to it declare it.
_CHOICES = {
    "bodies": "body",
    "joints": "joint",
    "interfaces": "interface",
    "preloads": "preload",
    "analyses": "analysis",
}


def with_renamed(project: Project, before: Project, path: SpecPath, old: str, new: str) -> Project:
    """Return the project with every reference to a renamed thing changed.

    Args:
        project: in which the thing has its new name already.
        before: the project before; says which body an inner thing belongs to.
        path: of the thing renamed, such as ``("bodies", 0, "interfaces", 1)``.
        old, new: its names.
    """
    kind = _CHOICES.get(str(path[-2])) if len(path) >= 2 else None
    if kind is None:
        return project
    if kind in ("body", "analysis"):
        changed = tuple(_follow(analysis, kind, old, new) for analysis in project.analyses)
        return project.with_(analyses=changed)
    # Joints and interface nodes are known by name within their body and in the analyses of that body.
    at = path[1]
    assert isinstance(at, int)
    owner = before.bodies[at].name
    bodies = list(project.bodies)
    bodies[at] = _follow(bodies[at], kind, old, new)
    changed = tuple(_follow(a, kind, old, new) if a.subject == owner else a for a in project.analyses)
    return project.with_(bodies=tuple(bodies), analyses=changed)


def _follow(value: Any, kind: str, old: str, new: str) -> Any:
    """Return a spec (or list of specs) in which parameters that name a `kind` say `new` for `old`."""
    if isinstance(value, tuple):
        return tuple(_follow(item, kind, old, new) for item in value)
    if not isinstance(value, Spec):
        return value
    changes: dict[str, Any] = {}
    for name, _, extra in fields_of(value):
        inner = getattr(value, name)
        if extra.get("choices") == kind:
            after = _renamed(inner, old, new)
        else:
            after = _follow(inner, kind, old, new)
        if after != inner:
            changes[name] = after
    return value.with_(**changes) if changes else value


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(item, old, new) for item in value)
    return new if value == old else value
