"""The project as forms see it."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from faying.analyses import BodyAnalysis
from faying.analyses.recording.run_length import least_length
from faying.analyses.sweep import Sweep
from faying.fem.bolt_strengths import COARSE_PITCHES, STRENGTH_CLASSES
from faying.fem.selections.grown import GrownSelection
from faying.multibody.forces import COMMON_READINGS, forces
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project import edits
from faying.project.decisions import decisions_of
from faying.project.paths import SpecPath, value_at
from faying.project.recorded import Edit
from faying.project.specs import Project
from faying.results.fields import fields
from faying_app.context import Context
from faying_app.entities import analysis_at, body_at, kind_of, system_at, system_markers, system_surfaces
from faying_app.forms.bolt_suggestion import suggested_force
from faying_app.forms.contact_suggestion import suggested_stiffness
from faying_app.forms.host import Suggestion
from faying_app.forms.sticking_suggestion import suggested_sticking
from faying_app.selection import SMOOTH_ANGLE, PickedFace, WantedPick

_OF_SCREWS = {"thread": [f"M{size:g}" for size in COARSE_PITCHES], "strength_class": STRENGTH_CLASSES}
_SHANK_ANGLE = 50.0  # degrees between facets: round a shank of eight sides
# What names refer to within a system: lists of things with names.
_IN_SYSTEM = {"constraint": "constraints", "force": "forces", "contact": "contacts", "measure": "scalars"}


class ProjectFormHost:
    """Answers forms from the context's document; names of deck things come from the model, once it is read."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def units(self) -> str:
        """Unit system of the project."""
        return self._context.project.units

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path of the project."""
        return value_at(self._context.project, path)

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return the names that a parameter at a path may refer to."""
        project = self._context.project
        if choices == "body":
            return [body.name for body in project.bodies]
        if choices == "analysis":
            return _analyses_before(analysis_at(project, path), project)
        if choices == "system":
            return [system.name for system in project.systems]
        if choices == "decision":
            return list(decisions_of(project))
        if choices in _OF_SCREWS:
            return list(_OF_SCREWS[choices])
        if choices == "response":
            return responses_of_sweep(self._context, analysis_at(project, path))
        if choices == "part":
            return _parts_of(analysis_at(project, path), project)
        system = system_at(project, path)
        if choices == "marker":
            markers = list(system_markers(project, system)) if system is not None else []
            if analysis_at(project, path) is not None:  # whose loads act on parts: those come first
                markers.sort(key=lambda name: name.startswith(f"{GROUND}."))
            return markers
        if choices == "part_surface":
            return list(system_surfaces(project, system)) if system is not None else []
        if choices in _IN_SYSTEM:
            return [] if system is None else [member.name for member in getattr(system, _IN_SYSTEM[choices])]
        if choices == "force_quantity":
            return _force_quantities(system, value_at(project, path[:-1]))
        body = body_at(project, path)
        if body is None:
            return []
        if choices == "interface":
            points = getattr(analysis_at(project, path), "more_points", ())
            return [place.name for place in (*body.interfaces, *points)]
        if choices == "joint":
            return [joint.name for joint in body.contact_joints]
        if choices == "preload":
            return [case.name for case in body.preloads]
        if choices == "body_load":
            return [load.name for load in body.loads]
        if choices == "superelement":
            return [each.name for each in body.model.superelements]
        model = self._context.computed.model(body.name)
        if model is None:
            return []
        if choices == "node_set":  # those of one node first: only they can be interface nodes
            return sorted(model.node_sets, key=lambda name: (len(model.node_sets[name]) != 1, name))
        known: dict[str, list[str]] = {
            "deck_surface": list(model.surfaces),
            "element_set": list(model.element_sets),
            "deck_set": list({*model.element_sets, *model.node_sets}),
            "material": list(model.materials),
            "bolt": [bolt.name for bolt in model.bolts],
        }
        return sorted(known.get(choices, []))

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return what opens the law editor for a law."""
        if kind_of(path) in ("contact_law", "friction_law"):
            return lambda: self._context.window.edit_law(path)
        return None

    def picker(self, path: SpecPath, what: Literal["face", "node"]) -> Callable[[], None] | None:
        """Return what waits for a face or node of the body in the 3D view; takes a face that is picked already."""
        body = body_at(self._context.project, path)
        if body is None:
            return None
        name, selection = body.name, self._context.selection

        def pick() -> None:
            if self._context.computed.model(name) is None:
                self._context.say(f"The model of {name!r} has not been read yet; there is nothing to click.")
                return
            take = partial(self._take_node if what == "node" else self._take_face, path)
            selection.want(WantedPick(name, what, take))
            picked = selection.faces[-1] if selection.faces else None
            if what == "face" and picked is not None and selection.give(picked.body, "face", picked):
                return
            self._context.view.set(pointer="probe" if what == "node" else "select")
            self._context.say(f"Click a {what} of {name!r} in the 3D view; Esc leaves the field as it is.")

        return pick

    def _take_face(self, path: SpecPath, face: PickedFace) -> None:
        angle = _SHANK_ANGLE if path[-1] == "shank" else SMOOTH_ANGLE
        surface = GrownSelection(element=face.element, face=face.face, angle=angle)
        if self._context.apply("Pick a surface", edits.set_value(path, surface)):
            self._context.selection.drop_faces()

    def _take_node(self, path: SpecPath, number: int) -> None:
        values: dict[str, Any] = {str(path[-1]): number}
        if hasattr(value_at(self._context.project, path[:-1]), "node_set"):
            values["node_set"] = ""  # which would go before the number
        self._context.apply("Pick a node", edits.set_values(path[:-1], values))

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return the note on a bolt (its force), a contact law (its stiffness), a friction law or an integrator."""
        if path[-1:] == ("integrator",):
            return self._length(analysis_at(self._context.project, path))
        if force := suggested_force(self._context.project, path):
            return force
        at = self._context.computed, self._context.project, path
        return suggested_stiffness(*at) or suggested_sticking(*at)

    def _length(self, analysis: Any) -> Suggestion | None:
        results = self._context.computed.results(analysis.name)
        least = least_length(analysis, {} if results is None else results.report)
        if least is None:
            return None
        text = least.sentence
        return Suggestion(f"{text[:1].upper()}{text[1:]}.", "", None)

    def duration(self, path: SpecPath) -> float:
        """Return the duration of the analysis that has the load history, or of the longest run of its system."""
        project = self._context.project
        own, system = analysis_at(project, path), system_at(project, path)
        runs = [own] if own is not None else [
            run for run in project.analyses if system is not None and getattr(run, "system", "") == system.name
        ]  # fmt: skip
        return max((run.duration for run in runs if hasattr(run, "duration")), default=1.0)

    def apply(self, label: str, edit: Edit) -> None:
        """Apply an edit; raises ModelError when it is not allowed."""
        self._context.document.apply(label, edit)


def responses_of_sweep(context: Context, sweep: Any) -> list[str]:
    """Return what there is to be taken of a sweep's analysis: its curves, as far as it was computed, and fields."""
    found = next((a for a in context.project.analyses if a.name == getattr(sweep, "analysis", "")), None)
    if found is None:
        return []
    results = context.computed.results(found.name)
    curves = list(results.curve_names) if results is not None else []
    loaded = [f"{load.interface} u{axis}" for load in getattr(found, "loads", ()) for axis in "xyz"
              if getattr(load, "interface", "")]  # fmt: skip
    known: list[str] = []
    if isinstance(found, BodyAnalysis):
        body = next((b for b in context.project.bodies if b.name == found.body), None)
        has_joints = body is not None and bool(body.contact_joints)
        known = [kind for kind, each in fields.items() if has_joints or each.location == "body"]
    return list(dict.fromkeys([*curves, *([] if curves else loaded), *known]))


def _force_quantities(system: SystemSpec | None, measure: Any) -> list[str]:
    """Return what can be measured of the force that a measure names; of all kinds where it names none."""
    members = [] if system is None else system.forces
    found = next((each for each in members if each.name == getattr(measure, "force", "")), None)
    kinds = [kind for _, kind in forces.items()] if found is None else [type(found)]
    return list(dict.fromkeys([*COMMON_READINGS, *(each.name for kind in kinds for each in kind.readings)]))


def _parts_of(analysis: Any, project: Project) -> list[str]:
    """Return the parts that are made of the body of an analysis, in the system whose motion it builds on."""
    before = [other for other in project.analyses if other.name in analysis.predecessors()]
    systems = [system for system in project.systems for other in before if system.name == other.owner]
    return [part.name for system in systems for part in system.parts if part.body_name() == analysis.body]


def _analyses_before(analysis: Any, project: Project) -> list[str]:
    """Return the names of analyses on whose results one can build; of all where that is not known."""
    others = [other for other in project.analyses if other is not analysis]
    if isinstance(analysis, Sweep):
        others = [other for other in others if not isinstance(other, Sweep)]
    if analysis is not None and analysis.follows:
        others = [other for other in others if project.can_follow(analysis, other)]
    return [other.name for other in others]
