"""Curves of what is dragged from the project tree onto a plot: a measure, a constraint, a force, a marker, a joint."""

from faying.project.paths import value_at
from faying.project.specs import Project
from faying.results.results import Results
from faying_app.entities import exists, kind_of
from faying_app.selection import EntityPath


def curves_of_entity(project: Project, path: EntityPath, results: Results) -> tuple[str, ...]:
    """Return the texts of the curves of an entity, of several quantities those of the first; () without any."""
    if not exists(project, path):
        return ()
    name = str(getattr(value_at(project, path), "name", ""))
    names = {name}
    if kind_of(path) == "marker":
        owner = "ground" if path[2] == "ground" else str(value_at(project, path[:4]).name)
        names = {f"{owner}.{name}"}
    keys = [k for k in results.curve_keys if k.kind == kind_of(path) and k.owner in names and not k.is_phase]
    first = {(key.quantity, key.part) for key in keys[:1]}
    return tuple(results.curve_texts[key] for key in keys if (key.quantity, key.part) in first)
