"""Edits: all changes of a project. They are pure and curried: ``set_value(path, value)(project)``.

Specs may be given as specs or as tables (dicts as in a study file). An invalid edit raises a `ModelError` and changes
nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Any, get_origin

from pydantic.fields import FieldInfo

from faying import params
from faying.errors import ModelError, there_are
from faying.fem.added_bolts import BoltSpec
from faying.fem.added_couplings import CouplingSpec
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.placement import MarkerSpec
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.params import Spec, build, family_of
from faying.project.decisions import with_followed_decisions
from faying.project.deck import without_digest_of
from faying.project.numbers import with_numbers
from faying.project.paths import SpecPath, field_at, path_text, value_at, with_changed
from faying.project.recorded import RecordedEdit, edit
from faying.project.references import called, with_renamed
from faying.project.specs import BodySpec, InterfaceSpec, JointSpec, Project
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.reduction.interior import ALL_COMPONENTS
from faying.reduction.preload import PreloadSpec
from faying.reduction.preload_loads.bolt_force import BoltForce

PlainDict = dict[str, Any]


@edit
def set_value(project: Project, path: SpecPath, value: Any) -> Project:
    """Set one parameter; a text with a unit ("210 GPa") is converted where a quantity is declared.

    Args:
        project: before.
        path: to the parameter, such as ``("bodies", 0, "joints", 1, "contact_law", "stiffness")``. A new deck or matrix
            file drops the stored fingerprint of the former one.
        value: the new value, or a table for a spec.
    """
    field_at(project, path)  # a list entry belongs to a parameter too
    changed = with_changed(project, path, lambda _: value)
    if path[2:3] == ("model",) and len(path) == 4 and value_at(changed, path) != value_at(project, path):
        changed = with_changed(changed, path[:3], lambda model: without_digest_of(model, str(path[3])))
    return changed


@edit
def set_values(project: Project, path: SpecPath, values: PlainDict) -> Project:
    """Set several parameters of the spec at a path as one step."""
    for name, value in values.items():
        project = set_value((*path, name), value)(project)
    return project


@edit
def together(project: Project, steps: Sequence[RecordedEdit]) -> Project:
    """Apply several edits, one after the other, as one step."""
    for step in steps:
        project = step(project)
    return project


@edit
def add_items(project: Project, path: SpecPath, items: Sequence[Spec | PlainDict]) -> Project:
    """Add several entries to the list at a path in one step."""
    return with_changed(project, path, lambda old: (*old, *items))


@edit
def replace_project(project: Project, value: Project | PlainDict) -> Project:
    """Replace everything by another project."""
    return value if isinstance(value, Project) else build(Project, value)


@edit
def add_body(
    project: Project, body: BodySpec | PlainDict, analyses: Iterable[Spec | PlainDict] = ()
) -> Project:
    """Add a body at the end, and analyses of it, such as the load cases of its deck."""
    project = _appended(project, ("bodies",), _built(project, BodySpec, body))
    for analysis in analyses:
        project = _appended(project, ("analyses",), analysis)
    return project


@edit
def add_interface(project: Project, body: str, interface: InterfaceSpec | PlainDict) -> Project:
    """Add an interface node to the body of that name."""
    return _appended(
        project, (*_body(project, body), "interfaces"), _built(project, InterfaceSpec, interface)
    )


@edit
def add_coupling(
    project: Project,
    body: str,
    coupling: CouplingSpec | PlainDict,
    interface: str = "",
    components: Sequence[int] = ALL_COMPONENTS,
) -> Project:
    """Add a coupling to the body of that name, and an interface node called `interface`, if given, at its new node.

    `components` are the motions of that node with constraint modes; none for a marker alone.
    """
    path, made = _body(project, body), _built(project, CouplingSpec, coupling)
    project = _appended(project, (*path, "couplings"), made)
    if not interface:
        return project
    return _appended(
        project,
        (*path, "interfaces"),
        InterfaceSpec(name=interface, node_set=made.name, components=components),
    )


@edit
def add_bolt(
    project: Project, body: str, bolt: BoltSpec | PlainDict, case: str = "", force: float | None = None
) -> Project:
    """Add a bolt to the body of that name, and tighten it in the preload case `case`, if given.

    An existing case gets an additional load, otherwise the case is created. The default force is that of the last bolt
    in the case, or zero.
    """
    path, made = _body(project, body), _built(project, BoltSpec, bolt)
    project = _appended(project, (*path, "bolts"), made)
    if not case:
        return project
    cases = value_at(project, (*path, "preloads"))
    at = next((i for i, each in enumerate(cases) if each.name == case), None)
    forces = [] if at is None else [load.force for load in cases[at].loads if isinstance(load, BoltForce)]
    tension = force if force is not None else forces[-1] if forces else 0.0
    load = {"kind": "bolt_force", "bolt": made.name, "force": tension}
    if at is not None:
        return _appended(project, (*path, "preloads", at, "loads"), load)
    return _appended(
        project, (*path, "preloads"), _built(project, PreloadSpec, {"name": case, "loads": [load]})
    )


@edit
def add_material(project: Project, body: str, material: Spec | PlainDict) -> Project:
    """Assign a material to elements of the body of that name; a table needs its ``kind``. Later materials override."""
    return _appended(project, (*_body(project, body), "materials"), material)


@edit
def add_load(project: Project, body: str, load: Spec | PlainDict) -> Project:
    """Add a load to the body of that name; a table needs its ``kind``."""
    return _appended(project, (*_body(project, body), "loads"), load)


@edit
def add_joint(project: Project, body: str, joint: JointSpec | PlainDict) -> Project:
    """Add a joint to the body of that name."""
    return _appended(project, (*_body(project, body), "joints"), _built(project, JointSpec, joint))


@edit
def add_joints(project: Project, body: str, joints: Sequence[JointSpec | PlainDict]) -> Project:
    """Add several joints to the body of that name in one step."""
    for joint in joints:
        project = add_joint(body, joint)(project)
    return project


@edit
def add_contact_surface(project: Project, body: str, surface: ContactSurfaceSpec | PlainDict) -> Project:
    """Add a surface that other parts may touch to the body of that name."""
    path = (*_body(project, body), "contact_surfaces")
    return _appended(project, path, _built(project, ContactSurfaceSpec, surface))


@edit
def add_system(project: Project, system: SystemSpec | PlainDict) -> Project:
    """Add a multibody system at the end."""
    return _appended(project, ("systems",), _built(project, SystemSpec, system))


@edit
def add_part(project: Project, system: str, part: Spec | PlainDict) -> Project:
    """Add a part to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "parts"), part)


@edit
def add_marker(project: Project, system: str, part: str, marker: MarkerSpec | PlainDict) -> Project:
    """Add a marker to a part of a system; to ground for the part "ground"."""
    path = _system(project, system)
    if part == GROUND:
        return _appended(project, (*path, "ground"), _built(project, MarkerSpec, marker))
    names = [known.name for known in project.system(system).parts]
    if part not in names:
        raise _no_part(system, part, names)
    return _appended(
        project, (*path, "parts", names.index(part), "markers"), _built(project, MarkerSpec, marker)
    )


@edit
def set_axes(project: Project, system: str, constraint: str, markers: PlainDict) -> Project:
    """Rotate the markers of a constraint, so that it acts about or along another axis.

    A marker that is used elsewhere, or is built into a part, is kept; the constraint then gets a new one.

    Args:
        project: before.
        system, constraint: names.
        markers: "rotation" and "position" in the part's frame, by the constraint's parameters "first" and "second".
    """
    path, spec = _system(project, system), project.system(system)
    number = next((i for i, each in enumerate(spec.constraints) if each.name == constraint), None)
    if number is None:
        names = [each.name for each in spec.constraints]
        raise ModelError(
            f"System {system!r} has no constraint called {constraint!r}.", there_are(constraint, names)
        )
    parts = {part.name: i for i, part in enumerate(spec.parts)}
    for which, pose in markers.items():
        named = getattr(spec.constraints[number], which)
        owner, _, own = named.partition(".")
        if owner != GROUND and owner not in parts:
            raise _no_part(system, owner, parts)
        at: SpecPath = (*path, "ground") if owner == GROUND else (*path, "parts", parts[owner], "markers")
        known = [marker.name for marker in value_at(project, at)]
        users = [
            name
            for member in (*spec.constraints, *spec.forces)
            for name in member.marker_names()
            if name == named
        ]
        if own in known and len(users) == 1:
            project = set_value((*at, known.index(own), "rotation"), pose["rotation"])(project)
            continue
        made = {"rotation": pose["rotation"], "position": pose["position"], "name": ""}
        if own in known:
            made["interface"] = value_at(project, at)[known.index(own)].interface
        elif owner != GROUND and spec.parts[parts[owner]].kind == "flexible":
            made["interface"] = own
        made["name"] = unused_name(project, at, f"{constraint} axis")
        project = add_marker(system, owner, made)(project)
        project = set_value((*path, "constraints", number, which), f"{owner}.{made['name']}")(project)
    return project


@edit
def add_rigid_surface(project: Project, system: str, part: str, surface: Spec | PlainDict) -> Project:
    """Add a surface to a rigid part of a system, to ground for the part "ground"; a table needs its ``kind``."""
    path = _system(project, system)
    if part == GROUND:
        return _appended(project, (*path, "ground_surfaces"), surface)
    parts = {known.name: i for i, known in enumerate(project.system(system).parts)}
    if part not in parts:
        raise _no_part(system, part, parts)
    if "contact_surfaces" not in type(project.system(system).parts[parts[part]]).model_fields:
        raise ModelError(
            f"Part {part!r} is flexible: its surfaces are those of its body.",
            "Add a contact surface to the body.",
        )
    return _appended(project, (*path, "parts", parts[part], "contact_surfaces"), surface)


@edit
def add_contact(
    project: Project,
    system: str,
    contact: PartContactSpec | PlainDict,
    surfaces: Sequence[tuple[str, ContactSurfaceSpec | PlainDict]] = (),
) -> Project:
    """Add contact between two parts to the system of that name, after adding surfaces to bodies.

    Args:
        project: before.
        system: name of the system.
        contact: the contact to add.
        surfaces: pairs of a body's name and a contact surface to add to it.
    """
    for body, surface in surfaces:
        project = add_contact_surface(body, surface)(project)
    return _appended(
        project, (*_system(project, system), "contacts"), _built(project, PartContactSpec, contact)
    )


@edit
def add_constraint(project: Project, system: str, constraint: Spec | PlainDict) -> Project:
    """Add a constraint to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "constraints"), constraint)


@edit
def add_force(project: Project, system: str, force: Spec | PlainDict) -> Project:
    """Add a force to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "forces"), force)


@edit
def add_measure(project: Project, system: str, measure: Spec | PlainDict) -> Project:
    """Add a measure to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "measures"), measure)


@edit
def add_controller(project: Project, system: str, controller: Spec | PlainDict) -> Project:
    """Add a controller to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "controllers"), controller)


@edit
def add_analysis(project: Project, analysis: Spec | PlainDict) -> Project:
    """Add an analysis at the end; a table needs its ``kind``."""
    return _appended(project, ("analyses",), analysis)


@edit
def add_event(project: Project, system: str, event: Spec | PlainDict) -> Project:
    """Add an event to the system of that name; a table needs its ``kind``."""
    return _appended(project, (*_system(project, system), "events"), event)


@edit
def remove(project: Project, path: SpecPath) -> Project:
    """Remove an entry of a list, or an optional member (a friction law).

    Analyses of a removed body or system are removed too.
    """
    if not path:
        raise ModelError("The project itself cannot be removed.", "Remove a body, a joint or an analysis.")
    gone, last = value_at(project, path), path[-1]
    if isinstance(last, str):
        return with_changed(project, path, lambda _: None)
    owner = {"bodies": "body", "systems": "system"}.get(str(path[0])) if len(path) == 2 else None
    if owner is not None:
        kept = tuple(a for a in project.analyses if getattr(a, owner, None) != gone.name)
        project = project.with_(analyses=kept)
    return with_changed(project, path[:-1], lambda items: (*items[:last], *items[last + 1 :]))


@edit
def rename(project: Project, path: SpecPath, name: str) -> Project:
    """Rename any named entity: the project, a body, a joint, a part, …; references are updated."""
    old = getattr(value_at(project, path), "name", None)
    if old is None:
        raise ModelError(f"What is at {path_text(path)} has no name.", "Choose something that has one.")
    renamed = with_changed(project, (*path, "name"), lambda _: name)
    return with_followed_decisions(with_renamed(renamed, project, path, old, name), project)


@edit
def replace_member(project: Project, path: SpecPath, kind: str | None) -> Project:
    """Replace a law, method or analysis by another kind with its defaults.

    Parameters without a default, and those that both kinds declare by the same name, title and type, keep their values.
    `kind` None removes an optional member; the present kind is reset to its defaults.
    """
    if kind is None:
        return with_changed(project, path, lambda _: None)
    family = family_of(field_at(project, path))
    if family is None:
        raise ModelError(f"What is at {path_text(path)} has no kinds to choose from.")
    chosen = family[kind]

    def change(old: Any) -> Any:
        needed = {name: field for name, field in chosen.model_fields.items() if field.is_required()}
        kept = {name: getattr(old, name) for name in needed if hasattr(old, name)}
        kept |= {
            name: getattr(old, name)
            for name, field in chosen.model_fields.items()
            if type(old) is not chosen
            and _is_same_parameter(field, getattr(type(old), "model_fields", {}).get(name))
        }
        # A member composed of others of its family begins with the one that it replaces.
        for name, field in needed.items():
            if old is not None and name not in kept and family_of(field) is family:
                kept[name] = (old,) if get_origin(field.annotation) is tuple else old
        return build(chosen, kept)

    return with_changed(project, path, change)


def _is_same_parameter(one: FieldInfo, other: FieldInfo | None) -> bool:
    return other is not None and (one.title, one.annotation) == (other.title, other.annotation)


@edit
def move(project: Project, path: SpecPath, to: int) -> Project:
    """Move an entry of a list to another place in it (counted from 0)."""
    value_at(project, path)
    at = path[-1] if path else ""
    if not isinstance(at, int):
        raise ModelError(f"{path_text(path) or 'The project'} is not an entry of a list.")

    def change(items: tuple[Any, ...]) -> tuple[Any, ...]:
        rest = [*items[:at], *items[at + 1 :]]
        rest.insert(min(max(to, 0), len(rest)), items[at])
        return tuple(rest)

    return with_changed(project, path[:-1], change)


@edit
def duplicate(project: Project, path: SpecPath, name: str) -> Project:
    """Add a copy of a list entry directly after it, under a new name."""
    entry = value_at(project, path)
    at = path[-1] if path else ""
    if not isinstance(at, int):
        raise ModelError(f"{path_text(path) or 'The project'} is not an entry of a list.")
    if not isinstance(entry, Spec):
        raise ModelError(f"What is at {path_text(path)} has no name.", "Choose something that has one.")
    return with_changed(
        project, path[:-1], lambda items: (*items[: at + 1], called(entry, name), *items[at + 1 :])
    )


@edit
def swap_surfaces(project: Project, path: SpecPath) -> Project:
    """Exchange master and slave surface of the joint at a path."""
    joint = value_at(project, path)
    if not (hasattr(joint, "master") and hasattr(joint, "slave")):
        raise ModelError(
            f"{path_text(path) or 'The project'} has no master and slave surface.", "Choose a joint."
        )
    return with_changed(project, path, lambda _: joint.with_(master=joint.slave, slave=joint.master))


@edit
def share_laws(project: Project, path: SpecPath) -> Project:
    """Give all joints with contact the contact law and the friction law of the joint at a path."""
    joint = value_at(project, path)
    if not isinstance(joint, JointSpec):
        raise ModelError(f"{path_text(path) or 'The project'} has no contact law.", "Choose a joint.")
    laws = {"contact_law": joint.contact_law, "friction_law": joint.friction_law}
    bodies = tuple(
        body.with_(joints=tuple(each if body.is_tied(each) else each.with_(**laws) for each in body.joints))
        for body in project.bodies
    )
    return project.with_(bodies=bodies)


def removals(paths: Sequence[SpecPath]) -> RecordedEdit:
    """Return the edit that removes what is at several paths, in an order in which no removal moves another path."""
    # Analyses go first, since they go with their body or system; of a list the last entry goes first.
    analyses = sorted((path for path in paths if path[:1] == ("analyses",)), reverse=True)
    others = sorted((path for path in paths if path[:1] != ("analyses",)), reverse=True)
    return together([remove(path) for path in (*analyses, *others)])


def duplicates(project: Project, paths: Iterable[SpecPath]) -> RecordedEdit:
    """Return the edit that adds a copy after each list entry at several paths, under unused names."""
    steps: list[RecordedEdit] = []
    for path in sorted(paths, reverse=True):
        name = unused_name(project, path[:-1], f"{value_at(project, path).name} copy")
        steps.append(duplicate(path, name))
        project = steps[-1](project)
    return together(steps)


def unused_name(project: Project, path: SpecPath, wish: str) -> str:
    """Return the requested name, numbered if an entry of the list at `path` already has it."""
    return params.unused_name(wish, {item.name for item in value_at(project, path)})


def _no_part(system: str, part: str, names: Iterable[str]) -> ModelError:
    return ModelError(f"System {system!r} has no part called {part!r}.", there_are(part, (GROUND, *names)))


def _built(project: Project, kind: type[Spec], given: Any) -> Any:
    return given if isinstance(given, kind) else build(kind, with_numbers(kind, given, project.units))


def _appended(project: Project, path: SpecPath, item: Any) -> Project:
    return with_changed(project, path, lambda items: (*items, item))


def _body(project: Project, name: str) -> SpecPath:
    return ("bodies", project.bodies.index(project.body(name)))


def _system(project: Project, name: str) -> SpecPath:
    return ("systems", project.systems.index(project.system(name)))
