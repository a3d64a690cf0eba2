"""Checks for errors and doubtful decisions in a project. A member is one file with one function.

A check examines the decisions and the artifacts computed so far, and yields findings. It never computes an expensive
artifact.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from faying.errors import FayingError
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import Skin, find_skin
from faying.fem.surface import Surface
from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_stiffness import StiffnessProposal, penetration_at, propose_stiffness
from faying.joints.pairs import ContactPairs
from faying.multibody.assembly import Assembled
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.system_spec import SystemSpec
from faying.params import Spec
from faying.progress import Progress, Silent
from faying.project.contact_sides import ContactSide, contact_side
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, JointSpec, Project
from faying.reduction.body import ReducedBody
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.reduction.joint_quality import JointQuality
from faying.registry import Registry
from faying.units import with_units

T = TypeVar("T")
Severity = Literal["error", "warning", "note"]
EntityPath = tuple[str | int, ...]
Sides = dict[str, Surface | FayingError]  # "master" and "slave"


@dataclass(frozen=True)
class Remedy:
    """One decision that would fix a finding; the window offers it as a step that can be undone.

    Attributes:
        label: name of the step: "Move 'ball' out of 'rod'".
        path: path to the parameter.
        value: its new value.
    """

    label: str
    path: EntityPath
    value: Any


@dataclass(frozen=True)
class Finding:
    """Outcome of a check.

    Attributes:
        severity: "error" (cannot be computed), "warning" (probably not what was meant) or "note".
        entity: path to the entity in the project: ("bodies", 0, "joints", 1); () for the project.
        sentence: description of the problem, naming the entity and the place.
        hint: next step; may be empty.
        check: kind of the check that reported it.
        details: complete list, one item per line, if the sentence names only the first.
        stages: affected stages of the body (`spoils`); all if empty.
        remedy: a decision that would fix it; None if more than one is needed.
    """

    severity: Severity
    entity: EntityPath
    sentence: str
    hint: str = ""
    check: str = ""
    details: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    remedy: Remedy | None = None


@dataclass(frozen=True)
class CheckedProject:
    """Input of the checks: the decisions and the artifacts computed so far.

    Attributes:
        project: the decisions.
        base: folder of relative deck paths.
        models: FE models by body name, as far as they have been read.
        pairs: contact pairs by (body name, joint name), as far as they have been found.
        matrices: imported stiffness and mass by body name, as far as they have been read.
        assembled: initial multibody systems by name, as far as their bodies have been reduced, or the error that
            prevents assembly.
        reports: run reports by the name of their analysis, as far as they have been run.
        jointed: stiffness of the joints of reduced bodies, by body name, as far as compared.
        reduced: reduced bodies with errors to tell, by name, as far as computed.
        made_with: solvers and versions used for these, likewise.
        with_meshes: whether to check the meshes, which takes longest.
        known: `made` of an earlier check of the project, reused for unchanged values.
        made: values computed by `once` for this check.
    """

    project: Project
    base: Path
    models: Mapping[str, FeModel] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], ContactPairs] = field(default_factory=dict)
    matrices: Mapping[str, StructuralMatrices] = field(default_factory=dict)
    assembled: Mapping[str, Assembled | FayingError] = field(default_factory=dict)
    reports: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    made_with: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    jointed: Mapping[str, JointQuality] = field(default_factory=dict)
    reduced: Mapping[str, ReducedBody] = field(default_factory=dict)
    with_meshes: bool = False
    known: Mapping[tuple[Any, ...], tuple[Any, Any]] = field(default_factory=dict, repr=False)
    made: dict[tuple[Any, ...], tuple[Any, Any]] = field(default_factory=dict, init=False, repr=False)

    def once(self, what: str, of: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return a value derived from immutable objects, computed once as long as these are the same objects.

        Args:
            what: name of the value.
            of: the objects: models, surfaces, specs.
            make: computes the value.
        """
        key = (what, *map(id, of))
        if key not in self.made:
            # The objects are stored too, so that their ids are not reused.
            self.made[key] = self.known[key] if key in self.known else (of, make())
        return self.made[key][1]  # type: ignore[no-any-return]

    def surfaces(self, body: BodySpec, joint: JointSpec) -> Sides:
        """Return the joint's master and slave surface, or the error if one cannot be chosen; empty without a model."""
        model = self.models.get(body.name)
        if model is None:
            return {}
        return self.once("sides", (model, joint.master, joint.slave), lambda: self._sides(model, joint))

    def choose_next_surfaces(self) -> bool:
        """Choose the surfaces of one joint for which they are not chosen yet; return whether there was one.

        Choosing takes longest of all that most checks need: a window does so joint by joint before it runs them.
        """
        for _, body, joint, model in self.joints():
            key = ("sides", id(model), id(joint.master), id(joint.slave))
            if model is not None and key not in self.made and key not in self.known:
                self.surfaces(body, joint)
                return True
        return False

    def stiffness_proposal(self, body: BodySpec, joint: JointSpec) -> StiffnessProposal | None:
        """Return the contact stiffness that suits the mesh at a joint; None without model, pairs or a modulus."""
        model, pairs = self.models.get(body.name), self.pairs.get((body.name, joint.name))
        sides = self.surfaces(body, joint)
        master, slave = sides.get("master"), sides.get("slave")
        if (
            model is None
            or pairs is None
            or not isinstance(master, Surface)
            or not isinstance(slave, Surface)
        ):
            return None
        return self.once(
            "stiffness",
            (model, master, slave, pairs),
            lambda: propose_stiffness(model, master, slave, pairs),
        )

    def penetration(self, law: ContactLaw, proposal: StiffnessProposal) -> float:
        """Return the penetration of the surfaces by a law at the pressure of a proposal (`penetration_at`).

        Raises:
            FayingError: when a file of the law cannot be read.
        """
        absolute = with_absolute_files(law, self.base)
        return self.once("penetration", (law, proposal), lambda: penetration_at(absolute, proposal.pressure))

    def skin(self, model: FeModel) -> Skin:
        """Return the skin of one of the models."""
        return self.once("skin", (model,), lambda: find_skin(model))

    def contact_surface(
        self, body: BodySpec, each: ContactSurfaceSpec
    ) -> tuple[FeModel, Surface] | FayingError | None:
        """Return a body's model and the facets of a contact surface, or the error; None without model."""
        model = self.models.get(body.name)
        if model is None:
            return None

        def choose() -> Surface | FayingError:
            try:
                return each.surface.select(model, self.skin(model))  # type: ignore[no-any-return]
            except FayingError as error:
                return error

        found = self.once("contact surface", (model, each.surface), choose)
        return found if isinstance(found, FayingError) else (model, found)

    def contact_sides(
        self, system: SystemSpec, contact: PartContactSpec
    ) -> dict[str, ContactSide | FayingError]:
        """Return master and slave of a contact between parts, or the error if one is missing."""
        whose = f"contact {contact.name!r}"
        return {
            role: contact_side(
                self.project, system, getattr(contact, role), whose, self.contact_surface, self.base
            )
            for role in ("master", "slave")
        }

    def contacts(self) -> Iterator[tuple[EntityPath, SystemSpec, PartContactSpec]]:
        """Yield (path, system, contact between its parts)."""
        for i, system in enumerate(self.project.systems):
            for k, contact in enumerate(system.contacts):
                yield ("systems", i, "contacts", k), system, contact

    def _sides(self, model: FeModel, joint: JointSpec) -> Sides:
        master, slave = (self.selected(model, joint, side) for side in ("master", "slave"))
        if isinstance(master, Surface) and isinstance(slave, Surface):
            master, slave = facing_sides(model, master, slave)
        return {"master": master, "slave": slave}

    def selected(self, model: FeModel, joint: JointSpec, side: str) -> Surface | FayingError:
        """Return the surface chosen for a side of a joint, possibly with both sides of shells, or the error."""
        try:
            return getattr(joint, side).select(model, self.skin(model))  # type: ignore[no-any-return]
        except FayingError as error:
            return error

    def bodies(self) -> Iterator[tuple[EntityPath, BodySpec, FeModel | None]]:
        """Yield (path, body, its model or None)."""
        for i, body in enumerate(self.project.bodies):
            yield ("bodies", i), body, self.models.get(body.name)

    def joints(self) -> Iterator[tuple[EntityPath, BodySpec, JointSpec, FeModel | None]]:
        """Yield (path, body, joint, the body's model or None)."""
        for path, body, model in self.bodies():
            for j, joint in enumerate(body.joints):
                yield (*path, "joints", j), body, joint, model


Check = Callable[[CheckedProject], Iterable[Finding]]
checks: Registry[Check] = Registry("check", __name__)


def spoils(*stages: str) -> Callable[[Check], Check]:
    """Decorate a check with the affected stages of a body: runs without these stages do not report its findings."""

    def mark(check: Check) -> Check:
        check.stages = stages  # type: ignore[attr-defined]
        return check

    return mark


_ORDER = {"error": 0, "warning": 1, "note": 2}


def run_checks(checked: CheckedProject, progress: Progress | None = None) -> list[Finding]:
    """Return the findings of all checks, errors first, then in the order of the project."""
    progress, members, found = progress or Silent(), checks.items(), []
    for i, (kind, check) in enumerate(members):
        progress.report(i / len(members), "checks")
        stages = getattr(check, "stages", ())
        found += [
            replace(_in_units(f, checked.project.units), check=f.check or kind, stages=stages)
            for f in check(checked)
        ]
    return sorted(found, key=lambda f: (_ORDER[f.severity], _place(checked.project, f.entity)))


def _place(project: Project, entity: EntityPath) -> list[int]:
    """Return the position of an entity in the project, by order of declaration and index in lists."""
    value: Any = project
    numbers: list[int] = []
    for part in entity:
        if isinstance(part, int):
            numbers.append(part)
            value = value[part] if isinstance(value, tuple) and part < len(value) else None
        else:
            names = list(type(value).model_fields) if isinstance(value, Spec) else []
            numbers.append(names.index(part) if part in names else len(names))
            value = getattr(value, part, None)
    return numbers


def _in_units(finding: Finding, units: str) -> Finding:
    """Return the finding with units added to amounts, even in messages repeated from code without units."""
    return replace(
        finding,
        sentence=with_units(finding.sentence, units),
        hint=with_units(finding.hint, units),
        details=tuple(with_units(line, units) for line in finding.details),
    )


def entity_text(project: Project, path: EntityPath) -> str:
    """Return a path as text: "body bar, joint lap"; "project" for the empty path."""
    words: list[str] = []
    thing: object = project
    for part in path:
        if isinstance(part, int):
            thing = thing[part] if isinstance(thing, tuple) and part < len(thing) else None
            words[-1] = f"{_SINGULAR.get(words[-1], words[-1])} {getattr(thing, 'name', part + 1)}"
        else:
            thing = getattr(thing, part, None)
            words.append(part)
    return ", ".join(words) or "project"


_SINGULAR = {
    "bodies": "body",
    "joints": "joint",
    "interfaces": "interface node",
    "couplings": "coupling",
    "contact_surfaces": "contact surface",
    "ground_surfaces": "surface of ground",
    "contacts": "contact",
    "bolts": "bolt",
    "analyses": "analysis",
    "supports": "support",
    "loads": "load",
    "displacements": "displacement",
    "preloads": "preload case",
    "systems": "system",
    "parts": "part",
    "markers": "marker",
    "ground": "marker on ground",
    "constraints": "constraint",
    "forces": "force",
    "measures": "measure",
    "controllers": "controller",
    "events": "event",
}
