"""The tension of bolts that follows from their size and strength class, shown where it is given."""

from faying.fem.added_bolts import BoltSpec
from faying.project import edits
from faying.project.paths import SpecPath, value_at
from faying.project.specs import BodySpec, Project
from faying.reduction.preload import PreloadSpec
from faying.reduction.preload_loads.bolt_force import BoltForce
from faying.units import unit_text
from faying_app.forms.host import Suggestion

_NEAR = 0.005  # a force that differs by a smaller share is as proposed


def suggested_force(project: Project, path: SpecPath) -> Suggestion | None:
    """Return the force proposed for the bolt or bolts of a spec; None for anything else than bolts and their forces.

    Args:
        project: that contains it.
        path: of a bolt, of its force in a preload case, or of a preload case.
    """
    spec = value_at(project, path)
    if path[:1] != ("bodies",) or not isinstance(spec, BoltSpec | BoltForce | PreloadSpec):
        return None
    body: BodySpec = value_at(project, path[:2])
    bolts = {bolt.name: bolt for bolt in body.bolts}
    forces = _forces(body, path)
    if isinstance(spec, BoltSpec):
        forces = {at: force for at, force in forces.items() if force.bolt == spec.name}
    own = [bolts[force.bolt] for force in forces.values() if force.bolt in bolts]
    if not own or (isinstance(spec, PreloadSpec) and len(own) == 1):  # said at the force already
        return None
    proposed = {bolt.name: bolt.proposed_force(project.units) for bolt in own}
    if all(force is None for force in proposed.values()):
        where = "" if isinstance(spec, BoltSpec) else "; give them in the form of the bolt"
        note = f"Size and strength class propose the force of the bolt (VDI 2230){where}."
        return None if isinstance(spec, PreloadSpec) else Suggestion(note, "", None)
    changes = {
        (*at, "force"): wanted
        for at, force in forces.items()
        if (wanted := proposed.get(force.bolt)) is not None and abs(force.force / wanted - 1.0) > _NEAR
    }
    words = dict.fromkeys(_in_words(bolt, project) for bolt in own if proposed[bolt.name] is not None)
    text = f"{'All bolts: ' if isinstance(spec, PreloadSpec) else ''}{'; '.join(words)} (VDI 2230)."
    if not changes:
        return None if isinstance(spec, PreloadSpec) else Suggestion(text, "", None)
    return Suggestion(
        text,
        "Tighten as size and strength class allow",
        lambda: edits.together([edits.set_value(at, force) for at, force in changes.items()]),
    )


def _forces(body: BodySpec, path: SpecPath) -> dict[SpecPath, BoltForce]:
    """Return the bolt forces of a body at or below a path, of all preload cases for the path of a bolt."""
    at = path if path[2] == "preloads" else path[:2]
    found = {
        (*path[:2], "preloads", i, "loads", j): load
        for i, case in enumerate(body.preloads)
        for j, load in enumerate(case.loads)
        if isinstance(load, BoltForce)
    }
    return {each: load for each, load in found.items() if each[: len(at)] == at}


def _in_words(bolt: BoltSpec, project: Project) -> str:
    force = bolt.proposed_force(project.units)
    return (
        f"{bolt.size} of class {bolt.strength_class}, tightened to {bolt.utilisation:.0%} of yield: "
        f"{force:g} {unit_text('force', project.units)}"
    )
