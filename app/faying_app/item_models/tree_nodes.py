"""The project as a tree of nodes: what the tree panel shows, made again for each change."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from faying.fem.model import FeModel
from faying.multibody.assembly import Assembled
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.placement import MarkerSpec
from faying.multibody.rigid_surfaces import RigidSurface
from faying.multibody.system_spec import SystemSpec
from faying.project.specs import BodySpec, JointSpec, Project
from faying.project.stage import Target, target_of
from faying.units import UnitSystemName, unit_text
from faying_app.computed import Computed, Mark
from faying_app.look.counts import counted
from faying_app.selection import EntityPath

HiddenParts = tuple[tuple[str, int], ...]


@dataclass
class Node:
    """One line of the tree.

    Attributes:
        title: its text.
        path: of the entity that it represents.
        icon: its icon.
        detail: short text next to it (a count, a kind).
        target: what is computed for it, whose state is marked; None for nothing.
        editable: whether it can be renamed in place.
        mark: state of what is computed for it; None for nothing.
        shown: whether it is in the picture; None for what is not switched by itself.
        children: lines below it.
    """

    title: str
    path: EntityPath
    icon: str
    detail: str = ""
    target: Target | None = None
    editable: bool = False
    children: list["Node"] = field(default_factory=list)
    shown: bool | None = None
    mark: Mark | None = None
    parent: "Node | None" = None
    row: int = 0

    def link(self) -> "Node":
        """Tell all nodes below about their parents; return self."""
        for row, child in enumerate(self.children):
            child.parent, child.row = self, row
            child.link()
        return self

    def same_shape(self, other: "Node") -> bool:
        """Return whether two trees have the same lines (by path), whatever their texts."""
        return (
            self.path == other.path
            and len(self.children) == len(other.children)
            and all(a.same_shape(b) for a, b in zip(self.children, other.children, strict=True))
        )

    def take_over(self, other: "Node") -> "Iterator[Node]":
        """Copy what is shown from another tree of the same shape; yield the nodes that differed, of this tree."""
        if self._shown() != other._shown():
            self.title, self.detail, self.icon = other.title, other.detail, other.icon
            self.editable, self.shown, self.mark = other.editable, other.shown, other.mark
            yield self
        self.target = other.target
        for mine, new in zip(self.children, other.children, strict=True):
            yield from mine.take_over(new)

    def _shown(self) -> tuple[object, ...]:
        return self.title, self.detail, self.icon, self.editable, self.shown, self.mark


def build_tree(project: Project, computed: Computed, hidden: HiddenParts) -> Node:
    """Return the tree of a project; its root is not shown, its only child is the project."""
    top = Node(project.name, (), "project", editable=True)
    for i, body in enumerate(project.bodies):
        top.children.append(_body(body, ("bodies", i), computed, hidden))
    for i, system in enumerate(project.systems):
        top.children.append(_system(system, ("systems", i), computed))
    if project.analyses or project.bodies or project.systems:
        top.children.append(_analyses(project))
    return Node("", (), "", children=[top]).link()


def _body(body: BodySpec, path: EntityPath, computed: Computed, hidden: HiddenParts) -> Node:
    model = computed.model(body.name)
    interfaces = Node("Interface nodes", (*path, "interfaces"), "interface", _count(len(body.interfaces)))
    for i, interface in enumerate(body.interfaces):
        place = interface.node_set or (f"node {interface.node}" if interface.node else "no node yet")
        detail = place if place != interface.name else ""
        interfaces.children.append(
            Node(interface.name, (*path, "interfaces", i), "interface", detail, editable=True)
        )
    part_of = computed.part_of_element(body.name)
    joints = Node("Joints", (*path, "joints"), "joint", _count(len(body.joints)))
    for i, joint in enumerate(body.joints):
        joints.children.append(_joint(body, joint, (*path, "joints", i), computed, part_of))
    basis = computed.basis(body.name)
    reduction = Node(
        "Component modes", (*path, "reduction"), "modes",
        f"{type(body.reduction).title}", Target("components", body.name),
    )  # fmt: skip
    extension = Node(
        "Joint modes", (*path, "joint_modes"), "joint_modes",
        f"{counted(basis.modes.shape[1], 'mode')} in all" if basis is not None else type(body.joint_modes).title,
        Target("body", body.name),
    )  # fmt: skip
    shown = _model(body, (*path, "model"), model, computed.project.units)
    shown.children += _parts(body.name, (*path, "model", "connected_part"), computed, hidden)
    children = [
        shown,
        _materials(body, (*path, "materials"), model),
        interfaces,
        joints,
        reduction,
        extension,
    ]
    if body.couplings:
        couplings = Node("Couplings", (*path, "couplings"), "interface", _count(len(body.couplings)))
        for i, coupling in enumerate(body.couplings):
            at = (*path, "couplings", i)
            couplings.children.append(Node(coupling.name, at, "interface", coupling.behaviour, editable=True))
        children.insert(3, couplings)
    if body.contact_surfaces:
        at = (*path, "contact_surfaces")
        touched = Node("Contact surfaces", at, "surface", _count(len(body.contact_surfaces)))
        for i, each in enumerate(body.contact_surfaces):
            own = Node("Surface", (*at, i, "surface"), "slave", each.surface.in_words(part_of))
            detail = type(each.shapes).title
            touched.children.append(Node(each.name, (*at, i), "surface", detail, None, True, [own]))
        children.insert(4, touched)
    if body.supports:
        supports = Node("Supports", (*path, "supports"), "interface", _count(len(body.supports)))
        for i, support in enumerate(body.supports):
            at = (*path, "supports", i)
            supports.children.append(Node(support.name, at, "interface", support.behaviour, editable=True))
        children.insert(3, supports)
    if body.bolts:
        bolts = Node("Bolts", (*path, "bolts"), "joint", _count(len(body.bolts)))
        for i, bolt in enumerate(body.bolts):
            bolts.children.append(Node(bolt.name, (*path, "bolts", i), "joint", "", editable=True))
        children.insert(3, bolts)
    if body.preloads:
        cases = Node("Preload cases", (*path, "preloads"), "force", _count(len(body.preloads)))
        for i, case in enumerate(body.preloads):
            detail = ", ".join(type(load).title for load in case.loads)
            cases.children.append(Node(case.name, (*path, "preloads", i), "force", detail, editable=True))
        children.insert(3, cases)
    if body.loads:
        loads = Node("Loads", (*path, "loads"), "force", _count(len(body.loads)))
        for i, load in enumerate(body.loads):
            at = (*path, "loads", i)
            loads.children.append(Node(load.name, at, "force", type(load).title, editable=True))
        children.insert(3, loads)
    return Node(body.name, path, "body", "", editable=True, children=children)


def _materials(body: BodySpec, path: EntityPath, model: FeModel | None) -> Node:
    """Return the materials that the project gives to elements; those of the deck are with the model."""
    of_deck = 0 if model is None else len(model.materials)
    detail = str(len(body.materials)) if body.materials else "of the deck" if of_deck else "none yet"
    node = Node("Materials", path, "material", detail)
    for i, given in enumerate(body.materials):
        name = str(getattr(given, "name", type(given).title)).replace("_", " ")
        place = given.element_set or "elements without one"
        node.children.append(Node(name, (*path, i), "material", place))
    return node


def _model(body: BodySpec, path: EntityPath, model: FeModel | None, units: UnitSystemName) -> Node:
    node = Node(
        "Model",
        path,
        "model",
        body.model.path.replace("\\", "/").rsplit("/", 1)[-1],
        Target("model", body.name),
    )
    if model is None:
        return node
    groups: list[tuple[str, str, str, dict[str, Any]]] = [
        ("Surfaces", "deck_surface", "surface", model.surfaces),
        ("Node sets", "node_set", "node_set", model.node_sets),
        ("Element sets", "element_set", "element_set", model.element_sets),
        ("Materials", "material", "material", model.materials),
    ]
    for title, kind, icon, things in groups:
        if not things:
            continue
        group = Node(title, (*path, kind), icon, _count(len(things)))
        for name, thing in things.items():
            group.children.append(Node(name, (*path, kind, name), icon, _size(kind, thing, units)))
        node.children.append(group)
    return node


def _parts(body: str, path: EntityPath, computed: Computed, hidden: HiddenParts) -> list[Node]:
    """Return the list of connected parts, where there are several."""
    names = computed.part_names(body)
    if len(names) < 2:
        return []
    parts = Node("Parts", path, "part", str(len(names)))
    for part, (title, size) in names.items():
        at, name = (*path, str(part + 1)), title[:1].upper() + title[1:]
        parts.children.append(Node(name, at, "part", size, shown=(body, part) not in hidden))
    return [parts]


def _size(kind: str, thing: Any, units: UnitSystemName) -> str:
    if kind == "deck_surface":
        return (
            counted(len(thing.elements), "face") if len(thing.elements) else counted(len(thing.nodes), "node")
        )
    if kind == "material":
        return f"E = {thing.youngs_modulus:g} {unit_text('stress', units)}"
    return f"{len(thing)} {'nodes' if kind == 'node_set' else 'elements'}"


def _joint(
    body: BodySpec, joint: JointSpec, path: EntityPath, computed: Computed, part_of: Callable[[int], str]
) -> Node:
    if body.is_tied(joint):
        model = computed.model(body.name)
        ties = () if model is None else model.ties
        number = body.tied_joints.index(joint)
        detail = f"tied, {counted(len(ties[number].nodes), 'node')}" if number < len(ties) else "tied"
        children = [
            Node("Master", (*path, "master"), "master", joint.master.in_words(part_of)),
            Node("Slave", (*path, "slave"), "slave", joint.slave.in_words(part_of)),
        ]
        return Node(joint.name, path, "joint", detail, Target("model", body.name), True, children)
    pairs = computed.pairs(body.name, joint.name)
    friction = type(joint.friction_law).title if joint.friction_law is not None else "none"
    children = [
        Node("Master", (*path, "master"), "master", joint.master.in_words(part_of)),
        Node("Slave", (*path, "slave"), "slave", joint.slave.in_words(part_of)),
        Node("Contact law", (*path, "contact_law"), "law", type(joint.contact_law).title),
        Node("Friction law", (*path, "friction_law"), "law", friction),
    ]
    detail = counted(len(pairs), "pair") if pairs is not None else ""
    return Node(joint.name, path, "joint", detail, Target("pairs", body.name, joint.name), True, children)


def _system(system: SystemSpec, path: EntityPath, computed: Computed) -> Node:
    ground = Node("Ground", (*path, "ground"), "ground", _count(len(system.ground)))
    ground.children = _markers(system.ground, (*path, "ground"))
    parts = Node("Parts", (*path, "parts"), "part", _count(len(system.parts)))
    for i, part in enumerate(system.parts):
        at = (*path, "parts", i)
        detail = part.body_name() or type(part).title
        children = _markers(part.markers, (*at, "markers"))
        children += _rigid_surfaces(getattr(part, "contact_surfaces", ()), (*at, "contact_surfaces"))
        parts.children.append(Node(part.name, at, "part", detail, None, True, children))
    members = []
    if system.ground_surfaces:
        at = (*path, "ground_surfaces")
        still = Node("Surfaces of ground", at, "surface", _count(len(system.ground_surfaces)))
        still.children = _rigid_surfaces(system.ground_surfaces, at)
        members.append(still)
    if system.contacts:
        at = (*path, "contacts")
        contacts = Node("Contacts between parts", at, "pairs", _count(len(system.contacts)))
        for i, contact in enumerate(system.contacts):
            contacts.children.append(_contact(contact, (*at, i)))
        members.append(contacts)
    for title, kind, icon in (
        ("Constraints", "constraints", "constraint"), ("Forces", "forces", "force"),
        ("Measures", "measures", "measure"), ("Controllers", "controllers", "loop"),
        ("Events", "events", "event"),
    ):  # fmt: skip
        found = getattr(system, kind)
        node = Node(title, (*path, kind), icon, _count(len(found)))
        node.children = [
            Node(member.name, (*path, kind, i), icon, type(member).title, editable=True)
            for i, member in enumerate(found)
        ]
        members.append(node)
    at_start = computed.assembled(system)
    detail = f"{at_start.freedom.degrees} DOF" if isinstance(at_start, Assembled) else ""
    return Node(system.name, path, "system", detail, None, True, [ground, parts, *members])


def _rigid_surfaces(surfaces: tuple[RigidSurface, ...], path: EntityPath) -> list[Node]:
    return [
        Node(surface.name, (*path, i), "surface", surface.describe(), editable=True)
        for i, surface in enumerate(surfaces)
    ]


def _contact(contact: PartContactSpec, path: EntityPath) -> Node:
    friction = type(contact.friction_law).title if contact.friction_law is not None else "none"
    children = [
        Node("Master", (*path, "master"), "master", contact.master),
        Node("Slave", (*path, "slave"), "slave", contact.slave),
        Node("Contact law", (*path, "contact_law"), "law", type(contact.contact_law).title),
        Node("Friction law", (*path, "friction_law"), "law", friction),
    ]
    return Node(contact.name, path, "pairs", f"{contact.master} – {contact.slave}", None, True, children)


def _markers(markers: tuple[MarkerSpec, ...], path: EntityPath) -> list[Node]:
    return [
        Node(marker.name, (*path, i), "marker", marker.interface, editable=True)
        for i, marker in enumerate(markers)
    ]


def _analyses(project: Project) -> Node:
    node = Node("Analyses", ("analyses",), "analysis", _count(len(project.analyses)))
    for i, analysis in enumerate(project.analyses):
        target = target_of(analysis)
        node.children.append(
            Node(analysis.name, ("analyses", i), "analysis", type(analysis).title, target, editable=True)
        )
    return node


def _count(n: int) -> str:
    return str(n) if n else "none yet"
