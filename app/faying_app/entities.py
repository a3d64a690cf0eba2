"""Entities: what can be selected in a project, by path."""

from collections.abc import Sequence
from typing import Any

from faying.analyses import BodyAnalysis, SystemAnalysis
from faying.analyses.sweep import Sweep
from faying.errors import ModelError
from faying.multibody.system_spec import SystemSpec
from faying.project.paths import value_at
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target
from faying_app.selection import EntityPath

# Kind of an entity by the names along its path.
_KINDS = {
    (): "project",
    ("bodies",): "bodies",
    ("bodies", 0): "body",
    ("bodies", 0, "model"): "model",
    ("bodies", 0, "materials"): "materials",
    ("bodies", 0, "materials", 0): "body_material",
    ("bodies", 0, "interfaces"): "interfaces",
    ("bodies", 0, "interfaces", 0): "interface",
    ("bodies", 0, "couplings"): "couplings",
    ("bodies", 0, "couplings", 0): "coupling",
    ("bodies", 0, "supports"): "supports",
    ("bodies", 0, "supports", 0): "support",
    ("bodies", 0, "bolts"): "bolts",
    ("bodies", 0, "bolts", 0): "bolt",
    ("bodies", 0, "contact_surfaces"): "contact_surfaces",
    ("bodies", 0, "contact_surfaces", 0): "contact_surface",
    ("bodies", 0, "preloads"): "preloads",
    ("bodies", 0, "preloads", 0): "preload",
    ("bodies", 0, "loads"): "loads",
    ("bodies", 0, "loads", 0): "load",
    ("bodies", 0, "contact_surfaces", 0, "surface"): "surface",
    ("bodies", 0, "joints"): "joints",
    ("bodies", 0, "joints", 0): "joint",
    ("bodies", 0, "joints", 0, "master"): "surface",
    ("bodies", 0, "joints", 0, "slave"): "surface",
    ("bodies", 0, "joints", 0, "search"): "search",
    ("bodies", 0, "joints", 0, "contact_law"): "contact_law",
    ("bodies", 0, "joints", 0, "friction_law"): "friction_law",
    ("bodies", 0, "reduction"): "reduction",
    ("bodies", 0, "joint_modes"): "joint_modes",
    ("systems",): "systems",
    ("systems", 0): "system",
    ("systems", 0, "ground"): "ground",
    ("systems", 0, "ground", 0): "marker",
    ("systems", 0, "parts"): "parts",
    ("systems", 0, "parts", 0): "part",
    ("systems", 0, "parts", 0, "markers", 0): "marker",
    ("systems", 0, "parts", 0, "contact_surfaces", 0): "rigid_surface",
    ("systems", 0, "ground_surfaces"): "ground_surfaces",
    ("systems", 0, "ground_surfaces", 0): "rigid_surface",
    ("systems", 0, "contacts"): "contacts",
    ("systems", 0, "contacts", 0): "contact",
    ("systems", 0, "contacts", 0, "contact_law"): "contact_law",
    ("systems", 0, "contacts", 0, "friction_law"): "friction_law",
    ("systems", 0, "constraints"): "constraints",
    ("systems", 0, "constraints", 0): "constraint",
    ("systems", 0, "forces"): "forces",
    ("systems", 0, "forces", 0): "force",
    ("systems", 0, "measures"): "measures",
    ("systems", 0, "measures", 0): "measure",
    ("systems", 0, "controllers"): "controllers",
    ("systems", 0, "controllers", 0): "controller",
    ("systems", 0, "events"): "events",
    ("systems", 0, "events", 0): "event",
    ("analyses",): "analyses",
    ("analyses", 0): "analysis",
}

# Kinds of entities that have a name of their own: they can be renamed, copied and removed.
NAMED = (
    "body", "interface", "coupling", "support", "bolt", "preload", "load",
    "joint", "contact_surface", "system", "part", "marker",
    "rigid_surface", "contact", "constraint", "force", "measure", "controller", "event", "analysis",
)  # fmt: skip

# What a deck holds by name, as the last parts of a path call it.
DECK_ITEMS = ("deck_surface", "node_set", "element_set", "material", "connected_part")


def kind_of(path: EntityPath) -> str:
    """Return what kind of entity a path leads to: "joint", "analysis", …; "detail" for anything deeper."""
    if is_deck_item(path):
        return str(path[3])
    return _KINDS.get(tuple(0 if isinstance(p, int) else p for p in path), "detail")


def is_deck_item(path: EntityPath) -> bool:
    """Return whether a path leads into a deck: ``("bodies", 0, "model", "deck_surface", "JOINT_MASTER")``."""
    return len(path) == 5 and path[2] == "model" and path[3] in DECK_ITEMS


def exists(project: Project, path: EntityPath) -> bool:
    """Return whether there is something at a path."""
    try:
        value_at(project, path[:3] if is_deck_item(path) else path)
    except ModelError:
        return False
    return True


def counted_entities(paths: Sequence[EntityPath]) -> str:
    """Return how many entities there are: "3 joints", or "3 entries" where their kinds differ."""
    kinds = {kind_of(path).replace("_", " ") for path in paths}
    if len(kinds) > 1:
        return f"{len(paths)} entries"
    kind = kinds.pop()
    plural = "analyses" if kind == "analysis" else f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return f"{len(paths)} {plural}"


def nearest(project: Project, path: EntityPath) -> EntityPath:
    """Return the path, or its nearest ancestor that exists."""
    while path and not exists(project, path):
        path = path[:-1]
    return path


def swept(project: Project, analysis: Any) -> Any:
    """Return the analysis that a sweep is of, where it is there; any other as it is."""
    if not isinstance(analysis, Sweep):
        return analysis
    return next((a for a in project.analyses if a.name == analysis.analysis), analysis)


def body_at(project: Project, path: EntityPath) -> BodySpec | None:
    """Return the body that an entity belongs to: its own, its analysis', its part's, else the first there is.

    A part of a system that is made of no body has none.
    """
    if len(path) >= 2 and path[0] == "bodies":
        value = value_at(project, path[:2]) if exists(project, path[:2]) else None
        return value if isinstance(value, BodySpec) else None
    if len(path) >= 2 and path[0] == "analyses" and exists(project, path[:2]):
        analysis = swept(project, value_at(project, path[:2]))
        if isinstance(analysis, BodyAnalysis):
            return next((b for b in project.bodies if b.name == analysis.body), None)
    if len(path) >= 4 and path[2] == "parts" and exists(project, path[:4]):
        name = value_at(project, path[:4]).body_name()
        return next((b for b in project.bodies if b.name == name), None)
    return project.bodies[0] if project.bodies else None


def system_at(project: Project, path: EntityPath) -> SystemSpec | None:
    """Return the multibody system that an entity is, belongs to, or analyses; None for anything else."""
    if len(path) >= 2 and path[0] == "systems" and exists(project, path[:2]):
        found: SystemSpec = value_at(project, path[:2])
        return found
    analysis = swept(project, analysis_at(project, path))
    if isinstance(analysis, SystemAnalysis):
        return next((s for s in project.systems if s.name == analysis.system), None)
    return None


def system_path(project: Project, name: str) -> EntityPath:
    """Return the path of the system of that name; () when there is none."""
    return next((("systems", i) for i, system in enumerate(project.systems) if system.name == name), ())


def system_markers(project: Project, system: SystemSpec) -> tuple[str, ...]:
    """Return the markers "part.marker" of a system; those of ground first."""
    return system.marker_names({body.name: [i.name for i in body.interfaces] for body in project.bodies})


def system_surfaces(project: Project, system: SystemSpec) -> tuple[str, ...]:
    """Return the surfaces "part.surface" of a system that contacts may name; those of ground first."""
    return system.surface_names(
        {body.name: [s.name for s in body.contact_surfaces] for body in project.bodies}
    )


def body_path(project: Project, name: str) -> EntityPath:
    """Return the path of the body of that name; () when there is none."""
    for i, body in enumerate(project.bodies):
        if body.name == name:
            return ("bodies", i)
    return ()


def place_of_target(project: Project, target: Target) -> EntityPath:
    """Return the path of what a target is computed for: an analysis, a joint, a model, or the body or system."""
    for i, analysis in enumerate(project.analyses):
        if target.item and analysis.name == target.item and analysis.owner == target.body:
            return ("analyses", i)
    body = body_path(project, target.body)
    if not body:
        return system_path(project, target.body)
    for i, joint in enumerate(value_at(project, body).joints):
        if target.item == joint.name:
            return (*body, "joints", i)
    return (*body, "model") if target.stage == "model" else body


def joint_path(project: Project, path: EntityPath) -> EntityPath:
    """Return the path of the joint that an entity is or belongs to, else of the body's first joint, else ()."""
    if len(path) >= 4 and path[2] == "joints" and exists(project, path[:4]):
        return path[:4]
    body = body_at(project, path)
    return (*body_path(project, body.name), "joints", 0) if body is not None and body.joints else ()


def contact_path(project: Project, path: EntityPath) -> EntityPath:
    """Return the path of the contact between parts that an entity is or belongs to, else ()."""
    inside = len(path) >= 4 and path[0] == "systems" and path[2] == "contacts"
    return path[:4] if inside and exists(project, path[:4]) else ()


def joint_at(project: Project, path: EntityPath) -> Any:
    """Return the joint that an entity is or belongs to, else the body's first joint, else None."""
    found = joint_path(project, path)
    return value_at(project, found) if found else None


def analysis_at(project: Project, path: EntityPath) -> Any:
    """Return the analysis that a path leads to, else None."""
    if len(path) >= 2 and path[0] == "analyses" and exists(project, path[:2]):
        return value_at(project, path[:2])
    return None


def title_of(project: Project, path: EntityPath) -> str:
    """Return an entity's name for a heading."""
    if is_deck_item(path):
        return f"Part {path[4]}" if path[3] == "connected_part" else str(path[4])
    value = value_at(project, path) if exists(project, path) else None
    name = getattr(value, "name", "")
    return str(
        name
        or getattr(value, "title", "")
        or (str(path[-1]).replace("_", " ").capitalize() if path else project.name)
    )
