"""References by name: parameters that declare their target (`choices`) are updated when it is renamed."""

from collections.abc import Callable
from typing import Any

from faying.analyses.sweep import Sweep
from faying.multibody.part_kinds import PartSpec
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.params import Spec, fields_of
from faying.project.curve_catalogue import curves_called, possible_curves
from faying.project.paths import SpecPath, value_at
from faying.project.specs import Project
from faying.results.curve_key import curve_texts

# Kind of the entries of each list, as declared by parameters that refer to them.
_CHOICES = {
    "bodies": "body",
    "joints": "joint",
    "contact_surfaces": "part_surface",
    "interfaces": "interface",
    "couplings": "node_set",
    "supports": "node_set",
    "bolts": "bolt",
    "preloads": "preload",
    "loads": "body_load",
    "systems": "system",
    "analyses": "analysis",
    "materials": "material",
    "superelements": "superelement",
}
# The same for parts of a system and for ground.
_OF_PARTS = {
    "markers": "marker",
    "ground": "marker",
    "contact_surfaces": "part_surface",
    "ground_surfaces": "part_surface",
}
# The same of what is in a system by its name alone.
_IN_SYSTEM = {
    "constraints": "constraint",
    "forces": "force",
    "contacts": "contact",
    "measures": "measure",
    "controllers": "measure",
}
NewName = Callable[[str], str]


def with_renamed(project: Project, before: Project, path: SpecPath, old: str, new: str) -> Project:
    """Return the project with every reference to a renamed entity updated.

    Args:
        project: project in which the entity already has its new name.
        before: the project before the renaming, for the owner of a nested entity.
        path: path of the renamed entity, such as ``("bodies", 0, "interfaces", 1)``.
        old, new: its names.
    """
    return _with_renamed_curves(_with_references(project, before, path, old, new), before)


def _with_references(project: Project, before: Project, path: SpecPath, old: str, new: str) -> Project:
    """Return the project with every parameter updated that names the renamed entity."""
    at = path[1] if len(path) >= 2 else None
    if path[:1] == ("systems",) and isinstance(at, int) and len(path) > 2:
        system, runs = project.systems[at], project.analyses
        for named, renaming in _renamings(before.systems[at], path, old, new).items():
            system, runs = _follow(system, named, renaming), _of_system(runs, system.name, named, renaming)
        return project.with_(systems=_replaced(project.systems, at, system), analyses=runs)
    kind = _CHOICES.get(str(path[-2])) if len(path) >= 2 else None
    if kind is None or old in (getattr(each, "name", "") for each in value_at(project, path[:-1])):
        return project  # two materials may share a name: references then mean the other one

    def follow(value: Any) -> Any:
        return _follow(value, kind, lambda name: new if name == old else name)

    if kind in ("body", "analysis", "system"):
        return project.with_(
            **{name: follow(getattr(project, name)) for name in ("bodies", "analyses", "systems")}
        )
    # Joints, interface nodes and preload cases are referred to by name within their body, and in its analyses and
    # parts; interface nodes are also markers of these parts, and contact surfaces their surfaces.
    assert isinstance(at, int)
    owner = before.bodies[at].name
    changed = tuple(follow(a) if _body_of(a, project) == owner else a for a in project.analyses)
    systems = []
    for system in project.systems:
        mine = {part.name for part in system.parts if part.body_name() == owner}
        parts = tuple(follow(part) if part.name in mine else part for part in system.parts)
        table = {f"{part}.{old}": f"{part}.{new}" for part in mine}
        of_parts = {"interface": "marker"}.get(kind, kind)
        systems.append(_follow(system.with_(parts=parts), of_parts, _by_table(table)))
        changed = _of_system(changed, system.name, of_parts, _by_table(table))
    body = follow(project.bodies[at])
    if path[-2] == "supports":
        # The support got an interface node under its new name; rename the existing one instead.
        kept = {each.node_set: each for each in reversed(body.interfaces) if each.node_set == new}
        body = body.with_(interfaces=tuple(i for i in body.interfaces if i.node_set != new or i is kept[new]))
    bodies = _replaced(project.bodies, at, body)
    return project.with_(bodies=bodies, analyses=changed, systems=tuple(systems))


def _with_renamed_curves(project: Project, before: Project) -> Project:
    """Return the project with curve names in sweeps updated after a renaming.

    A text that matches several curves with different new texts is kept.
    """

    def follow(sweep: Sweep, was: Sweep) -> Sweep:
        old, new = possible_curves(before, was.analysis), possible_curves(project, sweep.analysis)
        if old == new or len(old) != len(new):
            return sweep
        now, texts = dict(zip(old, new, strict=True)), curve_texts(new)

        def renamed(text: str) -> str:
            found = {texts[now[key]] for key in curves_called(text, old)}
            return found.pop() if len(found) == 1 else text

        return sweep.with_(
            responses=tuple(each.with_(quantity=renamed(each.quantity)) for each in sweep.responses)
        )

    both = zip(project.analyses, before.analyses, strict=True)
    runs = (
        follow(now, was) if isinstance(now, Sweep) and isinstance(was, Sweep) else now for now, was in both
    )
    return project.with_(analyses=tuple(runs))


def _body_of(analysis: Any, project: Project) -> str:
    """Return the body of an analysis; for a sweep that of the varied analysis."""
    if isinstance(analysis, Sweep):
        analysis = next((each for each in project.analyses if each.name == analysis.analysis), None)
    return getattr(analysis, "body", "")


def _renamings(system: SystemSpec, path: SpecPath, old: str, new: str) -> dict[str, NewName]:
    """Return the new names of "part.marker" and "part.surface" after a part or one of these was renamed."""
    if path[2] == "parts" and len(path) == 4:

        def of_part(name: str) -> str:
            return f"{new}.{name.partition('.')[2]}" if name.partition(".")[0] == old else name

        return {"marker": of_part, "part_surface": of_part, "part": _by_table({old: new})}
    own = _IN_SYSTEM.get(str(path[2])) if len(path) == 4 else None
    if own is not None:
        return {own: _by_table({old: new})}
    kind = _OF_PARTS.get(str(path[-2]))
    if kind is None:
        return {}
    part = GROUND
    if path[2] == "parts":
        part = system.parts[path[3]].name if isinstance(path[3], int) else ""
    return {kind: _by_table({f"{part}.{old}": f"{part}.{new}"})}


def _of_system(analyses: tuple[Any, ...], system: str, kind: str, renamed: NewName) -> tuple[Any, ...]:
    """Return the analyses with references to a `kind` of a system updated."""
    moved = {a.name for a in analyses if getattr(a, "system", None) == system}
    mine = moved | {a.name for a in analyses if moved.intersection(a.predecessors())}
    return tuple(_follow(a, kind, renamed) if a.name in mine else a for a in analyses)


def _by_table(table: dict[str, str]) -> NewName:
    return lambda name: table.get(name, name)


def _replaced(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    return (*items[:at], item, *items[at + 1 :])


def called(entry: Spec, name: str) -> Spec:
    """Return a copy of an entry under another name; where it names markers of its own, these are the copy's."""
    own = getattr(entry, "name", "")

    def renamed(marker: str) -> str:
        owner, dot, rest = marker.partition(".")
        return f"{name}{dot}{rest}" if owner == own else marker

    changed: Spec = entry.with_(name=name)
    return _follow(changed, "marker", renamed) if isinstance(entry, PartSpec) else changed


def _follow(value: Any, kind: str, renamed: NewName) -> Any:
    """Return a spec (or list of specs) with parameters that name a `kind` updated."""
    if isinstance(value, tuple):
        return tuple(_follow(item, kind, renamed) for item in value)
    if not isinstance(value, Spec):
        return value
    changes: dict[str, Any] = {}
    for name, _, extra in fields_of(value):
        inner = getattr(value, name)
        if extra.get("choices") == kind:
            after = tuple(renamed(item) for item in inner) if isinstance(inner, tuple) else renamed(inner)
        else:
            after = _follow(inner, kind, renamed)
        if after != inner:
            changes[name] = after
    return value.with_(**changes) if changes else value
